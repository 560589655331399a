"""What can be searched, and what it says: transcripts, documents, learnings, pages of history.

Which sources there are is looked up anew for each search; only what they say is ever kept in an
index. So an index can be behind, but never give an answer about something that is gone.
Prompts that were blocked lie in `<state>/pending`, which is no source.
"""

from __future__ import annotations

import os
from _operator import is_, is_not  # what `operator` has, without loading that
from itertools import compress, count
from stat import S_ISDIR
from time import monotonic

from leftoff.core.paths import LEARNINGS
from leftoff.core.search_hits import Source
from leftoff.core.thread import FOLDER as THREADS
from leftoff.core.thread import history
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import names_in
from leftoff.world.log_record import COPY
from leftoff.world.place import belongs_to, find_place, roots_of, worktrees
from leftoff.world.state import PROJECT_FILE, user_file
from leftoff.world.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from leftoff.core.redact import Redactor
    from leftoff.core.search_hits import Passage
    from leftoff.core.stream import Stream
    from leftoff.world.log_record import Log

TRANSCRIPT, ARCHIVED, DOCUMENT, LEARNED, HISTORY = (
    "transcript",
    "archived",
    "document",
    "learnings",
    "history",
)
_NOBODY = Source("", "", ())
WHOLE = 60.0
"""Seconds after which all pages of history are looked at: somebody may edit one."""


class Stock:
    """Sources that were made before, for a server: only what changed is made again."""

    def __init__(self) -> None:
        self.places: dict[str, tuple[str, str]] = {}
        """for each folder of a transcript its root, and by which rules"""
        self.logs: list[Log] = []
        self.spoken: list[Source] = []
        """of each transcript, in their order"""
        self.roots: set[str] = set()
        """the projects whose documents there were"""
        self.every: list[Source] = []
        """all that there was the last time"""
        self.written: dict[tuple[str, str], tuple[Stream, str, list[Source]]] = {}
        """by root and path: the stream, by which rules, and the sources of its parts"""
        self.pages: dict[tuple[str, str], tuple[Stream | None, str, list[Source]]] = {}
        """by root and thread the same for its pages of history, which are written when it is"""
        self.paged = float("-inf")
        """when they were all looked at"""


class Signs(Record):
    """How everything stood at a look."""

    marks: tuple[object, ...]
    streams: list[Stream]

    def same(self, other: Signs) -> bool:
        """Whether nothing changed: a stream that was read again may look as it did before."""
        if self.marks != other.marks or len(self.streams) != len(other.streams):
            return False
        return all(map(is_, self.streams, other.streams))


class Library:
    """Everything of one project, or of all that this machine knows."""

    def __init__(
        self,
        store: Store,
        env: Mapping[str, str],
        *,
        everywhere: bool = False,
        stock: Stock | None = None,
    ) -> None:
        self.store = store
        self.env = env
        self.everywhere = everywhere
        self.forgotten: set[str] = set()
        """what `sources` left out, since somebody made leftoff forget it"""
        self.damaged: dict[Source, str] = {}
        """copies that were not read to their end, and why: nobody has them again"""
        self._stock = stock or Stock()
        self._stores = {store.root: store}
        self._rules: dict[str, str] = {}
        self._redactors: dict[str, Redactor] = {}

    def sources(self) -> list[Source]:
        """All there is, each once."""
        spoken = self._spoken()
        roots = {self.store.root}
        if self.everywhere:
            roots |= {one.root for one in spoken if os.path.isdir(one.root)} | self._journaled()
        self._stock.roots = roots
        written = [one for root in sorted(roots) for one in self._written(root)]
        before, every = self._stock.every, [*spoken, *written]
        if others(every, before) is None:  # else each is one still
            every = [*{one.key: one for one in every}.values()]
        self._stock.every = every
        return every

    def signs(self) -> Signs:
        """What differs when a session or a checkpoint changed, for who knows both without a look.

        Pages of history are written when their thread is; a project comes with a session.
        """
        from leftoff.world.archive import TOMBSTONES, folder

        server_sessions, roots = (
            self.store.server_sessions,
            sorted(self._stock.roots | {self.store.root}),
        )
        forgotten = os.path.join(folder(self.store.state), TOMBSTONES)
        files = forgotten, *(f"{root}/{LEARNINGS}" for root in roots)
        marks = (
            server_sessions and server_sessions.look().mark,
            *roots,
            *map(self._rules_of, roots),
            *map(_mark, files),
        )
        stores = map(self._store, roots)
        return Signs(marks, [one for each in stores for one in each.streams(("id", "parts"))])

    def passages(self, source: Source) -> Iterator[Passage]:
        """What a source says; nothing where it cannot be read by now."""
        by = self._redactor(source.root)
        if source.agent:
            return self._said_in(source, by)
        return self._document(source, by)

    def _spoken(self) -> list[Source]:
        home, stock = self.env.get("HOME", ""), self._stock
        logs = [log for log in self._known(home) if log.session and log.size > 0]
        places = self._places({log.folder for log in logs}, home)
        changed = None
        if places == stock.places and len(logs) == len(stock.logs):
            changed = [*compress(count(), map(is_not, logs, stock.logs))]
        made = [*stock.spoken] if changed is not None else [_NOBODY] * len(logs)
        for at in range(len(logs)) if changed is None else changed:
            made[at] = _of_log(logs[at], *places[logs[at].folder])
        stock.logs, stock.places, stock.spoken = logs, places, made
        return made

    def _places(self, folders: set[str], home: str) -> dict[str, tuple[str, str]]:
        root_of = roots_of(home, self.store.place)
        roots = {folder: root_of(folder) if folder else "" for folder in folders}
        return {folder: (root, self._rules_of(root)) for folder, root in roots.items()}

    def _known(self, home: str) -> Iterable[Log]:
        """Transcripts, and copies of those that are gone; but not what is to be forgotten."""
        logs, state = self._logs(home), self.store.state
        if not os.path.isdir(os.path.join(state, "archive")):
            return logs
        from leftoff.world import archive

        every = [*logs, *self._copies(logs, home)]
        if not os.path.exists(os.path.join(archive.folder(state), archive.TOMBSTONES)):
            return every
        from leftoff.world.archive_tombstones import forgotten

        gone = forgotten(state).forgotten
        out = {log.path for log in every if log.key in gone}
        self.forgotten = out
        return [log for log in every if log.path not in out]

    def _copies(self, logs: list[Log], home: str) -> list[Log]:
        """Of transcripts that are gone."""
        state, server_sessions = self.store.state, self.store.server_sessions
        belongs = None if self.everywhere else belongs_to(self.store.place, home)
        if server_sessions is None:
            from leftoff.world.archive_notes import archived_logs

            return archived_logs(self.env, state, logs, belongs)
        return [
            log for log in server_sessions.look().copied() if belongs is None or belongs(log.folder)
        ]

    def _rules_of(self, root: str) -> str:
        """What changes with the settings that say what else is redacted."""
        if root not in self._rules:
            files = (user_file(self.env), os.path.join(root, PROJECT_FILE) if root else "")
            self._rules[root] = "".join(map(_mark, files))
        return self._rules[root]

    def _redactor(self, root: str) -> Redactor:
        """How texts of a project are redacted."""
        if root not in self._redactors:
            from leftoff.world.redaction_key import redactor
            from leftoff.world.settings import load_or_default

            settings, _ = load_or_default(root or os.devnull, self.env)
            self._redactors[root] = redactor(self.env, settings.redaction)
        return self._redactors[root]

    def _logs(self, home: str) -> list[Log]:
        from leftoff.world.log_files import for_project

        state = self.store.state
        place, server_sessions = self.store.place, self.store.server_sessions
        if self.everywhere:
            return (
                [*server_sessions.look().logs()]
                if server_sessions
                else for_project(self.env, "/", state)
            )
        belongs = belongs_to(place, home)
        known = server_sessions.look().logs() if server_sessions else None
        found = known or for_project(self.env, place.root, state, worktrees(place))
        mine = {folder for folder in {one.folder for one in found} if belongs(folder)}
        return [one for one in found if one.folder in mine]

    def _journaled(self) -> set[str]:
        """Projects that a session began in, also where its transcript is gone."""
        from leftoff.world.journal_sessions import roots_in

        return {root for root in roots_in(self.store.state) if os.path.isdir(root)}

    def _store(self, root: str) -> Store:
        if root not in self._stores:
            place = find_place(root, self.env.get("HOME", ""))
            self._stores[root] = Store(place, self.store.state)
            self._stores[root].listed = self.store.listed
        return self._stores[root]

    def _written(self, root: str) -> Iterator[Source]:
        store = self._store(root)
        rules = self._rules_of(root)
        streams = store.streams(("id", "parts"))
        for stream in streams:
            yield from self._parts(root, stream, rules)
        yield from _at(root, LEARNINGS, LEARNED, rules)
        yield from self._pages(root, streams, rules)

    def _parts(self, root: str, stream: Stream, rules: str) -> list[Source]:
        """Of a stream that is still the same object no file changed."""
        at, name = (root, stream.glance.path), stream.glance.id
        known, by, found = self._stock.written.get(at, (None, "", []))
        if known is not stream or by != rules:
            found = [one for part in stream.parts for one in _at(root, part, DOCUMENT, rules, name)]
            self._stock.written[at] = stream, rules, found
        return found

    def _pages(self, root: str, streams: list[Stream], rules: str) -> Iterator[Source]:
        """Pages of history, also of threads whose own documents are gone."""
        stock, above = self._stock, f"{THREADS}/"
        parts = ((part, one) for one in streams for part in one.parts if part.startswith(above))
        own = {part[len(above) :].partition("/")[0]: stream for part, stream in parts}
        if monotonic() - stock.paged >= WHOLE:
            stock.pages, stock.paged = {}, monotonic()
        for thread in _names(f"{root}/{THREADS}"):
            stream = own.get(thread)
            known, by, found = stock.pages.get((root, thread), (None, "", []))
            if stream is None or known is not stream or by != rules:
                found = [*_pages(root, thread, rules)]
                stock.pages[root, thread] = stream, rules, found
            yield from found

    def _said_in(self, source: Source, by: Redactor) -> Iterator[Passage]:
        """Of the file that was listed: what became of it since is another search's matter."""
        from leftoff.core.passages import of_turns
        from leftoff.world import conversation

        def told(why: str) -> None:
            if source.form == ARCHIVED:
                self.damaged[source] = why

        return of_turns(conversation.heard(source.agent, source.key, told), by)

    def _document(self, source: Source, by: Redactor) -> Iterator[Passage]:
        from leftoff.core import passages

        store = self._store(source.root)
        at = source.prints[2] / 1e9
        try:
            text = store.raw(source.path)
        except LeftoffError:
            return
        if source.form == LEARNED:
            yield from passages.of_learnings(text, at, by)
        elif source.form == HISTORY:
            yield from passages.of_page(text, at, by)
        else:
            try:
                read = store.read(source.path).checkpoint
            except LeftoffError:
                read = None  # a broken document still has words
            yield from passages.of_document(text, read, at, by)


def _mark(path: str) -> str:
    try:
        seen = os.stat(path)
    except OSError:
        return "-"
    return f" {seen.st_size} {seen.st_mtime_ns}"


def prints_of(source: Source) -> str:
    """What an index keeps, to know whether a source changed."""
    return f"{' '.join(map(str, source.prints))}|{source.rules}"


def _of_log(log: Log, root: str, rules: str) -> Source:
    form = ARCHIVED if log.path.endswith(COPY) else TRANSCRIPT
    prints = (log.inode, log.size, log.mtime_ns)
    whose = log.agent, log.parent or log.session, "", 0  # by place: there may be thousands
    return Source._make((log.path, form, prints, root, log.path, *whose, log.size, rules))


def _at(root: str, path: str, form: str, rules: str, thread: str = "") -> Iterator[Source]:
    """A file of a project, if it is one and not a link that leads who knows where."""
    whole = f"{root}/{path}"
    try:
        seen = os.stat(whole, follow_symlinks=form == DOCUMENT)
    except OSError:
        return
    if seen.st_size and os.path.isfile(whole):
        prints = (seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)
        number = _number(path) if form == HISTORY else 0
        size = seen.st_size
        yield Source(whole, form, prints, root, path, "", "", thread, number, size, rules)


def others(now: list[Source], before: list[Source]) -> list[tuple[Source, Source]] | None:
    """Where the same sources stand in the same order, those that changed: now and before."""
    if len(now) != len(before):
        return None
    pairs = [*compress(zip(now, before, strict=True), map(is_not, now, before))]
    return pairs if all(one.key == other.key for one, other in pairs) else None


def _pages(root: str, thread: str, rules: str) -> Iterator[Source]:
    """Every page of the history of a thread."""
    folder = history(thread)
    for name in _names(f"{root}/{folder}"):
        if name.endswith(".md") and _number(name):
            yield from _at(root, f"{folder}/{name}", HISTORY, rules, thread)


def _names(folder: str) -> list[str]:
    """Most threads have no history: one question is enough there."""
    try:
        return names_in(folder) if S_ISDIR(os.lstat(folder).st_mode) else []
    except OSError:
        return []


def _number(path: str) -> int:
    digits = path.rpartition("/")[2].partition("-")[0]
    return int(digits) if digits.isascii() and digits.isdigit() else 0
