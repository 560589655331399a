"""A document changed through its lens: one field, or whatever else its checkpoint holds."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from leftoff.commands import Call
    from leftoff.core.model import Checkpoint
    from leftoff.world.store import Document, Store


def edit(
    store: Store, path: str, change: Callable[[Checkpoint], Checkpoint], stamped: str = ""
) -> Document:
    """Write what `change` makes of the checkpoint that is there by then; nothing for no change.

    With `stamped`, what changed says that it was at this time.
    """
    lens = store.lens_at(path)

    def edited(text: str) -> str:
        before = lens.read(text, path)
        after = change(before)
        if after == before:
            return text
        return lens.write(after._replace(updated=stamped) if stamped else after, text, path)

    return store.change(path, edited)


def set_word(call: Call, path: str, word: str) -> None:
    """Write `current` or `active` into the header of a Markdown checkpoint."""
    edit(call.store, path, lambda known: known._replace(word=word))
