"""What a hook leaves for the next one: whole or not at all, and its litter has an owner."""

from __future__ import annotations

import os
import posix
from stat import S_IMODE

import pytest

from leftoff.core.event import Usage
from leftoff.entry.hook import Late
from leftoff.errors import LeftoffError
from leftoff.world import now_file
from leftoff.world.files import abandoned

AGENT, SESSION = "claude-code", "11111111-1111-4111-8111-111111111111"


@pytest.mark.parametrize("error", [OSError(28, "no room"), Late()])
def test_a_write_that_is_stopped_leaves_no_temporary_file(tmp_path, monkeypatch, error):
    now_file.write(str(tmp_path), AGENT, SESSION, {"root": "/old"})

    def stopped(*_):
        raise error

    monkeypatch.setattr(posix, "rename", stopped)
    with pytest.raises((LeftoffError, Late)):
        now_file.write(str(tmp_path), AGENT, SESSION, {"root": "/new"})
    assert os.listdir(tmp_path / "sessions" / AGENT) == [f"{SESSION}.now"]
    assert (now_file.read(str(tmp_path), AGENT, SESSION) or {})["root"] == "/old"


def test_what_a_killed_hook_leaves_is_known_as_that_of_a_dead_writer(tmp_path, monkeypatch):
    pid = os.fork()
    if pid == 0:
        try:
            monkeypatch.setattr(posix, "rename", lambda *_: os._exit(0))
            now_file.write(str(tmp_path), AGENT, SESSION, {"root": "/new"})
        finally:
            os._exit(1)
    os.waitpid(pid, 0)
    folder = os.fspath(tmp_path / "sessions" / AGENT)
    [left] = os.listdir(folder)
    assert abandoned(folder, 0.0, os.listdir(folder)) == [left]


def test_a_disk_without_room_is_told_and_what_was_left_stays(tmp_path, monkeypatch):
    now_file.write(str(tmp_path), AGENT, SESSION, {"root": "/old"})
    write = posix.write
    monkeypatch.setattr(posix, "write", lambda fd, data: write(fd, data[:9]))
    with pytest.raises(LeftoffError):
        now_file.write(str(tmp_path), AGENT, SESSION, {"root": "/new"})
    assert os.listdir(tmp_path / "sessions" / AGENT) == [f"{SESSION}.now"]
    assert (now_file.read(str(tmp_path), AGENT, SESSION) or {})["root"] == "/old"


def test_it_is_the_users_alone_and_nothing_stays_open(tmp_path):
    opened = posix.open(tmp_path, posix.O_RDONLY)
    posix.close(opened)
    for _ in range(2):  # the first one makes the folder
        now_file.write(str(tmp_path), AGENT, SESSION, {})
        assert now_file.read(str(tmp_path), AGENT, SESSION) == {"v": 1}
        file = tmp_path / "sessions" / AGENT / f"{SESSION}.now"
        assert S_IMODE(file.stat().st_mode) == 0o600
    again = posix.open(tmp_path, posix.O_RDONLY)
    posix.close(again)
    assert again == opened


@pytest.mark.parametrize("window", [0, 1, 200_000])
def test_what_the_client_says_of_its_context_is_kept_once(tmp_path, monkeypatch, window):
    usage = Usage(7, window, "m")
    assert now_file.seen(str(tmp_path), AGENT, SESSION) is None
    now_file.see(str(tmp_path), AGENT, SESSION, usage)
    assert now_file.seen(str(tmp_path), AGENT, SESSION) == usage
    monkeypatch.setattr(posix, "rename", None)
    now_file.see(str(tmp_path), AGENT, SESSION, usage)


@pytest.mark.parametrize(
    "wrong", [{"context": "7"}, {"window": None}, {"window": True}, {"window": -1}, {"model": 7}]
)
def test_a_strange_word_about_the_context_is_none(tmp_path, wrong):
    now_file.see(str(tmp_path), AGENT, SESSION, Usage(7, 8, "m")._replace(**wrong))
    assert now_file.seen(str(tmp_path), AGENT, SESSION) is None
