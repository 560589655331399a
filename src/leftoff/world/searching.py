"""A search: by the index where it is right, by reading where it is not; the answer is the same.

The index is brought up to date here, and only here: never in a hook. One search reads at most so
much into it; what was not reached is looked at as it is.
"""

from __future__ import annotations

import os
from fcntl import LOCK_EX, LOCK_NB, flock
from itertools import islice
from time import time_ns

from leftoff.core.model import Finding
from leftoff.errors import Busy, LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import index_sqlite, search_scan
from leftoff.world.index_sqlite import LOCK, Row, Unusable
from leftoff.world.search_sources import TRANSCRIPT
from leftoff.world.state import ensure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from leftoff.core.found import Found, Source, Wanted
    from leftoff.world.index_sqlite import Index
    from leftoff.world.search_sources import Library

    Progress = Callable[[int, int], None]

ROOM = 256 << 20
"""Bytes of sources that one search takes into the index."""
COMMIT = 32 << 20
RACY = 2_000_000_000
"""nanoseconds: what changed so shortly before it was read may have changed since, unseen"""
_UNSETTLED = "-"


class Answer(Record):
    """What was found, and what kept the index from helping."""

    found: Found
    findings: tuple[Finding, ...] = ()


class Made(Record):
    """A new index: where it is, and how many sources are in it."""

    path: str
    sources: int


def search(
    library: Library,
    wanted: Wanted,
    limit: int,
    sources: list[Source],
    progress: Progress | None = None,
) -> Answer:
    """The same answer as `search_scan.find` gives, sooner."""
    state, findings = library.store.state, list[Finding]()
    found, stale = None, sources
    try:
        found, stale = _asked(state, sources, wanted, limit)
        if stale:
            refreshed(library, stale, sources, progress)
            found, stale = _asked(state, sources, wanted, limit)
    except Unusable as error:
        findings.append(_finding(state, error))
    if stale or found is None:
        read = search_scan.find(library, stale, wanted, limit, _telling(stale, progress))
        found = search_scan.together([found, read] if found else [read], limit)
    return Answer(found, tuple(findings))


def _asked(
    state: str, sources: list[Source], wanted: Wanted, limit: int
) -> tuple[Found | None, list[Source]]:
    """What the index says, and what it has nothing to say about."""
    index = index_sqlite.open_in(state)
    if index is None:
        return None, sources
    with index:
        rows = index.known()
        fresh: dict[int, Source] = {}
        stale: list[Source] = []
        for source in sources:
            row = rows.get(source.key)
            if row and row.prints == _prints(source):
                fresh[row.id] = source
            else:
                stale.append(source)
        return index.find(wanted, fresh, limit), stale


def refreshed(
    library: Library, stale: list[Source], sources: list[Source], progress: Progress | None = None
) -> None:
    """Bring the index up to date, as far as there is room; not while somebody else does so."""
    with _Alone(library.store.state) as alone:
        if alone:
            _update(library, _in_room(stale, ROOM), sources, progress)


def rebuilt(library: Library, progress: Progress | None = None) -> Made:
    """A new index of everything."""
    state = library.store.state
    with _Alone(state) as alone:
        if not alone:
            raise Busy("another process is writing the search index", hint="try again later")
        sources = library.sources()
        try:
            index_sqlite.remove(state)
            _update(library, sources, sources, progress)
        except Unusable as error:
            where = index_sqlite.path_in(state)
            text = f"the search index cannot be written: {error.message}"
            raise Busy(text, hint="searches go on without it", where=where) from error
    return Made(index_sqlite.path_in(state), len(sources))


def forget(state: str, keys: Iterable[str]) -> None:
    """Sources that are gone for good: nothing of them stays in the index."""
    if not os.path.exists(index_sqlite.path_in(state)):
        return
    with _Alone(state) as alone:
        if not alone:
            raise Busy("another process is writing the search index", hint="try again later")
        index = index_sqlite.open_in(state)
        if index is None:
            index_sqlite.remove(state)  # of an older leftoff: nobody asks it any more
            return
        with index:
            rows = index.known()
            index_sqlite.unseal(state)
            index.begin()
            for key in keys:
                if key in rows:
                    index.drop(rows[key])
            index.purge()
            index.commit()
            done = index.settled()
        if done:
            index_sqlite.seal(state)


def _update(
    library: Library, todo: list[Source], sources: list[Source], progress: Progress | None
) -> None:
    state = library.store.state
    index = index_sqlite.open_in(state)
    index_sqlite.unseal(state)
    with index or index_sqlite.open_new(state, wal=_is_local(state)) as open_index:
        rows = open_index.known()
        open_index.begin()
        for row in _gone(rows, sources):
            open_index.drop(row)
        _take_in(library, open_index, todo, rows, progress)
        open_index.commit()
        done = open_index.settled()
    if done:
        try:
            index_sqlite.seal(state)
        except OSError:
            return  # without one, SQLite's own checks are all there is


def _take_in(
    library: Library,
    index: Index,
    todo: list[Source],
    rows: Mapping[str, Row],
    progress: Progress | None,
) -> None:
    """In the order of their numbers: FTS5 writes out what it holds when numbers go down."""
    tell, pending = _telling(todo, progress), 0
    for source in sorted(todo, key=lambda one: rows[one.key].id if one.key in rows else 1 << 62):
        row = rows.get(source.key)
        if row and not _goes_on(row, source):
            index.drop(row)
            row = None
        looked = time_ns()
        said = islice(iter(library.passages(source)), row.size if row else 0, None)
        read = index.put(source, row, said)
        racy = source.form != TRANSCRIPT and looked - max(source.prints[2:]) < RACY
        prints = _UNSETTLED if racy else _prints(source)
        index.note(read._replace(prints=prints, offset=source.size, checksum=_checksum(source)))
        pending += source.size
        if pending > COMMIT:
            index.commit()
            index.begin()
            pending = 0
        if tell:
            tell(source)


def _gone(rows: Mapping[str, Row], sources: Iterable[Source]) -> list[Row]:
    """What is kept of files that are there no more."""
    listed = {source.key for source in sources}
    others = [key for key in rows if key not in listed]
    return [rows[key] for key in others if not os.path.exists(key.rpartition("#")[0] or key)]


def _goes_on(row: Row, source: Source) -> bool:
    """Whether a source only grew: then what is known of it is its beginning."""
    if source.form != TRANSCRIPT or not row.offset or row.offset > source.size:
        return False
    return _checksum(source._replace(size=row.offset)) == row.checksum


def _checksum(source: Source) -> int:
    """Of a transcript's first bytes and those before its end; 0 for what is read whole."""
    if source.form != TRANSCRIPT or not os.path.isfile(source.key):
        return 0
    from leftoff.world.log_reading import check_at

    return check_at(source.key, source.size)


def _prints(source: Source) -> str:
    return " ".join(map(str, source.prints))


def _in_room(todo: list[Source], room: int) -> list[Source]:
    """The newest first: they are asked for most."""
    kept: list[Source] = []
    for source in sorted(todo, key=lambda one: -max(one.prints[2:3])):
        room -= source.size
        if room < 0 and kept:
            break
        kept.append(source)
    return kept


def _telling(
    sources: Iterable[Source], progress: Progress | None
) -> Callable[[Source], None] | None:
    if not progress:
        return None
    total, done = sum(one.size for one in sources), [0]

    def tell(source: Source) -> None:
        done[0] += source.size
        progress(done[0], total)

    return tell


def _finding(state: str, error: Unusable) -> Finding:
    text = f"the search index is of no use ({error.message}); everything was read instead"
    fix = 'run "leftoff index --rebuild"'
    return Finding("index-unusable", "warning", index_sqlite.path_in(state), text, fix)


class _Alone:
    """The right to write the index, if nobody else has it now; freed by the kernel."""

    def __init__(self, state: str) -> None:
        self._state = state
        self._fd = -1

    def __enter__(self) -> bool:
        try:
            path = os.path.join(ensure(self._state), LOCK)
            self._fd = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            flock(self._fd, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return False
        except (OSError, LeftoffError) as error:
            raise Unusable(str(error)) from error
        return True

    def __exit__(self, *_: object) -> None:
        if self._fd >= 0:
            os.close(self._fd)


def _is_local(folder: str) -> bool:
    """Whether processes can share memory over a file there, as SQLite's log needs it."""
    from leftoff.world.mounts import is_local

    return is_local(folder)
