"""The catalogue of sessions: what it lists is what the disk has, for the price of a few looks."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager
from itertools import permutations

import pytest

from histories import DAY, HOUR, NOW, Talk, aged, delegated, grow, ident, journal, started, state
from leftoff.world import cache_file, opencode_db, session_catalogue
from leftoff.world.log_files import placed
from leftoff.world.log_record import began_in
from leftoff.world.session_catalogue import journals, logs_until
from leftoff.world.sessions import everything, of_entries, sessions
from support import repo
from world.test_opencode_db import SCHEMA, locked, message, session

pytestmark = pytest.mark.usefixtures("at_once")


@pytest.fixture
def root(tmp_path):
    return repo(tmp_path)


def listed(belongs=everything, thread=""):
    known = session_catalogue.catalogue(state(), os.environ)
    return known.rows(known.which(belongs, thread))


def names(rows):
    return [row.session for row in rows]


def test_it_lists_every_session_once_newest_first(root):
    grow(root, 1, 3 * HOUR)
    grow(root, 2, HOUR)
    aged(journal(3, started(2 * HOUR, root)), 2 * HOUR)
    aged(Talk(4, root).ask(4 * HOUR, "Alone").save(), 4 * HOUR)
    assert names(listed()) == [ident(n) for n in (2, 3, 1, 4)]


def test_what_it_reads_of_a_session_is_what_the_whole_list_has(root):
    for n in (1, 2, 3):
        grow(root, n, n * HOUR, thread="thread-1a2b3c4d" if n == 2 else "")
    whole = {one.id: one for one in sessions(state(), os.environ, NOW, curves=False)}
    for rows in (listed(), listed()):  # as it is made, and as it was kept
        found = of_entries(rows, state(), os.environ, NOW)
        assert {one.id: one for one in found} == whole


def test_a_thread_s_sessions_are_found_also_by_descent(root):
    grow(root, 1, 3 * HOUR, thread="thread-1a2b3c4d")
    grow(root, 2, 2 * HOUR, **{"from": ident(1)})
    grow(root, 3, HOUR)
    assert names(listed(thread="thread-1a2b3c4d")) == [ident(2), ident(1)]


def test_only_those_of_folders_that_belong_are_counted(root, tmp_path):
    grow(root, 1, HOUR)
    grow(repo(tmp_path / "other"), 2, 2 * HOUR)
    assert names(listed(lambda folder: folder == root)) == [ident(1)]


def test_what_is_new_or_grew_is_seen_at_once(root):
    grow(root, 1, 3 * HOUR)
    assert names(listed()) == [ident(1)]
    grow(root, 2, 2 * HOUR)
    assert names(listed()) == [ident(2), ident(1)]
    journal(1, (0, "bind", {"thread": "thread-1a2b3c4d"}))
    assert names(listed(thread="thread-1a2b3c4d")) == [ident(1)]
    os.remove(os.path.join(state(), "sessions", "claude-code", f"{ident(2)}.jsonl"))
    talk = os.path.join(os.environ["HOME"], ".claude", "projects")
    for place, _, files in os.walk(talk):
        for name in files:
            if name.startswith(ident(2)):
                os.remove(os.path.join(place, name))
    assert names(listed()) == [ident(1)]


def test_a_new_subagent_is_seen_at_once(root):
    path = aged(Talk(1, root).ask(HOUR, "Plan").answer(HOUR, "ok", 100).save(), HOUR)
    for many in range(3):  # the first one comes with folders of its own
        [row] = listed()
        assert len(row.logs) == 1 + many
        aged(delegated(path, Talk(1, root).ask(0, "Look"), f"agent-{many}"), 2 * HOUR)


def test_of_transcripts_of_one_moment_a_name_decides_however_a_folder_lists_them(root, tmp_path):
    other, path = repo(tmp_path / "other"), Talk(1, root).save()
    for name, folder in (("agent-2", root), ("agent-1", other), ("agent-3", root)):
        aged(delegated(path, Talk(1, folder).ask(HOUR, "Look"), name), HOUR)
    os.remove(path)
    for logs in permutations(placed(os.environ, state()).logs):
        [one] = sessions(state(), os.environ, NOW, logs=[*logs])
        told = began_in((log.parent, log.mtime_ns, log.path, log.folder) for log in logs)
        assert (one.root, told) == (other, other)


def test_an_old_file_that_grew_unseen_is_found_by_the_next_whole_look(root, monkeypatch):
    monkeypatch.setattr(session_catalogue, "NEWEST", 1)
    grow(root, 1, 3 * HOUR)
    grow(root, 2, HOUR)
    listed()
    journal(1, (0, "bind", {"thread": "thread-1a2b3c4d"}))
    assert listed(thread="thread-1a2b3c4d") == []
    monkeypatch.setattr(session_catalogue, "WHOLE", 0.0)
    assert names(listed(thread="thread-1a2b3c4d")) == [ident(1)]


def test_a_file_that_changed_just_now_is_asked_again(root, monkeypatch):
    monkeypatch.setattr(cache_file, "TICK", 1e9)
    grow(root, 1, HOUR)
    listed()
    monkeypatch.setattr(session_catalogue, "NEWEST", 0)
    journal(1, (0, "bind", {"thread": "thread-1a2b3c4d"}))
    assert names(listed(thread="thread-1a2b3c4d")) == [ident(1)]


def test_it_works_where_nothing_can_be_kept(root, monkeypatch):
    monkeypatch.setattr(session_catalogue.cache_file, "save", lambda *_: None)
    for n in range(1, 4):
        grow(root, n, n * HOUR)
    assert names(listed()) == [ident(n) for n in (1, 2, 3)]


def test_journals_and_transcripts_are_given_by_time(root):
    for n in (1, 2, 3):
        grow(root, n, n * DAY)
    assert [row[session_catalogue.SESSION] for row in journals(state(), NOW - 2.5 * DAY)] == [
        ident(1),
        ident(2),
    ]
    old = logs_until(state(), os.environ, NOW - 1.5 * DAY)
    assert [row[session_catalogue.SESSION] for row in old] == [ident(3), ident(2)]


def in_database(root):
    """A session of OpenCode, in its database."""
    os.makedirs(os.path.dirname(opencode_db.database(os.environ)))
    with closing(sqlite3.connect(opencode_db.database(os.environ))) as db:
        db.executescript(SCHEMA)
        session(db, "ses_1")
        message(db, "msg_1", {"role": "user"}, {"type": "text", "text": "do it"})
        db.execute("update session set directory = ?", (root,))
        db.commit()


def test_sessions_of_a_database_that_was_locked_are_there_as_soon_as_it_is_not(root, monkeypatch):
    monkeypatch.setattr(opencode_db, "_PATIENCE", 0.0)
    in_database(root)
    real, path = session_catalogue.sign, os.path.dirname(opencode_db.database(os.environ))
    monkeypatch.setattr(
        session_catalogue, "sign", lambda one: (one, 1, 1) if one.startswith(path) else real(one)
    )
    with locked(os.environ):
        assert names(listed()) == []
    assert names(listed()) == ["ses_1"]


def test_a_session_whose_database_is_locked_by_now_is_told_as_it_was_or_with_the_reason(
    root, monkeypatch
):
    monkeypatch.setattr(opencode_db, "_PATIENCE", 0.0)
    in_database(root)
    rows = listed()
    with locked(os.environ):
        (one,) = of_entries(rows, state(), os.environ, NOW)
        assert "database is locked" in one.trouble
    (told,) = of_entries(listed(), state(), os.environ, NOW)
    assert (told.stats.asked, told.trouble) == ("do it", "")
    os.remove(os.path.join(state(), "cache", "sessions.bin"))
    rows = listed()
    with locked(os.environ):
        assert of_entries(rows, state(), os.environ, NOW) == [told]


@contextmanager
def counted(monkeypatch, *functions):
    """How often these functions of `os` are called."""
    calls = []
    with monkeypatch.context() as patch:
        for name in functions:
            real = getattr(os, name)
            patch.setattr(os, name, lambda *a, _r=real, **k: (calls.append(1), _r(*a, **k))[1])
        yield calls


def test_a_second_look_asks_no_more_files_for_many_sessions_than_for_some(root, monkeypatch):
    monkeypatch.setattr(session_catalogue, "NEWEST", 20)
    asked = []
    for first, last in ((1, 40), (41, 200)):
        for n in range(first, last):
            grow(root, n, n * HOUR)
        listed()
        with counted(monkeypatch, "stat", "scandir", "listdir", "open") as calls:
            known = session_catalogue.catalogue(state(), os.environ)
            known.rows(known.which(everything)[:10])
        asked.append(len(calls))
    assert asked[1] <= asked[0] + 2
