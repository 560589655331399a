"""leftoff search: the index never changes an answer, whatever becomes of it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from random import Random

import pytest

from histories import DAY, Talk
from leftoff.world import (
    index_making,
    index_sqlite,
    index_update,
    search_reader,
    search_scan,
    state_room,
)
from projects import NOW, put_markdown
from searches import found, hits, index_path
from support import SOURCE, leftoff, run

# The index is a cache


ASKED = [
    ["upload"],
    ["断点"],
    ["--decisions", "RS256"],
    ["the -upload"],
    ["sprint"],
    ["传"],
    ['"the upload"', "--since", "30d"],
    ["RS256", "--everywhere"],
]


def answers(root):
    return [found(root, *argv)["data"] for argv in ASKED]


def warnings(root):
    return [one for argv in ASKED for one in found(root, *argv)["findings"]]


@pytest.fixture
def settled(full):
    """With an index, and what everything answers without one."""
    state = os.environ["LEFTOFF_STATE"]
    expected = answers(full)
    assert sum(one["total"] for one in expected) > 20
    assert os.path.exists(index_path())
    index_making.remove(state)
    assert run("index", "--rebuild", cwd=full).returncode == 0
    return full, expected


@pytest.mark.req("X.index.disposable")
def test_without_the_index_the_answers_are_the_same(settled):
    root, expected = settled
    assert answers(root) == expected
    for _ in range(2):
        index_making.remove(os.environ["LEFTOFF_STATE"])
        assert answers(root) == expected
        assert not warnings(root)


@pytest.mark.req("X.index.disposable")
def test_the_index_alone_answers_what_reading_would(settled, monkeypatch):
    root, expected = settled
    monkeypatch.setattr(index_update, "RACY", 0)  # else what is quite new is read again
    run("index", "--rebuild", cwd=root)
    monkeypatch.setattr(search_scan, "find", None)
    assert answers(root) == expected


@pytest.mark.req("X.index.disposable")
def test_a_rebuild_that_is_stopped_leaves_the_index_that_was_there(settled, monkeypatch):
    root, expected = settled
    with open(index_path(), "rb") as file:
        before = file.read()

    def stop_by(why):
        def stopped(*_, **__):
            raise why

        return stopped

    for why, code in ((index_sqlite.NotUsable("the disk is full"), 6), (KeyboardInterrupt(), 130)):
        with monkeypatch.context() as patched:
            patched.setattr(index_making, "put_in_place", stop_by(why))
            assert run("index", "--rebuild", cwd=root).returncode == code
        with open(index_path(), "rb") as file:
            assert file.read() == before
        assert not os.path.exists(f"{index_path()}.new")
    assert answers(root) == expected
    assert run("index", "--rebuild", cwd=root).returncode == 0
    assert answers(root) == expected
    assert not os.path.exists(f"{index_path()}.new")


def overwrite(path, data):
    with open(path, "wb") as file:
        file.write(data)


def random_bytes(path):
    overwrite(path, Random(1).randbytes(50_000))


def truncated(path):
    os.truncate(path, os.path.getsize(path) // 2)


def emptied(path):
    overwrite(path, b"")


def edited(path):
    """A word in a text, which SQLite cannot notice."""
    with open(path, "rb") as file:
        data = file.read()
    assert b"RS256" in data
    overwrite(path, data.replace(b"RS256", b"RS512"))


def flipped(path):
    """A few bytes in the middle, which SQLite may or may not notice."""
    with open(path, "r+b") as file:
        for place in range(4096, os.path.getsize(path), 997):
            file.seek(place)
            file.write(Random(place).randbytes(8))


def wrong_schema(path):
    os.remove(path)
    with sqlite3.connect(path) as db:
        db.execute("create table passage(x)")
    db.close()


def newer(path):
    db = sqlite3.connect(path)
    db.execute("pragma user_version = 99")
    db.commit()
    db.close()


def tables_gone(path):
    db = sqlite3.connect(path)
    db.execute("drop table passage")
    db.commit()
    db.close()


DAMAGES = (random_bytes, truncated, emptied, wrong_schema, newer, tables_gone)
SEEN_BY_THE_SEAL = (flipped, edited)
"""SQLite itself keeps no checksums."""


@pytest.mark.req("X.index.disposable")
@pytest.mark.parametrize(
    ("damage", "sealed"),
    [
        *((one, True) for one in (*DAMAGES, *SEEN_BY_THE_SEAL)),
        *((one, False) for one in DAMAGES),
    ],
)
def test_a_damaged_index_changes_no_answer_and_is_told_in_one_line(settled, damage, sealed):
    root, expected = settled
    damage(index_path())
    if not sealed:
        os.remove(os.path.join(os.environ["LEFTOFF_STATE"], "index.seal"))
    assert answers(root) == expected
    done = run("search", "upload", "--now", NOW, cwd=root)
    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith(f"warning: {index_path()}: the search index cannot be used (")
    assert "leftoff index --rebuild" in done.stderr
    assert run("index", "--rebuild", cwd=root).returncode == 0
    assert answers(root) == expected
    assert not warnings(root)


@pytest.mark.parametrize(("sealed", "why"), [(True, "cannot be written"), (False, "full")])
def test_where_nothing_can_be_written_a_search_does_not_advise_a_new_index(
    settled, monkeypatch, sealed, why
):
    root, expected = settled
    index_making.remove(os.environ["LEFTOFF_STATE"])

    def refuse(_: object) -> bool:
        raise index_sqlite.NotUsable(state_room.reason(OSError(30, os.strerror(30))))

    monkeypatch.setattr(index_update.Alone, "__enter__", refuse)
    monkeypatch.setattr(state_room, "is_sealed", lambda _: sealed)
    monkeypatch.setattr(state_room, "is_full", lambda _: not sealed)
    assert answers(root) == expected
    said = run("search", "upload", "--now", NOW, cwd=root).stderr
    assert why in said
    assert "LEFTOFF_STATE" in said
    assert "--rebuild" not in said
    monkeypatch.setattr(state_room, "is_full", lambda _: False)
    monkeypatch.setattr(state_room, "is_sealed", lambda _: False)
    said = run("search", "upload", "--now", NOW, cwd=root).stderr
    assert "(read-only file system); everything" in said


def test_an_index_that_cannot_be_sealed_is_an_index_all_the_same(settled, monkeypatch):
    root, expected = settled
    monkeypatch.setattr(index_sqlite, "SEAL", "nowhere/index.seal")
    assert run("index", "--rebuild", cwd=root).returncode == 0
    assert answers(root) == expected
    index_update.forget(os.environ["LEFTOFF_STATE"], ["none"])


def test_an_index_of_an_older_leftoff_is_made_anew_without_a_word(settled):
    root, expected = settled
    db = sqlite3.connect(index_path())
    db.execute("update made set version = '1 0.0.1'")
    db.commit()
    db.close()
    os.remove(os.path.join(os.environ["LEFTOFF_STATE"], "index.seal"))
    assert answers(root) == expected
    assert not warnings(root)
    db = sqlite3.connect(index_path())
    assert db.execute("select version from made").fetchone() == (index_sqlite.MADE,)
    db.close()


HOLD = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("pragma locking_mode = exclusive")
db.execute("begin exclusive")
db.execute("select count(*) from source").fetchone()
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def holder(settled):
    """Another process that has the index for itself."""
    words = [sys.executable, "-c", HOLD, index_path()]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(words, encoding="utf-8", **pipes) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.stdin.close()
        process.wait(60)


@pytest.mark.req("X.index.disposable")
def test_a_locked_index_changes_no_answer_and_is_told_in_one_line(settled, holder):
    root, expected = settled
    assert answers(root) == expected
    done = run("search", "upload", cwd=root)
    assert len(done.stderr.splitlines()) == 1
    assert "locked" in done.stderr


def test_while_another_search_writes_this_one_reads_without_a_word(settled):
    root, _ = settled
    put_markdown(root, "chk-more", state="A late heron.")
    with index_update.Alone(os.environ["LEFTOFF_STATE"]) as alone:
        assert alone
        shown = found(root, "heron")
        assert shown["data"]["total"] == 1
        assert not shown["findings"]
        assert run("index", "--rebuild", cwd=root).returncode == 6


@pytest.mark.req("X.index.disposable")
def test_a_full_disk_keeps_nobody_from_searching(full, monkeypatch):
    expected = answers(full)
    index_making.remove(os.environ["LEFTOFF_STATE"])
    connected = index_sqlite.connected

    def small(path):
        db = connected(path)
        db.execute("pragma max_page_count = 20")
        return db

    monkeypatch.setattr(index_sqlite, "connected", small)
    monkeypatch.setattr(index_making, "connected", small)
    Talk(5, full).ask(3 * DAY, "filler " * 20_000).save()
    assert answers(full) == expected
    done = run("search", "upload", cwd=full)
    assert "full" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert run("index", "--rebuild", cwd=full).returncode == 6


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_state_folder_that_cannot_be_written_keeps_nobody_from_searching(full):
    state = os.environ["LEFTOFF_STATE"]
    os.makedirs(state, exist_ok=True)
    os.chmod(state, 0o500)
    try:
        assert len(hits(full, "flaky")) == 1
    finally:
        os.chmod(state, 0o700)


def test_a_state_folder_that_is_a_file_keeps_nobody_from_searching(full, tmp_path):
    path = os.path.join(tmp_path, "blocked")
    overwrite(path, b"")
    shown = found(full, "flaky", env={"LEFTOFF_STATE": os.path.join(path, "state")})
    assert shown["data"]["total"] == 1
    assert len(shown["findings"]) == 1


def test_only_so_much_is_taken_into_the_index_at_once_and_the_rest_is_read(full, monkeypatch):
    expected = answers(full)
    index_making.remove(os.environ["LEFTOFF_STATE"])
    monkeypatch.setattr(index_update, "ROOM", 1)
    assert answers(full) == expected
    with index_sqlite.open_in(os.environ["LEFTOFF_STATE"]) as index:
        assert 0 < len(index.known()) < 9


def test_the_index_is_the_users_alone(full):
    hits(full, "upload")
    state = os.environ["LEFTOFF_STATE"]
    for name in os.listdir(state):
        if name.startswith("index"):
            assert os.stat(os.path.join(state, name)).st_mode & 0o077 == 0


def test_an_interrupted_writer_leaves_a_good_index(settled, monkeypatch):
    root, expected = settled
    Talk(6, root).ask(3 * DAY, "unfinished business").save()

    def stopped(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(index_update, "_checksum", stopped)
        assert run("search", "upload", cwd=root).returncode == 130
    assert answers(root) == expected
    assert not warnings(root)


def test_what_is_purged_is_gone_from_the_file_at_once(settled):
    root, _ = settled
    state = os.environ["LEFTOFF_STATE"]
    path = hits(root, "flaky")[0]["path"]
    with open(f"{index_path()}.new", "wb") as file:
        file.write(b"half made by one that was killed: flaky")
    index_update.forget(state, [path])
    assert not os.path.exists(f"{index_path()}.new")
    with open(index_path(), "rb") as file:
        assert b"flaky" not in file.read()
    os.remove(path)
    assert hits(root, "flaky") == []


def test_a_process_of_its_own_answers_the_same(settled):
    root, _ = settled
    done = leftoff("search", "write-behind", cwd=root)
    assert "#003 thread-1a2b3c4d:14" in done.stdout
    assert done.stderr == ""


# Much to read


@pytest.fixture
def read_ahead(monkeypatch):
    """Even little is read by a second process."""
    monkeypatch.setattr(search_reader, "is_worth", lambda _: True)


def test_a_second_process_changes_no_answer(full, read_ahead):
    expected = answers(full)
    index_making.remove(os.environ["LEFTOFF_STATE"])
    run("index", "--rebuild", cwd=full)
    assert answers(full) == expected


def test_what_a_second_process_did_not_tell_is_read_here(full, read_ahead, monkeypatch):
    expected = answers(full)
    index_making.remove(os.environ["LEFTOFF_STATE"])
    tell = search_reader._tell

    def stopped(shelf, sources, writer):
        tell(shelf, [*sources][:2], writer)

    monkeypatch.setattr(search_reader, "_tell", stopped)
    run("index", "--rebuild", cwd=full)
    assert answers(full) == expected
    index_making.remove(os.environ["LEFTOFF_STATE"])

    def refused():
        raise OSError("no more processes")

    monkeypatch.setattr(os, "fork", refused)
    assert answers(full) == expected


def test_nothing_but_the_commands_for_it_ever_touches_the_index():
    """A hook must not: it has no time, and a lock held by another would stop the agent."""
    names = ("index_sqlite", "index_making", "index_update", "world.searching", "search_reader")
    users = set()
    for folder, _, files in os.walk(os.path.join(SOURCE, "leftoff")):
        for file in files:
            if file.endswith(".py"):
                with open(os.path.join(folder, file), encoding="utf-8") as source:
                    text = source.read()
                if any(f"import {name}" in text or f"{name} import" in text for name in names):
                    users.add(file)
    world = {f"{name.removeprefix('world.')}.py" for name in names}
    assert users - world == {"search.py", "index.py", "_session_forget.py"}
