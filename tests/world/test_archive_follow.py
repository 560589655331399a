"""The archive follows the clients by itself: bounded, one at a time, and only where it may."""

from __future__ import annotations

import fcntl
import os
from functools import partial

import pytest

from killing import killed_at
from leftoff.world import archive, archive_copy, archive_follow, follower, log_reading
from support import repo
from world.transcript_files import Clients, conversation

NOW = 1_800_000_000.0
DAY = 86400.0


def name(number: int) -> str:
    return f"0000000a-0000-4000-8000-{number:012}"


@pytest.fixture
def clients(tmp_path, monkeypatch) -> Clients:
    monkeypatch.setattr(log_reading, "BLOCK", 8192)
    monkeypatch.setattr(archive_follow, "ROOM", 0)
    return Clients(str(tmp_path))


def wrote(clients: Clients, number: int, turns: int = 10, age: float = 0.0) -> bytes:
    data = conversation(number, turns)
    path = clients.write(name(number), data)
    os.utime(path, (NOW - age, NOW - age))
    return data


def followed(clients: Clients, now: float = NOW, session: str = "") -> archive_follow.Followed:
    told = archive_follow.run(clients.state, clients.env, now, ("claude-code", session))
    assert told
    return told


def kept(clients: Clients, number: int) -> bytes:
    notes = archive.copies(clients.state, "claude-code", name(number))
    return b"".join(line + b"\n" for note in notes for line in archive.lines(note))


def test_first_sight_copies_all_and_the_next_run_only_what_is_new(clients):
    texts = {number: wrote(clients, number) for number in (1, 2, 3)}
    assert followed(clients).left == 0
    assert {number: kept(clients, number) for number in texts} == texts
    clients.write(name(2), conversation(9, 2), mode="ab")
    assert not follower.is_due(clients.state, NOW + 60)
    assert follower.is_due(clients.state, NOW + follower.EVERY)
    followed(clients, NOW + follower.EVERY)
    assert kept(clients, 2) == texts[2] + conversation(9, 2)


def test_a_run_that_comes_to_its_bound_took_the_oldest_and_the_next_one_goes_on(
    clients, monkeypatch
):
    texts = {number: wrote(clients, number, 30, age=number * DAY) for number in (1, 2, 3)}
    monkeypatch.setattr(archive_follow, "MOST", len(texts[3]) + 9000)
    told = followed(clients)
    assert (told.why, told.left) == (archive_follow.BYTES, 2)
    assert kept(clients, 3) == texts[3]
    assert texts[2].startswith(kept(clients, 2))
    assert 0 < len(kept(clients, 2)) < len(texts[2]), "it stops within a file"
    assert kept(clients, 1) == b""
    assert not follower.is_due(clients.state, NOW + 1)
    now = NOW + archive_follow.SOON
    for _ in range(5):
        told = followed(clients, now := now + archive_follow.SOON)
    assert told.left == 0
    assert {number: kept(clients, number) for number in texts} == texts


def test_its_time_is_bounded_too(clients, monkeypatch):
    wrote(clients, 1)
    monkeypatch.setattr(archive_follow, "LONGEST", -1.0)
    assert followed(clients).why == archive_follow.TIME
    assert kept(clients, 1) == b""


def test_a_disk_with_little_room_is_left_alone_and_doctor_says_so(clients, monkeypatch):
    wrote(clients, 1)
    monkeypatch.setattr(archive_follow, "ROOM", 1 << 60)
    assert followed(clients).why == archive_follow.DISK
    assert kept(clients, 1) == b""
    policy = archive_follow.load_or_default(os.devnull, clients.env)[0].archive
    (found,) = archive_follow.findings(clients.state, clients.env, policy)
    assert (found.slug, found.level) == ("archive-stopped", "warning")
    assert "transcripts not copied yet: 1 (" in found.text


def test_the_archive_does_not_grow_beyond_its_setting_by_itself(clients):
    text = wrote(clients, 1, 60)
    path = os.path.join(clients.home, ".config", "leftoff", "config.toml")
    os.makedirs(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        file.write('[archive]\nmax_size = "1KB"\n')
    whys = [followed(clients, NOW + hour * follower.EVERY).why for hour in range(6)]
    assert whys[-1] == archive_follow.FULL
    assert text.startswith(kept(clients, 1))
    assert 0 < len(kept(clients, 1)) < len(text)
    size = sum(note.stored for note in archive.sessions(clients.state))
    assert followed(clients, NOW + 9 * follower.EVERY).left == 1
    assert sum(note.stored for note in archive.sessions(clients.state)) == size


def test_before_it_is_time_again_only_the_session_that_ended_is_copied(clients):
    followed(clients)
    one, _ = wrote(clients, 1), wrote(clients, 2)
    followed(clients, NOW + 60, name(1))
    assert (kept(clients, 1), kept(clients, 2)) == (one, b"")
    assert follower.is_due(clients.state, NOW + follower.EVERY), "that was no look at everything"


def test_a_project_can_keep_out_and_one_whose_settings_are_broken_is_not_copied(clients):
    root = repo(clients.home)
    os.makedirs(os.path.join(root, ".checkpoints"))
    line = conversation(1, 3).replace(b"/repo", root.encode())
    clients.write(name(1), line)
    for text in ("[archive]\nauto = false\n", "[archive\n"):
        with open(os.path.join(root, ".checkpoints", "config.toml"), "w", encoding="utf-8") as file:
            file.write(text)
        told = followed(clients, (now := NOW + 2 * follower.EVERY))
        assert (told.left, told.failed) == (0, 0)
        assert kept(clients, 1) == b""
        os.remove(os.path.join(clients.state, follower.FOLLOWED))
    os.remove(os.path.join(root, ".checkpoints", "config.toml"))
    followed(clients, now + 2 * follower.EVERY)
    assert kept(clients, 1) == line


def test_while_one_run_is_at_it_another_leaves_at_once(clients):
    wrote(clients, 1)
    os.makedirs(archive.folder(clients.state))
    with open(os.path.join(clients.state, "archive", "following"), "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert archive_follow.run(clients.state, clients.env, NOW) is None
    assert kept(clients, 1) == b""
    assert archive_follow.run(clients.state, clients.env, NOW)
    assert kept(clients, 1)


def test_a_session_that_ended_waits_for_the_run_before_it(clients):
    text = wrote(clients, 1)
    os.makedirs(archive.folder(clients.state))
    with open(os.path.join(clients.state, "archive", "following"), "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        pid = os.fork()
        if pid == 0:
            file.close()  # the lock is its parent's
            try:
                followed(clients, session=name(1))
            finally:
                os._exit(0)
        assert os.waitpid(pid, os.WNOHANG) == (0, 0)
        assert kept(clients, 1) == b""
    os.waitpid(pid, 0)
    assert kept(clients, 1) == text


def test_killed_at_any_write_the_next_run_completes_it(clients, monkeypatch):
    monkeypatch.setattr(archive_copy, "COMMIT", 20_000)
    texts = {number: wrote(clients, number, 20) for number in (1, 2)}
    step, follow = 0, partial(archive_follow.run, clients.state, clients.env, NOW)
    while killed_at(step := step + 9, follow):
        assert all(texts[number].startswith(kept(clients, number)) for number in texts)
        assert step < 900, "it never came to its end"
    followed(clients)
    assert {number: kept(clients, number) for number in texts} == texts


def test_one_that_cannot_be_copied_stops_no_other_and_is_told_of(clients):
    clients.write(f"{name(1)}/subagents/agent-1", conversation(1, 3))
    text = wrote(clients, 2)
    place = archive.place_of(clients.state, "claude-code")
    os.makedirs(place)
    with open(os.path.join(place, name(1)), "wb"):
        pass  # a file where the folder of the copy has to be
    told = followed(clients)
    assert told.failed == 1
    assert told.trouble
    assert kept(clients, 2) == text


def test_a_clock_that_was_wrong_does_not_stop_it_for_ever(clients):
    followed(clients, NOW + 400 * DAY)
    assert follower.is_due(clients.state, NOW)


def test_settings_and_the_environment_switch_it_off(clients):
    assert follower.is_on(clients.env)
    assert not follower.is_on({**clients.env, follower.VARIABLE: "off"})
    assert not follower.is_on({**clients.env, "LEFTOFF": "off"})
    path = os.path.join(clients.home, ".config", "leftoff", "config.toml")
    os.makedirs(os.path.dirname(path))
    for text in ("[archive]\nauto = false\n", "broken"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        assert not follower.is_on(clients.env)
