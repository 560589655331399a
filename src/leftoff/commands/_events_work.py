"""The work of a session as an event sees it: what it did, what it is on, and a save of both."""

from __future__ import annotations

from leftoff.commands import _draft_sources
from leftoff.commands._events_scene import PATIENCE, note_also
from leftoff.commands._resume_choice import nearest
from leftoff.core.session_lines import SAVE
from leftoff.core.thread import document
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world import conversation
from leftoff.world.facts import authors

if TYPE_CHECKING:
    from leftoff.commands._events_scene import Scene, Standing
    from leftoff.core.draft import Seen
    from leftoff.core.model import Checkpoint


def look(scene: Scene) -> Seen:
    """Paths and counts, by the end of the transcript that the client names."""
    payload, agent = scene.happened.payload, scene.happened.agent
    there = conversation.is_there(agent, payload.transcript) if payload.transcript else False
    path = payload.transcript if there else ""
    last = conversation.TAIL
    return _draft_sources.seen(
        scene.call, agent, payload.session, path, trigger=payload.source, last=last
    )


def work_at_hand(scene: Scene, stands: Standing) -> Checkpoint | None:
    """The work at hand, as at the start; None where nobody can say which one it is.

    What another person wrote counts only where somebody chose it for this session.
    """
    call = scene.call
    near = nearest(call, call.store.streams(), stands.thread)
    if len(near) != 1 or near[0].glance.broken:
        return None
    others = {} if stands.bound else authors(call.store, near[0].parts, call.env, PATIENCE)
    try:
        return None if others else call.store.read_stream(near[0])
    except LeftoffError:
        return None


def save_into_thread(scene: Scene, stands: Standing, looked: Seen) -> bool:
    """Save what was seen into the thread, as `leftoff save` would; whatever stands there stays."""
    from leftoff.commands._save_writing import (  # once per crossing, and at the end
        into_thread,
        save_request,
    )

    at, store = scene.happened, scene.call.store
    if not stands.thread or not store.exists(document(stands.thread)):
        return False
    request = save_request(scene.call, {}, (at.agent, at.payload.session), looked)
    try:
        saved = into_thread(scene.call, stands.thread, request)
    except LeftoffError as error:
        scene.failures.append(error)  # told in the hook's log; the turn goes on
        return False
    note_also(scene, SAVE, path=saved.path)
    return True
