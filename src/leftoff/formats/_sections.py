"""What the Markdown formats share: fields in sections, keys in a header, the rest kept as `extra`.

A format lists its sections in a `Spec`; `hold`, `read` and `write` follow it. What is special about
a format stays in its own module.
"""

from __future__ import annotations

from leftoff.core.model import Checkpoint, Finding, Item, keep_only
from leftoff.errors import FormatError
from leftoff.formats._markdown import (
    damage,
    insert_section,
    is_airy,
    parse,
    passage_of,
    place_after,
    section_at,
    set_passage,
    spliced,
    without_section,
)
from leftoff.formats._md_items import tidy
from leftoff.formats._md_lists import items_of, set_items
from leftoff.formats._md_outline import (
    EMPTY,
    OTHER,
    RESERVED,
    chosen,
    end_of,
    find,
    insert_part,
    insert_titled,
    is_said,
    is_taken,
    place_of,
)
from leftoff.formats._md_text import one_line, passage, write_text, write_title
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from leftoff.core.model import Json
    from leftoff.formats._markdown import Document, Section
    from leftoff.formats._md_outline import Found, Part, Spec


def is_blank(text: str) -> bool:
    """Whether there is no document yet."""
    return not text.strip("\ufeff \t\r\n")


def opened(text: str, what: str) -> Document:
    """The document of a text; FormatError when it is empty or damaged."""
    if is_blank(text):
        raise FormatError(f"the {what} is empty")
    doc = parse(text)
    line = damage(doc) if "\0" in text or "<<<<<<<" in text or ">>>>>>>" in text else 0
    if line:
        found = "holds a NUL" if "\0" in doc.plain[line - 1] else "is a conflict marker of git"
        hint = "resolve it by hand, then try again"
        raise FormatError(f"line {line} {found}", line=line, hint=hint)
    return doc


def hold(spec: Spec, c: Checkpoint, fields: Iterable[str]) -> Checkpoint:
    """The checkpoint as sections, header and extra can carry it."""
    kept = keep_only(c, fields)
    said: dict[str, Any] = {field: one_line(getattr(kept, field)) for field in spec.keys}
    for part in spec.parts:
        if part.field not in said:
            said[part.field] = _held(spec, part.field, getattr(kept, part.field))
    return kept._replace(**said, extra=_held_extra(spec, kept.extra))


def _held(spec: Spec, field: str, value: Any) -> str | tuple[Item, ...]:
    parts = [part for part in spec.parts if part.field == field]
    if parts[0].dated:
        return tuple(Item(passage(item.text), one_line(item.id)) for item in value)
    if parts[0].items:
        return tuple(
            _with(item, part.only)
            for part, share in shared_out(parts, value)
            if part.items
            for item in tidy((_without(item, part.only[0]) for item in share), part.items)
        )
    text = passage(value)
    return "" if text.casefold() in _nothing(parts[0]) else text


def shared_out(parts: Sequence[Part], items: Iterable[Item]) -> list[tuple[Part, list[Item]]]:
    """The items of a field by the section they stand in, those of its main section first."""
    parts = sorted(parts, key=lambda part: part.only)
    shares: dict[str, list[Item]] = {part.name: [] for part in parts}
    for item in items:
        owner = next((p for p in parts[1:] if item.attrs.get(p.only[0]) == p.only[1]), parts[0])
        shares[owner.name].append(item)
    return [(part, shares[part.name]) for part in parts]


def _nothing(part: Part) -> set[str]:
    return {one.casefold() for one in part.nothing}


def _held_extra(spec: Spec, extra: Mapping[str, Json]) -> dict[str, Json]:
    """Sections beyond the format; what belongs to a header is the lens' own business."""
    held: dict[str, Json] = {}
    for key, value in extra.items():
        if isinstance(value, str):
            title = one_line(key)
            while is_taken(spec, title) or title in held:
                title = OTHER + title
            held[title] = passage(value)
    return held


def read(spec: Spec, doc: Document) -> dict[str, Any]:
    """The fields that sections and header say, and what else they hold as `extra`."""
    found = find(spec, doc)
    said: dict[str, Any] = {}
    for part in spec.parts:
        ours = found.parts.get(part.name)
        if ours:
            value = _read_part(doc, part, ours)
            said[part.field] = said[part.field] + value if part.field in said else value
    for field, value in said.items():
        parts = [part for part in spec.parts if part.field == field]
        if len(parts) > 1 and isinstance(value, tuple):
            shares = shared_out(parts, value)
            said[field] = tuple(item for _, share in shares for item in share)
    others = found.others.items()
    said["extra"] = {title: passage_of(doc, chosen(doc, ours)) for title, ours in others}
    return said


def _read_part(doc: Document, part: Part, ours: Sequence[Section]) -> str | tuple[Item, ...]:
    if part.dated:
        return _dated_items(doc, part, ours)
    section = chosen(doc, ours)
    if part.items:
        items = items_of(doc, section, part.items)
        return tuple(_with(item, part.only) for item in items)
    text = passage_of(doc, section)
    return "" if text.casefold() in _nothing(part) else text


def _dated_items(doc: Document, part: Part, ours: Sequence[Section]) -> tuple[Item, ...]:
    return tuple(Item(passage_of(doc, one), _when(part, one)) for one in ours)


def _when(part: Part, section: Section) -> str:
    return section.title[len(part.name) :].strip()


def write(spec: Spec, doc: Document, have: Checkpoint, want: Checkpoint) -> Document:
    """The document with what differs put into its sections."""
    for field in dict.fromkeys(part.field for part in spec.parts):
        value: Any = getattr(want, field)
        if getattr(have, field) != value:
            doc = _write_field(spec, doc, field, value)
    return _write_extra(spec, doc, have.extra, want.extra)


def _write_field(spec: Spec, doc: Document, field: str, value: Any) -> Document:
    parts = [part for part in spec.parts if part.field == field]
    if parts[0].dated:
        return _write_dated(spec, doc, parts[0], value)
    if not parts[0].items:
        return _write_part(spec, doc, parts[0], value)
    for part, share in shared_out(parts, value):
        items = tuple(_without(item, part.only[0]) for item in share)
        doc = _write_part(spec, doc, part, items)
    return doc


def _with(item: Item, mark: tuple[str, str]) -> Item:
    return item._replace(attrs={**item.attrs, mark[0]: mark[1]}) if mark[0] else item


def _without(item: Item, key: str) -> Item:
    return item._replace(attrs={name: said for name, said in item.attrs.items() if name != key})


def _write_part(spec: Spec, doc: Document, part: Part, value: Any) -> Document:
    ours = find(spec, doc).parts.get(part.name)
    if ours:
        section = chosen(doc, ours)
    elif value:
        doc, section = insert_part(_without_namesakes(spec, doc, part), spec, part)
    else:
        return doc
    if part.items:
        placeholders = {part.hint.casefold(), EMPTY, *_nothing(part)}
        doc = set_items(doc, section, part.items, value, placeholders)
    else:
        own = {part.hint, EMPTY}
        doc = set_passage(doc, section, write_text(value, section.level), own)
    return doc if value else _said_empty(spec, doc, part, section.head)


def _without_namesakes(spec: Spec, doc: Document, part: Part) -> Document:
    """Without ordinary sections of a part's name, which `hold` calls otherwise from now on."""
    others = find(spec, doc).others.items()
    ours = [one for title, several in others for one in several if _names(title, part)]
    for section in reversed(ours):
        doc = without_section(doc, section)
    return doc


def _names(title: str, part: Part) -> bool:
    return title.casefold() == part.name.casefold()


def _said_empty(spec: Spec, doc: Document, part: Part, head: int) -> Document:
    """The document where an emptied section says so, if its format or a namesake asks for it."""
    section = section_at(doc, head)
    if part.field == "conflicts" and not any(map(str.strip, doc.plain[head + 1 : section.end])):
        return without_section(doc, section)  # it came with the first conflict
    namesakes = [one for one in find(spec, doc).parts.get(part.name, ()) if one.head != head]
    if is_said(doc, section):
        return doc
    if any(is_said(doc, one) for one in namesakes):
        return set_passage(doc, section, [EMPTY])
    return set_passage(doc, section, part.nothing[:1])


def with_nothing_said(spec: Spec, doc: Document) -> Document:
    """A new document whose blank sections say so in the place of their hints, if another speaks."""
    found = find(spec, doc).parts
    heads = {part.name: found[part.name][0].head for part in spec.parts if part.name in found}
    if not any(is_said(doc, section_at(doc, head)) for head in heads.values()):
        return doc
    for part in reversed(spec.parts):  # from below, so that the places above stay
        section = section_at(doc, heads[part.name]) if part.name in heads else None
        if section and part.nothing and not is_said(doc, section):
            doc = set_passage(doc, section, part.nothing[:1], {part.hint})
    return doc


def _write_dated(spec: Spec, doc: Document, part: Part, want: Sequence[Item]) -> Document:
    """Sections of one item each: new ones are appended, changed ones changed where they stand."""
    made, ours = doc, find(spec, doc).parts.get(part.name, [])
    for number, item in enumerate(want[: len(ours)]):
        if number >= len(ours) or _when(part, ours[number]) != item.id:
            break
        if passage_of(made, ours[number]) != item.text:
            made = set_passage(made, ours[number], write_text(item.text, 2))
            ours = find(spec, made).parts.get(part.name, [])
    else:
        made = _append_dated(spec, made, part, want[len(ours) :])
    if _dated_items(made, part, find(spec, made).parts.get(part.name, [])) == tuple(want):
        return made
    for section in reversed(find(spec, doc).parts.get(part.name, [])):
        doc = without_section(doc, section)
    return _append_dated(spec, doc, part, want)


def _append_dated(spec: Spec, doc: Document, part: Part, items: Sequence[Item]) -> Document:
    """After the last of their kind; the first, after all but what the template has behind it."""
    if not items:
        return doc
    found, later = find(spec, doc).parts, spec.parts[spec.parts.index(part) + 1 :]
    if ours := found.get(part.name):
        at = place_after(doc, ours[-1])
    else:
        followed = any(one.name in found for one in later)
        at = place_of(doc, spec, part) if followed else end_of(doc)
    lines: list[str] = []  # of all at once: each splice scans the whole document
    for item in items:
        body = write_text(item.text, 2)
        lines += ["", "---", "", write_title(2, f"{part.name} {item.id}".rstrip())]
        lines += ["", *body] if body else []
    return insert_section(doc, at, lines[1:4], lines[4:])[0]


def _write_extra(
    spec: Spec, doc: Document, have: Mapping[str, Json], want: Mapping[str, Json]
) -> Document:
    for title in have.keys() - want.keys() - {*RESERVED}:
        for section in reversed(find(spec, doc).others.get(title, [])):
            doc = without_section(doc, section)
    differs = {
        title: text
        for title, text in want.items()
        if isinstance(text, str) and have.get(title) != text
    }
    there = find(spec, doc).others if differs else {}
    fresh = {t: s for t, s in differs.items() if t not in there and t.casefold() not in spec.names}
    for title, text in differs.items():
        if title not in fresh:
            doc = _write_other(spec, doc, title, text)
    return _append_others(spec, doc, fresh)


def _append_others(spec: Spec, doc: Document, fresh: Mapping[str, str]) -> Document:
    """New sections at the end, in one go if each is then read as it was meant."""
    for number, title in enumerate(fresh):
        doc = _write_other(spec, doc, title, fresh[title])
        if not number:  # now there is one as the document has them; each splice scans all of it
            made = spliced(doc, (len(doc.plain), len(doc.plain), _more_lines(spec, doc, fresh)))
            found = find(spec, made).others
            if all(
                title in found and passage_of(made, chosen(made, found[title])) == text
                for title, text in fresh.items()
            ):
                return made
    return doc


def _more_lines(spec: Spec, doc: Document, fresh: Mapping[str, str]) -> list[str]:
    """The lines of all new sections but the first."""
    lines, airy = doc.plain[-1:], is_airy(doc)
    for title in [*fresh][1:]:
        body = write_text(fresh[title], 2)
        lines += [""] if lines[-1].strip() else []
        lines += [write_title(2, title), *([""] if (airy if body else spec.airy) else []), *body]
    return lines[1:]


def _write_other(spec: Spec, doc: Document, title: str, text: str) -> Document:
    found = find(spec, doc)
    ours = found.others.get(title)
    if not ours:
        # A section that only counts with a table gives way to an ordinary one of its name.
        for section in reversed(found.parts.get(spec.names.get(title.casefold(), ""), [])):
            doc = without_section(doc, section)
        doc, section = insert_titled(doc, end_of(doc), 2, title, airy=spec.airy)
        ours = [section]
    section = chosen(doc, ours)
    doc = set_passage(doc, section, write_text(text, section.level), {EMPTY})
    namesakes = [one for one in find(spec, doc).others[title] if one.head != section.head]
    if not text and any(is_said(doc, one) for one in namesakes):
        doc = set_passage(doc, section_at(doc, section.head), [EMPTY])
    return doc


def unresolved(spec: Spec, doc: Document, found: Found) -> Iterator[Finding]:
    """A finding for each conflict that waits in the document."""
    part = next(part for part in spec.parts if part.field == "conflicts")
    ours = found.parts.get(part.name)
    waiting = items_of(doc, chosen(doc, ours), part.items) if ours and part.items else ()
    for at, item in enumerate(waiting):
        side = item.get("side") or "the other side"
        said = f"unresolved conflict at {item.id}: the value of {side} waits here"
        fix = f"choose with leftoff update NAME --resolve {item.id}=ours or {item.id}=theirs"
        yield Finding("unresolved-conflict", "error", f"conflicts[{at}]", said, fix)
