"""Which section of a document holds what, and where a new one goes.

A format lists its sections as `Part`s, in the order of its template. Headings are compared without
regard to case; of several sections with one heading the first that says something counts, and the
others stay as they are.
"""

from __future__ import annotations

from leftoff.formats._markdown import (
    blocks_in,
    insert_section,
    is_comment,
    is_separator,
    place_after,
    text_of,
)
from leftoff.formats._md_text import write_title
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leftoff.formats._markdown import Document, Section
    from leftoff.formats._md_items import Listing

FRONT, LINES = RESERVED = ("front", "lines")
OTHER = "Other "  # before a heading or key that the format needs for itself
# Says that a section is empty on purpose, where another of its name further down is not.
EMPTY = "<!-- none -->"


class Part(Record):
    """One section of a format, or with `dated` all the sections that are one item each."""

    field: str
    name: str
    """its heading, or the beginning of it"""
    aliases: tuple[str, ...] = ()
    items: Listing | None = None
    """how its items are spelled; without it the section is one text"""
    under: str = ""
    """the level 2 heading that a level 3 section stands under"""
    always: bool = True
    """stands in every new document"""
    hint: str = ""
    """the comment that stands in a new document where there is nothing to say yet"""
    nothing: tuple[str, ...] = ()
    """texts that say that there is nothing; the first is written"""
    only: tuple[str, str] = ("", "")
    """the attribute that sets its items apart from those of the field's main section"""
    dated: bool = False


class Spec(Record):
    """A Markdown format: its sections in order, the keys of its header. Made by `spec`."""

    parts: tuple[Part, ...]
    keys: Mapping[str, str]
    """field -> key"""
    airy: bool
    """a blank line below each heading"""
    names: Mapping[str, str]
    """heading in lower case -> name of the part"""
    around: frozenset[str]
    """the level 2 headings that hold level 3 sections, in lower case"""
    taken: frozenset[str]
    """headings that mean something to the format: nothing else can stand under them"""
    dated: tuple[str, ...]


class Found(Record):
    """The sections of a document: by part, beyond the format, and around those of level 3."""

    parts: dict[str, list[Section]]
    others: dict[str, list[Section]]
    around: dict[str, Section]


def spec(
    parts: tuple[Part, ...], keys: Mapping[str, str], *, airy: bool = True, derived: str = ""
) -> Spec:
    """A format; `derived` is a heading whose text follows from the fields, so it is no `extra`."""
    named = [(name, one) for one in parts if not one.dated for name in (one.name, *one.aliases)]
    around = frozenset(one.under.casefold() for one in parts if one.under)
    taken = {name.casefold() for name, one in named if not one.only[0]}
    return Spec(
        parts,
        keys,
        airy,
        {name.casefold(): one.name for name, one in named},
        around,
        frozenset({*taken, *around, *RESERVED, derived.casefold()} - {""}),
        tuple(one.name for one in parts if one.dated),
    )


def skeleton(spec: Spec) -> str:
    """A new document of a format before anything is said in it."""
    lines: list[str] = []
    around = ""
    for part in spec.parts:
        if not part.always:
            continue
        if part.under != around and part.under:
            lines += [write_title(2, part.under), ""]
        around = part.under
        lines += [write_title(3 if around else 2, part.name), *([""] if spec.airy else [])]
        said = part.hint or "".join(part.nothing[:1])
        lines += [said, ""] if said else []
    return "\n".join(lines)


def is_taken(spec: Spec, title: str) -> bool:
    """Whether a heading means something to the format."""
    return title.casefold() in spec.taken or bool(_dated(spec, title))


def _dated(spec: Spec, title: str) -> str:
    return next((n for n in spec.dated if title.casefold().startswith(n.casefold())), "")


def find(spec: Spec, doc: Document) -> Found:
    """The sections of a document by what they hold."""
    found = Found({}, {}, {})
    strange: list[Section] = []
    for section in doc.sections:
        title = section.title.casefold()
        if section.level != 2 and not (
            section.level == 3 and section.under.casefold() in spec.around
        ):
            continue
        name = spec.names.get(title) or (_dated(spec, title) if section.level == 2 else "")
        if name:
            found.parts.setdefault(name, []).append(section)
        elif title in spec.around and section.level == 2:
            found.around.setdefault(title, section)
        elif not is_taken(spec, title):
            strange.append(section)
    for part in spec.parts:
        _adopt(part, found, strange)
        _release(part, doc, found, strange)
    for section in strange:
        found.others.setdefault(section.title, []).append(section)
    return found


def _adopt(part: Part, found: Found, strange: list[Section]) -> None:
    """Under its level 2 heading, a section is also known by a heading that contains the name."""
    if not part.under or part.name in found.parts:
        return
    name = part.name.casefold()
    section = next(
        (one for one in strange if one.level == 3 and name in one.title.casefold()), None
    )
    if section:
        strange.remove(section)
        found.parts[part.name] = [section]


def _release(part: Part, doc: Document, found: Found, strange: list[Section]) -> None:
    """A section that counts only with a table in it is an ordinary one without."""
    ours = found.parts.get(part.name, [])
    if part.only[0] and not any(has_table(doc, section) for section in ours):
        strange += found.parts.pop(part.name, [])


def has_table(doc: Document, section: Section) -> bool:
    """Whether a table stands in a section."""
    return any(block.kind == "table" for block in blocks_in(doc, section.head + 1, section.end))


def is_said(doc: Document, section: Section) -> bool:
    """Whether a section says something, be it that it is empty."""
    return any(
        not (is_comment(doc, block) or is_separator(doc, block))
        or text_of(doc, block).strip() == EMPTY
        for block in blocks_in(doc, section.head + 1, section.end)
    )


def chosen(doc: Document, ours: Sequence[Section]) -> Section:
    """Of several sections with one heading the one that counts."""
    if len(ours) == 1:
        return ours[0]
    return next((section for section in ours if is_said(doc, section)), ours[0])


def insert_part(doc: Document, spec: Spec, part: Part) -> tuple[Document, Section]:
    """The document with an empty section for a part, in the place that the template gives it."""
    found = find(spec, doc)
    around = found.around.get(part.under.casefold())
    if around:
        level, at = _place_inside(doc, spec, found, part, around)
    else:
        level, at = 2, place_of(doc, spec, part)
        if part.under and not any(
            _flat(found, one) for one in spec.parts if one.under == part.under
        ):
            doc, _ = insert_titled(doc, at, 2, part.under, airy=False)
            return insert_part(doc, spec, part)
    return insert_titled(doc, at, level, part.name, airy=spec.airy)


def insert_titled(
    doc: Document, at: int, level: int, title: str, *, airy: bool
) -> tuple[Document, Section]:
    """The document with a new, empty section before a line."""
    return insert_section(doc, at, [write_title(level, title)], [""] if airy else [])


def _flat(found: Found, part: Part) -> list[Section]:
    """The level 2 sections of a part, or the one around it."""
    around = found.around.get(part.under.casefold())
    return [
        *(section for section in found.parts.get(part.name, ()) if section.level == 2),
        *([around] if around else []),
    ]


def place_of(doc: Document, spec: Spec, part: Part) -> int:
    """Where a new level 2 section of a part goes: after those before it in the template."""
    found = find(spec, doc)
    number = spec.parts.index(part)
    for one in reversed(spec.parts[:number]):
        if ours := _flat(found, one):
            return place_after(doc, max(ours, key=_head))
    for one in spec.parts[number:]:
        if ours := _flat(found, one):
            return min(ours, key=_head).head
    return end_of(doc)


def _place_inside(
    doc: Document, spec: Spec, found: Found, part: Part, around: Section
) -> tuple[int, int]:
    """The level and place of a new section of a part that stands under a heading which is there."""
    inner = [one for one in doc.sections if one.level == 3 and around.head < one.head < around.end]
    number = spec.parts.index(part)
    ranks = {
        section.head: rank
        for rank, one in enumerate(spec.parts)
        for section in found.parts.get(one.name, ())
    }
    before = [section for section in inner if ranks.get(section.head, number) < number]
    after = [section for section in inner if ranks.get(section.head, number) > number]
    if before or after:
        return 3, place_after(doc, before[-1]) if before else after[0].head
    if inner:
        return 3, place_after(doc, inner[-1])
    # The heading itself comes back where what stands below it would swallow a new section.
    at = place_after(doc, around)
    return (2, at) if at == around.head else (3, at)


def end_of(doc: Document) -> int:
    """Where the last section goes: the end, unless something is still open there."""
    if not doc.scan.closer:
        return len(doc.plain)
    return [section.head for section in doc.sections if section.level < 3][-1]


def _head(section: Section) -> int:
    return section.head
