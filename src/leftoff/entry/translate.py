"""Messages in Chinese, found by their fixed words: the code that says them knows only English.

A template is an English text with holes, `there is no {path}`. The one with the most fixed words
that fits a message fills the holes of its Chinese text. Imported only for those who read Chinese.
"""

from __future__ import annotations

from os import listdir

from leftoff import locale
from leftoff.locale import zh_CN_advice
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from leftoff.core.model import Json
    from leftoff.core.result import Ask

LANGUAGE = "zh_CN"


def _pages() -> list[Any]:
    names = sorted(name[:-3] for name in listdir(locale.__path__[0]) if name.endswith(".py"))
    return [
        __import__(f"{locale.__name__}.{name}", fromlist=["TEXTS"])
        for name in names
        if name.startswith(LANGUAGE)
    ]


PAGES = _pages()
TEXTS: Mapping[str, str] = {
    english: chinese for page in PAGES for english, chinese in getattr(page, "TEXTS", {}).items()
}
PARTS = frozenset({"reason", "part", "doing"})
"""Holes that hold a message, or a piece of one; what stands in all others is data."""


class Template(Record):
    """The English text, its holes, and what stands before, between and behind them."""

    source: str
    holes: tuple[str, ...]
    fixed: tuple[str, ...]


class Table(Record):
    """The texts by their English; those with holes by their first word too, "" where it varies."""

    texts: Mapping[str, str]
    templates: Mapping[str, list[Template]]


def say(text: str, /, **values: object) -> str:
    """A text of a view with its values, or a whole message."""
    known = TEXTS.get(text)
    if known is None:
        return text.format(**values) if values else translated(text)
    return known.format(**values) if values else known


def translated(text: str) -> str:
    """The message in Chinese; what is not known stays, but for a part behind a colon."""
    found = match(text, MESSAGES)
    if found:
        return _filled(MESSAGES.texts[found[0]], found[1])
    head, colon, tail = text.partition(": ")
    return head + colon + translated(tail) if colon else text


def asked(ask: Ask) -> Ask:
    """A question in Chinese; a choice may be a command to approve, which is shown as it is."""
    texts = MESSAGES.texts
    choices = (one._replace(means=texts.get(one.means, one.means)) for one in ask.choices)
    return ask._replace(question=translated(ask.question), choices=tuple(choices))


def told(data: Mapping[str, Json]) -> dict[str, Json]:
    """The data of a Result with its messages in Chinese; what documents say stays as it is."""
    ours = {key for shape, keys in SHAPES if shape <= data.keys() for key in keys}
    said = {key: _each(value) if key in ours else _inside(value) for key, value in data.items()}
    if "terms" in data:  # advice may be a document's own words: only what is surely ours changes
        said |= {key: advised(str(data[key])) for key in ("why", "action")}
    return said


def _inside(value: Json) -> Json:
    if isinstance(value, list):
        return [_inside(one) for one in value]
    return told(value) if isinstance(value, dict) else value


SHAPES = (
    (frozenset({"slug", "text"}), ("text", "fix")),
    (frozenset({"word", "reason"}), ("reason",)),
    (frozenset({"what", "undo"}), ("what", "undo", "failed")),
    *((frozenset({key}), (key,)) for key in ("terms", "broken", "degraded", "capped")),
)
"""The keys by which an object shows what it is, and which of its values are messages."""


def advised(text: str) -> str:
    """Advice in Chinese where it is leftoff's own."""
    found = match(text, ADVICE)
    return _filled(ADVICE.texts[found[0]], found[1]) if found else text


def match(text: str, table: Table) -> tuple[str, dict[str, str]] | None:
    """The English of the entry that fits a message best, and what stands in its holes."""
    if text in table.texts:
        return text, {}
    fits = _fits(text, table)
    if not fits:
        return None
    best, values = max(fits, key=lambda fit: _weight(fit[0], fit[1], table))
    return best.source, values


def _fits(text: str, table: Table) -> list[tuple[Template, dict[str, str]]]:
    near = (*table.templates.get(text.partition(" ")[0], ()), *table.templates.get("", ()))
    return [(one, values) for one in near if (values := _values(one, text)) is not None]


def _weight(template: Template, values: Mapping[str, str], table: Table) -> tuple[bool, int]:
    """A message around others goes before them: with a hole first, they fit the whole text, too."""
    parts = [values[name] for name in template.holes if name in PARTS]
    known = all(part in table.texts or _fits(part, table) for part in parts)
    return bool(template.fixed[0] and parts) and known, sum(map(len, template.fixed))


def _values(template: Template, text: str) -> dict[str, str] | None:
    """What stands in the holes if the text is of this form."""
    fixed = template.fixed
    if not (text.startswith(fixed[0]) and text.endswith(fixed[-1])):
        return None
    first, *between, last = fixed
    at, end = len(first), len(text) - len(last)
    found = []
    for mark in between:
        stop = text.find(mark, at, end)
        if stop < 0:
            return None
        found.append(text[at:stop])
        at = stop + len(mark)
    return dict(zip(template.holes, (*found, text[at:end]), strict=True)) if at <= end else None


def _filled(text: str, values: Mapping[str, str]) -> str:
    holes, fixed = _split(text)
    parts = [translated(values[name]) if name in PARTS else values[name] for name in holes]
    return "".join(piece for pair in zip(fixed, (*parts, ""), strict=True) for piece in pair)


def _split(text: str) -> tuple[list[str], list[str]]:
    """The names of the holes, and the texts around them; other braces are text."""
    holes: list[str] = []
    start, *pieces = text.split("{")
    fixed = [start]
    for piece in pieces:
        name, brace, rest = piece.partition("}")
        if brace and name.isidentifier():
            holes.append(name)
            fixed.append(rest)
        else:
            fixed[-1] += "{" + piece
    return holes, fixed


def _each(value: Json) -> Json:
    if isinstance(value, list):
        return [_each(one) for one in value]
    return translated(value) if isinstance(value, str) else value


def _table(texts: Iterable[Mapping[str, str]]) -> Table:
    """All of the texts, and an index of those with holes."""
    every = {english: chinese for some in texts for english, chinese in some.items()}
    index: dict[str, list[Template]] = {}
    for english in every:
        holes, fixed = _split(english)
        if holes:
            word, space, _ = fixed[0].partition(" ")
            made = Template(english, tuple(holes), tuple(fixed))
            index.setdefault(word if space else "", []).append(made)
    return Table(every, index)


ADVICE = _table([zh_CN_advice.MESSAGES])
MESSAGES = _table(getattr(page, "MESSAGES", {}) for page in PAGES if page is not zh_CN_advice)
