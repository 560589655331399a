"""What another session left for this one: given with its first brief, used up at a turn's end.

Hooks change no file of a project: a record there is only marked, and a command puts it away.
"""

from __future__ import annotations

from leftoff.commands._events_scene import DiskErrors, note_also
from leftoff.commands._resume_choice import any_left
from leftoff.core.choose import USE, Asker, Candidate, choose, is_own, together
from leftoff.core.session_lines import GIVEN
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import bindings, pending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.commands._events_scene import Scene, Standing
    from leftoff.core.stream import Stream

TASK = "task"
"""The format that is written once: any other document says itself how far the work is."""


class Left(Record):
    """What was left, and its document."""

    candidate: Candidate
    stream: Stream

    def give(self, scene: Scene) -> None:
        """The session gets it: whoever comes next hears of that until the session is gone."""
        at = scene.happened
        for one in self.candidate.records:
            with DiskErrors(scene.failures):
                pending.offer(scene.call.store, one, (at.agent, at.payload.session), at.now)
        if self.stream.glance.format == TASK:
            note_also(scene, GIVEN, save=self.candidate.newest.target)


def left_for(scene: Scene, stands: Standing, streams: Sequence[Stream]) -> Left | None:
    """The one thing that was left for this session, unless that is at work on something else."""
    if scene.after_compaction or scene.out_of_time or not any_left(scene.call):
        return None
    try:
        return _left(scene, stands, streams)
    except LeftoffError:
        return None  # `notes` names the record, and `leftoff resume` shows what is left of it


def _left(scene: Scene, stands: Standing, streams: Sequence[Stream]) -> Left | None:
    call, at = scene.call, scene.happened
    store = call.store
    seen = pending.waiting(store, streams, at.now, scene.settings.limits)
    for over in seen.over:
        if not pending.in_project(store, over.record):
            with DiskErrors(scene.failures):
                pending.put_away(store, over, at.now)
    sessions = bindings.lineage(at.state, at.agent, at.payload.session)
    asker = Asker(sessions, stands.thread, pending.document(store, stands.thread))
    chosen = choose(together(seen.records), asker)
    one = chosen.candidate if chosen.verb == USE else None
    if one is None or not _is_for(one, asker):
        return None
    stream = pending.stream_at(store, streams, one.newest.target)
    return Left(one, stream) if stream.glance.readable else None


def _is_for(one: Candidate, asker: Asker) -> bool:
    """Not what another live session works on; and on a thread nothing but its own document."""
    if asker.document:
        return one.newest.target == asker.document
    return is_own(one, asker) or not one.newest.live
