"""The sessions of this machine, held in memory by a server: a look reads only what changed.

It answers as `session_catalogue` does, which processes of their own ask, but has nothing to load or
keep. Where the system tells of changes, a look takes what it told; else it asks the folders, the
newest files and some of the others, in turn.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from itertools import compress, count
from time import monotonic

from leftoff.record import TYPE_CHECKING
from leftoff.world import log_cache
from leftoff.world import session_catalogue as c
from leftoff.world.log_record import began_in
from leftoff.world.server_copies import Copies
from leftoff.world.server_documents import SHARED, TRIES
from leftoff.world.server_session_files import ASKED, Journals, Transcripts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from leftoff.core.session import Session
    from leftoff.core.stats import Stats
    from leftoff.world.inotify import News, Notices
    from leftoff.world.log_record import Log
    from leftoff.world.session_catalogue import Entry, Row
    from leftoff.world.transcripts import Known

    Key = tuple[str, str]


class ServerSessions:
    """All sessions, newest first, by their numbers; `mark` is another one whenever one changed."""

    def __init__(
        self,
        state: str,
        env: Mapping[str, str],
        clock: Callable[[], float] = monotonic,
        notices: Notices | None = None,
    ) -> None:
        """Nothing was looked at yet."""
        self._inbox = notices.inbox() if notices else None
        self._clock, self._at, self.mark = clock, float("-inf"), 0
        self._journals, self._logs, self._copies = (
            Journals(state),
            Transcripts(state, env),
            Copies(state),
        )
        self._state = state
        self._entries: dict[Key, Entry] = {}
        self._order: list[tuple[int, str, str]] = []
        self._roots: list[str] = []
        self._threads: list[str] = []
        self._told: log_cache.Logs | None = None
        self.sessions: dict[Key, tuple[Entry, Session | None]] = {}
        """those that were made of entries, for `sessions.of_server`; None for a ghost"""

    def look(self) -> ServerSessions:
        """Bring it up to date, if the last look is not of this second."""
        elapsed = self._clock() - self._at
        if elapsed >= SHARED:
            self._at = self._clock()  # before: another thread may say `forget` meanwhile
            news = self._inbox.news() if self._inbox else None
            changed = self._looked(elapsed) if news is None else self._heard(news)
            if changed:
                self.mark += 1
                self._take_in(changed)
        return self

    def _looked(self, elapsed: float) -> set[Key]:
        """All files where that is due, else some; from then on by what the system tells."""
        whole = elapsed >= c.WHOLE or not (self._inbox is None or self._inbox.refused)
        return self._asked(whole=whole) | self._settled()

    def _heard(self, news: News) -> set[Key]:
        changed = self._journals.heard(news) | self._logs.heard(news) | self._copies.heard(news)
        return changed | self._settled() if news.folders or self._logs.linked else changed

    def _asked(self, *, whole: bool) -> set[Key]:
        some = len(self._order) + ASKED if whole else ASKED
        own = self._journals.look(some) | self._logs.look(some, whole=whole)
        return own | self._copies.look(whole=whole)

    def _settled(self) -> set[Key]:
        """Look until the system told of all folders already when they were looked at."""
        changed: set[Key] = set()
        if self._inbox and self._logs.linked:
            self._inbox.refuse()
        elif self._inbox:
            for _ in range(TRIES):
                if self._inbox.settled(self._places):
                    return changed
                changed |= self._asked(whole=True)
            self._inbox.doubt()
        return changed

    def _places(self) -> tuple[list[str], set[str]]:
        every = self._journals, self._logs, self._copies
        tops = [top for one in every for top in one.tops()]
        return tops, {folder for one in every for folder in one.folders()}

    def forget(self) -> None:
        """Look again for the next page."""
        self._at = min(self._at, self._clock() - SHARED)

    def turn(self) -> None:
        """A page begins: where the system tells, its look costs next to nothing."""
        if self._inbox and self._inbox.sure:
            self.forget()

    def read(self, logs: Sequence[Log]) -> list[Known]:
        """What transcripts amount to; it is known from then on."""
        from leftoff.world import transcripts

        found = transcripts.read(logs, self._state, known=self._known())
        self._take_in({log.key for log in logs})
        return found

    def with_curve(self, stats: Stats, transcript: str) -> Stats:
        """The statistics with the curve of the context's use."""
        return log_cache.with_curve(stats, self._known().curves.get(transcript))

    # What a catalogue answers

    def which(
        self, belongs: Callable[[str], bool], thread: str = "", below: int | None = None
    ) -> list[int]:
        """The numbers of those that began in a folder that belongs, or only those on a thread."""
        roots = self._roots[:below]
        mine = {root for root in {*roots} if belongs(root)}
        if thread:
            on = compress(count(), map(thread.__eq__, self._threads[:below]))
            return [n for n in on if roots[n] in mine]
        return [*compress(count(), map(mine.__contains__, roots))]

    def newer(self, since: float) -> int:
        """How many changed since then: the numbers below are theirs."""
        return bisect_left(self._order, (-int(since * 1e9), "", ""))

    def firsts(self) -> list[tuple[str, int, int]]:
        """For each folder the number of its newest session, and how many began there."""
        return [
            (root, self._roots.index(root), many) for root, many in Counter(self._roots).items()
        ]

    def rows(self, numbers: Iterable[int]) -> list[Entry]:
        """These, in their order."""
        return [self._entries[self._order[n][1:]] for n in numbers]

    def row(self, agent: str, session: str) -> Entry | None:
        """One of them by its name."""
        return self._entries.get((agent, session))

    def journals(self, since: float) -> list[Row]:
        """A row for each journal with a line since then, newest first."""
        oldest, rows = int(since * 1e9), self._journals.rows
        keys = (place[1:] for place in self._order[: self.newer(since)])
        found = [row for key in keys if (row := rows.get(key)) and row[c.AT] >= oldest]
        found.sort(key=lambda row: (-row[c.AT], row[c.PATH]))
        return [(*row[: c.THREAD], c.thread_of(row, rows), *row[c.PARENT :]) for row in found]

    def logs_until(self, until: float) -> list[Row]:
        """A row for each transcript that did not change since then, oldest first."""
        newest = int(until * 1e9)
        found = [c.log_row(log) for log in self._logs.files.values() if log.mtime_ns <= newest]
        return sorted(found, key=lambda row: (row[c.AT], row[c.PATH]))

    def logs(self) -> Sequence[Log]:
        """Every transcript."""
        return [*self._logs.files.values()]

    def copies(self, agent: str, session: str) -> list[Log]:
        """What the archive has of a session of which no transcript is left."""
        return [] if self._logs.groups.get((agent, session)) else self._copies.of((agent, session))

    def copied(self) -> list[Log]:
        """The same of every session."""
        return self._copies.read()

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
                del self._order[at], self._roots[at], self._threads[at]
            row, logs = self._journals.rows.get(key), self._files(key)
            if row or logs:
                one = self._entries[key] = self._entry(key, row, logs)
                at = bisect_left(self._order, _place(one))
                self._order.insert(at, _place(one))
                self._roots.insert(at, one.root)
                self._threads.insert(at, one.thread)

    def _files(self, key: Key) -> list[Log]:
        own = self._logs.groups.get(key)
        if not own:
            return self._copies.of(key)
        self._copies.forget(key)
        return [*own.values()]

    def _entry(self, key: Key, row: Row | None, logs: Sequence[Log]) -> Entry:
        at = max((row[c.AT] if row else 0, *(log.mtime_ns for log in logs)))
        told = ((log.parent, log.mtime_ns, log.path, log.folder) for log in logs)
        root = (row and row[c.ROOT]) or began_in(told)
        thread = c.thread_of(row, self._journals.rows) if row else ""
        listed = ((one.path, one.session, one.size, one.mtime_ns, b"") for one in logs)
        counted = tuple(c.with_stats(one, self._known()) for one in listed)
        return c.Entry(at, *key, root, thread, row[c.PATH] if row else "", counted)


def _place(one: Entry) -> tuple[int, str, str]:
    """What puts the newest first; a name settles a tie."""
    return -one.at, one.agent, one.session
