"""What was seen of a session goes into its thread, where the thread opted in."""

from __future__ import annotations

from leftoff.commands._events_scene import note_also
from leftoff.core.session_lines import SAVE
from leftoff.core.thread import document
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from leftoff.commands._events_scene import Scene, Standing
    from leftoff.core.draft import Seen


def added(scene: Scene, stands: Standing, looked: Seen) -> bool:
    """Save what was seen into the thread, as `leftoff save` would; whatever stands there stays."""
    from leftoff.commands._saving import into_thread, wish_of  # once per crossing, and at the end

    at, store = scene.happened, scene.call.store
    if not stands.thread or not store.exists(document(stands.thread)):
        return False
    wish = wish_of(scene.call, {}, (at.agent, at.told.session), looked)
    try:
        saved = into_thread(scene.call, stands.thread, wish)
    except LeftoffError as error:
        scene.failures.append(error)  # told in the hook's log; the turn goes on
        return False
    note_also(scene, SAVE, path=saved.path)
    return True
