"""One writer at a time in a folder: a lock on the folder itself, with a bounded wait.

The kernel frees it when its holder dies, and it leaves no litter. Where the file system refuses
such locks (some network ones do), a lock file that says who holds it takes its place.
"""

from __future__ import annotations

import errno
import os
from _thread import allocate_lock, start_new_thread
from fcntl import LOCK_EX, LOCK_NB, flock
from time import monotonic, sleep, time

from leftoff.errors import Busy
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import (
    ABANDONED,
    UNKNOWN,
    Attempt,
    alive,
    discard,
    started,
    take_name,
    trouble,
)

if TYPE_CHECKING:
    from _thread import LockType

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_REFUSED = {errno.ENOLCK, errno.EINVAL, errno.EBADF, errno.ENOTSUP, errno.ENOSYS}
# Waiting longer the longer one has waited would let newcomers win the race for ever.
_PAUSE = 0.002
GIT_PATIENCE, GIT_FRESH = 2.0, 10.0
"""Seconds to wait for git, and the age from which its lock is an editor's, or was forgotten."""


def locked(folder: str, wait: float = 30.0) -> FolderLock:
    """The lock of a folder, for a `with`; Busy when others held it for `wait` seconds."""
    return FolderLock(folder, wait)


class FolderLock:
    """The lock while it is held. It is not re-entrant."""

    def __init__(self, folder: str, wait: float) -> None:
        self._folder, self._wait = folder, wait
        self._fd = -1
        self._file = self._signature = ""

    def __enter__(self) -> None:
        deadline = monotonic() + self._wait
        while not self._take(deadline):
            if monotonic() >= deadline:
                raise Busy(
                    f"another process is writing in {self._folder}; waited {self._wait:g} s",
                    hint="run it again",
                    where=self._folder,
                )

    def __exit__(self, *_: object) -> None:
        if self._fd >= 0:
            os.close(self._fd)
        # A lock file older than ABANDONED may by now be somebody else's.
        elif _read(self._file) == self._signature:
            discard(self._file)
        self._fd = -1
        self._file = self._signature = ""

    def _take(self, deadline: float) -> bool:
        with Attempt("lock", self._folder):
            fd = os.open(self._folder, _FOLDER)
        held = False
        try:
            # The folder may be moved away while we wait: then this locks the wrong one.
            held = _granted(fd, deadline) and _is_at(fd, self._folder)
        except OSError as error:
            if error.errno not in _REFUSED:
                raise trouble(error, "lock", self._folder) from error
            return self._take_file()
        finally:
            if not held:
                os.close(fd)
        self._fd = fd if held else -1
        return held

    def _take_file(self) -> bool:
        path, signature = lock_file(self._folder), sign(os.getpid())
        with Attempt("lock", self._folder):
            if not _write_new(path, signature):
                _break_if_stale(path)
                sleep(_PAUSE)
                return False
        self._file, self._signature = path, signature
        return True


def _granted(fd: int, deadline: float) -> bool:
    """Whether the kernel gave us the lock in time.

    We wait in its queue, in a thread, since only so the wait is both fair and bounded: among many
    writers one that polls is overtaken again and again.
    """
    try:
        flock(fd, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        left = deadline - monotonic()
    else:
        return True
    if left <= 0:
        return False
    granted = allocate_lock()
    granted.acquire()
    # Its own descriptor of the same open folder: it stays good when we give up and close ours.
    spare = os.dup(fd)
    try:
        start_new_thread(_wait_in_line, (spare, granted))
    except RuntimeError:  # no thread to be had: then poll
        os.close(spare)
        sleep(_PAUSE)
        return False
    return granted.acquire(timeout=left)


def _wait_in_line(fd: int, granted: LockType) -> None:
    try:
        flock(fd, LOCK_EX)
        granted.release()
    finally:
        os.close(fd)


def wait_for_git(folder: str) -> None:
    """Let a git command at work in this tree come to its end, for a while.

    It would write over what comes between its look at a file and its checkout of it.
    """
    lock, deadline = os.path.join(folder, "index.lock"), monotonic() + GIT_PATIENCE
    while os.path.exists(lock) and _age(lock) < GIT_FRESH and monotonic() < deadline:
        sleep(_PAUSE)


def lock_file(folder: str) -> str:
    """Where the lock of a folder stands when it has to be a file."""
    return os.path.join(folder, f".{os.path.basename(folder).lstrip('.')}.lock")


def sign(pid: int) -> str:
    """Who holds a lock file: process, its start, host; and which of its locks this is."""
    return f"{pid} {started(pid)} {os.uname().nodename} {os.urandom(4).hex()}"


def is_stale(signature: str, age: float) -> bool:
    """Whether the holder is gone. On another host, or with no legible signature, age decides."""
    if age > ABANDONED:
        return True
    pid, since, host, *_ = [*signature.split(), "", "", ""]
    if host != os.uname().nodename or not pid.isdigit():
        return False
    return not alive(int(pid)) or started(int(pid)) not in {since, UNKNOWN}


def _break_if_stale(path: str) -> None:
    """Set a dead holder's lock file aside; never a live one that came in its place."""
    seen = _read(path)
    if not is_stale(seen, _age(path)):
        return
    aside = f"{path}.{os.getpid()}-{os.urandom(4).hex()}"
    try:
        os.rename(path, aside)
    except FileNotFoundError:
        return
    if _read(aside) != seen:
        take_name(aside, path)
    discard(aside)


def _write_new(path: str, text: str) -> bool:
    try:
        fd = os.open(path, _NEW, 0o644)
    except FileExistsError:
        return False
    try:
        os.write(fd, text.encode())
    except OSError:
        discard(path)  # a full disk: an empty lock would shut everybody out until it is stale
        raise
    finally:
        os.close(fd)
    return True


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(1000).decode("utf-8", "replace")
    except OSError:
        return ""


def _age(path: str) -> float:
    try:
        return time() - os.lstat(path).st_mtime
    except OSError:
        return 0.0


def _is_at(fd: int, folder: str) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), os.stat(folder))
    except FileNotFoundError:
        return False
