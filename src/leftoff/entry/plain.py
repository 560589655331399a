"""Blocks as plain text, for pipes: what agents read, and what scripts grep."""

from __future__ import annotations

from leftoff.core.blocks import Block, Bullets, Heading, Line, Raw, Table
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


# What a document says must not steer a terminal: escapes and other controls become visible.
CONTROLS = {code: "�" for code in (*range(32), *range(127, 160)) if code not in (9, 10)}


def render(blocks: Iterable[Block]) -> str:
    """The whole text of a view."""
    return "".join(_block(block) for block in blocks)


def safe(text: str) -> str:
    """The text without controls; one look at the whole decides, since nearly all have none."""
    flat = text.replace("\n", "").replace("\t", "")
    return text if flat.isprintable() else text.translate(CONTROLS)


def _block(block: Block) -> str:
    return block.text if isinstance(block, Raw) else safe(_drawn(block))


def _drawn(block: Heading | Line | Bullets | Table) -> str:
    if isinstance(block, Line):
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
    """Columns padded to one width; the last one is left ragged."""
    *columns, last = zip(block.columns, *block.rows, strict=True)
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


__all__ = ["render", "width"]
