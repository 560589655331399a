"""One writer at a time, a bounded wait, and no lock that outlives its holder."""

from __future__ import annotations

import errno
import os
from contextlib import ExitStack

import pytest

from leftoff.errors import Busy, LeftoffError, NotFound
from leftoff.world import locks
from leftoff.world.files import ABANDONED
from leftoff.world.locks import is_stale, lock_file, locked, sign
from leftoff.world.taken_work import Taken
from support import descriptors


@pytest.fixture(params=["flock", "file"])
def folder(request, tmp_path, monkeypatch) -> str:
    """A folder on a file system that can lock folders, and on one that cannot."""
    if request.param == "file":
        _refuse_flock(monkeypatch, errno.ENOLCK)
    return os.fspath(tmp_path)


def _refuse_flock(monkeypatch, code: int) -> None:
    def refuse(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(locks, "flock", refuse)


def _child(work) -> int:
    """A process that does the work and dies on the spot, with whatever it holds."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    return pid


@pytest.mark.req("X.write.lock")
def test_who_comes_second_is_told_that_the_folder_is_busy(folder):
    with locked(folder), pytest.raises(Busy, match="another process is writing") as caught:
        locked(folder, wait=0).__enter__()
    assert caught.value.where == folder
    assert caught.value.retryable


def test_the_lock_is_free_after_the_block_and_after_a_failure_in_it(folder):
    with locked(folder):
        pass
    with pytest.raises(ValueError, match="x"), locked(folder):
        raise ValueError("x")
    with locked(folder, wait=0):
        pass
    assert os.listdir(folder) == []


@pytest.mark.req("X.write.lock")
def test_the_lock_of_a_dead_holder_is_taken_over(folder):
    _child(lambda: locked(folder).__enter__())
    with locked(folder, wait=1):
        pass
    assert os.listdir(folder) == []


@pytest.mark.req("X.write.lock")
def test_waiting_ends_when_the_holder_is_done(folder):
    """The child says that it holds the lock, then lets go once it is told that we are about to wait."""
    (told, tell), (heard, hear) = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        with locked(folder):
            os.write(tell, b"x")
            os.read(heard, 1)
        os._exit(0)
    os.read(told, 1)
    os.write(hear, b"x")
    with locked(folder):
        pass
    assert os.waitpid(pid, 0)[1] == 0
    for fd in (told, tell, heard, hear):
        os.close(fd)


def test_who_gave_up_waiting_does_not_get_the_lock_later(folder):
    with locked(folder), pytest.raises(Busy):
        locked(folder, wait=0.01).__enter__()
    for _ in range(2):
        with locked(folder):
            pass


def test_giving_up_closes_what_was_opened(folder):
    with locked(folder):
        before = descriptors()
        with pytest.raises(Busy):
            locked(folder, wait=0).__enter__()
        assert not descriptors() - before


def test_an_interrupt_while_waiting_leaves_no_lock_behind(folder, monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    with locked(folder):
        monkeypatch.setattr(locks, "start_new_thread", interrupt)
        monkeypatch.setattr(locks, "sleep", interrupt)
        with pytest.raises(KeyboardInterrupt):
            locked(folder).__enter__()
    with locked(folder, wait=0):
        pass


def test_where_no_thread_can_be_started_waiting_still_ends(folder, monkeypatch):
    def none_left(*_):
        raise RuntimeError("can't start new thread")

    holder = locked(folder)
    monkeypatch.setattr(locks, "start_new_thread", none_left)
    monkeypatch.setattr(locks, "sleep", lambda _: holder.__exit__())
    holder.__enter__()
    with locked(folder):
        pass


def test_many_processes_count_without_losing_one(folder):
    path = os.path.join(folder, "count")
    with open(path, "w", encoding="utf-8") as file:
        file.write("0")

    def count() -> None:
        for _ in range(25):
            with locked(folder):
                with open(path, encoding="utf-8") as file:
                    number = int(file.read())
                with open(path, "w", encoding="utf-8") as file:
                    file.write(str(number + 1))

    pids = []
    for _ in range(4):
        pid = os.fork()
        if pid == 0:
            count()
            os._exit(0)
        pids.append(pid)
    assert [os.waitpid(pid, 0)[1] for pid in pids] == [0] * 4
    with open(path, encoding="utf-8") as file:
        assert file.read() == "100"


def test_a_folder_moved_away_while_waiting_is_not_the_one_locked(tmp_path, monkeypatch):
    folder = os.fspath(tmp_path / "folder")
    os.mkdir(folder)
    real, calls = locks.flock, []

    def move_away_first(fd, how):
        if not calls:
            os.rename(folder, folder + "-old")
            os.mkdir(folder)
        calls.append(fd)
        real(fd, how)

    monkeypatch.setattr(locks, "flock", move_away_first)
    with locked(folder), pytest.raises(Busy):
        locked(folder, wait=0).__enter__()
    assert len(calls) >= 3


def test_a_folder_that_vanishes_while_waiting_is_not_found(tmp_path, monkeypatch):
    folder = os.fspath(tmp_path / "folder")
    os.mkdir(folder)
    monkeypatch.setattr(locks, "flock", lambda *_: os.rmdir(folder))
    with pytest.raises(NotFound), locked(folder):
        pass


def test_an_error_that_is_no_refusal_is_reported(tmp_path, monkeypatch):
    _refuse_flock(monkeypatch, errno.EIO)
    with pytest.raises(LeftoffError, match="cannot lock"), locked(os.fspath(tmp_path)):
        pass


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EINVAL, errno.EBADF, errno.ENOTSUP])
def test_where_folders_cannot_be_locked_a_file_says_who_writes(tmp_path, monkeypatch, code):
    _refuse_flock(monkeypatch, code)
    folder = os.fspath(tmp_path / ".checkpoints")
    os.mkdir(folder)
    with locked(folder):
        assert os.listdir(folder) == [".checkpoints.lock"]
        with open(lock_file(folder), encoding="utf-8") as file:
            pid, started, host, _ = file.read().split()
        assert (int(pid), host) == (os.getpid(), os.uname().nodename)
        assert started == locks.started(os.getpid())
    assert os.listdir(folder) == []


def test_a_lock_file_that_a_full_disk_refuses_leaves_the_folder_free(tmp_path, monkeypatch):
    _refuse_flock(monkeypatch, errno.ENOLCK)
    folder = os.fspath(tmp_path / ".checkpoints")
    os.mkdir(folder)

    def full(_fd, _data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(locks.os, "write", full)
        with pytest.raises(Busy, match="no space left"), locked(folder):
            pass
    with locked(folder, 0.0):
        assert os.listdir(folder) == [".checkpoints.lock"]


def test_a_lock_file_is_stale_when_its_process_is_gone_or_it_is_too_old():
    mine, dead = sign(os.getpid()), sign(_child(lambda: None))
    pid, started, host, key = mine.split()
    later = f"{pid} {int(started) + 1} {host} {key}" if started != "-" else dead
    assert not is_stale(mine, 0)
    assert is_stale(dead, 0)
    assert is_stale(later, 0)
    assert is_stale(mine, ABANDONED + 1)
    assert not is_stale(dead.replace(host, "elsewhere"), 0)
    assert not is_stale("", 0)
    assert is_stale("", ABANDONED + 1)


def test_a_process_whose_end_nobody_has_asked_about_holds_nothing(tmp_path):
    wait, go = os.pipe()
    pid = os.fork()
    if not pid:
        os.read(wait, 1)
        os._exit(0)
    theirs, taken = sign(pid), Taken("a", "b", pid, locks.started(pid), os.uname().nodename, "")
    assert (is_stale(theirs, 0), taken.is_live(0)) == (False, True)
    os.write(go, b".")
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)  # it has ended, and stays there
    assert (is_stale(theirs, 0), taken.is_live(0)) == (True, False)
    os.waitpid(pid, 0)
    os.close(wait)
    os.close(go)


def test_a_live_lock_that_took_the_place_of_a_stale_one_is_given_back(tmp_path, monkeypatch):
    """Between our look at a dead holder's file and its removal somebody else took the lock."""
    path = lock_file(os.fspath(tmp_path))
    with open(path, "w", encoding="utf-8") as file:
        file.write(sign(_child(lambda: None)))
    live, rename = sign(os.getpid()), os.rename

    def overtaken(source, target):
        with open(path, "w", encoding="utf-8") as file:
            file.write(live)
        rename(source, target)

    monkeypatch.setattr(locks.os, "rename", overtaken)
    locks._break_if_stale(path)
    with open(path, encoding="utf-8") as file:
        assert file.read() == live
    assert len(os.listdir(tmp_path)) == 1


def test_a_stale_lock_that_another_process_breaks_first_is_left_to_it(tmp_path, monkeypatch):
    path = lock_file(os.fspath(tmp_path))
    with open(path, "w", encoding="utf-8") as file:
        file.write(sign(_child(lambda: None)))
    rename = os.rename

    def too_late(source, target):
        os.unlink(path)
        rename(source, target)

    monkeypatch.setattr(locks.os, "rename", too_late)
    locks._break_if_stale(path)
    assert os.listdir(tmp_path) == []


def test_a_lock_file_that_was_taken_from_us_is_not_removed(tmp_path, monkeypatch):
    _refuse_flock(monkeypatch, errno.ENOLCK)
    folder = os.fspath(tmp_path)
    with ExitStack() as stack:
        stack.enter_context(locked(folder))
        with open(lock_file(folder), "w", encoding="utf-8") as file:
            file.write("somebody else")
    assert os.path.exists(lock_file(folder))


def test_a_lock_file_that_vanishes_is_no_age():
    assert locks._age("/nowhere/at/all") == 0.0
    assert locks.started(0) == "-"
