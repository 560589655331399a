"""Blocks as plain text, for pipes: what agents read, and what scripts grep."""

from __future__ import annotations

from leftoff.core.blocks import Block, Bullets, Heading, Line, Marked, Raw, Table
from leftoff.core.texts import hides
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def render(blocks: Iterable[Block]) -> str:
    """The whole text of a view."""
    return "".join(_block(block) for block in blocks)


def safe(text: str) -> str:
    """What a document says must not steer a terminal, nor hide a part of itself from a reader.

    One look at the whole decides, since nearly all texts hold nothing of the kind.
    """
    flat = text.replace("\n", "").replace("\t", "")
    if flat.isprintable() and not hides(flat):
        return text
    from leftoff.core.fence import STEERING  # only where there is something to show

    return text.translate(dict.fromkeys(STEERING, "�"))


def note(text: str) -> str:
    """The same where an agent reads it, beside a brief or alone: no mark of ours is in it."""
    text = safe(text)
    if text.isascii() and "<" not in text:
        return text
    from leftoff.core.fence import unfenced  # only where there may be something to take for ours

    return unfenced(text)


def _block(block: Block) -> str:
    return block.text if isinstance(block, Raw) else note(_drawn(block))


def _drawn(block: Heading | Line | Bullets | Table | Marked) -> str:
    if isinstance(block, Line | Marked):
        return block.text + "\n"
    if isinstance(block, Heading):
        return ("\n" if block.level > 1 else "") + "#" * block.level + " " + block.text + "\n"
    if isinstance(block, Bullets):
        return _bullets(block)
    return _table(block)


def _bullets(block: Bullets) -> str:
    if block.numbered:
        return "".join(f"{at}. {text}\n" for at, text in enumerate(block.items, 1))
    return "".join(f"- {text}\n" for text in block.items)


def _table(block: Table) -> str:
    """Columns padded to one width; the last one is left ragged. Without names there is no head."""
    head = (block.columns,) if any(block.columns) else ()
    *columns, last = zip(*head, *block.rows, strict=True)
    lines = zip(*map(_padded, columns), last, strict=True)
    return "".join("  ".join(line).rstrip() + "\n" for line in lines)


def _padded(cells: Sequence[str]) -> list[str]:
    if "".join(cells).isascii():
        size = max(map(len, cells))
        return [cell.ljust(size) for cell in cells]
    size = max(map(width, cells))
    return [cell + " " * (size - width(cell)) for cell in cells]


def width(text: str) -> int:
    """Columns a text takes on a screen: Chinese and emoji take two each."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # only for texts that need it

    return sum(0 if combining(ch) else 2 if east_asian_width(ch) in "WF" else 1 for ch in text)
