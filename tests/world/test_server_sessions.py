"""The sessions that a server knows are those of the catalogue; a look reads what changed, no more."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing

import pytest

from histories import DAY, HOUR, MINUTE, NOW, Talk, aged, grow, ident, journal, started, state
from leftoff.world import (
    clients,
    opencode_db,
    server_session_files,
    server_sessions,
    session_catalogue,
)
from leftoff.world.inotify import Notices
from leftoff.world.server_sessions import ServerSessions
from leftoff.world.sessions import everything, of_server, sessions
from projects import put
from support import repo
from world.test_opencode_db import SCHEMA, locked, session

pytestmark = pytest.mark.usefixtures("at_once")


@pytest.fixture
def root(tmp_path):
    return repo(tmp_path)


@pytest.fixture
def known(root, clock, way):
    """Five sessions, looked at once."""
    for n in range(5):
        grow(root, n, (n + 1) * HOUR, thread="thread-1a2b3c4d" if n == 2 else "")
    notices = None if way == "asks" else Notices(lambda: clock[0])
    return ServerSessions(state(), os.environ, lambda: clock[0], notices).look()


def later(known, clock, seconds=server_sessions.SHARED):
    clock[0] += seconds
    return known.look()


def same_as_the_catalogue(known):
    listed = session_catalogue.catalogue(state(), os.environ)
    every = listed.which(everything)
    assert known.which(everything) == every
    assert [row[:6] for row in known.rows(every)] == [row[:6] for row in listed.rows(every)]
    assert sorted(known.firsts()) == sorted(listed.firsts())
    assert known.journals(0) == session_catalogue.journals(state(), 0)
    assert known.logs_until(NOW) == session_catalogue.logs_until(state(), os.environ, NOW)


def changed(known, clock, change):
    """Whether a look saw it, and is right after it."""
    before = known.mark
    change()
    later(known, clock)
    same_as_the_catalogue(known)
    return known.mark != before


def test_it_answers_as_the_catalogue_whatever_comes_goes_and_grows(known, clock, root):
    same_as_the_catalogue(known)
    assert not changed(known, clock, lambda: None)
    assert changed(known, clock, lambda: grow(root, 7, 30 * MINUTE))
    assert changed(known, clock, lambda: aged(journal(3, (MINUTE, "prompt")), MINUTE))
    path = known.logs()[0].path
    assert changed(known, clock, lambda: os.unlink(path))
    gone = os.path.join(state(), "sessions", "claude-code", f"{ident(4)}.jsonl")
    assert changed(known, clock, lambda: os.unlink(gone))


@pytest.mark.parametrize("begins", [False, True])
def test_who_continues_a_session_follows_it_to_another_thread(known, clock, root, begins):
    grow(root, 6, MINUTE, **{"from": ident(2)})
    grow(root, 7, 2 * MINUTE, **{"from": ident(6)})
    if begins:  # with what was kept on disk
        session_catalogue.catalogue(state(), os.environ)
        known = ServerSessions(state(), os.environ, lambda: clock[0])
    later(known, clock)
    assert len(known.which(everything, "thread-1a2b3c4d")) == 3
    aged(journal(2, (0, "bind", {"thread": "thread-99999999"})), 3 * HOUR)
    later(known, clock)
    assert len(known.which(everything, "thread-99999999")) == 3
    same_as_the_catalogue(known)
    os.unlink(os.path.join(state(), "sessions", "claude-code", f"{ident(2)}.jsonl"))
    later(known, clock)
    assert not known.which(everything, "thread-99999999")


def test_who_continues_a_session_follows_it_when_that_one_continues_another(known, clock, root):
    grow(root, 6, MINUTE, **{"from": ident(1)})
    grow(root, 7, 2 * MINUTE, **{"from": ident(6)})
    later(known, clock)
    assert len(known.which(everything, "thread-1a2b3c4d")) == 1
    aged(journal(6, started(MINUTE, root, **{"from": ident(2)})), MINUTE)
    later(known, clock)
    assert len(known.which(everything, "thread-1a2b3c4d")) == 3
    same_as_the_catalogue(known)


def test_where_a_journal_does_not_say_where_it_began_the_transcript_does(known, clock, root):
    aged(journal(7, (MINUTE, "bind", {"thread": "thread-1a2b3c4d"})), MINUTE)
    later(known, clock)
    assert known.row("claude-code", ident(7)).root == ""
    aged(Talk(7, root).ask(2 * MINUTE, "Go on").save(), 2 * MINUTE)
    later(known, clock)
    assert known.row("claude-code", ident(7)).root == root
    same_as_the_catalogue(known)


def test_the_first_transcript_in_a_folder_that_had_become_empty_is_seen_at_once(known, clock, root):
    for log in known.logs():
        os.unlink(log.path)
    later(known, clock)
    same_as_the_catalogue(known)
    assert changed(known, clock, lambda: aged(Talk(7, root).ask(HOUR, "Go on").save(), HOUR))
    assert known.row("claude-code", ident(7)).root == root


def test_a_look_serves_a_second_unless_somebody_saw_a_change(known, clock, root):
    grow(root, 7, 30 * MINUTE)
    assert not known.look().row("claude-code", ident(7))
    known.forget()
    assert known.look().row("claude-code", ident(7))


def test_a_change_that_is_told_while_somebody_looks_is_seen_by_the_next(root, monkeypatch):
    known, look = (
        ServerSessions(state(), os.environ, lambda: 0.0),
        server_session_files.Transcripts.look,
    )

    def meanwhile(*given, **more):
        found = look(*given, **more)
        grow(root, 7, 30 * MINUTE)
        known.forget()
        return found

    monkeypatch.setattr(server_session_files.Transcripts, "look", meanwhile)
    known.look()
    assert known.look().row("claude-code", ident(7))


def test_where_the_system_tells_a_page_shows_what_changed_a_moment_ago(known, root, way):
    grow(root, 7, 30 * MINUTE)
    known.turn()
    assert bool(known.look().row("claude-code", ident(7))) == (way == "told")


def test_an_old_file_that_grows_is_seen_in_turn_and_after_a_pause_at_once(
    known, clock, monkeypatch, way
):
    if way == "told":
        return  # each is seen at once, as the test below shows
    monkeypatch.setattr(session_catalogue, "NEWEST", 1)
    monkeypatch.setattr(server_sessions, "ASKED", 1)
    before = known.mark
    aged(journal(4, (5 * HOUR, "prompt")), 4.5 * HOUR)
    looks = 0
    while known.mark == before:
        later(known, clock)
        looks += 1
    assert looks <= 4
    aged(journal(3, (4 * HOUR, "prompt")), 3.5 * HOUR)
    later(known, clock, session_catalogue.WHOLE)
    same_as_the_catalogue(known)


def test_its_sessions_are_those_of_the_whole_list_and_only_changed_ones_are_made_anew(
    known, clock, root
):
    def both(since=0.0):
        now = of_server(known, state(), os.environ, NOW, everything, since)
        return now, sessions(state(), os.environ, NOW, curves=False)

    first, whole = both()
    assert [one._replace(stats=one.stats._replace(curve=())) for one in first] == whole
    aged(Talk(3, root).ask(5 * HOUR, "More").answer(4 * HOUR, "Done.", 1).save(), 4 * HOUR)
    later(known, clock)
    again, whole = both()
    assert [one.id for one in again] == [one.id for one in whole]
    kept = {one.id for one in again if any(one is other for other in first)}
    assert kept == {one.id for one in first} - {ident(3)}
    assert [one.id for one in both(NOW - 2.5 * HOUR)[0]] == [ident(0), ident(1)]
    assert not both(NOW + DAY)[0]


def in_home(*parts):
    return os.path.join(os.environ["HOME"], *parts)


@pytest.fixture
def asked(monkeypatch):
    """Of how many files and folders a look asks the time, and what it lists."""
    paths, sign, at = [], session_catalogue.sign, server_session_files.log_at
    monkeypatch.setattr(session_catalogue, "sign", lambda path: paths.append(path) or sign(path))
    monkeypatch.setattr(
        server_session_files, "log_at", lambda a, path: paths.append(path) or at(a, path)
    )
    monkeypatch.setattr(os, "listdir", counted(paths, os.listdir))
    monkeypatch.setattr(os, "scandir", counted(paths, os.scandir))

    def since():
        told = [*paths]
        paths.clear()
        return told

    return since


def counted(paths, call):
    def list_(path="."):
        paths.append(f"{path}/*")
        return call(path)

    return list_


def test_where_the_system_tells_only_what_changed_is_asked(known, clock, root, way, asked):
    later(known, clock)
    asked()
    later(known, clock)
    if way != "told":
        assert len(asked()) >= 10
        return
    assert asked() == []
    journal(4, (5 * HOUR, "prompt"))
    own = os.path.join(state(), "sessions", "claude-code")
    put(own, f"{ident(4)}.now", "{}")
    later(known, clock)
    assert asked() == [os.path.join(own, f"{ident(4)}.jsonl")]
    path = Talk(3, root).ask(MINUTE, "More").answer(0, "Done.", 9000).save()
    later(known, clock)
    assert asked() == [path]
    put(in_home(".claude"), "history.jsonl", "{}")
    later(known, clock)
    assert asked() == []
    same_as_the_catalogue(known)


@pytest.mark.parametrize("way", ["told"], indirect=True)
def test_an_old_file_that_grows_is_told_at_once(known, clock, monkeypatch):
    monkeypatch.setattr(session_catalogue, "NEWEST", 1)
    monkeypatch.setattr(server_sessions, "ASKED", 0)
    assert changed_alone(known, clock, lambda: aged(journal(4, (5 * HOUR, "prompt")), 4 * HOUR))
    path = known.logs()[3].path
    assert changed_alone(known, clock, lambda: aged(path, 3 * HOUR))


def changed_alone(known, clock, change):
    before = known.mark
    change()
    return later(known, clock).mark != before


def transcript(root, n):
    return Talk(n, root).ask(MINUTE, f"Part {n}").answer(0, "Done.", 9000).save()


def moved_home(root):
    """All of the client's folder is another one."""
    os.rename(in_home(".claude"), in_home(".claude-old"))
    shutil.copytree(in_home(".claude-old"), in_home(".claude"))
    transcript(root, 7)


def linked_home(root):
    """It becomes a link to where it went."""
    os.rename(in_home(".claude"), in_home("elsewhere"))
    os.symlink("elsewhere", in_home(".claude"))
    transcript(root, 7)


def folder_made_anew(root):
    path = transcript(root, 7)
    folder = os.path.dirname(path)
    os.rename(folder, f"{folder}-x")
    os.mkdir(folder)
    transcript(root, 8)


def other_client(_):
    head = '{"timestamp":"2026-08-08T10:00:00Z","type":"session_meta","payload":{"id":"%s","cwd":"/x"}}\n'
    day = in_home(".codex", "sessions", "2026", "08", "08")
    put(day, f"rollout-2026-08-08T10-00-00-{ident(9)}.jsonl", head % ident(9))


def journals_moved(_):
    own = os.path.join(state(), "sessions")
    os.rename(own, f"{own}-x")
    journal(8, started(HOUR, "/x"))


def renamed_agent(_):
    own = os.path.join(state(), "sessions")
    os.rename(os.path.join(own, "claude-code"), os.path.join(own, "codex"))


def another_agent(_):
    own = os.path.join(state(), "sessions")
    shutil.copytree(os.path.join(own, "claude-code"), os.path.join(own, "codex"))


@pytest.mark.parametrize(
    "change",
    [
        lambda root: transcript(root, 7),
        lambda root: grow(f"{root}/below", 7, 50 * MINUTE),
        lambda root: os.unlink(transcript(root, 2)),
        folder_made_anew,
        moved_home,
        linked_home,
        other_client,
        journals_moved,
        renamed_agent,
        another_agent,
    ],
)
@pytest.mark.parametrize("way", ["told"], indirect=True)
def test_no_change_is_missed_whoever_made_it(known, clock, root, change):
    later(known, clock)
    change(root)
    later(known, clock)
    same_as_the_catalogue(known)
    grow(root, 11, 40 * MINUTE)
    later(known, clock)
    same_as_the_catalogue(known)
    assert known.row("claude-code", ident(11))


@pytest.mark.parametrize("way", ["told"], indirect=True)
def test_a_folder_that_comes_empty_is_told_of_when_it_fills(known, clock, root):
    base = in_home(".codex", "sessions")
    for path in (in_home(".codex"), base, f"{base}/2026", f"{base}/2026/08", f"{base}/2026/08/08"):
        os.mkdir(path)
        later(known, clock)
    before = len(known.logs())
    other_client(root)
    later(known, clock)
    assert len(known.logs()) == before + 1


@pytest.mark.parametrize("seconds", [server_sessions.SHARED, session_catalogue.WHOLE])
def test_a_session_has_its_folder_as_soon_as_its_transcript_says_it(known, clock, root, seconds):
    talk = Talk(8, root).ask(MINUTE, "Begin")
    lines, talk.lines = talk.lines, ['{"type":"summary","summary":"It begins"}']
    talk.save()
    assert later(known, clock).row("claude-code", ident(8)).root == ""
    talk.lines += lines
    talk.save()
    assert later(known, clock, seconds).row("claude-code", ident(8)).root == root


@pytest.mark.parametrize("way", ["told"], indirect=True)
@pytest.mark.parametrize("linked", [False, True])
def test_a_session_in_a_database_is_told_also_where_its_folder_is_a_link(known, clock, linked):
    path = clients.database(os.environ)
    own = os.path.dirname(path)
    os.makedirs(in_home("elsewhere") if linked else own)
    if linked:
        os.makedirs(os.path.dirname(own), exist_ok=True)
        os.symlink(in_home("elsewhere"), own)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(SCHEMA)
        later(known, clock)
        later(known, clock)
        session(db, "ses_1")
        db.commit()
        assert later(known, clock).row("opencode", "ses_1")


@pytest.mark.parametrize("way", ["told"], indirect=True)
def test_sessions_of_a_database_that_is_locked_stay_and_new_ones_come_once_it_is_not(
    known, clock, monkeypatch
):
    monkeypatch.setattr(opencode_db, "_PATIENCE", 0.0)
    os.makedirs(os.path.dirname(clients.database(os.environ)))
    with closing(sqlite3.connect(clients.database(os.environ))) as db:
        db.executescript(SCHEMA)
        session(db, "ses_1")
        db.commit()
    later(known, clock)
    later(known, clock)
    with locked(os.environ):
        assert later(known, clock, session_catalogue.WHOLE).row("opencode", "ses_1")
    assert later(known, clock).row("opencode", "ses_1")


@pytest.mark.parametrize("way", ["told", "asks"], indirect=True)
@pytest.mark.parametrize("what", ["grows", "comes", "is the first", "comes with the link"])
def test_a_transcript_that_a_link_leads_to_is_seen_at_once(known, clock, root, tmp_path, what):
    place, link = str(tmp_path / "else"), in_home(".claude/projects/-linked")
    os.makedirs(place)
    one, two = (beside(tmp_path, Talk(n, root).ask(MINUTE, "Begin").save()) for n in (8, 9))
    if what != "is the first":
        one = beside(place, one)
    if what != "comes with the link":
        os.symlink(place, link)
    later(known, clock)
    later(known, clock)
    if what == "grows":
        with open(one, "a", encoding="utf-8") as file:
            file.write("{}\n")
        seen = later(known, clock).row("claude-code", ident(8))
        assert seen.logs[0][2] == os.path.getsize(one)
    else:
        beside(place, two)
        if what == "comes with the link":
            os.symlink(place, link)
        assert later(known, clock).row("claude-code", ident(9))


def beside(folder, path):
    """The file, moved there."""
    moved = os.path.join(folder, os.path.basename(path))
    os.rename(path, moved)
    return moved
