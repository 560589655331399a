"""A transcript that breaks off while it is read: told, not taken for whole, and read again."""

from __future__ import annotations

import errno
import json
import os

import pytest

from histories import HOUR, MINUTE, Talk, ident
from leftoff.world import log_reading
from postgres.desk import Desk
from support import repo

TURNS = 40


@pytest.fixture
def ann(team, tmp_path, monkeypatch) -> Desk:
    """She shares what is said, and everything is pushed but a conversation that grew."""
    desk = Desk(team, tmp_path, "ann").clone(repo(tmp_path / "origin"))
    monkeypatch.setenv("HOME", desk.env["HOME"])
    monkeypatch.setattr(log_reading, "BLOCK", 2048)
    desk.run("team", "share", "text")
    _talk(desk, TURNS // 2)
    desk.run("team", "push")
    _talk(desk, TURNS)
    desk.run("session", "list")  # its figures are known: only its text is read from now on
    return desk


def _talk(desk: Desk, turns: int) -> str:
    made = Talk(1, desk.root)
    for n in range(turns):
        ago = HOUR - n * MINUTE / 2
        made.ask(ago, f"Question {n}").answer(ago - 9, "Yes.", 9)
    return made.save()


def _parts(team) -> int:
    return team.rows("SELECT count(*) FROM leftoff.session_text WHERE form = 'transcript'")[0][0]


def _pushed(desk: Desk) -> tuple[int, list[tuple[str, str, str]]]:
    told = json.loads(desk.run("team", "push", "--json").stdout)
    found = [(one["slug"], one["where"], one["text"]) for one in told["findings"]]
    return told["data"]["texts"]["sent"], found


def test_a_read_error_is_told_takes_nothing_away_and_is_made_up_for(team, ann, monkeypatch):
    whole, before = os.preadv, _parts(team)

    def breaking(fd: int, room: list[memoryview], at: int) -> int:
        if at > 4096:
            raise OSError(errno.EIO, "Input/output error")
        return whole(fd, room, at)

    with monkeypatch.context() as patched:
        patched.setattr(os, "preadv", breaking)
        sent, found = _pushed(ann)
    assert [one[:2] for one in found] == [("not-pushed", f"claude-code/{ident(1)}")]
    assert "input/output error" in found[0][2]
    assert _parts(team) == before, "what was there of it still is"
    sent, found = _pushed(ann)
    assert (sent, found) == (2 * TURNS, [])
    assert _parts(team) == 2 * TURNS
    assert _pushed(ann) == (0, [])


def test_a_transcript_that_becomes_shorter_meanwhile_is_not_taken_for_whole(team, ann, monkeypatch):
    whole, before, path = os.preadv, _parts(team), _talk(ann, TURNS)
    with open(path, "rb") as file:
        text, stat = file.read(), os.fstat(file.fileno())

    def cut(fd: int, room: list[memoryview], at: int) -> int:
        os.truncate(path, 4096)
        return whole(fd, room, at)

    ann.run("session", "list")
    with monkeypatch.context() as patched:
        patched.setattr(os, "preadv", cut)
        _, found = _pushed(ann)
    assert [one[0] for one in found] == ["not-pushed"]
    assert "became shorter" in found[0][2]
    assert _parts(team) == before
    with open(path, "wb") as file:
        file.write(text)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert _pushed(ann) == (2 * TURNS, [])
    assert _parts(team) == 2 * TURNS
