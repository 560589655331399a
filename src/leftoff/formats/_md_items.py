r"""How one item is spelled in Markdown, in a list or in a table cell.

    - [x] [P1] the text [key: value] [draft]
      further lines of the text

A box, a priority, then the text, then tags. A tag's key is one that leftoff reads, or has a `+`
before it. A text that looks like any of these is written with a backslash: `spelled(spell(item))`
is the item again, for every item that went through `tidy`.
"""

from __future__ import annotations

import re

from leftoff.core.model import DRAFT, RULES, Item
from leftoff.formats._md_text import entry, word
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeAlias

    from leftoff.core.model import Json

    Slot: TypeAlias = int | str | None
    Tag: TypeAlias = tuple[int, str, str]

# What a table column holds: the text, the id, the attribute of a name, or nothing we know.
TEXT, ID = 0, 1
ON = "x"  # the value of an attribute that is just there: a ticked box, `[draft]`
DONE, PRIORITY, LABEL = "done", "priority", "label"

_PREFIX = re.compile(r"\[(?:([ xX])|(P[0-9]+))\](?:[ \t]+|$)")
_TAG = re.compile(r"(?:^|(?<=\s))(\\*)\[((?:[^\[\]]|\[[^\[\]]*\])+)\]$")
_TAG_PARTS = re.compile(r"(\+?)([^:]+)(?::[ ](.*))?$")
_PAIRED = re.compile(r"(?:[^\[\]]|\[[^\[\]]*\])*$")
_REFERENCE = re.compile(r"&(?=#[0-9]{1,7};)")
_REFERRED = re.compile(r"&#([0-9]{1,7});")
_CODE = re.compile(r"`([^`\n]+)`$")
_PRIORITY = re.compile(r"P[0-9]+$")


class Listing(Record):
    """How a field's items are written in one format."""

    columns: tuple[tuple[Slot, str], ...] = ()
    """the table of a new section; without it, a list"""
    marker: str = "-"
    keys: tuple[str, ...] = ()
    names: Mapping[str, Slot] = {}
    """what further column headings hold, in lower case"""
    code: bool = False
    """backticks around the whole text are marks, not text"""
    ticks: bool = False
    """and where there is no other item to follow, it gets some"""
    labels: tuple[str, ...] = ()
    """words before a colon that are an attribute, not text"""
    nothing: frozenset[str] = frozenset()
    """texts that say that there is no item, in lower case"""


class Form(Record):
    """How an entry is written; another one next to it takes the same form."""

    marker: str = ""
    indent: str = ""
    box: bool = False
    code: bool = False
    columns: tuple[Slot, ...] = ()
    cells: tuple[str, ...] = ()


_BARE = Form()


def listing(
    field: str,
    columns: tuple[tuple[Slot, str], ...] = (),
    *,
    marker: str = "-",
    code: bool = False,
) -> Listing:
    """The spelling of a field; tags may name the attributes of its rule."""
    keys = (*RULES[field].attrs, DRAFT, "id")
    return Listing(columns, marker, keys, code=code)


def tidy(items: Iterable[Item], spec: Listing) -> tuple[Item, ...]:
    """The items as a document can carry them; what says nothing is left out."""
    told = (made(item.text, item.id, item.attrs, spec) for item in items)
    return tuple(item for item in told if item)


def made(text: str, name: str, attrs: Mapping[str, Json], spec: Listing) -> Item | None:
    """An item as a document can carry it; None when it says nothing."""
    text = entry(text)
    if spec.code and (code := _CODE.match(text)):
        text = code[1].strip()
    said = {word(key): _value(value) for key, value in attrs.items()}
    kept: dict[str, Json] = {key: value for key, value in said.items() if key and value}
    return _said(Item(text, word(name), kept), spec)


def _said(item: Item, spec: Listing) -> Item | None:
    """The item, unless it says nothing."""
    text, name, attrs = item
    if text.casefold() in spec.nothing or not (text or name or attrs.keys() - {LABEL}):
        return None
    return item


def _value(value: Json) -> str:
    """An attribute as text: a flag is there or not, anything else as JSON has it."""
    if isinstance(value, str):
        return entry(value)
    if value is None or isinstance(value, bool):
        return ON if value else ""
    from json import dumps  # rare: attributes are texts nearly everywhere

    return entry(dumps(value, ensure_ascii=False))


def spelled(text: str, spec: Listing) -> tuple[Item | None, Form]:
    """The item that a text spells, and what of its form the text shows."""
    if _is_plain(text, spec):
        return _said(Item(text.strip()), spec), _BARE
    text, name, attrs, form = parts(text, spec)
    return made(text, name, attrs, spec), form


def _is_plain(text: str, spec: Listing) -> bool:
    """Whether a text has none of the marks with which anything but text is spelled."""
    marked = "[" in text or "`" in text or "\\" in text or "<" in text or spec.labels
    return not marked and text.isprintable()


def parts(text: str, spec: Listing) -> tuple[str, str, dict[str, Json], Form]:
    """Text, id and attributes that a text spells, and its form."""
    first, _, rest = entry(text).partition("\n")
    attrs: dict[str, Json] = {}
    box = False
    while (prefix := _PREFIX.match(first)) and not (box if prefix[1] else PRIORITY in attrs):
        box = box or bool(prefix[1])
        if prefix[1] != " ":
            attrs[DONE if prefix[1] else PRIORITY] = prefix[2] or ON
        first = first[prefix.end() :]
    if spec.labels and (label := _label(first, spec)):
        attrs[LABEL], first = label, first[len(label) + 1 :].lstrip()
    name = ""
    while tag := _tag(first, spec):
        start, key, value = tag
        if key == "id":
            name = value
        else:
            attrs[key.removeprefix("+")] = value
        first = first[:start].rstrip()
    body = f"{first}\n{rest}".strip()
    code = spec.code and bool(_CODE.match(body))
    return body if code else _unescaped(body, spec), name, attrs, Form("", "", box, code)


def spell(item: Item, spec: Listing, form: Form) -> str:
    """The text that spells an item, without the attributes that have a column of their own."""
    attrs = {key: str(value) for key, value in item.attrs.items() if key not in form.columns}
    first, newline, rest = item.text.partition("\n")
    before = _before(attrs, spec, form)
    if spec.code and form.code and first and not newline and "`" not in first:
        first = f"`{first}`"
    else:
        first = _escaped(first, spec)
    tags = [_written("id", item.id)] if item.id and ID not in form.columns else []
    known = {key for key in spec.keys if key != "id"}
    tags += [_written(key if key in known else _plus(key), attrs[key]) for key in attrs]
    return " ".join(part for part in (*before, first, *tags) if part) + newline + rest


def _before(attrs: dict[str, str], spec: Listing, form: Form) -> list[str]:
    """What stands before the text; these attributes are taken out."""
    before = []
    if form.box or attrs.get(DONE) == ON:
        before.append("[x]" if DONE in attrs else "[ ]")
    if attrs.get(DONE) == ON:
        del attrs[DONE]
    if _PRIORITY.match(attrs.get(PRIORITY, "")):
        before.append(f"[{attrs.pop(PRIORITY)}]")
    if attrs.get(LABEL) in spec.labels:
        before.append(f"{attrs.pop(LABEL)}:")
    return before


def _plus(key: str) -> str:
    """The key of a tag for an attribute that leftoff does not know."""
    key = _REFERENCE.sub("&#38;", key).replace(":", "&#58;")
    return "+" + key.replace("[", "&#91;").replace("]", "&#93;")


def _written(key: str, value: str) -> str:
    """A tag; newlines and brackets that do not pair are written as HTML writes them."""
    if value == ON and (key == DRAFT or key.startswith("+")):
        return f"[{key}]"
    value = _REFERENCE.sub("&#38;", value).replace("\n", "&#10;")
    if not _PAIRED.match(value):
        value = value.replace("[", "&#91;").replace("]", "&#93;")
    return f"[{key}: {value}]"


def _tag(line: str, spec: Listing) -> Tag | None:
    """The tag at the end of a line: where it begins, its key, its value."""
    found = _last_brackets(line)
    return None if not found or found[1] else _read_tag(found, spec)


def _last_brackets(line: str) -> re.Match[str] | None:
    """What may be a tag at the end of a line; from behind, as very many may stand before it."""
    at = depth = 0
    for at in range(len(line) - 1, -1, -1):
        depth += (line[at] == "]") - (line[at] == "[")
        if depth <= 0:
            break
    return _TAG.match(line, len(line[:at].rstrip("\\")))


def _read_tag(found: re.Match[str], spec: Listing) -> Tag | None:
    parts = _TAG_PARTS.match(found[2])
    if not parts:
        return None
    plus, key, value = parts.groups()
    if value is None:
        value = ON if plus or key == DRAFT else ""
    if not value.strip() or not key.strip() or not (plus or key in spec.keys):
        return None
    return found.start(), plus + _REFERRED.sub(_referred, key), _REFERRED.sub(_referred, value)


def _referred(found: re.Match[str]) -> str:
    code = int(found[1])
    return chr(code) if code <= 0x10FFFF else found[0]


def _label(line: str, spec: Listing) -> str:
    """The label that a line begins with."""
    return next(
        (one for one in spec.labels if line == f"{one}:" or line.startswith(f"{one}: ")), ""
    )


def _escaped(first: str, spec: Listing) -> str:
    """A first line of text so that no part of it is taken for a box, a priority, label or tag."""
    bare = first.lstrip("\\")
    tag = _last_brackets(first)
    if tag and _read_tag(tag, spec):
        first = f"{first[: tag.start()]}\\{first[tag.start() :]}"
    return f"\\{first}" if _PREFIX.match(bare) or _label(bare, spec) else first


def _unescaped(text: str, spec: Listing) -> str:
    first, newline, rest = text.partition("\n")
    if first.startswith("\\"):
        bare = first.lstrip("\\")
        first = first[1:] if _PREFIX.match(bare) or _label(bare, spec) else first
    tag = _last_brackets(first)
    if tag and tag[1] and _read_tag(tag, spec):
        first = first[: tag.start()] + first[tag.start() + 1 :]
    return first + newline + rest
