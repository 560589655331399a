"""Whether a client still runs: real processes, and every case in which nobody can tell."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from leftoff.agents import claude_code, codex
from leftoff.core.caller import Process
from leftoff.world import files
from leftoff.world.liveness import alive, client_of, here, is_daemon, started


@pytest.fixture
def child():
    """A process that waits until the test is over."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process.pid
        process.kill()


def client(pid: int, **other: object):
    return here()._replace(pid=pid, began=started(pid), **other)


def test_a_running_client_is_alive_and_a_killed_one_is_not(child):
    known = client(child)
    assert alive(known) is True
    os.kill(child, 9)
    os.waitpid(child, 0)
    assert alive(known) is False


def test_a_client_that_ended_and_that_nobody_waited_for_is_not_alive(child):
    known = client(child)
    os.kill(child, 9)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    assert alive(known) is False


def test_another_process_of_the_same_id_is_not_the_client(child):
    assert alive(client(child)._replace(began="1")) is False


def test_after_a_boot_of_this_machine_nothing_of_before_runs(child):
    assert alive(client(child, boot="another")) is False


@pytest.mark.parametrize(
    "other", [{"host": "elsewhere"}, {"ns": "pid:[1]"}, {"shared": True}, {"began": ""}]
)
def test_where_nobody_can_tell_the_answer_is_none(child, other):
    assert alive(client(child)._replace(**other)) is None


def test_without_a_process_there_is_no_answer():
    assert alive(here()) is None


def test_another_boot_of_another_machine_says_nothing(child):
    assert alive(client(child, boot="another", host="elsewhere")) is None


CLAUDE = Process(41, "claude", ("claude",), (), "777")
SHELL = Process(42, "bash", ("bash", "-c", "x"), (), "778")


def test_the_client_is_the_one_it_names_itself():
    other = Process(40, "claude", ("claude",), (), "700")
    found = client_of({"CLAUDE_PID": "40"}, (SHELL, CLAUDE, other), claude_code)
    assert (found.pid, found.began) == (40, "700")
    assert (found.boot, found.ns, found.host) == here()[2:5]


def test_else_it_is_the_nearest_process_of_that_client():
    found = client_of({}, (SHELL, CLAUDE), claude_code)
    assert (found.pid, found.began, found.shared) == (41, "777", False)
    assert client_of({}, (SHELL,), claude_code).pid == 0
    assert client_of({}, None, claude_code).pid == 0


def test_the_shell_of_a_hook_is_not_taken_for_its_client():
    """It has the client's variables, and ends with the hook: the session would pass for dead."""
    words = ("sh", "-c", "python -I -S launch.py codex start || exit 0")
    shell = Process(30, "sh", words, ("CODEX_MANAGED_BY_NPM", "HOME"), "1")
    real = Process(20, "codex", ("codex", "exec"), (), "2")
    assert client_of({}, (shell, real), codex).pid == 20
    assert client_of({}, (shell,), codex).pid == 0


def test_a_client_above_what_we_can_see_is_known_by_its_number(child):
    found = client_of({"CLAUDE_PID": str(child)}, (SHELL,), claude_code)
    assert alive(found) is True
    assert client_of({"CLAUDE_PID": "nonsense"}, (), claude_code).pid == 0


def test_a_daemon_is_shared():
    server = Process(50, "codex", ("/usr/bin/codex", "app-server"), (), "9")
    assert client_of({}, (server,), codex).shared
    assert is_daemon(Process(1, "hapi", ("hapi", "runner", "start-sync")))
    assert is_daemon(Process(1, "codex-app-server"))
    assert not is_daemon(Process(1, "codex", ("codex", "exec", "please serve me")))


def test_a_system_without_proc_is_asked_by_its_tools(monkeypatch, tmp_path, child):
    monkeypatch.setattr(files, "PROC", str(tmp_path / "none"))
    known = client(child)
    assert known.ns == ""
    assert alive(known) in {True, None}  # None where this machine has no `ps`
