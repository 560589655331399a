"""Lossless editing of JSON text: what does not change keeps its bytes.

An edit is a new value for an old text: members that stay are carried over as they stand, new ones
are laid out like their neighbours. Comments of JSONC stay where they are.
"""

from __future__ import annotations

from leftoff.formats._json_scan import (
    BLANKS,
    Member,
    Source,
    members,
    parse,
    quote,
    skip,
    source_of,
)
from leftoff.formats._json_value import align, same
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from typing import TypeAlias

    from leftoff.core.model import Json

    Entry: TypeAlias = tuple[Member | None, str]


class Look(Record):
    """How new text is laid out: over lines with an indent, or inline with these separators."""

    newline: str = "\n"
    unit: str = "  "
    inline: bool = False
    colon: str = ": "
    comma: str = ", "
    pad: str = ""
    gap: str = ""
    """what stands before a new member of the container at hand"""
    indent: str = ""
    """the indent of the line that such a member begins on"""


def loads(text: str, *, jsonc: bool = False) -> Json:
    """The value of a text; FormatError with a line where it is no JSON."""
    return parse(source_of(text, jsonc=jsonc))


def dumps(value: Json) -> str:
    """A new text, one member to a line, with a final newline."""
    return render(value, Look()) + "\n"


def rewrite(text: str, value: Json, *, jsonc: bool = False) -> str:
    """The smallest edit of `text` that makes it say `value`."""
    source = source_of(text, jsonc=jsonc)
    if not source.plain.strip(BLANKS):
        return dumps(value)
    start, end = skip(source.plain, 0), len(source.plain.rstrip(BLANKS))
    edited = _edited(source, (start, end), parse(source), value, _document_look(text))
    return text[:start] + edited + text[end:]


def render(value: Json, look: Look, indent: str = "") -> str:
    """The text of a value; `indent` is that of the line it begins on."""
    if not isinstance(value, dict | list):
        return _scalar(value)
    opener, closer = "{}" if isinstance(value, dict) else "[]"
    if not value:
        return opener + closer
    inner = indent + look.unit
    if isinstance(value, dict):
        pairs = ((quote(key), render(member, look, inner)) for key, member in value.items())
        parts = [f"{key}{look.colon}{member}" for key, member in pairs]
    else:
        parts = [render(element, look, inner) for element in value]
    if look.inline:
        pad = look.pad if isinstance(value, dict) else ""
        return opener + pad + look.comma.join(parts) + pad + closer
    start, end = look.newline + inner, look.newline + indent
    return opener + start + f",{start}".join(parts) + end + closer


def _scalar(value: Json) -> str:
    if isinstance(value, str):
        return quote(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value in {float("inf"), float("-inf")}:
        return "1e999" if value > 0 else "-1e999"  # what reads so, as JSON has no infinity
    return "null" if value is None or value != value else repr(value)  # noqa: PLR0124  (NaN)


def _document_look(text: str) -> Look:
    """The newline of a text, and the indent of its first indented line."""
    end = text.find("\n")
    newline = "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"
    indents = (_line_indent(line, len(line)) for line in text.split("\n"))
    return Look(newline, next(filter(None, indents), "  "))


def _line_indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _edited(source: Source, span: tuple[int, int], old: Json, new: Json, look: Look) -> str:
    """The text of one value after the edit."""
    start, end = span
    text = source.text[start:end]
    if same(old, new):
        return text
    kind = next((kind for kind in (dict, list) if isinstance(old, kind)), None)
    emptied = (not old or not new) and text == source.plain[start:end]
    if kind is None or not isinstance(new, kind) or emptied:
        return render(new, look, _line_indent(source.text, start))
    inside = members(source, start)
    inner = _layout(source, inside, start, look)
    if isinstance(new, dict):
        entries = _object_entries(source, inside, new, inner)
    else:
        entries = _list_entries(source, inside, new, inner)
    return _assembled(source, span, inside, entries, inner)


def _layout(source: Source, inside: list[Member], start: int, look: Look) -> Look:
    """How a new member of a container is laid out: a row of a table stays a row."""
    if not inside:
        indent = _line_indent(source.text, start) + look.unit
        return look._replace(gap=look.newline + indent, indent=indent)
    last = inside[-1]
    lead = source.plain[last.lead : last.start]
    lines = "\n" in lead
    indent = _line_indent(source.text, last.start)
    rows = [one for one in inside if one.value and isinstance(one.value, dict | list)]
    row = rows[-1] if rows and source.plain[start] == "[" else None
    model = source.plain[row.value_start : row.end] if row else source.plain[start : last.end]
    colon = ":" if '":' in model and '": ' not in model else ": "
    comma = "," if colon == ":" or ("," in model and ", " not in model) else ", "
    gap = lead[:1] if len(inside) > 1 else comma[1:]
    return look._replace(
        inline="\n" not in model if row else not lines,
        colon=colon,
        comma=comma,
        pad=" " if model.startswith("{ ") else "",
        gap=look.newline + indent if lines else gap,
        indent=indent,
    )


def _object_entries(
    source: Source, inside: list[Member], new: dict[str, Json], look: Look
) -> list[Entry]:
    counts = {one.key: one for one in inside}  # of two members of one name the last counts
    kept: list[Entry] = [
        (one, _kept(source, one, new[one.key] if counts[one.key] is one else one.value, look))
        for one in inside
        if one.key in new
    ]
    added = ((key, value) for key, value in new.items() if key not in counts)
    texts = (quote(key) + look.colon + render(value, look, look.indent) for key, value in added)
    return [*kept, *((None, text) for text in texts)]


def _list_entries(source: Source, inside: list[Member], new: list[Json], look: Look) -> list[Entry]:
    partner = {there: inside[here] for here, there in align([one.value for one in inside], new)}
    return [
        (partner[at], _kept(source, partner[at], value, look))
        if at in partner
        else (None, render(value, look, look.indent))
        for at, value in enumerate(new)
    ]


def _kept(source: Source, old: Member, value: Json, look: Look) -> str:
    edited = _edited(source, (old.value_start, old.end), old.value, value, look)
    return source.text[old.start : old.value_start] + edited


def _assembled(
    source: Source, span: tuple[int, int], inside: list[Member], entries: list[Entry], look: Look
) -> str:
    """The container with these members: commas where they belong, comments where they were."""
    text, (start, end) = source.text, span
    above = _comments_of_gone(source, inside, [old for old, _ in entries if old])
    made = text[start] if inside else text[start : end - 1].rstrip(BLANKS)
    open_ended = not inside  # then it ends in a comment, which may run to the end of its line
    trailing = bool(inside) and inside[-1].comma >= 0
    for at, (old, body) in enumerate(entries):
        lead = _lead(source, inside, old, look, first=at == 0)
        if old and old.start in above:
            lead = above[old.start] + (lead if lead.strip() else "")
        comma = "," if trailing or at < len(entries) - 1 else ""
        made += _on_new_line(lead, look) if open_ended else lead
        made += _with_comma(text, old, body, comma)
        open_ended = bool(old and text[old.end : old.after].strip(" \t\r\n,"))
    closing = (
        text[inside[-1].after : end - 1] if inside else look.newline + _line_indent(text, start)
    )
    if -1 in above:
        made, open_ended = made + above[-1].rstrip(BLANKS), True
    return made + (_on_new_line(closing, look) if open_ended else closing) + text[end - 1]


def _lead(
    source: Source, inside: list[Member], old: Member | None, look: Look, *, first: bool
) -> str:
    """What stands before a member in its new place."""
    own = source.text[old.lead : old.start] if old else look.gap
    begin = source.text[inside[0].lead : inside[0].start] if inside else look.gap
    if own.strip() or "\n" in own:
        return own
    if first:
        return own if begin.strip() else begin
    return look.gap if old is inside[0] else own


def _with_comma(text: str, old: Member | None, body: str, comma: str) -> str:
    """A member with or without its comma; a comment on its line comes after it."""
    if old is None:
        return body + comma
    if old.comma < 0:
        return body + comma + text[old.end : old.after]
    tail = text[old.end : old.comma]
    return body + (tail if comma or tail.strip() else "") + comma + text[old.comma + 1 : old.after]


def _comments_of_gone(
    source: Source, inside: list[Member], staying: list[Member]
) -> dict[int, str]:
    """The comments above members that go, by the start of what follows: a member or the end."""
    found: dict[int, str] = {}
    waiting = ""
    starts = {one.start for one in staying}
    for one in inside:
        lead = source.text[one.lead : one.start]
        if one.start not in starts:
            waiting += lead if lead.strip() else ""
        elif waiting:
            found[one.start], waiting = waiting, ""
    if waiting:
        found[-1] = waiting
    return found


def _on_new_line(text: str, look: Look) -> str:
    """A comment may end before this text, so a line must begin in it before anything else."""
    return text if text.lstrip(" \t\r").startswith("\n") else look.newline + text
