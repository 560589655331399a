"""The team's texts, passage by passage, and a search in them that means what every search means.

The words of a passage are ours (`search_words.row`). PostgreSQL's word index only says where all of
them may be; whether they stand there side by side, it then sees in the row of words itself.
"""

from __future__ import annotations

from leftoff.core.search_hits import Found, Hit, Passage, Source
from leftoff.core.search_words import in_row, row
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.team_connection import Talking
from leftoff.world.team_push import Row, Target

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from leftoff.core.search_hits import Wanted
    from leftoff.core.search_words import Query
    from leftoff.world.team_connection import Address
    from leftoff.world.team_schema import Link

AT_ONCE = 1000
"""Passages in one transaction."""
_LONGEST, _MOST = 2000, 400_000
"""Bytes of a word, and of all words of a passage, that a search vector takes for sure."""
_ANY = "*"
"""Instead of words that were too long or too many: such a passage is always looked at."""
# PostgreSQL keeps every character but NUL; these two stand for none in any text of people.
_NUL, _ITSELF = "\ufdd0\ufdd1", "\ufdd0\ufdd2"

TEXTS = Target(
    "session_text",
    (
        *((name, "text") for name in ("agent", "id")),
        ("part", "integer"),
        *((name, "text") for name in ("form", "path", "project", "thread")),
        ("seen", "double precision"),
        *((name, "text") for name in ("title", "kind")),
        ("at", "double precision"),
        ("line", "integer"),
        *((name, "text") for name in ("body", "spelt", "words", "visibility")),
    ),
    ("agent", "id", "part"),
    {
        "seen": "to_timestamp(s.seen)",
        "words": "array_to_tsvector(string_to_array(s.words, ' '))",
    },
    "AND (excluded.form = 'document' OR excluded.seen >= t.seen)",
    "'session', s.agent || '/' || s.id",
    "agent = %s AND id = %s AND part > %s",
    ("title", "body", "spelt", "words"),
    one_by_one=False,
)


class About(Record):
    """What all passages of a source share: whose it is, when it was last seen, who may see it."""

    agent: str
    id: str
    form: str
    path: str = ""
    project: str = ""
    thread: str = ""
    seen: float = 0.0
    title: str = ""
    visibility: str = "private"


class Scope(Record):
    """Where to look; None is everywhere."""

    project: str | None = None
    agent: str | None = None
    thread: str | None = None
    among: Sequence[tuple[str, str]] | None = None
    """sources by agent and id"""


def rows(about: About, said: Iterable[Passage], ends: Mapping[str, str]) -> Iterator[Row]:
    """The passages of a source; the last one says that all are there, and which are too many."""
    held: Row | None = None
    part = -1
    for part, passage in enumerate(said):
        if held:
            yield held
        held = Row("", _values(about, part, passage))
    if held:
        yield held._replace(ends=ends, last=(about.agent, about.id, part))


def _values(about: About, part: int, passage: Passage) -> tuple[object, ...]:
    spelt = row(passage.text)
    return (
        *(about.agent, about.id, part, about.form, about.path, about.project, about.thread),
        *(about.seen, about.title if not part else "", passage.kind, passage.at, passage.line),
        *(_kept(passage.text), f" {spelt} ", _words(spelt), about.visibility),
    )


def _words(spelt: str) -> str:
    """Each word once; what a search vector does not take is said to be missing."""
    every = dict.fromkeys(spelt.split(" ") if spelt else ())
    sizes = [len(word.encode()) for word in every]
    fits = max(sizes, default=0) <= _LONGEST and sum(sizes) <= _MOST
    return " ".join(every) if fits else _ANY


def find(to: Address, link: Link, wanted: Wanted, limit: int, scope: Scope) -> Found:
    """The newest passages that one may see and that fit, and how many there are."""
    terms = [in_row(term) for term in wanted.query.wanted]
    without = [in_row(term) for term in wanted.query.unwanted]
    among = None if scope.among is None else [f"{agent}\n{name}" for agent, name in scope.among]
    where = (scope.project, scope.agent, scope.thread, among)
    values = (expression(wanted.query), terms, without, [*wanted.kinds] or None)
    with Talking(to):
        found = link.execute(_FIND, (*values, wanted.since or None, *where, limit)).fetchall()
    hits = tuple(_hit(found_row) for found_row in found)
    return Found(hits, int(found[0][-1]) if found else 0)


_FIND = """
SELECT * FROM leftoff.search(%s::tsquery, %s::text[], %s::text[], %s::text[],
  %s::float8, %s::text, %s::text, %s::text, %s::text[], %s::integer)
"""


def _hit(found: Sequence[object]) -> Hit:
    owner, form, agent, name, part, path, project, thread, kind, at, line, body, _ = found
    source = Source(
        f"{owner}/{agent}/{name}",
        *(str(form), (), str(project), str(path), str(agent)),
        session=str(name) if agent else "",
        thread=str(thread),
    )
    number = int(str(part))
    return Hit(
        source, Passage(str(kind), _given(str(body)), float(str(at)), int(str(line))), number
    )


def expression(asked: Query) -> str:
    """Every wanted word somewhere; a word holds letters and digits only, so none means anything."""
    words = [
        f"'{word}'" + (":*" if term.open and word is term.words[-1] else "")
        for term in asked.wanted
        for word in term.words
        if len(word.encode()) <= _LONGEST
    ]
    every = " & ".join(dict.fromkeys(words))
    return f"({every}) | '{_ANY}'" if every else f"'{_ANY}'"


def _kept(text: str) -> str:
    return (
        text.replace("\ufdd0", _ITSELF).replace("\0", _NUL)
        if not text.isascii() or "\0" in text
        else text
    )


def _given(text: str) -> str:
    return text.replace(_NUL, "\0").replace(_ITSELF, "\ufdd0")
