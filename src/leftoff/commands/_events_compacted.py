"""What a session is told after a compaction, once: the brief again, and what the summary lost."""

from __future__ import annotations

from leftoff import agents
from leftoff.commands import _events_compaction as compact
from leftoff.commands._events_scene import brief_mode, known, note_also, standing, told_so_far
from leftoff.commands._events_start import BRIEF_BYTES, brief_of
from leftoff.core import context_notice
from leftoff.core.brief_fit import BYTES
from leftoff.core.event import COMPACTED, CONTEXT, Answer
from leftoff.record import TYPE_CHECKING
from leftoff.world import saves
from leftoff.world.settings import FULL, OFF

if TYPE_CHECKING:
    from leftoff.commands._events_scene import Scene, Standing


def again(scene: Scene, stands: Standing, before: str = "") -> Answer | None:
    """All that is to be said of the last compaction, behind what is said anyhow."""
    text = before
    if not stands.quiet and saves.has_loss(scene.call.store, scene.happened.payload.session):
        room = min(BYTES, agents.load(scene.happened.agent).CONTEXT_BYTES) - len(before.encode())
        text += _again(scene, stands, room)
    return Answer("context", text) if text else None


def compacted(scene: Scene) -> Answer | None:
    """It happened. Most clients take no text with this event: it goes with a start or prompt."""
    compact.compacted(scene)
    takes_text = agents.load(scene.happened.agent).reply(COMPACTED, CONTEXT, "-")
    return again(scene, standing(scene)) if takes_text else None


def _again(scene: Scene, stands: Standing, room: int) -> str:
    """A client that starts the session anew at a compaction has got the brief with that."""
    briefed = context_notice.was_briefed(told_so_far(scene))
    compact.summary_in_transcript(scene)
    mode = brief_mode(scene, stands, attended=known(scene).attended)
    lost = compact.told_loss(
        scene, min(compact.LOST_BYTES, room), whole=mode == FULL and not briefed
    )
    if briefed or mode == OFF:
        return lost
    note_also(scene, context_notice.NOTICE, what=context_notice.RETOLD)
    size = min(BRIEF_BYTES, room - len(lost.encode()))
    said, _ = brief_of(scene, stands, scene.call.store.streams(), size, whole=mode == FULL)
    return said + lost
