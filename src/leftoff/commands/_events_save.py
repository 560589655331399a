"""An event saves into a thread that opted in, as `leftoff save` would."""

from __future__ import annotations

from leftoff.commands._events_scene import note_also
from leftoff.core.session_lines import SAVE
from leftoff.core.thread import document
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from leftoff.commands._events_scene import Scene, Standing
    from leftoff.core.draft import Seen


def saved(scene: Scene, stands: Standing, looked: Seen) -> bool:
    """Save what was seen into the thread that is there; whatever stands there stays."""
    from leftoff.commands._saving import into_thread, wish_of  # once per crossing, or at the end

    at, call = scene.happened, scene.call
    if not stands.thread or not call.store.exists(document(stands.thread)):
        return False
    wish = wish_of(call, {}, (at.agent, at.told.session), looked)
    try:
        done = into_thread(call, stands.thread, wish)
    except LeftoffError:
        return False  # a document that cannot be written is doctor's matter, not the turn's
    note_also(scene, SAVE, path=done.path)
    return True
