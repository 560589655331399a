"""A file of plain values that anybody may delete; a damaged or foreign one counts as absent.

It holds named parts, each with its checksum, so that a reader pays only for those it asks for. All
caches on disk are such files.
"""

from __future__ import annotations

import marshal
import os
import sys
from zlib import adler32, crc32

from leftoff import __version__
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import LARGEST, write_atomic
from leftoff.world.state import ensure

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
_NUMBER = 4
TICK = 0.05
"""Seconds that a file system may take for one moment: what changed since may change unseen."""


def head_of(shape: str) -> bytes:
    """The first line of such a file: only a reader that would write the same believes it."""
    python = f"{sys.implementation.cache_tag} {sys.hexversion:x}"
    return f"leftoff {__version__} {python} {crc32(shape.encode()):x}\n".encode()


def load(path: str, head: bytes, names: Collection[str] = ()) -> dict[str, bytes] | None:
    """The parts of these names, or all; None when there is no file to be trusted."""
    try:
        fd = os.open(path, _READ)
    except OSError:
        return None
    try:
        if os.fstat(fd).st_uid != os.geteuid():
            return None
        return _parts(fd, head, names)
    except (OSError, ValueError, EOFError, TypeError, KeyError):
        return None
    finally:
        os.close(fd)


def save(path: str, head: bytes, parts: Mapping[str, bytes]) -> None:
    """Keep them for the next time, if that is possible; nothing depends on it."""
    places, at = {}, 0
    for name, part in parts.items():
        places[name] = (at, len(part), adler32(part))  # a third of the time of crc32
        at += len(part)
    index = marshal.dumps(places)
    data = b"".join((head, _number(len(index)), _number(crc32(index)), index, *parts.values()))
    if len(data) > LARGEST:
        return
    try:
        ensure(os.path.dirname(path))
        write_atomic(path, data, 0o600, durable=False)
    except LeftoffError:
        return


def load_value(path: str, head: bytes) -> Any:
    """The one value that `save_value` kept; None when there is none."""
    parts = load(path, head, ("value",))
    return marshal.loads(parts["value"]) if parts else None  # noqa: S302  # ours, and whole


def save_value(path: str, head: bytes, value: Any) -> None:
    """Keep one value, made of plain ones."""
    try:
        body = marshal.dumps(value)
    except ValueError:
        return
    save(path, head, {"value": body})


def _parts(fd: int, head: bytes, names: Collection[str]) -> dict[str, bytes]:
    start = len(head) + 2 * _NUMBER
    first = os.read(fd, start + 4096)
    size, check = (int.from_bytes(first[at : at + _NUMBER]) for at in (len(head), start - _NUMBER))
    if not first.startswith(head) or size > LARGEST:
        raise ValueError("not ours")
    index = first[start : start + size]
    if len(index) < size:
        index += os.pread(fd, size - len(index), start + len(index))
    if crc32(index) != check:
        raise ValueError("not whole")
    places = marshal.loads(index)  # noqa: S302  # our own file, and this part is whole
    return {name: _part(fd, start + size, *places[name]) for name in names or places}


def _part(fd: int, start: int, at: int, size: int, check: int) -> bytes:
    part = os.pread(fd, size, start + at)
    if len(part) != size or adler32(part) != check:
        raise ValueError("not whole")
    return part


def _number(value: int) -> bytes:
    return value.to_bytes(_NUMBER)
