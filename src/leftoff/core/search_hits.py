"""What a search looks at and what it finds: passages of sources, ranked and cited. Pure."""

from __future__ import annotations

from leftoff.core.fence import harmless
from leftoff.core.search_words import Spot, fold, spots
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from leftoff.core.model import Json
    from leftoff.core.search_words import Query

MESSAGE, COMMAND, FILE, CHECKPOINT, DECISION, LEARNING, HISTORY = KINDS = (
    "message",
    "command",
    "file",
    "checkpoint",
    "decision",
    "learning",
    "history",
)
SPOKEN = frozenset((MESSAGE, COMMAND, FILE))
"""Kinds that come out of a transcript, of which each line is one object."""
WIDTH, BEFORE = 200, 60
"""Characters of a snippet, and how many of them stand before the first word that was found."""
_NEAR = 400


class Passage(Record):
    """A text that is found as one, redacted and `search_words.whole`."""

    kind: str
    text: str
    at: float = 0.0
    line: int = 0
    """where it begins in its file, from 1; 0 where nobody knows"""
    spaced: str = ""
    """`search_words.spaced` of its text, where somebody made that already"""


class Source(Record):
    """A transcript, a document or a page: what passages come from, and whose it is."""

    key: str
    """what it is called for good; no two have the same"""
    form: str
    """transcript, archived, document, learnings or history"""
    prints: tuple[int, ...]
    """what changes when it does"""
    root: str = ""
    path: str = ""
    """from the root where it is below it"""
    agent: str = ""
    session: str = ""
    thread: str = ""
    number: int = 0
    """of a page of a thread's history, as it is cited"""
    size: int = 0
    rules: str = ""
    """which settings of redaction were in force"""


class Within(Record):
    """Which sources count, by their numbers in an index, and what else it held at that time."""

    sources: Mapping[int, Source]
    others: Collection[int]
    last: int
    """the highest number: what came since does not count"""


class Wanted(Record):
    """A query, and which passages count: those of these kinds that are not older."""

    query: Query
    kinds: tuple[str, ...] = ()
    since: float = 0.0

    def counts(self, kind: str, at: float) -> bool:
        """Whether a passage may be found, whatever it says."""
        return (not self.kinds or kind in self.kinds) and (not self.since or at >= self.since)


class Hit(Record):
    """A passage that was found, and its number among those of its source."""

    source: Source
    passage: Passage
    number: int

    @property
    def order(self) -> tuple[float, str, int]:
        """The newest first, then by name: every store has this order, so none can rank its own."""
        return -self.passage.at, self.source.key, self.number


class Found(Record):
    """The first hits, and how many there are in all."""

    hits: tuple[Hit, ...]
    total: int


class Snippet(Record):
    """A piece of a passage, on one line and harmless, with what was found in it."""

    text: str
    marks: tuple[Spot, ...]
    line: int


def first(hits: list[Hit], limit: int) -> tuple[Hit, ...]:
    """As many as are wanted, in the one order."""
    return tuple(sorted(hits, key=lambda hit: hit.order)[:limit])


def snippet(passage: Passage, asked: Query) -> Snippet:
    """The words around the first place where something was found."""
    text = passage.text
    start, marks = _near(text, asked)
    at = marks[0].start if marks else start
    begin = _word_start(text, max(0, at - BEFORE))
    end = begin + WIDTH
    inside = [one for one in marks if begin <= one.start < end]
    shown, spans = _cleaned(text, begin, max([end, *(one.end for one in inside)]), inside)
    line = passage.line
    if line and passage.kind not in SPOKEN:
        line += text.count("\n", 0, at)
    return Snippet(shown, spans, line)


def cite(hit: Hit, line: int) -> str:
    """How to name a hit so that somebody finds it: `#003`, a session, or a file; and the line."""
    source = hit.source
    if source.form == "history":
        name = f"#{source.number:03d} {source.thread}"
    elif source.session:
        name = f"{source.agent}/{source.session}"
    else:
        name = source.path
    return f"{name}:{line}" if line else name


def facts(hit: Hit, asked: Query) -> dict[str, Json]:
    """A hit as data."""
    from leftoff.core.when import stamp

    part, source = snippet(hit.passage, asked), hit.source
    return {
        "kind": hit.passage.kind,
        "cite": cite(hit, part.line),
        "at": stamp(hit.passage.at) if hit.passage.at else None,
        "agent": source.agent or None,
        "session": source.session or None,
        "thread": source.thread or None,
        "number": source.number or None,
        "root": source.root,
        "path": source.path,
        "line": part.line or None,
        "snippet": part.text,
        "marks": [[one.start, one.end] for one in part.marks],
    }


def _near(text: str, asked: Query) -> tuple[int, list[Spot]]:
    """Where to look first, and what was found: a long text is not taken apart as a whole."""
    folded = fold(text)
    if len(text) > 2 * _NEAR and len(folded) == len(text):
        words = [word for term in asked.wanted for word in term.words]
        at = max(0, folded.find(max(words, key=len)) - _NEAR)
        begin = _word_start(text, at)
        here = spots(text[begin : at + 2 * _NEAR], asked)
        if here:
            return begin, [Spot(begin + one.start, begin + one.end) for one in here]
    return 0, spots(text, asked)


def _word_start(text: str, at: int) -> int:
    """The next place behind a space, if one is near."""
    if not at:
        return 0
    return next((n for n in range(at, min(at + 20, len(text))) if text[n - 1].isspace()), at)


def _cleaned(text: str, begin: int, end: int, marks: list[Spot]) -> tuple[str, tuple[Spot, ...]]:
    """The piece on one line; marks stay on their words, unless that would let something through."""
    parts, spans, at = ["…"] if begin else [], list[Spot](), begin
    size = len(parts)
    for mark in [*marks, Spot(end, end)]:
        for piece, found in ((text[at : mark.start], False), (text[mark.start : mark.end], True)):
            clean = _flat(piece)
            if found and clean:
                spans.append(Spot(size, size + len(clean)))
            parts.append(clean)
            size += len(clean)
        at = mark.end
    whole = "".join(parts).rstrip() + ("…" if len(text.rstrip()) > end else "")
    if harmless(whole) == whole:
        return whole, tuple(spans)
    return _flat(harmless(whole)), ()


def _flat(piece: str) -> str:
    """Each run of white space as one space, at the ends too: the piece has neighbours."""
    line = " ".join(piece.split())
    before = " " if piece[:1].isspace() else ""
    after = " " if piece[-1:].isspace() and line else ""
    return f"{before}{harmless(line)}{after}"
