"""What was seen of a session goes into its thread, where the thread opted in."""

from __future__ import annotations

from leftoff.core import draft
from leftoff.core.thread import document
from leftoff.core.when import stamp
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from leftoff.commands._events_scene import Scene, Standing
    from leftoff.core.draft import Seen


def added(scene: Scene, stands: Standing, looked: Seen) -> bool:
    """Add what was seen to the thread's CHECKPOINT.md; whatever stands there stays."""
    store, path = scene.call.store, document(stands.thread)

    def edit(text: str) -> str:
        lens = store.lens_for(path, text)
        after = draft.added(lens.read(text, path), looked, stamp(scene.call.now))
        return lens.write(after, text, path)

    try:
        if not store.exists(path):
            return False
        store.change(path, edit)
    except LeftoffError:
        return False  # a document that cannot be written is doctor's matter, not the turn's
    return True
