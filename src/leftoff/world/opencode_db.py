"""OpenCode's sessions, which lie in a SQLite database that it may be writing at this moment.

It is only ever read. Where no other process has it open it is read as a file that does not change,
so that SQLite leaves nothing beside it. What cannot be read is a note.
"""

from __future__ import annotations

import os

from leftoff.core.fast_json import dumps
from leftoff.core.model import Finding
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.clients import database
from leftoff.world.log_record import GONE, Log

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from sqlite3 import Connection
    from typing import TypeVar

    T = TypeVar("T")

AGENT = "opencode"
_MARK = "#"
_PATIENCE = 0.25
"""seconds that a writer may hold us up"""
_BUSY = {5, 6}
"""SQLITE_BUSY and SQLITE_LOCKED, without what more the higher bits tell"""

_SESSIONS = """
    select id, parent_id, directory, time_updated,
        (select count(*) from message where session_id = session.id)
    from session
"""
_SESSION = """
    select id, parent_id, directory, title, version, time_created, time_updated
    from session where id = ?
"""
_MESSAGES = "select id, data from message where session_id = ? order by time_created, id"
_PARTS = "select message_id, data from part where session_id = ? order by id"
_TODOS = "select content, status from todo where session_id = ? order by position"


class Found(Record):
    """The sessions of a database, or why there are none."""

    sessions: tuple[Log, ...] = ()
    note: str = ""
    busy: bool = False
    """its client kept us out for this moment"""


def look(env: Mapping[str, str]) -> Found:
    """Every session, also those of subagents, and what kept us from reading them."""
    path = database(env)
    if not os.path.exists(path):
        return Found()
    return _asked(path, lambda db: _found(db, path), lambda *why: Found((), *why))


def hidden(env: Mapping[str, str]) -> tuple[Finding, ...]:
    """What keeps its sessions out of every list, to be said wherever there is one."""
    note = look(env).note
    text = "the sessions in it are not listed: it cannot be read"
    return (Finding("sessions-hidden", "warning", note, text),) if note else ()


def block(path: str) -> bytes | str:
    """All lines of a session for its reader; a text says why there are none.

    A session is read whole each time it changed: rows are rewritten in place, so that there is no
    point up to which they are known.
    """
    file, _, session = path.rpartition(_MARK)
    return _asked(file, lambda db: _lines(db, session), lambda note, _: note)


def _asked(path: str, ask: Callable[[Connection], T], otherwise: Callable[[str, bool], T]) -> T:
    import sqlite3

    trouble: Exception | None = None
    busy = False
    tried: list[str] = []
    # a client that opens or closes it meanwhile changes the ways
    while left := [way for way in _ways(path) if way not in tried]:
        tried.append(left[0])
        try:
            db = _opened(path, left[0])
            try:
                return ask(db)
            finally:
                db.close()
        except (sqlite3.Error, OSError, ValueError) as error:
            trouble = trouble or error
            busy = busy or getattr(error, "sqlite_errorcode", 0) & 0xFF in _BUSY
    return otherwise(f"{path}: {trouble}", busy)


def _ways(path: str) -> tuple[str, ...]:
    """How to open it so that nothing is written, the best way first.

    A log beside it holds the last rows. Its index is shared memory, in which a reader leaves marks
    unless it says that it will not; only where the index is not fit for that does it have to.
    """
    if all(os.path.exists(path + end) for end in ("-wal", "-shm")):
        return "mode=ro&readonly_shm=1", "mode=ro"
    return ("mode=ro&immutable=1",)


def _opened(path: str, options: str) -> Connection:
    import sqlite3
    from urllib.request import pathname2url

    db = sqlite3.connect(f"file:{pathname2url(path)}?{options}", timeout=_PATIENCE, uri=True)
    db.text_factory = _text
    return db


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _found(db: Connection, path: str) -> Found:
    told = (
        Log(
            AGENT,
            f"{path}{_MARK}{session}",
            session,
            parent if isinstance(parent, str) else "",
            messages,
            updated * 1_000_000,
            folder=folder if isinstance(folder, str) else "",
        )
        for session, parent, folder, updated, messages in db.execute(_SESSIONS)
        if isinstance(session, str) and isinstance(updated, int)
    )
    return Found(tuple(told))


def _lines(db: Connection, session: str) -> bytes | str:
    """As `agents._opencode_log.lines` makes them; what is JSON in the database stays as it is."""
    row = db.execute(_SESSION, (session,)).fetchone()
    if row is None:
        return GONE
    parts: dict[str, list[str]] = {}
    for message, data in db.execute(_PARTS, (session,)):
        parts.setdefault(message, []).append(_json(data))
    told = [_session_line(row)]
    for message, data in db.execute(_MESSAGES, (session,)):
        inside = ",".join(parts.get(message, ()))
        told.append(f'{{"id":{dumps(str(message))},"info":{_json(data)},"parts":[{inside}]}}')
    todos = [_named(("content", "status"), row) for row in db.execute(_TODOS, (session,))]
    if todos:
        told.append(dumps({"todos": todos}))
    return "".join(line + "\n" for line in told).encode()


def _session_line(row: Sequence[object]) -> str:
    told = _named(("id", "parentID", "directory", "title", "version"), row)
    times = _named(("created", "updated"), row[-2:])
    return dumps({"session": {**told, "time": times}})


def _named(names: Sequence[str], row: Sequence[object]) -> dict[str, object]:
    """Values under their names. A column of SQLite may hold any type: bytes are no JSON."""
    return {
        name: value if isinstance(value, str | int | float) else None
        for name, value in zip(names, row, strict=False)
    }


def _json(data: object) -> str:
    """JSON of a row, on one line."""
    return data.replace("\n", " ").replace("\r", " ") if isinstance(data, str) and data else "null"
