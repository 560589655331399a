"""Templates to bytes: everything that is put out is escaped, made harmless and redacted."""

from __future__ import annotations

from os import listdir
from os.path import dirname, join

from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from markupsafe import Markup, escape

from leftoff.commands import plainly
from leftoff.core.chart_axes import amount
from leftoff.core.cost import words
from leftoff.core.model import Finding
from leftoff.core.overview import age_words
from leftoff.core.when import instant
from leftoff.entry.web.scene import SHORT, cleaned
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from jinja2.runtime import Context

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.core.redact import Redactor

HERE = dirname(__file__)
STATIC = join(HERE, "static")
MARKS = {"confirmed": "✓", "contradicted": "✗", "unknown": "?"}
"""A verdict is told by a sign and a word; the colour comes on top."""
PAGE, LONGEST = 240_000, 120_000
"""Bytes that all long texts of a page may take, and one of them."""
LEVELS = {"error": "✗", "warning": "!", "advice": "→", "info": "i"}


def environment() -> Environment:
    """Jinja as all pages use it; a name that nobody gave is an error, not an empty place."""
    made = Environment(
        loader=FileSystemLoader(join(HERE, "templates")),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.globals |= {"MARKS": MARKS, "LEVELS": LEVELS, "static": linked()}
    made.filters |= {
        "ago": ago,
        "day": day,
        "amount": short,
        "n": whole,
        "cost": cost,
        "pair": pair,
        "place": place,
    }
    return made


def linked() -> dict[str, list[str]]:
    """The style sheets and scripts that every page links."""
    names = sorted(listdir(STATIC))
    return {kind: [name for name in names if name.endswith(kind)] for kind in (".css", ".js")}


@pass_context
def _shown(context: Context, value: object) -> object:
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    text = cleaned(value, context["scene"].by) if value else value
    return text if len(text) <= SHORT else context["room"].fitted(text)


class Room:
    """What the long texts of one page may still take: no name, however long, makes it endless."""

    def __init__(self) -> None:
        """Nothing is taken yet."""
        self._left = PAGE

    def fitted(self, text: str) -> str:
        """As much of a text as there is room for, but always its beginning; a cut is seen."""
        size = len(escape(text).encode("utf-8", "replace"))
        most = min(self._left, LONGEST)
        if size > most:
            text = text[: max(SHORT, len(text) * most // size)] + "…"
        self._left -= min(size, most)
        return text


def telling(say: Say, redactor: Redactor) -> Callable[..., str]:
    """`say` for one page: the same words, which rows repeat, are made fit to be shown once."""
    told: dict[str, Markup] = {}

    def tell(text: str, **values: object) -> str:
        if values or len(text) > SHORT:
            return say(text, **values)
        if text not in told:
            told[text] = escape(cleaned(say(text), redactor))
        return told[text]

    return tell


def ago(seconds: float | None, say: Say) -> str:
    """How long ago, for people."""
    if seconds is None:
        return "-"
    if seconds <= -3600:
        return age_words(seconds, say)
    if seconds < 60:
        return say("just now")
    if seconds < 3600:
        return say("{age} ago", age=say("{n} min", n=int(seconds // 60)))
    return say("{age} ago", age=age_words(seconds, say))


def whole(value: float) -> Markup:
    """A number; there is nothing in it to clean."""
    return Markup(f"{value:,.0f}")  # noqa: S704


def short(value: float) -> Markup:
    """The same with few digits: 1.5k, 12M."""
    return Markup(amount(value))  # noqa: S704


def cost(told: Mapping[str, Json], say: Say) -> Markup:
    """Money, as far as it is known."""
    return Markup(words(told, say))  # noqa: S704


def place(finding: Mapping[str, Any]) -> str:
    """Where a finding is, as far as its text does not say it."""
    return Finding(**{name: finding[name] for name in Finding._fields}).place


def pair(value: str, say: Say = plainly) -> tuple[str, str]:
    """A choice, and what it is called."""
    return value, say(value)


def day(stamp: str) -> str:
    """A time of a document without what people do not read."""
    return stamp[:16].replace("T", " ") if instant(stamp) is not None else stamp
