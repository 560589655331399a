"""The lines of an item in a list, and its row in a table."""

from __future__ import annotations

import re

from leftoff.formats._md_items import ID, TEXT, Form, made, parts, spell
from leftoff.formats._md_scan import RULE, cells
from leftoff.formats._md_text import entry, word
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.core.model import Item
    from leftoff.formats._md_items import Listing, Slot

_DASHES = re.compile(r"\\+[-*_][-*_ \t]*$")
_MARKS = {ord(mark): None for mark in "*_`"}


def lines_of(item: Item, spec: Listing, form: Form) -> list[str]:
    """An item's lines in a form."""
    if form.columns:
        return [row_line(item, spec, form)]
    return list_lines(spell(item, spec, form), form)


def list_lines(text: str, form: Form) -> list[str]:
    """The lines of a list item."""
    first, *others = text.split("\n")
    if _DASHES.match(first) or RULE.match(f"{form.marker} {first}"):
        first = f"\\{first}"  # with its bullet it would be a rule
    space = " " * (len(form.indent) + len(form.marker) + 1)
    return [f"{form.indent}{form.marker} {first}", *(line and space + line for line in others)]


def list_text(lines: Sequence[str], offset: int) -> str:
    """The text of a list item's lines, whose content begins some columns in."""
    first = "".join(lines[0].split(maxsplit=1)[1:]).rstrip()
    if first[:1] == "\\" and _DASHES.match(first):
        first = first[1:]
    return "\n".join([first, *(_dedented(line, offset) for line in lines[1:])])


def _dedented(line: str, offset: int) -> str:
    body = line.lstrip(" \t")
    indent = len(line[: len(line) - len(body)].expandtabs(4))
    return " " * max(0, indent - offset) + body


def columns_of(header: str, spec: Listing) -> tuple[Slot, ...]:
    """What each column of a table holds; one of them is the text."""
    known: dict[str, Slot] = {name.casefold(): slot for slot, name in spec.columns}
    known.update({key: key for key in spec.keys})
    known.update({"id": ID, **spec.names})
    slots: list[Slot] = []
    for cell in cells(header):
        name = word(_unpiped(cell))
        slot = known.get(name.translate(_MARKS).casefold(), name or None)
        slots.append(None if slot in slots else slot)
    if TEXT not in slots:
        strange = [slot for slot in slots if isinstance(slot, str) and slot not in spec.keys]
        slots[slots.index(strange[0]) if strange else 0] = TEXT
    return tuple(slots)


def row_item(row: str, columns: tuple[Slot, ...], spec: Listing) -> tuple[Item | None, Form]:
    """The item in a table row."""
    raw = cells(row)
    said = dict(zip(columns, map(_unpiped, raw), strict=False))
    text, name, attrs, form = parts(said.pop(TEXT, ""), spec)
    name = said.pop(ID, "") or name
    attrs |= {str(slot): value for slot, value in said.items() if slot is not None and value}
    form = Form("", "", form.box, form.code, columns, tuple(raw))
    return made(text, name, attrs, spec), form


def row_line(item: Item, spec: Listing, form: Form) -> str:
    """A table row; a cell that says the same keeps its spelling."""
    raw = [cell.strip() for cell in form.cells]
    raw += [""] * (len(form.columns) - len(raw))
    for number, slot in enumerate(form.columns):
        if slot == TEXT:
            raw[number] = _piped(spell(item, spec, form))
        elif slot is not None:
            value = item.id if slot == ID else str(item.attrs.get(str(slot), ""))
            if entry(_unpiped(raw[number])) != value:
                raw[number] = _piped(value)
    return f"| {' | '.join(raw)} |"


def _piped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", "<br>")


def _unpiped(cell: str) -> str:
    return cell.replace("\\|", "|").strip()
