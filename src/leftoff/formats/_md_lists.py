"""The items of a section: all its top-level list items and table rows, in order; prose stays prose.

A change touches the lines of its own item. A new item takes the form of the one before it. Should
an edit not read back as what was wanted (a list that now runs into a paragraph), the section is
set anew: its items first, then its prose.
"""

from __future__ import annotations

from bisect import bisect_left

from leftoff.formats._markdown import (
    blocks_in,
    is_blank,
    passage_span,
    section_at,
    sections,
    set_passage,
    spliced,
    text_of,
    upright,
)
from leftoff.formats._md_items import (
    Form,
    columns_of,
    list_lines,
    list_text,
    row_item,
    row_line,
    spell,
    spelled,
)
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from leftoff.core.model import Item
    from leftoff.formats._markdown import Cut, Document, Section
    from leftoff.formats._md_items import Listing
    from leftoff.formats._md_scan import Block


class Entry(Record):
    """An item, the lines it stands on, and the list or table they belong to."""

    item: Item
    start: int
    end: int
    form: Form
    run: int


class _Placed(Record):
    """An item on its way into a section: the old entry whose slot it shares, and its form."""

    slot: int
    item: Item
    form: Form
    run: int
    kept: Entry | None
    """the entry whose lines it keeps"""


def items_of(doc: Document, section: Section, spec: Listing) -> tuple[Item, ...]:
    """The items of a section."""
    return tuple(entry.item for entry in entries(doc, section, spec))


def entries(doc: Document, section: Section, spec: Listing) -> list[Entry]:
    """The items of a section and where they stand."""
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
        yield Entry(item, block.start, block.end, form._replace(marker=marker, indent=indent), run)


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
    return [(section.title, section.level) for section in sections(doc)]


def _cleared(doc: Document, section: Section, placeholders: Container[str]) -> Document:
    """The document without the blocks of a section that only say that there is nothing."""
    for block in reversed(blocks_in(doc, section.head + 1, section.end)):
        if text_of(doc, block).strip() in placeholders:
            end = block.end
            while end < section.end and is_blank(doc, end) and is_blank(doc, block.start - 1):
                end += 1
            doc = spliced(doc, (block.start, end, ()))
    return doc


def _edited(doc: Document, section: Section, spec: Listing, want: Sequence[Item]) -> Document:
    """The section with the wanted items in the places of the old ones."""
    old = entries(doc, section, spec)
    if not old:
        return _begun(doc, section, spec, want)
    plan = _numbers(_plan(old, want), old)
    cuts: list[Cut] = []
    for number, entry in enumerate(old):
        placed = [one for one in plan if one.slot == number]
        lines = _placed(doc, spec, placed, loose=_loose(old, entry.run))
        end = entry.end
        while (
            not lines
            and end < section.end
            and is_blank(doc, end)
            and is_blank(doc, entry.start - 1)
        ):
            end += 1
        if lines != doc.plain[entry.start : end]:
            cuts.append((entry.start, end, lines))
    return spliced(doc, *cuts)


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


def _plan(old: Sequence[Entry], want: Sequence[Item]) -> list[_Placed]:
    """Where each wanted item goes, and in whose form."""
    sources = _sources([entry.item for entry in old], want)
    staying = _longest_rise(sources)
    plan: list[_Placed] = []
    slot = -1
    for number, item in enumerate(want):
        source = sources[number]
        stays = number in staying
        slot = source if stays and source is not None else slot
        near = old[max(slot, 0)]
        origin = old[source] if source is not None else None
        if origin and (stays or _alike(origin.form, near.form)):
            same = origin.item == item
            plan.append(
                _Placed(max(slot, 0), item, origin.form, near.run, origin if same else None)
            )
        else:
            form = near.form._replace(cells=(), code=near.form.code and " " not in item.text)
            plan.append(_Placed(max(slot, 0), item, form, near.run, None))
    return plan


def _alike(one: Form, other: Form) -> bool:
    return one.columns == other.columns and one.marker[-1:] == other.marker[-1:]


def _sources(old: Sequence[Item], want: Sequence[Item]) -> list[int | None]:
    """For each wanted item the old one it was: the same, else of the same key, else in its place."""
    free: dict[str, list[int]] = {}
    for number, item in enumerate(old):
        free.setdefault(item.key, []).append(number)
    sources: list[int | None] = [None] * len(want)
    for same in (lambda a, b: a == b, lambda _a, _b: True):
        for number, item in enumerate(want):
            if sources[number] is None:
                fits = [one for one in free.get(item.key, ()) if same(old[one], item)]
                if fits:
                    free[item.key].remove(fits[0])
                    sources[number] = fits[0]
    unused = {number for numbers in free.values() for number in numbers}
    before = -1
    for number, source in enumerate(sources):
        if source is None and before + 1 in unused:
            sources[number] = before + 1
        before = sources[number] if sources[number] is not None else before
    return sources


def _longest_rise(sources: Sequence[int | None]) -> set[int]:
    """Which places of a sequence form its longest rising part: what stays when others move."""
    tops: list[int] = []
    ends: list[int] = []
    previous: dict[int, int] = {}
    for place, source in enumerate(sources):
        if source is None:
            continue
        at = bisect_left(tops, source)
        previous[place] = ends[at - 1] if at else -1
        tops[at : at + 1] = [source]
        ends[at : at + 1] = [place]
    rise: set[int] = set()
    place = ends[-1] if ends else -1
    while place >= 0:
        rise.add(place)
        place = previous[place]
    return rise


def _numbers(plan: Sequence[_Placed], old: Sequence[Entry]) -> list[_Placed]:
    """The plan with numbered lists counted through again, where they were before."""
    markers: dict[int, list[str]] = {}
    for entry in old:
        markers.setdefault(entry.run, []).append(entry.form.marker)
    firsts = {run: ours[0] for run, ours in markers.items() if _counted(ours)}
    counts: dict[int, int] = {}
    made = []
    for placed in plan:
        count = counts.get(placed.run, 0)
        counts[placed.run] = count + 1
        marker = placed.form.marker
        if placed.run in firsts:
            marker = _numbered(firsts[placed.run], count)
        made.append(placed._replace(form=placed.form._replace(marker=marker)))
    return made


def _counted(markers: Sequence[str]) -> bool:
    return all(mark == _numbered(markers[0], number) for number, mark in enumerate(markers))


def _loose(old: Sequence[Entry], run: int) -> bool:
    """Whether blank lines part the entries of a list."""
    ours = [entry for entry in old if entry.run == run]
    return any(a.end < b.start for a, b in zip(ours, ours[1:], strict=False))


def _placed(doc: Document, spec: Listing, placed: Sequence[_Placed], *, loose: bool) -> list[str]:
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
            lines += _lines(one.item, spec, one.form)
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
        lines += _lines(item, spec, _default(spec, item, number))
    return lines


def _default(spec: Listing, item: Item, number: int = 0) -> Form:
    """The form of an item that has no other one before it."""
    columns = tuple(slot for slot, _ in spec.columns)
    marker = "" if columns else _numbered(spec.marker, number)
    return Form(marker, code=spec.code and " " not in item.text, columns=columns)


def _lines(item: Item, spec: Listing, form: Form) -> list[str]:
    """An entry's lines in a form."""
    if form.columns:
        return [row_line(item, spec, form)]
    return list_lines(spell(item, spec, form), form)


def _numbered(marker: str, by: int) -> str:
    """The marker some steps later in its list."""
    return f"{int(marker[:-1]) + by}{marker[-1]}" if len(marker) > 1 else marker
