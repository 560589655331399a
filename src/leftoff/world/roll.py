"""The sessions of this machine as a server knows them: a look finds what changed, and reads that.

It answers as `catalogue` does, which processes of their own ask, but has nothing to load or keep. A
look asks the folders, the newest files and some of the others, in turn.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from time import monotonic, time

from leftoff.record import TYPE_CHECKING
from leftoff.world import catalogue as c
from leftoff.world import log_cache
from leftoff.world.journal import all_in
from leftoff.world.log_files import bases, log_at, placed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from leftoff.core.session import Session
    from leftoff.core.stats import Stats
    from leftoff.world.catalogue import Entry, Row, Sign
    from leftoff.world.log_record import Log
    from leftoff.world.transcripts import Known

    Key = tuple[str, str]

SHARED = 1.0
"""Seconds for which a look is good enough for a page."""
NEWEST, ASKED = 100, 100
"""Files that a look asks: the newest, and the next of the others; after a minute's pause all."""


class Roll:
    """All sessions, newest first, by their numbers; `mark` is another one whenever one changed."""

    def __init__(
        self, state: str, env: Mapping[str, str], clock: Callable[[], float] = monotonic
    ) -> None:
        """Nothing was looked at yet."""
        self._clock, self._at, self.mark = clock, float("-inf"), 0
        self._journals, self._logs = _Journals(state), _Logs(state, env)
        self._state = state
        self._entries: dict[Key, Entry] = {}
        self._order: list[tuple[int, str, str]] = []
        self._where: list[tuple[str, str]] = []
        self._told: log_cache.Logs | None = None
        self.sessions: dict[Key, tuple[Entry, Session | None]] = {}
        """those that were made of entries, for `sessions.of_roll`; None for a ghost"""

    def look(self) -> Roll:
        """Bring it up to date, if the last look is not of this second."""
        elapsed = self._clock() - self._at
        if elapsed >= SHARED:
            some = ASKED if elapsed < c.WHOLE else len(self._order) + ASKED
            changed = self._journals.look(some) | self._logs.look(some)
            self._at = self._clock()
            if changed:
                self.mark += 1
                self._take_in(changed)
        return self

    def forget(self) -> None:
        """Look again for the next page."""
        self._at = min(self._at, self._clock() - SHARED)

    def read(self, logs: Sequence[Log]) -> list[Known]:
        """What transcripts amount to; it is known from then on."""
        from leftoff.world import transcripts

        found = transcripts.read(logs, self._state, known=self._known())
        self._take_in({*map(_key, logs)})
        return found

    def with_curve(self, stats: Stats, transcript: str) -> Stats:
        """The statistics with the curve of the context's use."""
        return log_cache.with_curve(stats, self._known().curves.get(transcript))

    # What a catalogue answers

    def which(self, belongs: Callable[[str], bool], thread: str = "") -> list[int]:
        """The numbers of those that began in a folder that belongs, or only those on a thread."""
        mine = {root for root in {root for root, _ in self._where} if belongs(root)}
        if thread:
            return [n for n, (root, on) in enumerate(self._where) if root in mine and on == thread]
        return [n for n, (root, _) in enumerate(self._where) if root in mine]

    def newer(self, since: float) -> int:
        """How many changed since then: the numbers below are theirs."""
        return bisect_left(self._order, (-int(since * 1e9), "", ""))

    def firsts(self) -> list[tuple[str, int, int]]:
        """For each folder the number of its newest session, and how many began there."""
        found: dict[str, tuple[str, int, int]] = {}
        for n, (root, _) in enumerate(self._where):
            _, first, many = found.get(root, (root, n, 0))
            found[root] = root, first, many + 1
        return [*found.values()]

    def rows(self, numbers: Iterable[int]) -> list[Entry]:
        """These, in their order."""
        return [self._entries[self._order[n][1:]] for n in numbers]

    def row(self, agent: str, session: str) -> Entry | None:
        """One of them by its name."""
        return self._entries.get((agent, session))

    def journals(self, since: float) -> list[Row]:
        """A row for each journal with a line since then, newest first."""
        return self._journals.since(int(since * 1e9))

    def logs_until(self, until: float) -> list[Row]:
        """A row for each transcript that did not change since then, oldest first."""
        newest = int(until * 1e9)
        found = [c.log_row(log) for log in self._logs.files.values() if log.mtime_ns <= newest]
        return sorted(found, key=lambda row: (row[c.AT], row[c.PATH]))

    def logs(self) -> Sequence[Log]:
        """Every transcript."""
        return [*self._logs.files.values()]

    # Merging

    def _known(self) -> log_cache.Logs:
        if self._told is None:
            self._told = log_cache.load(self._state)
        return self._told

    def _take_in(self, keys: Iterable[Key]) -> None:
        """What journals and transcripts tell of these now."""
        for key in keys:
            if known := self._entries.pop(key, None):
                at = bisect_left(self._order, _place(known))
                del self._order[at], self._where[at]
            row, logs = self._journals.rows.get(key), self._logs.groups.get(key)
            if row or logs:
                one = self._entries[key] = self._entry(key, row, [*(logs or {}).values()])
                at = bisect_left(self._order, _place(one))
                self._order.insert(at, _place(one))
                self._where.insert(at, (one.root, one.thread))

    def _entry(self, key: Key, row: Row | None, logs: Sequence[Log]) -> Entry:
        at = max((row[c.AT] if row else 0, *(log.mtime_ns for log in logs)))
        root = row[c.ROOT] if row else max(logs, key=lambda log: log.mtime_ns).folder
        thread = c.thread_of(row, self._journals.rows) if row else ""
        listed = ((one.path, one.session, one.size, one.mtime_ns, b"") for one in logs)
        told = tuple(c.with_stats(one, self._known()) for one in listed)
        return c.Entry(at, *key, root, thread, row[c.PATH] if row else "", told)


class _Signs:
    """Files with their signs, newest first."""

    def __init__(self) -> None:
        self.signs: dict[str, Sign] = {}
        self._order: list[str] = []
        self._turn = 0

    def put(self, signs: Iterable[Sign], gone: Iterable[str]) -> None:
        """So they are now; what changed a moment ago may change again unseen."""
        fresh = {one[0]: one for one in _settled(signs)}
        moved = {*fresh, *gone}
        for path in gone:
            self.signs.pop(path, None)
        self.signs.update(fresh)
        self._order = [path for path in self._order if path not in moved]
        self._order[:0] = sorted(fresh, key=lambda path: -fresh[path][1])

    def changed(self, some: int) -> list[str]:
        """Which of the newest are others now, and which of the next so many, in turn."""
        start = self._turn if c.NEWEST <= self._turn < len(self._order) else c.NEWEST
        self._turn = start + some
        asked = (*self._order[: c.NEWEST], *self._order[start : start + some])
        return [
            path for path in (asked if some else self._order) if c.sign(path) != self.signs[path]
        ]


class _Journals:
    """A row for each journal."""

    def __init__(self, state: str) -> None:
        self._state, self._base = state, os.path.join(state, "sessions")
        self._above: list[Sign] = []
        self._names: list[set[str]] = []
        self._signs = _Signs()
        self._keys: dict[str, Key] = {}
        self.rows: dict[Key, Row] = {}

    def since(self, oldest: int) -> list[Row]:
        """Those that changed since then, newest first; a thread is also had by descent."""
        found = [row for row in self.rows.values() if row[c.AT] >= oldest]
        found.sort(key=lambda row: (-row[c.AT], row[c.PATH]))
        return [(*row[: c.THREAD], c.thread_of(row, self.rows), *row[c.PARENT :]) for row in found]

    def look(self, some: int) -> set[Key]:
        """The sessions whose journals came, went or grew."""
        if not self._above:
            return self._first()
        stale, (new, gone) = self._signs.changed(some), self._listed()
        if not (stale or gone or new):
            return set()
        changed = {self._keys.pop(path) for path in gone}
        for key in changed:
            del self.rows[key]
        self._keys |= new
        signs = [c.sign(path) for path in {*new, *stale} - {*gone}]
        for sign in signs:
            changed |= self._read(self._keys[sign[0]], sign)
        self._signs.put(signs, gone)
        return changed

    def _first(self) -> set[Key]:
        """As `catalogue` kept them: that is sooner than to read them all."""
        self._listed()
        self.rows = {(row[c.AGENT], row[c.SESSION]): row for row in c.journals(self._state, 0)}
        self._keys = {row[c.PATH]: key for key, row in self.rows.items()}
        self._signs.put([(row[c.PATH], row[c.AT], row[c.SIZE]) for row in self.rows.values()], ())
        return {*self.rows}

    def _listed(self) -> tuple[dict[str, Key], list[str]]:
        """The journals that came, and the paths of those that went, where a folder changed."""
        folders = [self._base, *c.below(self._base)]
        above = [*_settled(map(c.sign, folders))]
        if above == self._above:
            return {}, []
        self._above, names = above, [{*_names(folder)} for folder in folders[1:]]
        if names == self._names:  # a small file beside a journal was replaced
            return {}, []
        self._names = names
        there = {path: (agent, session) for agent, session, path in all_in(self._state)}
        new = {path: key for path, key in there.items() if path not in self._keys}
        return new, [path for path in self._keys if path not in there]

    def _read(self, key: Key, sign: Sign) -> set[Key]:
        """Read one; whoever continues a session has its thread."""
        before, row = self.rows.get(key), c.journal_row(*key, sign)
        self.rows[key] = row
        if before and before[c.THREAD] == row[c.THREAD]:
            return {key}
        return {key, *(name for name, other in self.rows.items() if other[c.PARENT] == key[1])}


class _Logs:
    """Every transcript, by path and by session."""

    def __init__(self, state: str, env: Mapping[str, str]) -> None:
        self._state, self._env = state, env
        self._above: list[Sign] = []
        self._signs = _Signs()
        self.files: dict[str, Log] = {}
        self.groups: dict[Key, dict[str, Log]] = {}

    def look(self, some: int) -> set[Key]:
        """The sessions whose transcripts came, went or grew."""
        fresh = {path: self._as_it_is(path) for path in self._signs.changed(some)}
        gone: list[str] = []
        if not self._above or [*_settled(map(c.sign, self._folders()))] != self._above:
            there = self._listed()
            gone = [path for path in self.files if path not in there]
            new = {path: log for path, log in there.items() if log is not self.files.get(path)}
            fresh = {**new, **{path: log for path, log in fresh.items() if path in there}}
        changed = {self._drop(path) for path in {*gone, *fresh} & self.files.keys()}
        for path, log in fresh.items():
            self.files[path] = self.groups.setdefault(_key(log), {})[path] = log
        if fresh or gone:
            files = (log for log in fresh.values() if "#" not in log.path)
            self._signs.put([(log.path, log.mtime_ns, log.size) for log in files], gone)
        return changed | {*map(_key, fresh.values())}

    def _as_it_is(self, path: str) -> Log:
        known = self.files[path]
        log = log_at(known.agent, path)
        return known._replace(size=log.size, mtime_ns=log.mtime_ns, inode=log.inode)

    def _listed(self) -> dict[str, Log]:
        """All there are; first the folders, so that what comes meanwhile is seen the next time."""
        above = [*map(c.sign, bases(self._env))]
        there = {log.path: log for log in placed(self._env, self._state, self.files)}
        between = c.between(there.values(), [path for path, *_ in above])
        self._above = [*_settled((*above, *map(c.sign, between)))]
        return there

    def _folders(self) -> list[str]:
        return [path for path, *_ in self._above]

    def _drop(self, path: str) -> Key:
        log = self.files.pop(path)
        self.groups[_key(log)].pop(path, None)
        return _key(log)


def _place(one: Entry) -> tuple[int, str, str]:
    """What puts the newest first; a name settles a tie."""
    return -one.at, one.agent, one.session


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _key(log: Log) -> Key:
    return log.agent, log.parent or log.session


def _settled(signs: Iterable[Sign]) -> Iterable[Sign]:
    """A sign of this moment is none: what changes again within it would look the same."""
    limit = int((time() - c.TICK) * 1e9)
    return ((path, at, size) if at < limit else (path, at, -1) for path, at, size in signs)
