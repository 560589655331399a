"""What a page may look at: the request, the project it is about, and every command's answer."""

from __future__ import annotations

from functools import lru_cache
from time import time, time_ns
from urllib.parse import quote, urlencode

from leftoff.core.redact import Redactor, redact, redacted
from leftoff.core.when import instant
from leftoff.entry.calls import answer, body
from leftoff.entry.plain import safe
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.glance_cache import Uncollected
from leftoff.world.redaction_key import redactor
from leftoff.world.settings import load_or_default
from leftoff.world.state import state_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    from leftoff.commands import Say
    from leftoff.core.caller import Caller
    from leftoff.core.result import Result
    from leftoff.world.inotify import Notices
    from leftoff.world.server_cache import ServerCache
    from leftoff.world.server_documents import ServerDocuments
    from leftoff.world.server_sessions import ServerSessions

    T = TypeVar("T")

ROWS = 50
"""How many rows a list shows at once."""
SHORT = 200
HERE, ALL = "here", "all"
"""Whether a page is about this project, or about all."""
IN = "in"
"""The part of an address that names another project than the server's own."""


class Site(Record):
    """What all requests share, chosen when the server starts."""

    root: str
    """the server's own project"""
    env: Mapping[str, str]
    token: str
    port: int
    language: str = ""
    """of --lang; empty: what the browser asks for"""
    now: str = ""
    """of --now, for all commands"""
    write: bool = False
    known: frozenset[str] | set[str] = frozenset()
    """folders of projects that an answer named, and that a request may therefore name"""
    keep: ServerCache | None = None
    """what was gathered for other requests"""
    server_documents: ServerDocuments | None = None
    """the documents, as they were a moment ago"""
    server_sessions: ServerSessions | None = None
    """the sessions, as they were a moment ago"""
    notices: Notices | None = None
    """what tells of changes"""

    def forget(self) -> None:
        """Something changed: the next page looks again."""
        for each in (self.server_documents, self.server_sessions):
            if each:
                each.forget()

    def turn(self) -> None:
        """A page begins."""
        for each in (self.server_documents, self.server_sessions):
            if each:
                each.turn()

    def clock(self) -> float:
        """Now, or what stands for it."""
        return (instant(self.now) if self.now else None) or time()

    def redactor(self, root: str) -> Redactor:
        """What no page about a project shows: as its settings, and the user's, say now."""
        return redactor(self.env, load_or_default(root, self.env)[0].redaction)

    def learn(self, roots: Iterable[str]) -> None:
        """Take projects that an answer named as known."""
        if isinstance(self.known, set):
            self.known.update(filter(None, roots))

    def result(self, words: tuple[str, ...], root: str, say: Say) -> Result:
        """What a command answers about a project."""
        verb, *rest = words
        common = ["--project", root, *(["--now", self.now] if self.now else [])]
        with Uncollected():  # thousands of rows come and go within an answer
            return answer(
                [verb, *common, *rest],
                cwd=root,
                env=self.env,
                say=say,
                caller=_nobody_at_a_terminal,
                keep=self.keep,
                listed=self.server_documents.streams if self.server_documents else None,
                server_sessions=self.server_sessions,
            )


def _nobody_at_a_terminal() -> Caller:
    """A browser is no terminal: what only a person there may do is refused."""
    from leftoff.core.caller import Caller

    return Caller(False, ())


class Scene(Record):
    """One request."""

    site: Site
    root: str
    """the project that this page is about"""
    say: Say
    language: str
    path: Mapping[str, str]
    """what stands in the holes of the route"""
    query: Mapping[str, str]
    address: str = "/"
    """of this page, for links that lead back to it"""
    theme: str = "auto"
    by: Redactor = Redactor()
    """by which its texts are redacted"""

    def answer(self, *words: str) -> dict[str, Any]:
        """A command's `data`, `findings` and `ask`, in the reader's language."""
        return body(self.site.result(words, self.root, self.say), self.say)

    def kept(self, *words: str) -> dict[str, Any]:
        """The same for a costly answer: the one of a moment ago where nothing changed since."""
        keep, name = self.site.keep, (self.root, self.language, "answer", *words)
        if self.site.server_documents:  # whether a document changed is known only after a look
            self.site.server_documents.streams(self.root, state_dir(self.site.env), time_ns())
        return keep(name, lambda: self.answer(*words)) if keep else self.answer(*words)

    def made_of(self, facts: object, key: tuple[str, ...], make: Callable[[], T]) -> T:
        """What is drawn of facts, which are of this answer alone: as long as they are equal."""
        facts = facts, self.by
        keep = self.site.keep
        if keep is None:
            return make()
        name = (self.root, self.language, *key)
        return keep.same(name, lambda: (facts, make()), lambda known: known[0] == facts)[1]

    def link(self, path: str, **query: object) -> str:
        """An address of ours, in the same project."""
        given = {key: str(value) for key, value in query.items() if value not in {None, ""}}
        if self.root != self.site.root:
            given.setdefault(IN, self.root)
        return quote(path) + (f"?{urlencode(given)}" if given else "")

    def page_link(self, path: str, page: int) -> str:
        """The address of another page of the same list."""
        kept = {key: value for key, value in self.query.items() if key not in {"page", IN}}
        return self.link(path, **kept, page=page if page > 1 else None)

    def elsewhere(self, root: str, path: str = "/") -> str:
        """The address of the same page about another project."""
        return quote(path) + ("" if root == self.site.root else "?" + urlencode({IN: root}))

    def rows(self, rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        """Sessions of any project: each says nothing that its own project's settings hide."""
        by: dict[str, Redactor] = {self.root: self.by}
        made = []
        for row in rows:
            root = row["root"]
            if root not in by:
                by[root] = self.site.redactor(root) if root else self.by
            leads = {name: row[name] for name in ("root", "agent", "id")}  # links need them
            made.append({**redacted(row, by[root]), **leads})
        return made

    def clean(self, text: object) -> str:
        """A text as it may be shown: no secrets, nothing that steers or hides."""
        return cleaned(str(text), self.by)

    @property
    def page(self) -> int:
        """Which page of a list, from 1."""
        given = self.query.get("page", "")
        return max(1, int(given)) if given.isascii() and given.isdigit() and len(given) < 6 else 1

    def start(self, size: int = ROWS) -> int:
        """The first row of the list to show, of which a page has so many."""
        return (self.page - 1) * size

    def part(self, size: int = ROWS) -> tuple[str, ...]:
        """The words by which a command gives the rows of this page alone."""
        return "--limit", str(size), "--from", str(self.start(size))

    def chosen(self, name: str, known: Sequence[str], usual: str = "") -> str:
        """What the address says by this name, if that is one of these; else what is usual."""
        given = self.query.get(name, "")
        return given if given in known else usual


def cleaned(text: str, by: Redactor) -> str:
    """Without secrets; what cannot be seen or shown stands out."""
    return _remembered(text, by) if len(text) <= SHORT else _cleaned(text, by)


@lru_cache(maxsize=4096)
def _remembered(text: str, by: Redactor) -> str:
    """Rows and pages say the same short things over and over."""
    return _cleaned(text, by)


def _cleaned(text: str, by: Redactor) -> str:
    return safe(redact(text, by)).encode("utf-8", "replace").decode()
