"""The sums over all sessions, kept for as long as no transcript and no journal changes.

Most of the time nothing is new: then one look at the names, sizes and times of the files will do.
"""

from __future__ import annotations

import os
from marshal import dumps
from zlib import adler32, crc32

from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import cache_file
from leftoff.world.log_files import find

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, TypeAlias

    from leftoff.world.log_record import Log

    Print: TypeAlias = tuple[str, int, int, int]
    """path, inode, size and time of a file; zeros where there is none"""

_HEAD = cache_file.head_of("session-sums 3")


class Sources(Record):
    """The files that the sums are made of; `mark` tells one state of them all from any other."""

    mark: tuple[int, int, int]
    logs: list[Log]


def sources(state: str, env: Mapping[str, str]) -> Sources:
    """All transcripts and journals as they are now."""
    logs = find(env)
    prints = [(log.path, log.inode, log.size, log.mtime_ns) for log in logs]
    every = sorted([*prints, *_journals(state)])
    data = dumps(every, 2)  # later versions write the same value in more than one way
    mark = len(every), crc32(data), adler32(data)
    return Sources(mark, logs)


def load(state: str, of: Sources) -> Any:
    """The value that was kept for these; None for none."""
    found = cache_file.load_value(_path(state), _HEAD)
    if not found or found[0] != of.mark or any(_print(each[0]) != each for each in found[1]):
        return None
    return found[2]


def save(state: str, of: Sources, others: Iterable[str], value: Any) -> None:
    """Keep a plain value for these and other transcripts, which only journals know of.

    Not so where one cannot be read: that it can be read again would show nowhere.
    """
    transcripts = {log.path for log in of.logs}
    others = sorted({*others} - {*transcripts, ""})
    files = [path.partition("#")[0] for path in (*transcripts, *others)]
    if all(os.access(path, os.R_OK) or not os.path.lexists(path) for path in files):
        cache_file.save_value(_path(state), _HEAD, (of.mark, [*map(_print, others)], value))


def _journals(state: str) -> Iterator[Print]:
    base = os.path.join(state, "sessions")
    for folder in _entries(base):
        for entry in _entries(folder.path):
            if entry.name.endswith(".jsonl"):
                yield _print(entry.path)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        return list(os.scandir(folder))
    except OSError:
        return []  # not there yet, or no folder


def _print(path: str) -> Print:
    try:
        status = os.stat(path)
    except OSError:
        return path, 0, 0, 0
    return path, status.st_ino, status.st_size, status.st_mtime_ns


def _path(state: str) -> str:
    return os.path.join(state, "cache", "session-sums.bin")
