"""The text that comes on stdin. A client that leaves it open and never writes is not waited for."""

from __future__ import annotations

import os
from select import POLLIN, poll

from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO

WAIT = 5.0
"""Seconds without a byte after which nothing more is expected."""
LARGEST = 8 << 20


def read(source: TextIO) -> str:
    """All of it; empty on a terminal, and where nothing came in time."""
    if source.isatty():
        return ""
    try:
        fd = source.fileno()
    except (OSError, ValueError):  # no file of the system: a text in memory
        return source.read()
    return _drained(fd).decode("utf-8", "replace")


def _drained(fd: int) -> bytes:
    ready = poll()
    ready.register(fd, POLLIN)
    data = b""
    while ready.poll(WAIT * 1000) and (part := os.read(fd, 1 << 20)):
        data += part
        if len(data) > LARGEST:
            raise Usage(f"standard input is longer than {LARGEST >> 20} MB")
    return data
