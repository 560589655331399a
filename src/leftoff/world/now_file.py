"""Small files about a running session, replaced whole: what the hook path has to know at once.

`ID.now` is left by the start event and by commands run inside the session; `ID.ctx` holds what the
client itself says about its context. The hook path reads both: C modules only.
"""

from __future__ import annotations

import posix

from leftoff.core.event import Usage
from leftoff.core.fast_json import dumps, loads
from leftoff.record import TYPE_CHECKING
from leftoff.world.journal import path as path_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

VERSION = 1
_LARGEST = 1 << 20


def read(state: str, agent: str, session: str) -> dict[str, Any] | None:
    """What was left for the hooks of a session; None where nothing was, or by another version."""
    return _load(path_of(state, agent, session, ".now"))


def write(state: str, agent: str, session: str, now: Mapping[str, Any]) -> None:
    """Leave it, all at once."""
    _replace(path_of(state, agent, session, ".now"), now)


def watched(paths: Iterable[str]) -> list[list[str | int]]:
    """Files with the time of their last change: the value of `watch`."""
    return [[path, changed(path)] for path in paths]


def is_old(now: Mapping[str, Any]) -> bool:
    """Whether a file that it was made from has changed since."""
    return any(changed(path) != at for path, at in now.get("watch") or ())


def changed(path: str) -> int:
    """When a file last changed; 0 for none."""
    try:
        return posix.stat(path).st_mtime_ns
    except OSError:
        return 0


def seen(state: str, agent: str, session: str) -> Usage | None:
    """What the client last said about its context, in its status line."""
    told = _load(path_of(state, agent, session, ".ctx"))
    if told is None:
        return None
    context, window, model = told.get("context"), told.get("window"), told.get("model")
    if type(context) is type(window) is int and isinstance(model, str) and window >= 0:
        return Usage(context, window, model)
    return None


def see(state: str, agent: str, session: str, usage: Usage) -> None:
    """Keep what the client says; nothing is written where it says nothing new."""
    if seen(state, agent, session) != usage:
        _replace(path_of(state, agent, session, ".ctx"), usage._asdict())


def _load(path: str) -> dict[str, Any] | None:
    try:
        fd = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return None
    try:
        found = loads(posix.read(fd, _LARGEST).decode())
    except (ValueError, OSError):
        return None
    finally:
        posix.close(fd)
    return found if isinstance(found, dict) and found.get("v") == VERSION else None


def _replace(path: str, value: Mapping[str, Any]) -> None:
    try:
        _write_new(path, f"{dumps({'v': VERSION, **value})}\n".encode())
    except OSError as error:
        from leftoff.world.files import trouble  # only where something is wrong

        raise trouble(error, "write", path) from error


def _write_new(path: str, data: bytes) -> None:
    # the name by which `files.abandoned` knows whose it is
    number = posix.urandom(4).hex()
    temp = f"{path.rpartition('/')[0]}/.leftoff-{posix.getpid()}-{number}.tmp"
    fd = _new(temp)
    try:
        _write_all(fd, data)
        posix.rename(temp, path)
        temp = ""
    finally:
        posix.close(fd)
        if temp:  # no room, or the time of the hook is up
            posix.unlink(temp)


def _write_all(fd: int, data: bytes) -> None:
    if posix.write(fd, data) < len(data):
        from errno import ENOSPC

        raise OSError(ENOSPC, "no room")


def _new(temp: str) -> int:
    flags = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC
    try:
        return posix.open(temp, flags, 0o600)
    except FileNotFoundError:
        from leftoff.world.state import ensure  # the first session of this client

        ensure(temp.rpartition("/")[0])
        return posix.open(temp, flags, 0o600)
