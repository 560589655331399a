"""A search: by the index where it is right, by reading where it is not; the answer is the same.

What the index has not taken in is looked at as it is.
"""

from __future__ import annotations

from _operator import is_not  # what `operator` has, without loading that
from itertools import compress

from leftoff.core.model import Finding
from leftoff.core.search_hits import Within
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import index_sqlite
from leftoff.world.index_sqlite import NotUsable
from leftoff.world.search_sources import others, prints_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from leftoff.core.search_hits import Found, Source, Wanted
    from leftoff.world.index_sqlite import Index, Row
    from leftoff.world.index_update import Change
    from leftoff.world.search_sources import Library

    Progress = Callable[[int, int], None]


class Answer(Record):
    """What was found, and what kept the index from helping."""

    found: Found
    findings: tuple[Finding, ...] = ()


class _State(Record):
    """How an index stands to the sources."""

    within: Within
    stale: list[Source]
    behind: bool


class Memory:
    """What the index holds and which sources it is right about; a server goes on from there."""

    def __init__(self) -> None:
        self._print: tuple[int, ...] = ()
        self._rows: dict[str, Row] = {}
        self._sources: dict[str, Source] = {}
        self._listed: list[Source] = []
        self._fresh: dict[int, Source] = {}
        self._others: set[int] = set()
        self._stale: dict[str, Source] = {}
        self._last = 0

    def state(self, index: Index, library: Library, sources: list[Source]) -> _State:
        """The index is asked for all it knows only when somebody else wrote into it."""
        print_ = index_sqlite.written(library.store.state)
        if print_ != self._print:
            self._rows, self._print, self._sources = index.known(), print_, {}
            self._others, self._fresh, self._stale = {row.id for row in self._rows.values()}, {}, {}
            self._last = max(self._others, default=0)
        if sources is not self._listed or not self._sources:
            self._compare(sources)
        behind = bool(self._stale) or not library.forgotten.isdisjoint(self._rows)
        within = Within(self._fresh, self._others, self._last)
        return _State(within, [*self._stale.values()], behind)

    def others(self) -> set[str]:
        """What the index holds besides."""
        return self._rows.keys() - self._sources.keys()

    def take(self, change: Change) -> None:
        """Go on from what we wrote, unless somebody else wrote before that."""
        if change.before != self._print:
            return
        self._leave(change.keys)
        for key in change.keys:
            if row := self._rows.pop(key, None):
                self._others.discard(row.id)
        self._rows |= change.rows
        self._others |= {row.id for row in change.rows.values()}
        self._last = max(self._last, *(row.id for row in change.rows.values()), 0)
        self._print = change.after
        self._meet([self._sources[key] for key in change.keys & self._sources.keys()])

    def _compare(self, sources: list[Source]) -> None:
        """Only those that are others than the last time."""
        changed = others(sources, self._listed) if self._sources else None
        if changed is not None:
            self._listed = sources
            fresh = {now.key: now for now, _ in changed}
            self._sources.update(fresh)
            self._leave(fresh)
            self._meet(fresh.values())
            return
        before, keys = self._sources, [one.key for one in sources]
        new = [*compress(sources, map(is_not, sources, map(before.get, keys)))]
        self._listed, self._sources = sources, dict(zip(keys, sources, strict=True))
        self._leave({one.key for one in new} | (before.keys() - self._sources.keys()))
        self._meet(new)

    def _leave(self, keys: Iterable[str]) -> None:
        """The index is right about none of these."""
        for key in keys:
            self._stale.pop(key, None)
            row = self._rows.get(key)
            if row and self._fresh.pop(row.id, None):
                self._others.add(row.id)

    def _meet(self, sources: Iterable[Source]) -> None:
        """Whether the index is right about these."""
        for source in sources:
            row = self._rows.get(source.key)
            if row and row.prints == prints_of(source):
                self._fresh[row.id] = source
                self._others.discard(row.id)
            else:
                self._stale[source.key] = source


def search(  # noqa: PLR0913, PLR0917  # a question, where to look, and for whom
    library: Library,
    wanted: Wanted,
    limit: int,
    sources: list[Source],
    progress: Progress | None = None,
    memory: Memory | None = None,
) -> Answer:
    """The same answer as `search_scan.find` gives, sooner."""
    memory = memory or Memory()
    library.damaged.clear()
    found, stale, trouble = None, sources, list[NotUsable]()
    try:
        found, stale = _asked(library, sources, wanted, limit, memory)
        if found is None and (stale or library.forgotten):
            trouble += _refreshed(library, stale, progress, memory)
            found, stale = _asked(library, sources, wanted, limit, memory, behind=True)
    except NotUsable as error:
        trouble.append(error)
    if stale or found is None:
        from leftoff.world import search_scan
        from leftoff.world.index_update import telling

        read = search_scan.find(library, stale, wanted, limit, telling(stale, progress))
        found = search_scan.together([found, read] if found else [read], limit)
    told = [_finding(library.store.state, error) for error in trouble[:1]]
    return Answer(found, (*told, *_halves(library)))


def _halves(library: Library) -> Iterator[Finding]:
    """Copies of which only the part before some damage was searched."""
    for source, why in library.damaged.items():
        name = f"{source.agent}/{source.session}"
        yield Finding("session-unreadable", "warning", name, why)


def _asked(  # noqa: PLR0913  # a question, where to look, and what is known of it
    library: Library,
    sources: list[Source],
    wanted: Wanted,
    limit: int,
    memory: Memory,
    *,
    behind: bool = False,
) -> tuple[Found | None, list[Source]]:
    """What the index says, also where it is `behind`, and what it has nothing to say about."""
    index = index_sqlite.open_in(library.store.state)
    if index is None:
        return None, sources
    with index:
        state = memory.state(index, library, sources)
        if state.behind and not behind:
            return None, state.stale
        return index.find(wanted, state.within, limit), state.stale


def _refreshed(
    library: Library,
    stale: list[Source],
    progress: Progress | None,
    memory: Memory,
) -> list[NotUsable]:
    """Bring the index up to date; why that cannot be done."""
    from leftoff.world.index_update import refreshed  # most searches find nothing new

    try:
        change = refreshed(library, stale, memory.others(), progress)
    except NotUsable as error:
        return [error]
    if change:
        memory.take(change)
    return []


_ELSEWHERE = "make the folder writable, or set LEFTOFF_STATE to one that is"
_ROOM = "make room there, or set LEFTOFF_STATE to a folder on another disk"


def _finding(state: str, error: NotUsable) -> Finding:
    from leftoff.world.state_room import is_full, is_sealed  # an index is nearly always usable

    why, fix = error.message, 'run "leftoff index --rebuild"'
    if is_sealed(state):
        why, fix = "its folder cannot be written", _ELSEWHERE
    elif is_full(state):
        why, fix = "the disk is full", _ROOM
    text = f"the search index cannot be used ({why}); everything was read instead"
    return Finding("index-unusable", "warning", index_sqlite.path_in(state), text, fix)
