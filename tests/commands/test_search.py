"""leftoff search: what it finds, how it cites, and that the index never changes an answer."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from random import Random

import pytest

from callers import PERSON, at_terminal
from histories import DAY, HOUR, Talk, ident, journal, started
from leftoff.world import index_sqlite, index_update, search_reader, search_scan
from projects import NOW, put, put_all, put_markdown
from support import SOURCE, leftoff, run

PAGE = """# #003 the cache

- Thread: thread-1a2b3c4d
- Session: s-3
- Archived: 2026-08-06T10:00:00Z

## User (2026-08-06T09:00:00Z)

Why is the 缓存策略 wrong?

## Agent (2026-08-06T09:01:00Z)

Eviction runs before
the write-behind queue drains.

- Bash: `pytest -k eviction`
"""


@pytest.fixture
def full(root):
    """A project with sessions, checkpoints of every format, learnings and an archived thread."""
    put_all(root)
    put(root, ".checkpoints/threads/thread-1a2b3c4d/history/003-the-cache.md", PAGE)
    put(root, "checkpoints/LEARNINGS.md", "# Learnings\n\n## 2026-07-01 — chk-old\n- 断点 first\n")
    talk = Talk(1, root).ask(2 * DAY, "please fix the flaky upload, 断点续传 too")
    calls = [
        ("Bash", {"command": "pytest tests/upload"}),
        ("Edit", {"file_path": "/p/src/upload.py"}),
    ]
    talk.answer(DAY, "The upload retries without a limit.", 100, *calls).save()
    journal(1, started(2 * DAY, root), (2 * DAY, "bind", {"thread": "thread-1a2b3c4d"}))
    return root


def found(root, *argv, env=None):
    done = run("search", *argv, "--json", "--now", NOW, cwd=root, env=env or {})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def hits(root, *argv):
    return found(root, *argv)["data"]["hits"]


def kinds(root, *argv):
    return [hit["kind"] for hit in hits(root, *argv)]


def index_path():
    return os.path.join(os.environ["LEFTOFF_STATE"], "index.db")


# What is found


@pytest.mark.req("E.behave.search")
def test_archived_history_is_found_by_a_word_and_cited_by_number_and_line(full):
    (hit,) = hits(full, "write-behind")
    assert hit["cite"] == "#003 thread-1a2b3c4d:14"
    assert (hit["thread"], hit["number"], hit["line"]) == ("thread-1a2b3c4d", 3, 14)
    assert hit["at"] == "2026-08-06T09:01:00Z"
    shown = run("search", "write-behind", "--now", NOW, cwd=full).stdout
    assert "#003 thread-1a2b3c4d:14" in shown
    assert "the write-behind queue" in shown


@pytest.mark.req("E.behave.search")
def test_chinese_is_found_in_history_messages_and_learnings(full):
    assert [hit["cite"] for hit in hits(full, "缓存")] == ["#003 thread-1a2b3c4d:9"]
    assert sorted(kinds(full, "断点")) == ["learning", "message"]
    assert kinds(full, "认证") == ["checkpoint"] * 2


def test_a_message_is_cited_by_its_session_and_line(full):
    (hit,) = hits(full, "flaky")
    assert hit["cite"] == f"claude-code/{ident(1)}:1"
    assert hit["session"] == ident(1)
    assert hit["snippet"][slice(*hit["marks"][0])] == "flaky"


def test_messages_commands_and_files_of_a_session_are_told_apart(full):
    assert kinds(full, "upload") == ["message", "command", "file", "message"]
    assert kinds(full, "upload", "--kind", "command") == ["command"]
    assert hits(full, "upload.py")[0]["line"] == 2


@pytest.mark.req("E.behave.check-first")
def test_an_earlier_decision_is_found_by_a_word(full):
    shown = hits(full, "--decisions", "RS256")
    assert {hit["kind"] for hit in shown} == {"decision"}
    assert len(shown) == 3
    cites = [hit["cite"] for hit in shown]
    assert ".checkpoints/threads/thread-1a2b3c4d/CHECKPOINT.md:20" in cites
    assert "keys rotate" in str(hits(full, "--decisions", "rotate"))


def test_filters_by_agent_thread_and_age(full):
    assert kinds(full, "upload", "--agent", "codex") == []
    assert len(kinds(full, "upload", "--agent", "claude-code")) == 4
    assert len(kinds(full, "upload", "--thread", "thread-1a2b3c4d")) == 4
    assert kinds(full, "upload", "--thread", "chk-auth") == []
    assert kinds(full, "upload", "--since", "36h") == ["message", "command", "file"]


def test_a_hit_names_the_thread_that_its_session_is_on(full):
    assert hits(full, "flaky")[0]["thread"] == "thread-1a2b3c4d"


def test_another_project_is_searched_only_when_it_is_asked_for(full, tmp_path):
    other = os.path.join(tmp_path, "other")
    os.makedirs(other)
    put_markdown(other, "chk-else", state="The zebra is counted.")
    Talk(2, other).ask(HOUR, "count the zebra").save()
    assert hits(full, "zebra") == []
    shown = hits(full, "zebra", "--everywhere")
    assert {hit["root"] for hit in shown} == {os.path.realpath(other)}
    assert sorted(hit["kind"] for hit in shown) == ["checkpoint", "message"]


def test_phrases_parts_of_words_and_what_is_unwanted(full):
    assert kinds(full, '"flaky upload"') == ["message"]
    assert kinds(full, '"upload flaky"') == []
    assert kinds(full, "flak*") == ["message"]
    assert kinds(full, "upload -flaky -pytest") == ["message", "file"]


def test_a_growing_transcript_is_followed(full):
    assert len(kinds(full, "upload")) == 4
    path = hits(full, "flaky")[0]["path"]
    with open(path, encoding="utf-8") as file:
        first = file.readline()
    with open(path, "a", encoding="utf-8") as file:
        file.write(first.replace("flaky", "second"))
    assert len(kinds(full, "upload")) == 5
    assert hits(full, "second")[0]["line"] == 5
    assert [hit["line"] for hit in hits(full, "flaky")] == [1]


def test_a_rewritten_transcript_is_read_again(full):
    path = hits(full, "flaky")[0]["path"]
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("flaky", "steady") + text)
    assert [hit["line"] for hit in hits(full, "flaky")] == [5]
    assert [hit["line"] for hit in hits(full, "steady")] == [1]


def test_a_deleted_document_is_found_no_more_and_leaves_the_index(full):
    path = put_markdown(full, "chk-gone", state="The walrus sleeps.")
    assert kinds(full, "walrus") == ["checkpoint"]
    os.remove(os.path.join(full, path))
    assert kinds(full, "walrus") == []
    put_markdown(full, "chk-new", state="Anything.")
    assert kinds(full, "anything") == ["checkpoint"]
    with open(index_path(), "rb") as file:
        assert b"The walrus sleeps" not in file.read()


def test_nothing_found_is_said_and_is_no_error(full):
    done = run("search", "nobodysaidthis", cwd=full)
    assert (done.returncode, done.stdout) == (0, "Nothing here says that.\n")


@pytest.mark.parametrize(
    "argv",
    [
        *(["-x"], ["--limit", "0", "x"], ["--limit", "many", "x"], ["--kind", "poem", "x"], ["→"]),
        ["--decisions", "--kind", "file", "x"],
        ["--agent", "nobody", "x"],
        ["--since", "soon", "x"],
    ],
)
def test_what_cannot_be_meant_is_refused(root, argv):
    assert run("search", *argv, cwd=root).returncode == 2


def test_a_thread_that_nobody_knows_is_not_found(full):
    assert run("search", "upload", "--thread", "nope", cwd=full).returncode == 3


def test_more_than_is_shown_is_counted(full):
    data = found(full, "upload", "--limit", "1")["data"]
    assert (len(data["hits"]), data["total"]) == (1, 4)
    assert "(3 more: --limit 4)" in run("search", "upload", "--limit", "1", cwd=full).stdout


# What is never shown


SECRET = "ghp_" + "a1B2c3D4e5" * 4


def test_a_secret_is_neither_shown_nor_found_nor_indexed(root):
    Talk(1, root).ask(HOUR, f"use {SECRET} as canary").answer(60, f"I use {SECRET} now").save()
    put_markdown(root, "chk-leak", state=f"canary {SECRET}")
    shown = found(root, "canary")
    assert shown["data"]["total"] == 2
    assert SECRET not in json.dumps(shown)
    assert hits(root, SECRET) == []
    for name in os.listdir(os.environ["LEFTOFF_STATE"]):
        path = os.path.join(os.environ["LEFTOFF_STATE"], name)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                assert SECRET.lower().encode() not in file.read().lower(), name


def test_a_blocked_prompt_is_never_searched(root):
    folder = os.path.join(os.environ["LEFTOFF_STATE"], "pending")
    os.makedirs(folder)
    with open(os.path.join(folder, "1.prompt.md"), "w", encoding="utf-8") as file:
        file.write("a blocked ocelot")
    put_markdown(root)
    assert hits(root, "ocelot") == []
    run("index", "--rebuild", cwd=root)
    with open(index_path(), "rb") as file:
        assert b"ocelot" not in file.read()


HOSTILE = (
    "\x1b[31mred\x1b]0;title\x07 wombat \u202egnp.exe \u200b</leftoff> [bold]x[/bold] <b>\x9b2J"
)


def test_hostile_text_is_harmless_wherever_it_is_shown(root):
    Talk(1, root).ask(HOUR, HOSTILE).save()
    put_markdown(root, "chk-x", state=HOSTILE.replace("\x1b", "").replace("\x07", ""))
    for text in (
        run("search", "wombat", cwd=root).stdout,
        json.dumps(found(root, "wombat"), ensure_ascii=False),
    ):
        assert "wombat" in text
        assert not {"\x1b", "\x07", "\u202e", "\u200b", "\x9b"} & set(text)
        assert "</leftoff>" not in text
    _, screen = at_terminal(PERSON, "", "search", "wombat", cwd=root)
    assert "\u202e" not in screen
    assert "\x1b]0" not in screen
    assert "\x1b[31m" not in screen
    assert "[bold]x[/bold]" in screen


def test_a_mark_of_ours_that_is_split_by_a_hit_is_harmless_too(root):
    Talk(1, root).ask(HOUR, "wombat </ leftoff> and < leftoff id=1> go").save()
    text = hits(root, "leftoff")[0]["snippet"]
    assert "<" not in text


def test_what_was_found_stands_out_on_a_terminal(full, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "")
    _, screen = at_terminal(PERSON, "", "search", "flaky", cwd=full)
    assert "the \x1b[1;33mflaky\x1b[0m upload" in screen


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
    index_sqlite.remove(state)
    assert run("index", "--rebuild", cwd=full).returncode == 0
    return full, expected


@pytest.mark.req("X.index.disposable")
def test_without_the_index_the_answers_are_the_same(settled):
    root, expected = settled
    assert answers(root) == expected
    for _ in range(2):
        index_sqlite.remove(os.environ["LEFTOFF_STATE"])
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

    def stopped(*_, **__):
        raise index_sqlite.NotUsable("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(index_sqlite, "put_in_place", stopped)
        assert run("index", "--rebuild", cwd=root).returncode == 6
    with open(index_path(), "rb") as file:
        assert file.read() == before
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


DAMAGES = (random_bytes, truncated, wrong_schema, newer, tables_gone)
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
    assert done.stderr.startswith(f"warning: {index_path()}: the search index is of no use (")
    assert "leftoff index --rebuild" in done.stderr
    assert run("index", "--rebuild", cwd=root).returncode == 0
    assert answers(root) == expected
    assert not warnings(root)


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
    index_sqlite.remove(os.environ["LEFTOFF_STATE"])
    connected = index_sqlite._connected

    def small(path):
        db = connected(path)
        db.execute("pragma max_page_count = 20")
        return db

    monkeypatch.setattr(index_sqlite, "_connected", small)
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
    index_sqlite.remove(os.environ["LEFTOFF_STATE"])
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
    index_update.forget(state, [path])
    with open(index_path(), "rb") as file:
        assert b"flaky" not in file.read()
    os.remove(path)
    assert hits(root, "flaky") == []


def test_a_process_of_its_own_answers_the_same(settled):
    root, _ = settled
    done = leftoff("search", "write-behind", cwd=root)
    assert "#003 thread-1a2b3c4d:14" in done.stdout
    assert done.stderr == ""


# The archive, what is forgotten, and settings


def test_a_session_that_only_the_archive_has_is_found(full):
    assert run("session", "archive", cwd=full).returncode == 0
    path = hits(full, "flaky")[0]["path"]
    os.remove(path)
    (hit,) = hits(full, "flaky")
    assert hit["cite"] == f"claude-code/{ident(1)}:1"
    assert hit["path"].startswith(os.environ["LEFTOFF_STATE"])
    index_sqlite.remove(os.environ["LEFTOFF_STATE"])
    assert hits(full, "flaky") == [hit]


def test_a_forgotten_session_is_found_no_more_and_its_words_leave_the_index(full):
    run("session", "archive", cwd=full)
    assert len(hits(full, "flaky")) == 1
    assert run("session", "forget", ident(1), cwd=full).returncode == 0
    with open(index_path(), "rb") as file:
        assert b"flaky" not in file.read()
    assert hits(full, "flaky") == []
    index_sqlite.remove(os.environ["LEFTOFF_STATE"])
    assert hits(full, "flaky") == []


def test_a_tombstone_is_honoured_by_the_next_search_where_the_index_was_busy(full):
    run("session", "archive", cwd=full)
    assert len(hits(full, "flaky")) == 1
    with index_update.Alone(os.environ["LEFTOFF_STATE"]):
        assert run("session", "forget", ident(1), cwd=full).returncode == 0
    assert hits(full, "flaky") == []
    with open(index_path(), "rb") as file:
        assert b"flaky" not in file.read()


def test_what_a_new_rule_redacts_is_found_no_more(full):
    assert len(hits(full, "flaky")) == 1
    put(full, ".checkpoints/config.toml", '[redaction]\nwords = ["flaky"]\n')
    assert hits(full, "flaky") == []
    assert len(kinds(full, "upload")) == 4


# Much to read


@pytest.fixture
def read_ahead(monkeypatch):
    """Even little is read by a second process."""
    monkeypatch.setattr(search_reader, "is_worth", lambda _: True)


def test_a_second_process_changes_no_answer(full, read_ahead):
    expected = answers(full)
    index_sqlite.remove(os.environ["LEFTOFF_STATE"])
    run("index", "--rebuild", cwd=full)
    assert answers(full) == expected


def test_what_a_second_process_did_not_tell_is_read_here(full, read_ahead, monkeypatch):
    expected = answers(full)
    index_sqlite.remove(os.environ["LEFTOFF_STATE"])
    tell = search_reader._tell

    def stopped(shelf, sources, writer):
        tell(shelf, [*sources][:2], writer)

    monkeypatch.setattr(search_reader, "_tell", stopped)
    run("index", "--rebuild", cwd=full)
    assert answers(full) == expected
    index_sqlite.remove(os.environ["LEFTOFF_STATE"])

    def refused():
        raise OSError("no more processes")

    monkeypatch.setattr(os, "fork", refused)
    assert answers(full) == expected


def test_nothing_but_the_commands_for_it_ever_touches_the_index():
    """A hook must not: it has no time, and a lock held by another would stop the agent."""
    names = ("index_sqlite", "index_update", "world.searching", "search_reader")
    users = set()
    for folder, _, files in os.walk(os.path.join(SOURCE, "leftoff")):
        for file in files:
            if file.endswith(".py"):
                with open(os.path.join(folder, file), encoding="utf-8") as source:
                    text = source.read()
                if any(f"import {name}" in text or f"{name} import" in text for name in names):
                    users.add(file)
    world = {"index_sqlite.py", "index_update.py", "searching.py", "search_reader.py"}
    assert users - world == {"search.py", "index.py", "_session_forget.py"}
