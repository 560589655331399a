"""A project to be shown, and a client whose hooks run in this process."""

from __future__ import annotations

import os
import signal

import pytest

from hook_here import Commands, Here
from hooks import TIME_ENOUGH
from leftoff.commands import _events
from leftoff.entry import hook
from leftoff.world import follower, launcher
from projects import put_all


@pytest.fixture
def root(root: str) -> str:
    """The project, with a document of each format."""
    put_all(root)
    return root


@pytest.fixture
def hook_home(tmp_path, monkeypatch):
    """The hook knows the environment by the bytes that the process began with."""
    folder = tmp_path / "home"
    (folder / ".claude").mkdir(parents=True)
    for name in (b"LEFTOFF", b"COPILOT_HOME"):
        monkeypatch.delitem(hook.posix.environ, name, raising=False)
    monkeypatch.setitem(hook.posix.environ, b"HOME", os.fsencode(folder))
    monkeypatch.setattr(hook.posix, "_exit", None)  # no test ends with the process
    monkeypatch.setattr(hook, "WAIT", TIME_ENOUGH)
    monkeypatch.setattr(hook, "LONGEST", 2 * TIME_ENOUGH)
    alarm = signal.getsignal(signal.SIGALRM)
    yield folder
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, alarm)


@pytest.fixture
def client(tmp_path, hook_home):
    """A client whose hooks run in this process."""
    os.makedirs(tmp_path / "state" / "hook")
    return Here(os.path.join(tmp_path, "state"))


@pytest.fixture
def commands(monkeypatch):
    """What stands for the ordinary commands, behind the hook."""
    commands = Commands()
    monkeypatch.setattr(_events, "handle", commands.handle)
    monkeypatch.setattr(launcher, "refresh", commands.behind.append)
    monkeypatch.setattr(follower, "follow", lambda *given: commands.behind.append(given))
    return commands
