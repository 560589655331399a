"""Texts cut into passages: turns of a conversation, documents, pages, blocks of learnings. Pure.

A passage is what one hit is about: a message, a command, a document, a decision.
All of them are redacted.
"""

from __future__ import annotations

import re

from leftoff.core import search_hits as f
from leftoff.core.fast_json import loads
from leftoff.core.learnings import blocks
from leftoff.core.redact import redact, redacted_texts
from leftoff.core.search_hits import Passage
from leftoff.core.search_words import whole
from leftoff.core.talk import TOOL
from leftoff.core.tally_parts import plain
from leftoff.core.when import instant
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from leftoff.core.model import Checkpoint, Item
    from leftoff.core.redact import Redactor
    from leftoff.core.talk import Turn

_TOGETHER = 64
_ESCAPES = re.compile(r"(?:\\u[0-9a-fA-F]{4})+|\\.")
_HEADING = re.compile(r"## \S+(?: \(([^)]*)\))?\s*$")


def of_turns(turns: Iterable[Turn], by: Redactor) -> Iterator[Passage]:
    """Who said what; of a call its command, or the files and queries that it is about."""
    some: list[Passage] = []
    for turn in turns:
        kind, text = _told(turn)
        if text.strip():
            some.append(Passage(kind, text, turn.at, turn.line))
        if len(some) == _TOGETHER:
            yield from _cleaned(some, by)
            some = []
    yield from _cleaned(some, by)


def _told(turn: Turn) -> tuple[str, str]:
    if turn.role != TOOL:
        return f.MESSAGE, turn.text
    if turn.is_command:
        return f.COMMAND, turn.about
    others = [path for path in turn.changes if path not in turn.about]
    return f.FILE, " ".join([turn.about, *others])


def _cleaned(some: list[Passage], by: Redactor) -> Iterator[Passage]:
    """Many at once: one look at all of them spares a look at each."""
    texts = redacted_texts([one.text for one in some], by)
    for one, text in zip(some, texts, strict=True):
        yield Passage(one.kind, whole(text), one.at, one.line)


def of_document(text: str, read: Checkpoint | None, at: float, by: Redactor) -> Iterator[Passage]:
    """The whole of it, and each decision by itself."""
    shown = unescaped(text) if text.lstrip("\ufeff \t\r\n").startswith("{") else text
    at = (read and _time(read)) or at
    yield Passage(f.CHECKPOINT, whole(redact(shown, by)), at, 1)
    decisions = read.decisions if read else ()
    lines = _lines_of(shown, [one.text for one in decisions])
    for one, line in zip(decisions, lines, strict=True):
        yield Passage(f.DECISION, whole(redact(_decision(one), by)), at, line)


def _time(read: Checkpoint) -> float:
    return instant(read.updated) or instant(read.created) or 0.0


def _decision(item: Item) -> str:
    why = [value for name, value in item.attrs.items() if name != "session"]
    texts = [item.text, *(value for value in why if isinstance(value, str) and value)]
    return " — ".join(texts)


def _lines_of(text: str, wanted: Sequence[str]) -> Iterator[int]:
    """The line on which each stands, by its first line; 0 where it is spelt in another way.

    Most stand in the order in which they are told, so each is looked for behind the one before, and
    only then before it: equal ones have a line each, and a long document is read once.
    """
    place, line = 0, 1
    for one in wanted:
        begin = one.strip().partition("\n")[0]
        at = text.find(begin, place) if begin else -1
        if at >= 0:
            line += text.count("\n", place, at)
            place = at + len(begin)
            yield line
        else:
            at = text.find(begin, 0, place) if begin else -1
            yield text.count("\n", 0, at) + 1 if at >= 0 else 0


def unescaped(text: str) -> str:
    """JSON as people read it, line for line: any script as itself, no marks before quotes."""
    return _ESCAPES.sub(_meant, text) if "\\" in text else text


def _meant(found: re.Match[str]) -> str:
    said = found[0]
    if said[1] == "u" and len(said) > 2:
        return plain(str(loads(f'"{said}"')))
    return " " if said[1] in "nrtbf" else said[1]


def of_page(text: str, at: float, by: Redactor) -> Iterator[Passage]:
    """A page of a thread's history, turn by turn; its head is the first passage."""
    begun, kept, when = 1, list[str](), at
    for number, line in enumerate(text.split("\n"), 1):
        heading = _HEADING.match(line) if line.startswith("## ") else None
        if heading:
            yield from _section(kept, when, begun, by)
            begun, kept, when = number, [], instant(heading[1] or "") or at
        kept.append(line)
    yield from _section(kept, when, begun, by)


def _section(lines: list[str], at: float, begun: int, by: Redactor) -> Iterator[Passage]:
    text = "\n".join(lines)
    if text.strip():
        yield Passage(f.HISTORY, whole(redact(text, by)), at, begun)


def of_learnings(text: str, at: float, by: Redactor) -> Iterator[Passage]:
    """The blocks of LEARNINGS.md, each with its heading."""
    begun, kept = 1, list[str]()
    for number, line in enumerate([*text.removeprefix("\ufeff").split("\n"), "## "], 1):
        if line.startswith("## "):
            yield from _block(kept, at, begun, by)
            begun, kept = number, []
        kept.append(line)


def _block(lines: list[str], at: float, begun: int, by: Redactor) -> Iterator[Passage]:
    text = "\n".join(lines).rstrip()
    told = blocks(text)
    if told:
        when = instant(told[0].date) if told[0].date else None
        yield Passage(f.LEARNING, whole(redact(text, by)), at if when is None else when, begun)
