"""Plain values kept in a file of our own that anybody may delete: believed only when whole."""

from __future__ import annotations

import marshal
import os
import sys
from zlib import crc32

from leftoff import __version__
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import LARGEST, read_bytes, write_atomic
from leftoff.world.state import ensure

if TYPE_CHECKING:
    from typing import Any


def head_of(shape: str) -> bytes:
    """The first line of such a file: only a reader that would write the same believes it."""
    python = f"{sys.implementation.cache_tag} {sys.hexversion:x}"
    return f"leftoff {__version__} {python} {crc32(shape.encode()):x}\n".encode()


def load(path: str, head: bytes) -> Any:
    """The value; None when there is none to be trusted."""
    start = len(head) + 4
    try:
        data = read_bytes(path) if os.stat(path).st_uid == os.geteuid() else b""
        body = memoryview(data)[start:]
        if not data.startswith(head) or crc32(body).to_bytes(4, "big") != data[len(head) : start]:
            return None
        return marshal.loads(body)  # noqa: S302  # our own file, and whole
    except (OSError, LeftoffError, ValueError, EOFError, TypeError):
        return None


def save(path: str, head: bytes, value: Any) -> None:
    """Keep it for the next time, if that is possible; nothing depends on it."""
    try:
        body = marshal.dumps(value)
        data = b"".join((head, crc32(body).to_bytes(4, "big"), body))
        if len(data) <= LARGEST:
            ensure(os.path.dirname(path))
            write_atomic(path, data, 0o600, durable=False)
    except (LeftoffError, ValueError):
        return
