"""The status word of a Markdown checkpoint, set by `current` and by `init --current`."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from leftoff.commands import Call


def set_word(call: Call, path: str, word: str) -> None:
    """Write `current` or `active` into the header."""
    lens = call.store.lens_at(path)
    call.store.change(
        path, lambda text: lens.write(lens.read(text, path)._replace(word=word), text, path)
    )
