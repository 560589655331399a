"""The user's state folder, made private on the first write; and where settings are."""

from __future__ import annotations

import os
from errno import ENOSPC
from zlib import crc32

from leftoff.record import TYPE_CHECKING
from leftoff.world.files import Attempt

if TYPE_CHECKING:
    from collections.abc import Mapping

PROJECT_FILE = ".checkpoints/config.toml"
"""The settings of a project; `settings` reads them."""
_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


def state_dir(env: Mapping[str, str]) -> str:
    """The folder for what happened on this machine; it need not exist yet."""
    if env.get("LEFTOFF_STATE"):
        return os.path.abspath(env["LEFTOFF_STATE"])
    home = env.get("HOME") or os.path.expanduser("~")
    base = _absolute(env.get("XDG_STATE_HOME", "")) or f"{os.path.abspath(home)}/.local/state"
    return os.path.join(base, "leftoff")


def user_file(env: Mapping[str, str]) -> str:
    """Where the user's own settings are, if there are any; empty for a user without a home."""
    home = env.get("HOME", "")
    base = _absolute(env.get("XDG_CONFIG_HOME", "")) or (home and f"{home}/.config")
    return os.path.join(base, "leftoff", "config.toml") if base else ""


def _absolute(folder: str) -> str:
    """What a variable names; the XDG specification says that a relative path is to be ignored."""
    return folder if os.path.isabs(folder) else ""


def ensure(folder: str) -> str:
    """The folder itself, made with its parents where missing; what is made is the user's alone."""
    with Attempt("create", folder):
        _make(folder)
    return folder


def _make(folder: str) -> None:
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        if not os.path.isdir(folder):
            raise
    except FileNotFoundError:
        _make(os.path.dirname(folder))
        _make(folder)


def place_key(root: str) -> str:
    """A short name for a project's folder, for files about it.

    Not a secret and not proof: two projects may share one, so what is kept under it says whose it
    is. (A cryptographic hash would cost the common path an import.)
    """
    data = os.fsencode(root)
    return f"{crc32(data):08x}{crc32(data[::-1]):08x}"


def append_line(path: str, line: str) -> None:
    """One line more, in one write, so that concurrent writers never mix theirs.

    Behind half a line, which a full disk or a crash left, it begins a new one.
    """
    ensure(os.path.dirname(path))
    with Attempt("write", path):
        fd = os.open(path, _APPEND, 0o600)
        try:
            size = os.fstat(fd).st_size
            torn = size and os.pread(fd, 1, size - 1) != b"\n"
            data = (b"\n" if torn else b"") + line.encode("utf-8", "surrogatepass") + b"\n"
            if os.write(fd, data) < len(data):
                raise OSError(ENOSPC, os.strerror(ENOSPC))
        finally:
            os.close(fd)
