"""Whether the state folder takes what is written into it: it may be read-only, or its disk full."""

from __future__ import annotations

import os

NEEDED = 16 << 10
"""Bytes: with fewer left, journals and saves soon fail."""


def is_sealed(folder: str) -> bool:
    """Whether nothing can be written there, or, while it is not there yet, above."""
    return not os.access(_there(folder), os.W_OK | os.X_OK)


def is_full(folder: str) -> bool:
    """Whether its disk has no room for bytes, or for files; one that counts neither has room."""
    try:
        disk = os.statvfs(_there(folder))
    except OSError:
        return False
    no_bytes = disk.f_blocks and disk.f_bavail * disk.f_frsize < NEEDED
    return bool(no_bytes or (disk.f_files and not disk.f_favail))


def _there(folder: str) -> str:
    """The folder, or the nearest one above that is there."""
    while not os.path.exists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    return folder


def reason(error: Exception) -> str:
    """In words: the number that the system gives an error helps nobody."""
    said = str(getattr(error, "strerror", None) or error)
    return said[:1].lower() + said[1:]
