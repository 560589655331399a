"""What can be seen of a session at one moment: its files, its branch, the end of its transcript."""

from __future__ import annotations

from leftoff.commands import _drafting
from leftoff.commands._events_scene import PATIENCE
from leftoff.commands._resume_choice import nearest
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
    told, agent = scene.happened.told, scene.happened.agent
    there = conversation.is_there(agent, told.transcript) if told.transcript else False
    path = told.transcript if there else ""
    last = conversation.TAIL
    return _drafting.seen(scene.call, agent, told.session, path, trigger=told.source, last=last)


def work(scene: Scene, stands: Standing) -> Checkpoint | None:
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
