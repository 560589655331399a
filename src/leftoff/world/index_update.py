"""The index is brought up to date: by a search, or made anew. Never in a hook.

One search takes in at most so much, so that nobody waits for the whole history of a machine.
"""

from __future__ import annotations

import os
from contextlib import suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from itertools import islice
from time import time_ns

from leftoff.errors import Busy, LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import index_making, index_sqlite, search_reader
from leftoff.world.glance_cache import RACY
from leftoff.world.index_sqlite import LOCK, NotUsable, Row
from leftoff.world.search_sources import TRANSCRIPT, prints_of
from leftoff.world.state import ensure
from leftoff.world.state_room import reason

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from leftoff.core.search_hits import Passage, Source
    from leftoff.world.index_sqlite import Index
    from leftoff.world.search_sources import Library

    Progress = Callable[[int, int], None]

ROOM = 256 << 20
"""Bytes of sources that one search takes into the index."""
COMMIT = 32 << 20
_UNSETTLED = "-"


class Made(Record):
    """A new index: where it is, and how many sources are in it."""

    path: str
    sources: int


class Change(Record):
    """What we wrote: how the index looked before and after, and what it holds of these keys now."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    keys: set[str]
    rows: dict[str, Row]


def refreshed(
    library: Library, stale: list[Source], others: set[str], progress: Progress | None = None
) -> Change | None:
    """Bring the index up to date, as far as there is room; not while somebody else does so.

    `others` are the keys in it that are of no source: those of files that are gone go.
    """
    state = library.store.state
    with Alone(state) as alone:
        if not alone:
            return None
        before, todo = index_sqlite.written(state), _in_room(stale, ROOM)
        keys = {*_gone(others), *library.forgotten, *(one.key for one in todo)}
        rows = _update(library, todo, keys, progress)
        return Change(before, index_sqlite.written(state), keys, rows)


def rebuilt(library: Library, progress: Progress | None = None) -> Made:
    """A new index of everything."""
    state = library.store.state
    with Alone(state) as alone:
        if not alone:
            raise Busy("another process is writing the search index", hint="try again later")
        sources = library.sources()
        try:
            with index_making.open_aside(state) as index:
                index.begin()
                _take_in(library, index, sources, {}, progress)
                index.commit()
            index_making.put_in_place(state, wal=_is_local(state))
        except NotUsable as error:
            where = index_sqlite.path_in(state)
            text = f"the search index cannot be written: {error.message}"
            raise Busy(text, hint="searches work without it", where=where) from error
        finally:
            with suppress(NotUsable):  # however this ended: half of one is of no use to anybody
                index_making.drop_aside(state)
    return Made(index_sqlite.path_in(state), len(sources))


def forget(state: str, keys: Iterable[str]) -> None:
    """Sources that are gone for good: nothing of them stays in the index."""
    if not index_making.is_there(state):
        return
    with Alone(state) as alone:
        if not alone:
            raise Busy("another process is writing the search index", hint="try again later")
        index_making.drop_aside(state)  # one that a kill left half made knows them, too
        index = index_sqlite.open_in(state)
        if index is None:
            index_making.remove(state)  # of an older leftoff: nobody asks it any more
            return
        with index:
            rows = index.known()
            index_sqlite.unseal(state)
            index.begin()
            _forget(index, rows, {*keys})
            index.commit()
            done = index.settled()
        if done:
            index_sqlite.seal(state)


def _forget(index: Index, rows: Mapping[str, Row], keys: set[str]) -> None:
    """Their words too: FTS5 would keep those of a row that is only deleted."""
    known = [rows[key] for key in rows if key in keys]
    for row in known:
        index.drop(row)
    if known:
        index.purge()


def _update(
    library: Library, todo: list[Source], keys: set[str], progress: Progress | None
) -> dict[str, Row]:
    """What is known of these keys afterwards: of some, what is to be done, the others go."""
    state = library.store.state
    index = index_sqlite.open_in(state)
    index_making.drop_aside(state)
    index_sqlite.unseal(state)
    with index or index_making.open_new(state, wal=_is_local(state)) as open_index:
        rows = open_index.known(keys)
        open_index.begin()
        for key in rows.keys() - library.forgotten - {one.key for one in todo}:
            open_index.drop(rows[key])
        _forget(open_index, rows, library.forgotten)
        _take_in(library, open_index, todo, rows, progress)
        open_index.commit()
        rows = open_index.known(keys)
        done = open_index.settled()
    if done:
        index_sqlite.seal(state)
    return rows


def _take_in(
    library: Library,
    index: Index,
    todo: list[Source],
    rows: Mapping[str, Row],
    progress: Progress | None,
) -> None:
    """In the order of their numbers: FTS5 writes out what it holds when numbers go down."""
    todo = sorted(todo, key=lambda one: rows[one.key].id if one.key in rows else 1 << 62)
    tell, pending = telling(todo, progress), 0
    reader = search_reader.Reader(library, todo) if search_reader.is_worth(todo) else None
    try:
        for source in todo:
            said = (reader or library).passages(source)
            _take_one(index, source, rows.get(source.key), said, library.damaged)
            pending += source.size
            if pending > COMMIT:
                index.commit()
                index.begin()
                pending = 0
            if tell:
                tell(source)
    finally:
        if reader:
            reader.close()


def _take_one(
    index: Index,
    source: Source,
    row: Row | None,
    said: Iterator[Passage],
    damaged: Container[Source],
) -> None:
    if row and not _goes_on(row, source):
        index.drop(row)
        row = None
    looked = time_ns()
    read = index.put(source, row, islice(said, row.size if row else 0, None))
    racy = source.form != TRANSCRIPT and looked - max(source.prints[2:]) < RACY
    # half of a copy is never taken for all of it: every search reads it, and says so
    prints = _UNSETTLED if racy or source in damaged else prints_of(source)
    index.note(read._replace(prints=prints, offset=source.size, checksum=_checksum(source)))


def _gone(keys: Iterable[str]) -> list[str]:
    """Those of files that are there no more."""
    return [key for key in keys if not os.path.exists(key.rpartition("#")[0] or key)]


def _goes_on(row: Row, source: Source) -> bool:
    """Whether a source only grew: then what is known of it is its beginning."""
    if source.form != TRANSCRIPT or not row.offset or row.offset > source.size:
        return False
    if row.prints.partition("|")[2] != source.rules:
        return False  # what it says is redacted in another way now
    return _checksum(source._replace(size=row.offset)) == row.checksum


def _checksum(source: Source) -> int:
    """Of a transcript's first bytes and those before its end; 0 for what is read whole."""
    if source.form != TRANSCRIPT or not os.path.isfile(source.key):
        return 0
    from leftoff.world.log_reading import check_at

    return check_at(source.key, source.size)


def _in_room(todo: list[Source], room: int) -> list[Source]:
    """The newest first: they are asked for most."""
    kept: list[Source] = []
    for source in sorted(todo, key=lambda one: -one.prints[2]):
        room -= source.size
        if room < 0 and kept:
            break
        kept.append(source)
    return kept


def telling(
    sources: Iterable[Source], progress: Progress | None
) -> Callable[[Source], None] | None:
    """Who hears of each source that is read; None where nobody wants to know."""
    if not progress:
        return None
    total, done = sum(one.size for one in sources), 0

    def tell(source: Source) -> None:
        nonlocal done
        done += source.size
        progress(done, total)

    return tell


class Alone:
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
            self.__exit__()
            raise NotUsable(reason(error)) from error
        return True

    def __exit__(self, *_: object) -> None:
        if self._fd >= 0:
            os.close(self._fd)


def _is_local(folder: str) -> bool:
    """Whether processes can share memory over a file there, as SQLite's log needs it."""
    from leftoff.world.mounts import is_local

    return is_local(folder)
