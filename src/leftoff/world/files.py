"""Files, whole or not at all: reads that know what is text, and writes that are old or new.

Nothing here knows what a checkpoint is, and nothing here takes a lock: `locks` and `store` do.
"""

from __future__ import annotations

import errno
import os
import sys
from stat import S_IMODE, S_ISREG

from leftoff.errors import Busy, FormatError, Invalid, LeftoffError, NotFound
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

LARGEST = 64 * 1024 * 1024
"""No checkpoint is larger; what is, was not meant to be read whole."""

ABANDONED = 600.0
"""Seconds after which what a writer left half done is nobody's, whoever has its process id now."""

PROC = "/proc"
UNKNOWN = "-"
"""In the place of a start that the system does not tell."""

_TEMP = ".leftoff-"

# O_NONBLOCK: a named pipe called like a document must not stop us; regular files ignore it.
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC

_GONE = {errno.ENOENT, errno.ENOTDIR}
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FOR_NOW = {errno.EAGAIN, errno.EBUSY, errno.ETXTBSY, errno.ENFILE, errno.EMFILE}
# File systems that keep no flushable folder, or no second name for a file, say one of these.
_NO_FOLDER_SYNC = {errno.EINVAL, errno.EBADF, errno.ENOTSUP, errno.ENOSYS}
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK}


def trouble(error: OSError, doing: str, path: str) -> LeftoffError:
    """A system error in plain words."""
    reason = os.strerror(error.errno or 0)
    message = f"cannot {doing} {path}: {reason[:1].lower()}{reason[1:]}"
    if error.errno in _GONE:
        return NotFound(message, where=path)
    if error.errno in _FULL:
        return Busy(message, hint="make room on the disk, then run it again", where=path)
    if error.errno in _FOR_NOW:
        return Busy(message, hint="run it again", where=path)
    return LeftoffError(message, where=path)


class Attempt:
    """A block whose system errors become plain ones about a path; ours learn the path too."""

    def __init__(self, doing: str, path: str) -> None:
        self._doing, self._path = doing, path

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, error: object, trace: object) -> None:
        if isinstance(error, OSError):
            raise trouble(error, self._doing, self._path) from error
        if isinstance(error, LeftoffError):
            error.where = error.where or self._path


def read_bytes(path: str) -> bytes:
    """The whole file. FormatError for what is no file or too large to be a document."""
    with Attempt("read", path):
        fd = os.open(path, _READ)
        try:
            status = os.fstat(fd)
            if not S_ISREG(status.st_mode):
                raise FormatError("not a regular file", where=path)
            if status.st_size > LARGEST:
                raise FormatError(f"larger than {LARGEST >> 20} MB", where=path)
            return _drain(fd, status.st_size + 1)
        finally:
            os.close(fd)


def bytes_or_none(path: str) -> bytes | None:
    """The same; None where there is no such file."""
    try:
        return read_bytes(path)
    except NotFound:
        return None


def names_in(folder: str) -> list[str]:
    """What a folder holds, sorted; nothing where there is none, or none that can be listed."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def modified(path: str) -> float:
    """When a file last changed; 0 for one that is gone."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _drain(fd: int, chunk: int) -> bytes:
    parts = []
    while part := os.read(fd, chunk):
        parts.append(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def decode(data: bytes, path: str = "") -> str:
    """The text, with a byte order mark and line ends as they are; FormatError names the line."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        text = f"not UTF-8 text (byte 0x{data[error.start]:02x})"
        raise FormatError(text, line=line, where=path) from None


def encode(text: str, path: str = "") -> bytes:
    """The bytes of a text; Invalid when it holds half a character, which no file can."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise Invalid(f"line {line} holds half a character (a surrogate)", where=path) from error


def tag(data: bytes) -> str:
    """What tells one content from another: its sha256."""
    # The bare C module spares a writer the import of hashlib with all of OpenSSL behind it.
    try:
        module = __import__("_sha2" if sys.version_info >= (3, 12) else "_sha256")
    except ImportError:
        module = __import__("hashlib")
    return str(module.sha256(data).hexdigest())


class Staged:
    """New content on its way: a temporary file beside the one it is for, gone at exit.

    `write` puts the content on the disk, `replace` or `claim` gives it its name. Only the last
    step can be seen by others, and it happens at once or not at all.
    """

    def __init__(self, path: str, *, durable: bool = True) -> None:
        self.path = path
        self._durable = durable
        self._folder = os.path.dirname(path) or "."
        self._temp = os.path.join(self._folder, temp_name())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: object, trace: object) -> None:
        discard(self._temp)
        if isinstance(error, OSError):
            raise trouble(error, "write", self.path) from error

    def write(self, data: bytes, mode: int | None = None, at: float = 0.0) -> None:
        """The content, with the mode and owner of the file that is there now; of a time `at`."""
        self.write_parts((data,), mode, at)

    def write_parts(self, parts: Iterable[bytes], mode: int | None = None, at: float = 0.0) -> None:
        """The same of what is never all in memory at once."""
        fd = os.open(self._temp, _NEW, 0o644 if mode is None else mode)
        try:
            for part in parts:
                _write_all(fd, part)
            if mode is None:
                _look_like(fd, self.path)
            if at:
                os.utime(fd, (at, at))
            if self._durable:
                os.fsync(fd)
        finally:
            os.close(fd)

    def replace(self) -> None:
        """Take the place of whatever has the name."""
        os.rename(self._temp, self.path)
        self._settle()

    def claim(self) -> bool:
        """Take the name if nobody has it."""
        if not take_name(self._temp, self.path):
            return False
        self._settle()
        return True

    def _settle(self) -> None:
        if self._durable:
            sync_folder(self._folder)


def take_name(source: str, target: str) -> bool:
    """Give a file a new name in the same file system; False, and nothing done, if it is taken."""
    try:
        os.link(source, target)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return _take_name_without_links(source, target)
    try:
        os.unlink(source)
    except OSError:
        discard(target)
        raise
    return True


def _take_name_without_links(source: str, target: str) -> bool:
    """The name is reserved by an empty file of our own, which alone is then replaced."""
    try:
        os.close(os.open(target, _NEW, 0o600))
    except FileExistsError:
        return False
    try:
        os.rename(source, target)
    except OSError:
        discard(target)
        raise
    return True


def _write_all(fd: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def _look_like(fd: int, path: str) -> None:
    try:
        old = os.stat(path)
    except FileNotFoundError:
        return
    new = os.fstat(fd)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        _give(fd, old.st_uid, old.st_gid)
    os.fchmod(fd, S_IMODE(old.st_mode))


def _give(fd: int, user: int, group: int) -> None:
    try:
        os.fchown(fd, user, group)
    except PermissionError:
        return  # only root can give a file away; the mode is kept all the same


def write_atomic(path: str, data: bytes, mode: int | None = None, *, durable: bool = True) -> None:
    """The file holds the old content or the new one, after any crash; a mode is kept or given."""
    with Staged(path, durable=durable) as new:
        new.write(data, mode)
        new.replace()


def sync_folder(folder: str) -> None:
    """Make the names in a folder survive a power cut."""
    fd = os.open(folder, _FOLDER)
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(fd)


def discard(path: str) -> None:
    """Remove a file of our own, if it is there."""
    try:
        os.unlink(path)
    except OSError:
        return


def remove_empty(folder: str) -> None:
    """Remove a folder of our own, if nothing is in it."""
    try:
        os.rmdir(folder)
    except OSError:
        return


def sweep(folder: str, now: float) -> None:
    """Remove the temporary files of writers that died. Call it under the folder's lock."""
    with Attempt("read", folder):
        names = os.listdir(folder)
    for name in abandoned(folder, now, names):
        discard(os.path.join(folder, name))


def abandoned(folder: str, now: float, names: Iterable[str]) -> list[str]:
    """Those names in a folder that are of temporary files whose writers died."""
    writers = {name: _writer(name) for name in names if is_temporary(name)}
    return sorted(
        name
        for name, pid in writers.items()
        if pid and (not alive(pid) or _age(os.path.join(folder, name), now) > ABANDONED)
    )


def is_temporary(name: str) -> bool:
    """Whether a name is one of our temporary files."""
    return name.startswith(_TEMP)


def temp_name() -> str:
    """A name that says whose it is; `sweep` and `abandoned` know it by that."""
    return f"{_TEMP}{os.getpid()}-{os.urandom(4).hex()}.tmp"


def _writer(name: str) -> int:
    """The process id in the name of one of our temporary files; 0 for any other file."""
    pid, _, random = name.removeprefix(_TEMP).removesuffix(".tmp").partition("-")
    ours = len(random) == 8 and random.isalnum() and name.endswith(".tmp")
    return int(pid) if ours and pid.isascii() and pid.isdigit() else 0


def _age(path: str, now: float) -> float:
    try:
        return now - os.lstat(path).st_mtime
    except OSError:
        return 0.0


def alive(pid: int) -> bool:
    """Whether a process of that id runs on this machine."""
    if not 0 < pid < 1 << 31:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def started(pid: int) -> str:
    """When a process began, in the kernel's own count: tells it from a later one of that id.

    Empty for one that has ended, and only its parent did not ask how.
    """
    try:
        with open(f"{PROC}/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
        return "" if fields[0] == b"Z" else fields[19].decode()
    except (OSError, IndexError):
        return UNKNOWN
