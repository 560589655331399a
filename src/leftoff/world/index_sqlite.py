"""The embedded index: what sources said when they were last read, in SQLite's FTS5.

It is a cache. Which sources count is said by the caller, who has just looked at them; the index
only spares reading again what did not change. Words are ours (`search_words.spaced`), so that
SQLite has nothing to decide. Anybody may delete it. `NotUsable` says why it cannot be asked.

A row's number holds the number of its source and its own, so that it needs no further table. The
seal beside the file says how it looked when the last writer left it: what another program did to it
since would otherwise give wrong answers without any error.
"""

from __future__ import annotations

import os

from leftoff import __version__
from leftoff.core.search_hits import KINDS, Found, Hit, Passage
from leftoff.core.search_words import for_fts5, spaced
from leftoff.errors import Busy
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.sqlite_driver import sqlite3
from leftoff.world.state_room import reason

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any, Self

    from leftoff.core.search_hits import Source, Wanted, Within

NAME, SEAL, LOCK = "index.db", "index.seal", "index.lock"
SCHEMA = 1
"""of the tables; a greater one is a newer leftoff's"""
MADE = f"{SCHEMA} {__version__}"
PATIENCE = 0.25
"""seconds that another process may hold us up"""
ID = 0x6C656674  # "left"
_BITS = 28
_BATCH = 2000
_NAMES = {"made", "source", "passage", "word"}
_KNOWN = "select id, key, prints, count, offset, checksum from source"
_KNOWN_ONE = f"{_KNOWN} where key = ?"
_FEW = 500
"""keys: of more it is sooner to ask for all"""
_LISTED = "(select value from json_each(?))"
_HITS = f"""
    from word join passage on passage.id = word.rowid
    where word match ? and word.rowid < ? and passage.at >= ?
    and passage.kind in {_LISTED} and word.rowid >> ? not in {_LISTED}
"""
_ALL = f"from word where word match ? and rowid < ? and rowid >> ? not in {_LISTED}"
"""The same for every kind and time: the passages need not be looked up."""


class NotUsable(Busy):
    """The index cannot be asked, or not be written: the message says why."""


class Row(Record):
    """What is kept of a source: how it looked, what it held, and how far it went."""

    id: int
    prints: str
    size: int
    """passages"""
    offset: int
    checksum: int


class Index:
    """An open index. Use it in a `with`: every error of SQLite leaves as NotUsable."""

    def __init__(self, db: sqlite3.Connection, path: str) -> None:
        self._db = db
        self.path = path

    def known(self, keys: Collection[str] | None = None) -> dict[str, Row]:
        """Every source that was read, or those of these keys, by its key."""
        with Told():
            if keys is None or len(keys) > _FEW:
                rows = self._db.execute(_KNOWN).fetchall()
            else:
                names = [(os.fsencode(key),) for key in keys]
                rows = [row for name in names for row in self._db.execute(_KNOWN_ONE, name)]
            found = {os.fsdecode(key): Row._make((name, *rest)) for name, key, *rest in rows}
            return found if keys is None else {key: found[key] for key in keys if key in found}

    def find(self, wanted: Wanted, within: Within, limit: int) -> Found:
        """The first hits in these sources, and how many there are: SQLite counts and sorts."""
        with Told():
            kinds = [KINDS.index(kind) for kind in wanted.kinds] or [*range(len(KINDS))]
            since, end = wanted.since or float("-inf"), (within.last + 1) << _BITS
            given = for_fts5(wanted.query), end, since, f"{kinds}", _BITS, f"{[*within.others]}"
            self._db.execute("begin")  # all of it at one moment
            few = wanted.kinds or wanted.since
            asked, some = (_HITS, given) if few else (_ALL, (*given[:2], *given[4:]))
            total = self._db.execute(f"select count(*) {asked}", some).fetchone()[0]
            rows = self._first(given, limit, within.sources) if total else []
            found = Found(tuple(self._hit(name, within.sources) for _, _, name in rows), total)
            self._db.execute("commit")
            return found

    def _first(
        self, given: tuple[Any, ...], limit: int, sources: Mapping[int, Source]
    ) -> list[tuple[float, str, int]]:
        """The newest; of one time, those whose source is called by the first name."""
        asked = f"select passage.at, word.rowid {_HITS} order by passage.at desc"
        rows: list[tuple[float, str, int]] = []
        for at, name in self._db.execute(asked, given):
            if len(rows) >= limit and -at > rows[-1][0]:
                break
            rows.append((-at, sources[name >> _BITS].key, name))
        return sorted(rows)[:limit]

    def _hit(self, name: int, sources: Mapping[int, Source]) -> Hit:
        asked = "select kind, text, at, line from passage where id = ?"
        kind, text, at, line = self._db.execute(asked, (name,)).fetchone()
        passage = Passage(KINDS[kind], text, at, line)
        return Hit(sources[name >> _BITS], passage, name & ((1 << _BITS) - 1))

    # Writing

    def begin(self) -> None:
        """Nobody else writes until `commit`."""
        with Told():
            self._db.execute("begin immediate")

    def commit(self) -> None:
        """What was put in counts from here on."""
        with Told():
            self._db.execute("commit")

    def put(self, source: Source, row: Row | None, said: Iterator[Passage]) -> Row:
        """Add what a source says behind the passages that `row` has already."""
        with Told():
            row = row or self._new(source)
            count = row.size
            for some in _batches(said):
                first = (row.id << _BITS) + count
                self._add(first, some)
                count += len(some)
            return row._replace(size=count)

    def note(self, row: Row) -> None:
        """A source is read, up to this point."""
        with Told():
            _, prints, count, offset, checksum = row
            change = (
                "update source set prints = ?, count = ?, offset = ?, checksum = ? where id = ?"
            )
            self._db.execute(change, (prints, count, offset, checksum, row.id))

    def drop(self, row: Row) -> None:
        """Nothing of a source is left."""
        with Told():
            first = row.id << _BITS
            bounds = (first, first + (1 << _BITS))
            asked = "select id, text from passage where id >= ? and id < ?"
            gone = "insert into word(word, rowid, text) values ('delete', ?, ?)"
            words = ((name, spaced(text)) for name, text in self._db.execute(asked, bounds))
            self._db.executemany(gone, words)
            self._db.execute("delete from passage where id >= ? and id < ?", bounds)
            self._db.execute("delete from source where id = ?", (row.id,))

    def purge(self) -> None:
        """Nothing that was dropped stays readable in the file."""
        with Told():
            self._db.execute("insert into word(word) values ('optimize')")

    def settled(self) -> bool:
        """Bring all into the one file; False while a reader is in the way."""
        with Told():
            busy = self._db.execute("pragma wal_checkpoint(truncate)").fetchone()[0]
            return not busy

    def _new(self, source: Source) -> Row:
        """Never the number of one that was dropped: a reader may still hold it."""
        add = "insert into source(key, prints, count, offset, checksum) values (?, '', 0, 0, 0)"
        made = self._db.execute(add, (os.fsencode(source.key),)).lastrowid
        assert made is not None
        return Row(made, "", 0, 0, 0)

    def _add(self, first: int, some: Sequence[Passage]) -> None:
        rows: list[tuple[Any, ...]] = [
            (first + at, KINDS.index(one.kind), one.at, one.line, one.text)
            for at, one in enumerate(some)
        ]
        self._db.executemany("insert into passage values (?, ?, ?, ?, ?)", rows)
        words = [(first + at, one.spaced or spaced(one.text)) for at, one in enumerate(some)]
        self._db.executemany("insert into word(rowid, text) values (?, ?)", words)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with Told():
            self._db.close()


class Told:
    """Errors of SQLite, and of a file that is not what it should be, leave as NotUsable."""

    def __enter__(self) -> None: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> None:
        if isinstance(error, sqlite3.Error | OSError):
            raise NotUsable(reason(error)) from error
        if isinstance(error, KeyError | IndexError | TypeError | ValueError):
            raise NotUsable("it is damaged") from error


def path_in(state: str) -> str:
    """Where the index is."""
    return os.path.join(state, NAME)


def written(state: str) -> tuple[int, ...]:
    """What changes whenever somebody writes into it."""
    found: list[int] = []
    for path in (path_in(state), f"{path_in(state)}-wal"):
        try:
            seen = os.stat(path)
        except OSError:
            continue
        if seen.st_size:  # whoever reads makes an empty one beside it, for a moment
            found += (seen.st_ino, seen.st_size, seen.st_mtime_ns)
    return tuple(found)


def open_in(state: str) -> Index | None:
    """The index for reading; None where there is none, or one of an older leftoff."""
    path = path_in(state)
    if not os.path.exists(path):
        return None
    _refuse_changed(state)
    with Told():
        db = connected(path)
        fits = False
        try:
            fits = _fits(db)
        finally:
            if not fits:
                db.close()
        return Index(db, path) if fits else None


def connected(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, cached_statements=16)
    db.execute("pragma synchronous = normal")
    db.execute("pragma secure_delete = on")
    return db


def _fits(db: sqlite3.Connection) -> bool:
    """Whether it is ours and of now; NotUsable for what we may not take away."""
    version = db.execute("pragma user_version").fetchone()[0]
    mine = db.execute("pragma application_id").fetchone()[0]
    if mine == ID and version > SCHEMA:
        raise NotUsable("a newer leftoff made it")
    tables = {name for (name,) in db.execute("select name from sqlite_master")}
    if mine != ID or (version == SCHEMA and not tables >= _NAMES):
        raise NotUsable("it is not an index of leftoff's")
    made: object = db.execute("select version from made").fetchone() if version == SCHEMA else None
    return made == (MADE,)


def _batches(said: Iterator[Passage]) -> Iterator[list[Passage]]:
    from itertools import islice

    while some := [*islice(said, _BATCH)]:
        yield some


# The seal


def seal(state: str) -> None:
    """The index is as it should be, as it stands; unsealed it has only SQLite's own checks."""
    flags = os.O_CREAT | os.O_TRUNC | os.O_WRONLY | os.O_CLOEXEC
    try:
        with open(os.open(os.path.join(state, SEAL), flags, 0o600), "wb") as file:
            file.write(_print(state))
    except OSError:
        return


def unseal(state: str) -> None:
    """From here on somebody writes."""
    with Told():
        try:
            os.unlink(os.path.join(state, SEAL))
        except FileNotFoundError:
            return


def _refuse_changed(state: str) -> None:
    """Twice, since a writer may come between the two looks."""
    for _ in range(2):
        before = _print(state)
        try:
            with open(os.path.join(state, SEAL), "rb") as file:
                sealed = file.read(200)
        except OSError:
            return  # somebody writes, or was stopped while writing: SQLite repairs that
        if sealed == before:
            return
    raise NotUsable("another program changed it")


def _print(state: str) -> bytes:
    try:
        seen = os.stat(path_in(state))
    except OSError:
        return b""
    return f"{seen.st_ino} {seen.st_size} {seen.st_mtime_ns}\n".encode()
