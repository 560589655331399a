"""The commands that documents name: which there are, which a write brought, how they are shown."""

from __future__ import annotations

from leftoff.core.texts import BLANKS
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from leftoff.core.model import Checkpoint, Item, Json

KIND = "done_when"
# Letters and symbols that count as printable, and that nobody sees.
_UNSEEN = {*map(ord, BLANKS), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)}


def actions(c: Checkpoint) -> list[Item]:
    """The actions, done or not, that name a command."""
    return [item for item in c.next_actions if item.get(KIND)]


def brought(before: Checkpoint | None, after: Checkpoint, values: Iterable[Json]) -> list[str]:
    """The commands that a write brought in: new in the document, and said by who wrote it.

    What was in the document before came with the repository: writing beside it approves nothing.
    """
    known = {item.get(KIND) for item in actions(before)} if before else set()
    said = [text for value in values for text in _texts(value)]
    new = dict.fromkeys(item.get(KIND) for item in actions(after))
    return [text for text in new if text not in known and any(text in word for word in said)]


def visible(text: str) -> str:
    """The text on one line, with everything that could hide or reorder a part of it spelled out."""
    return "".join(
        char if char.isprintable() and ord(char) not in _UNSEEN else f"<U+{ord(char):04X}>"
        for char in text
    )


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
