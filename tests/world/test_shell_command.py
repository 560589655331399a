"""Running a command: how it ends, what is kept, and that nothing of it stays behind."""

from __future__ import annotations

import os
import select
import signal
import threading

import pytest

from leftoff.world import shell_command
from leftoff.world.shell_command import TAIL, TIMED_OUT, run

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="needs pidfd_open")


def start(command, tmp_path, **env):
    return run(command, cwd=os.fspath(tmp_path), env={**os.environ, **env}, timeout=300.0)


def test_exit_code_output_and_folder(tmp_path):
    out = start("pwd; echo oops >&2; exit 3", tmp_path)
    assert (out.code, out.tail, out.timed_out) == (3, f"{tmp_path}\noops\n", False)


def test_a_command_that_a_signal_ends_has_the_code_of_a_shell(tmp_path):
    assert start("kill -9 $$", tmp_path).code == 128 + signal.SIGKILL


def test_only_the_end_of_a_long_output_is_kept(tmp_path):
    out = start("head -c 20000000 /dev/zero | tr '\\0' x; printf end", tmp_path)
    assert len(out.tail) == TAIL
    assert out.tail.endswith("xend")


def test_there_is_no_input_no_terminal_and_no_variable_of_ours(tmp_path):
    out = start("cat; env | grep -c ^LEFTOFF_; : </dev/tty", tmp_path, LEFTOFF_SECRET="1")
    assert out.tail.startswith("0\n")
    assert out.code


@pytest.fixture
def told(monkeypatch):
    """A clock that stands still until the command has told something: then its time is up."""
    clock, take = [0.0], shell_command._Group._take

    def taken(group, out):
        is_open = take(group, out)
        clock[0] = 1e3 if b"\n" in group.tail else 0.0
        return is_open

    monkeypatch.setattr(shell_command._Group, "_take", taken)
    monkeypatch.setattr(shell_command, "monotonic", lambda: clock[0])


@pytest.mark.usefixtures("told")
def test_out_of_time_the_whole_group_is_ended(tmp_path):
    out = start("sleep 600 & trap '' TERM; echo $!; wait", tmp_path)
    assert (out.code, out.timed_out) == (TIMED_OUT, True)
    assert not _runs(int(out.tail))


def test_what_is_left_in_the_background_neither_delays_nor_stays(tmp_path):
    out = start("sleep 600 & echo $!", tmp_path)
    assert (out.code, out.timed_out) == (0, False)
    assert not _runs(int(out.tail))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_the_group_and_is_passed_on(tmp_path, number):
    before = signal.getsignal(signal.SIGTERM)
    ready = os.path.join(tmp_path, "pid")
    os.mkfifo(ready)
    seen = []

    def interrupt():
        with open(ready, encoding="utf-8") as file:
            seen.append(int(file.read()))
        os.kill(os.getpid(), number)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        start("echo $$ >pid; exec sleep 600", tmp_path)
    thread.join()
    assert not _runs(seen[0])
    assert signal.getsignal(signal.SIGTERM) is before


def _runs(pid):
    """Whether it is alive; what was killed may take the kernel a moment."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return False
    try:
        return not select.select([process], [], [], 60)[0]
    finally:
        os.close(process)
