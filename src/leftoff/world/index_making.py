"""Makes the embedded index, puts it in place, and takes it away: what only writers need."""

from __future__ import annotations

import os

from leftoff.world.index_sqlite import (
    ID,
    MADE,
    NAME,
    SCHEMA,
    SEAL,
    Index,
    Told,
    connected,
    path_in,
    seal,
)
from leftoff.world.state import ensure

ASIDE = f"{NAME}.new"
"""one in the making: it takes the other's place when it is whole"""
_HASH = 64 << 20
_PAGE = 8192
"""bytes: a tenth less of them, and less to do, than with pages half as long"""
_TABLES = """
    create table made(version text not null);
    create table source(
        id integer primary key autoincrement, key blob not null unique, prints text not null,
        count integer not null, offset integer not null, checksum integer not null);
    create table passage(
        id integer primary key, kind integer not null, at real not null,
        line integer not null, text text not null);
    create virtual table word using fts5(
        text, content='', columnsize=0, tokenize='ascii');
"""


def open_new(state: str, *, wal: bool) -> Index:
    """An empty index, in the place of whatever is there."""
    remove(state)
    return _made(state, NAME, _journal(wal=wal))


def open_aside(state: str) -> Index:
    """An empty index that nobody asks before `put_in_place`: if this is stopped it counts nothing.

    So SQLite need not write everything twice.
    """
    _remove(state, ASIDE)
    return _made(state, ASIDE, "off")


def is_there(state: str) -> bool:
    """Whether there is an index, or one that was begun and never put in place."""
    return any(os.path.exists(os.path.join(state, name)) for name in (NAME, ASIDE))


def drop_aside(state: str) -> None:
    """What is left of one that was never put in place; call it while nobody else writes."""
    _remove(state, ASIDE)


def put_in_place(state: str, *, wal: bool) -> None:
    """The one that was made aside is the index from here on."""
    path = os.path.join(state, ASIDE)
    with Told():
        db = connected(path)
        db.execute(f"pragma journal_mode = {_journal(wal=wal)}")
        db.close()
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
        remove(state, aside=False)
        os.rename(path, path_in(state))
    seal(state)


def remove(state: str, *, aside: bool = True) -> None:
    """No index; it is a cache."""
    _remove(state, SEAL, NAME, *([ASIDE] if aside else ()))


def _made(state: str, name: str, journal: str) -> Index:
    path = os.path.join(ensure(state), name)
    with Told():
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
        db = connected(path)
        db.execute(f"pragma page_size = {_PAGE}")
        db.execute(f"pragma application_id = {ID}")
        db.execute(f"pragma journal_mode = {journal}")
        db.executescript(_TABLES)
        db.execute("insert into made values (?)", (MADE,))
        for setting, value in (("hashsize", _HASH), ("pgsz", _PAGE - 200)):
            db.execute("insert into word(word, rank) values (?, ?)", (setting, value))
        db.execute(f"pragma user_version = {SCHEMA}")
        return Index(db, path)


def _journal(*, wal: bool) -> str:
    return "wal" if wal else "delete"


def _remove(state: str, *names: str) -> None:
    for name in (f"{name}{end}" for name in names for end in ("-wal", "-shm", "-journal", "")):
        with Told():
            try:
                os.unlink(os.path.join(state, name))
            except FileNotFoundError:
                continue
