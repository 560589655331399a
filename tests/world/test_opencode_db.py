"""OpenCode's database: read while the client may be writing it, and never touched."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from leftoff.agents import _opencode_log as opencode
from leftoff.core.stats import Stats, Task, Tokens
from leftoff.world import opencode_db
from leftoff.world.log_record import GONE
from support import snapshot

# The columns that are asked for, and some of those that are not, as version 1.18 has them.
SCHEMA = """
create table session (id text primary key, project_id text, parent_id text, directory text,
    title text, version text, time_created integer, time_updated integer, metadata text);
create table message (id text primary key, session_id text, time_created integer,
    time_updated integer, data text);
create table part (id text primary key, message_id text, session_id text, time_created integer,
    time_updated integer, data text);
create table todo (session_id text, content text, status text, priority text, position integer);
"""
CLIENT = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    db.execute(statement)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "opencode").mkdir()
    return {"HOME": "/nowhere", "XDG_DATA_HOME": str(tmp_path)}


@pytest.fixture
def db(env: dict[str, str]) -> Iterator[sqlite3.Connection]:
    """What the client has open: a session with an answer, and the session of its subagent."""
    with closing(sqlite3.connect(opencode_db.database(env))) as made:
        made.executescript(SCHEMA)
        session(made, "ses_1")
        session(made, "ses_2", parent="ses_1")
        message(made, "msg_1", {"role": "user"}, {"type": "text", "text": "do it"})
        used = {"input": 100, "output": 5, "reasoning": 0, "cache": {"read": 7, "write": 0}}
        answer = {"role": "assistant", "modelID": "m", "tokens": used}
        message(made, "msg_2", answer, {"type": "text", "text": "done"})
        made.execute("insert into todo values ('ses_1', 'one', 'completed', 'high', 0)")
        made.commit()
        yield made


def session(db: sqlite3.Connection, ident: str, parent: str | None = None) -> None:
    row = (ident, "p", parent, "/repo", "Title", "1.18.33", 1000, 9000, None)
    db.execute("insert into session values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def message(db: sqlite3.Connection, ident: str, info: dict[str, Any], *parts: Any) -> None:
    data = json.dumps(info)
    db.execute("insert into message values (?, 'ses_1', 2000, 2000, ?)", (ident, data))
    for at, part in enumerate(parts):
        row = (f"prt_{ident}_{at}", ident, json.dumps(part))
        db.execute("insert into part values (?, ?, 'ses_1', 2000, 2000, ?)", row)


@contextmanager
def client(env: Mapping[str, str], *statements: str) -> Iterator[None]:
    """Another process that has the database open: SQLite shares its memory within one."""
    program = [sys.executable, "-c", CLIENT, opencode_db.database(env), *statements]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stdout.readline() == b"ready\n"
        yield
        running.stdin.close()


@contextmanager
def locked(env: Mapping[str, str]) -> Iterator[None]:
    """The client keeps everybody else out, as it does when it opens or closes the database."""
    with closing(sqlite3.connect(opencode_db.database(env))) as made:
        made.execute("pragma journal_mode = wal")
    shut_out = ("pragma locking_mode = exclusive", "update session set title = 'New'")
    with client(env, *shut_out):
        Path(f"{opencode_db.database(env)}-shm").touch()
        yield


def stats(env: dict[str, str], at: int = 0) -> Stats:
    block = opencode_db.block(opencode_db.look(env).sessions[at].path)
    assert isinstance(block, bytes), block
    tally = opencode.begin()
    opencode.feed(tally, block)
    return opencode.stats(tally)


@pytest.mark.usefixtures("db")
def test_each_session_is_a_log_and_a_subagents_names_its_parent(env: dict[str, str]) -> None:
    found = opencode_db.look(env)
    path = opencode_db.database(env)
    assert found.sessions == (
        ("opencode", f"{path}#ses_1", "ses_1", "", 2, 9_000_000_000, 0, "/repo"),
        ("opencode", f"{path}#ses_2", "ses_2", "ses_1", 0, 9_000_000_000, 0, "/repo"),
    )
    assert found.note == ""


@pytest.mark.usefixtures("db")
def test_the_rows_of_a_session_are_lines_for_its_reader(env: dict[str, str]) -> None:
    found = stats(env)
    assert (found.session, found.cwd, found.title) == ("ses_1", "/repo", "Title")
    assert (found.tokens, found.answers, found.context) == (Tokens(100, 5, 7), 1, 107)
    assert (found.asked, found.said, found.tasks) == ("do it", "done", (Task("one", "completed"),))
    assert (found.first, found.last, found.skipped) == (1.0, 9.0, 0)
    assert stats(env, 1).session == "ses_2"


def test_a_new_message_changes_the_size_of_its_log(
    env: dict[str, str], db: sqlite3.Connection
) -> None:
    before = opencode_db.look(env).sessions
    message(db, "msg_3", {"role": "user"}, {"type": "text", "text": "more"})
    db.commit()
    after = opencode_db.look(env).sessions
    assert (after[0].size, after[1]) == (before[0].size + 1, before[1])


def test_a_row_that_is_no_json_is_a_line_that_was_skipped(
    env: dict[str, str], db: sqlite3.Connection
) -> None:
    db.execute("update message set data = '{\"role\": ' where id = 'msg_1'")
    db.execute("update message set data = replace(data, ', ', ',\n') where id = 'msg_2'")
    db.commit()
    found = stats(env)
    assert (found.skipped, found.prompts, found.answers) == (1, 0, 1)


def test_a_column_of_another_type_does_not_raise(
    env: dict[str, str], db: sqlite3.Connection
) -> None:
    db.execute("update session set title = x'ff', parent_id = 7, directory = null, version = 1.5")
    db.execute("update part set data = x'ff00'")
    db.commit()
    found = stats(env)
    assert (found.title, found.cwd, found.answers, found.prompts) == ("", "", 1, 0)


def test_nothing_is_written_next_to_a_database_at_rest(
    env: dict[str, str], db: sqlite3.Connection
) -> None:
    db.execute("pragma journal_mode = wal")
    db.close()
    folder = os.path.dirname(opencode_db.database(env))
    before = snapshot(folder)
    assert list(map(os.path.basename, before)) == ["opencode.db"]
    assert stats(env).prompts == 1
    assert snapshot(folder) == before


def test_rows_that_the_client_has_just_written_are_seen_and_its_files_stay_as_they_are(
    env: dict[str, str], db: sqlite3.Connection
) -> None:
    message(db, "msg_3", {"role": "user"}, {"type": "text", "text": "more"})
    db.commit()
    db.close()
    with client(env, "pragma journal_mode = wal", "update session set title = 'New'"):
        folder = os.path.dirname(opencode_db.database(env))
        before = {path: Path(path).read_bytes() for path in snapshot(folder)}
        assert len(before) == 3
        found = stats(env)
        assert {path: Path(path).read_bytes() for path in snapshot(folder)} == before
    assert (found.title, found.last_asked) == ("New", "more")


def test_a_locked_database_is_a_note(
    env: dict[str, str], db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opencode_db, "_PATIENCE", 0.0)
    path = opencode_db.look(env).sessions[0].path
    db.close()
    with locked(env):
        found = opencode_db.look(env)
        assert "locked" in found.note
        assert found.busy
        assert "locked" in str(opencode_db.block(path))


@pytest.mark.usefixtures("db")
def test_a_database_that_its_client_closes_meanwhile_is_read_in_the_other_way(
    env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ways = iter([("mode=ro&vfs=none", "mode=ro&vfs=none")])
    real = opencode_db._ways
    monkeypatch.setattr(opencode_db, "_ways", lambda path: next(ways, None) or real(path))
    assert len(opencode_db.look(env).sessions) == 2


def test_a_broken_or_a_newer_database_is_a_note(
    env: dict[str, str], db: sqlite3.Connection
) -> None:
    path = opencode_db.look(env).sessions[0].path
    db.execute("alter table session rename column directory to place")
    db.commit()
    assert "directory" in opencode_db.look(env).note
    assert not opencode_db.look(env).busy
    db.close()
    Path(opencode_db.database(env)).write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    assert opencode_db.look(env).sessions == ()
    assert opencode_db.look(env).note.startswith(opencode_db.database(env))
    assert isinstance(opencode_db.block(path), str)


def test_a_database_or_a_session_that_is_not_there_gives_nothing(
    env: dict[str, str], db: sqlite3.Connection
) -> None:
    path = opencode_db.look(env).sessions[0].path
    db.execute("delete from session")
    db.commit()
    assert opencode_db.block(path) == GONE
    os.remove(opencode_db.database(env))
    assert opencode_db.look(env) == opencode_db.Found()
    assert isinstance(opencode_db.block(path), str)


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"HOME": "/h"}, "/h/.local/share/opencode/opencode.db"),
        ({"HOME": "/h", "XDG_DATA_HOME": "/x"}, "/x/opencode/opencode.db"),
        ({"HOME": "/h", "OPENCODE_DB": "my.db"}, "/h/.local/share/opencode/my.db"),
        ({"HOME": "/h", "OPENCODE_DB": "/a/my.db"}, "/a/my.db"),
    ],
)
def test_the_database_is_where_the_client_would_look(given: dict[str, str], path: str) -> None:
    assert opencode_db.database(given) == path
