"""The end of a transcript, counted: for a hook, which has no time for all of it."""

from __future__ import annotations

import os
from stat import S_ISREG

from leftoff import agents
from leftoff.core.stats import Stats
from leftoff.world.log_files import reader_of

LENGTH = 8 << 20


def stats_of(agent: str, path: str, length: int = LENGTH) -> Stats:
    """What the last whole lines amount to; of nothing where there is no file to read."""
    name = agents.load(agent).LOGS.reader
    block = tail(path, length) if name and path else b""
    if not block:
        return Stats()
    reader = reader_of(agent)
    tally = reader.begin()
    reader.feed(tally, block)
    return reader.stats(tally)


def summary_of(path: str) -> str:
    """The summary of the last compaction, where a transcript alone tells it."""
    from leftoff.agents._compaction_summary import summary

    return summary(tail(path, LENGTH)) if path else ""


def kept_summary(path: str) -> str:
    """The same, also of a client that tells it to its hooks and writes it down besides."""
    from leftoff.agents._compaction_summary import summary, written

    lines = tail(path, LENGTH) if path else b""
    return summary(lines) or written(lines)


def tail(path: str, length: int) -> bytes:
    """The last whole lines of a file, at most so many bytes."""
    try:
        # a pipe has no end to wait for, neither when it is opened nor when it is read
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(fd, "rb") as file:
            status = os.fstat(fd)
            if not S_ISREG(status.st_mode):
                return b""
            size = status.st_size
            file.seek(max(0, size - length))
            data = file.read(length) or b""  # None: nothing to be had now
    except (OSError, ValueError):
        return b""
    start = data.find(b"\n") + 1 if size > length else 0
    return data[start : data.rfind(b"\n") + 1]
