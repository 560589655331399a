"""The items of a section: all its top-level list items and table rows, in order; prose stays prose.

A change touches the lines of its own item. A new item takes the form of the one before it. Should
an edit not read back as what was wanted (a list that now runs into a paragraph), the section is
set anew: its items first, then its prose.
"""

from __future__ import annotations

from itertools import pairwise

from leftoff.formats._markdown import (
    blocks_in,
    is_blank,
    passage_span,
    section_at,
    set_passage,
    spliced,
    text_of,
    upright,
)
from leftoff.formats._md_item_lines import columns_of, lines_of, list_text, row_item, row_line
from leftoff.formats._md_items import Form, spelled
from leftoff.formats._md_list_diff import Entry, numbered, planned
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from leftoff.core.model import Item
    from leftoff.formats._markdown import Cut, Document, Section
    from leftoff.formats._md_items import Listing
    from leftoff.formats._md_list_diff import Placed
    from leftoff.formats._md_scan import Block


def items_of(doc: Document, section: Section, spec: Listing) -> tuple[Item, ...]:
    """The items of a section."""
    return tuple(entry.item for entry in entries(doc, section, spec))


def entries(doc: Document, section: Section, spec: Listing) -> tuple[Entry, ...]:
    """The items of a section and where they stand."""
    known, found = doc.listed.get(section, (None, ()))
    if known is not spec:
        found = tuple(_entries(doc, section, spec))
        doc.listed[section] = spec, found
    return found


def _entries(doc: Document, section: Section, spec: Listing) -> list[Entry]:
    found: list[Entry] = []
    run, last = 0, ""
    for block in blocks_in(doc, section.head + 1, section.end):
        kind = block.kind
        if kind == "item":
            marker = doc.plain[block.start].split(maxsplit=1)[0]
            kind = marker[-1]
            run += kind != last
            found.extend(_listed(doc, block, marker, spec, run))
        elif kind == "table":
            run += 1
            found.extend(_rows(doc, block, spec, run))
        last = kind
    return found


def _listed(doc: Document, block: Block, marker: str, spec: Listing, run: int) -> Iterator[Entry]:
    lines = doc.plain[block.start : block.end]
    item, form = spelled(list_text(lines, block.level), spec)
    if item:
        indent = lines[0][: lines[0].index(marker)]
        form = Form(marker, indent, form.box, form.code)
        yield Entry(item, block.start, block.end, form, run)


def _rows(doc: Document, block: Block, spec: Listing, run: int) -> Iterator[Entry]:
    columns = columns_of(doc.plain[block.start], spec)
    for number in range(block.start + 2, block.end):
        item, form = row_item(doc.plain[number], columns, spec)
        if item:
            yield Entry(item, number, number + 1, form, run)


def set_items(
    doc: Document,
    section: Section,
    spec: Listing,
    want: Sequence[Item],
    placeholders: Container[str] = (),
) -> Document:
    """The document with other items in a section; `placeholders` make room for them."""
    if want:
        doc = _cleared(doc, section, placeholders)
        section = section_at(doc, section.head)
    made = _edited(doc, section, spec, want)
    good = _outline(made) == _outline(doc)
    if good and items_of(made, section_at(made, section.head), spec) == tuple(want):
        return made
    return _anew(doc, section, spec, want)


def _outline(doc: Document) -> list[tuple[str, int]]:
    return [(section.title, section.level) for section in doc.sections]


def _cleared(doc: Document, section: Section, placeholders: Container[str]) -> Document:
    """The document without the blocks of a section that only say that there is nothing."""
    for block in reversed(blocks_in(doc, section.head + 1, section.end)):
        if text_of(doc, block).strip().casefold() in placeholders:
            end = _past_blanks(doc, block.start, block.end, section.end)
            doc = spliced(doc, (block.start, end, ()))
    return doc


def _edited(doc: Document, section: Section, spec: Listing, want: Sequence[Item]) -> Document:
    """The section with the wanted items in the places of the old ones."""
    old = entries(doc, section, spec)
    if not old:
        return _begun(doc, section, spec, want)
    slots = planned(old, want)
    loose = {a.run for a, b in pairwise(old) if a.run == b.run and a.end < b.start}
    cuts: list[Cut] = []
    for number, entry in enumerate(old):
        lines = _placed(doc, spec, slots.get(number, ()), loose=entry.run in loose)
        end = entry.end if lines else _past_blanks(doc, entry.start, entry.end, section.end)
        if lines != doc.plain[entry.start : end]:
            cuts.append((entry.start, end, lines))
    return spliced(doc, *cuts)


def _past_blanks(doc: Document, start: int, end: int, limit: int) -> int:
    """Where lines end that leave, with the blank ones after them if there are some before."""
    while end < limit and is_blank(doc, end) and is_blank(doc, start - 1):
        end += 1
    return end


def _begun(doc: Document, section: Section, spec: Listing, want: Sequence[Item]) -> Document:
    """The first items of a section: rows of a table that has none, or a list after its prose."""
    if not want:
        return doc
    for block in blocks_in(doc, section.head + 1, section.end):
        if block.kind == "table":
            columns = columns_of(doc.plain[block.start], spec)
            rows = [
                row_line(item, spec, _default(spec, item)._replace(columns=columns))
                for item in want
            ]
            return spliced(doc, (block.end, block.end, rows))
    start, end = passage_span(doc, section)
    if start == end:
        return set_passage(doc, section, _fresh(spec, want))
    tail = [""] if end < section.end and not is_blank(doc, end) else []
    return spliced(doc, (end, end, ["", *_fresh(spec, want), *tail]))


def _placed(doc: Document, spec: Listing, placed: Sequence[Placed], *, loose: bool) -> list[str]:
    """The lines that stand in one slot: the entry that had it, and those that come after it."""
    lines: list[str] = []
    for one in placed:
        lines += [""] if loose and lines else []
        kept = one.kept
        if kept and kept.form.marker == one.form.marker:
            lines += doc.plain[kept.start : kept.end]
        elif kept and len(kept.form.marker) == len(one.form.marker):
            first, *others = doc.plain[kept.start : kept.end]
            lines += [first.replace(kept.form.marker, one.form.marker, 1), *others]
        else:
            lines += lines_of(one.item, spec, one.form)
    return lines


def _anew(doc: Document, section: Section, spec: Listing, want: Sequence[Item]) -> Document:
    """The section with its items first, then whatever else it holds, block by block."""
    taken = {number for one in entries(doc, section, spec) for number in range(one.start, one.end)}
    body = _fresh(spec, want)
    for block in blocks_in(doc, section.head + 1, section.end):
        lines = [doc.plain[n] for n in range(block.start, block.end) if n not in taken]
        if lines:
            # The comment ends the list: an indented line would go on with its last item.
            guard = ["<!-- -->", ""] if lines[0][0] in " \t" else []
            body += ["", *guard, *lines]
    cut = (section.head + 1, section.end, ["", *body, ""] if body else [""])
    return spliced(doc, cut, *upright(doc, section.end))


def _fresh(spec: Listing, want: Sequence[Item]) -> list[str]:
    """Items where there are none yet: the table or the list of a new section."""
    if not want:
        return []
    lines = []
    if spec.columns:
        titles = [title for _, title in spec.columns]
        lines = [f"| {' | '.join(titles)} |", f"|{'|'.join('-' * (len(t) + 2) for t in titles)}|"]
    for number, item in enumerate(want):
        lines += lines_of(item, spec, _default(spec, item, number))
    return lines


def _default(spec: Listing, item: Item, number: int = 0) -> Form:
    """The form of an item that has no other one before it."""
    columns = tuple(slot for slot, _ in spec.columns)
    marker = "" if columns else numbered(spec.marker, number)
    return Form(marker, code=spec.ticks and " " not in item.text, columns=columns)
