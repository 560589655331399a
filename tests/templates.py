"""What people read in the templates of the page: texts that are said, and texts that nobody translates.

A text goes through `say("...")`. Whatever else stands between tags, or in an attribute that people
read or hear, is English for everybody.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from jinja2 import Environment, nodes

from support import SOURCE

PATTERN = f"{SOURCE}/leftoff/entry/**/*.html"
READ = frozenset({"alt", "aria-label", "placeholder", "title", "content", "label"})
UNREAD = frozenset({"script", "style", "code", "kbd"})
"""What stands in these is no sentence: keys, commands, code."""
_LETTERS = re.compile(r"[A-Za-z]{2,}")
NAMES = frozenset({"leftoff", "utf", "width", "device", "initial", "scale", "light", "dark", "no"})
"""Words of attributes that are for the browser, and our own name."""


def files() -> dict[str, str]:
    """Every template by its path; none where there is no page."""
    found = {}
    for path in sorted(glob.glob(PATTERN, recursive=True)):
        with open(path, encoding="utf-8") as file:
            found[path] = file.read()
    return found


def said(template: str) -> set[str]:
    """The texts that go through `say`, by call or by filter."""
    tree = Environment(autoescape=True).parse(template)
    calls = (call.args[:1] for call in tree.find_all(nodes.Call) if _is_say(call.node))
    filters = ([one.node] for one in tree.find_all(nodes.Filter) if one.name == "say")
    given = [arg for args in (*calls, *filters) for arg in args]
    return {text for one in given for text in _constants(one)}


def _is_say(node: Any) -> bool:
    return isinstance(node, nodes.Name) and node.name == "say"


def _constants(node: nodes.Node | None) -> Iterator[str]:
    """A text, or those that a condition chooses from."""
    if node is None:
        return
    found = [node] if isinstance(node, nodes.Const) else node.find_all(nodes.Const)
    yield from (one.value for one in found if isinstance(one.value, str))


def unsaid(template: str) -> list[str]:
    """The texts of a template that nobody translates."""
    tree = Environment(autoescape=True).parse(template)
    data = "".join(one.data for one in tree.find_all(nodes.TemplateData))
    reader = _Reader()
    reader.feed(data)
    return reader.found


class _Reader(HTMLParser):
    """Collects what stands between tags and in attributes that people read."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in UNREAD:
            self._inside.append(tag)
        for name, value in attrs:
            if name in READ:
                self._take(value or "")

    def handle_endtag(self, tag: str) -> None:
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self._take(data)

    def _take(self, text: str) -> None:
        words = {word.lower() for word in _LETTERS.findall(text)}
        if words - NAMES:
            self.found.append(" ".join(text.split()))
