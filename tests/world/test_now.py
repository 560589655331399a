"""What a hook leaves for the next one: whole or not at all, and its litter has an owner."""

from __future__ import annotations

import os
import posix

import pytest

from leftoff.entry.hook import Late
from leftoff.errors import LeftoffError
from leftoff.world import now
from leftoff.world.files import abandoned

AGENT, SESSION = "claude-code", "11111111-1111-4111-8111-111111111111"


@pytest.mark.parametrize("error", [OSError(28, "no room"), Late()])
def test_a_write_that_is_stopped_leaves_no_temporary_file(tmp_path, monkeypatch, error):
    now.write(str(tmp_path), AGENT, SESSION, {"root": "/old"})

    def stopped(*_):
        raise error

    monkeypatch.setattr(posix, "rename", stopped)
    with pytest.raises((LeftoffError, Late)):
        now.write(str(tmp_path), AGENT, SESSION, {"root": "/new"})
    assert os.listdir(tmp_path / "sessions" / AGENT) == [f"{SESSION}.now"]
    assert (now.read(str(tmp_path), AGENT, SESSION) or {})["root"] == "/old"


def test_what_a_killed_hook_leaves_is_known_as_that_of_a_dead_writer(tmp_path, monkeypatch):
    pid = os.fork()
    if pid == 0:
        try:
            monkeypatch.setattr(posix, "rename", lambda *_: os._exit(0))
            now.write(str(tmp_path), AGENT, SESSION, {"root": "/new"})
        finally:
            os._exit(1)
    os.waitpid(pid, 0)
    folder = os.fspath(tmp_path / "sessions" / AGENT)
    [left] = os.listdir(folder)
    assert abandoned(folder, 0.0, os.listdir(folder)) == [left]
