"""Reading what is new in transcripts: which bytes, by which reader, in one process or two."""

from __future__ import annotations

import os
from mmap import mmap
from time import time_ns
from zlib import crc32

from leftoff import agents
from leftoff.core.redact import redacted
from leftoff.core.tally import TEXTS, settle
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import log_cache
from leftoff.world.log_cache import Row
from leftoff.world.log_files import reader_of
from leftoff.world.log_record import COPY, GONE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from leftoff.core.tally import Tally
    from leftoff.world.log_cache import Digest, Logs
    from leftoff.world.log_record import Log

    Feed: TypeAlias = Callable[[Tally, memoryview], None]

BLOCK = 1 << 20
"""bytes in memory at once, unless a single line is longer"""
LONGEST_LINE = 64 << 20
"""a longer line is skipped like one that is no JSON: no client can read its own file by then"""
MUCH = 2 << 20
"""pending bytes from which a faster decoder is worth its import"""
GROWING = 7 * 86_400 * 10**9
"""nanoseconds after which a transcript hardly ever grows: then it is read anew, from its start"""
_INHERITED = ("session", "cwd", "branch", "version", "title", "context", "window")
_ENDS = 4096
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK


class Job(Record):
    """A transcript to be read, with what is known from before; `own` is where a fork begins."""

    log: Log
    row: Row | None = None
    tally: bytes = b""
    own: int = 0
    parent: str = ""


def plan(state: str, known: Logs, logs: Iterable[Log]) -> list[Job]:
    """What is to be read."""
    rows = {log.path: row for log in logs if (row := log_cache.row_of(known, log.path))}
    tallies = log_cache.tallies(state, rows) if rows else {}
    return [Job(log, rows.get(log.path), tallies.get(log.path, b"")) for log in logs]


def run(
    jobs: Sequence[Job], total: int, progress: Callable[[int, int], None]
) -> list[Digest | str]:
    """What each job found, or why it found nothing."""
    done, found = 0, []
    for job in jobs:
        found.append(read_one(job, plain_feed(job.log.agent)))
        done += pending(job)
        progress(done, total)
    return found


def pending(job: Job) -> int:
    """Bytes that are probably new."""
    before = job.row.offset if job.row and job.tally else 0
    return job.log.size - before if before <= job.log.size else job.log.size


def plain_feed(agent: str) -> Feed:
    """The feed of a client's reader, which takes bytes."""
    feed = reader_of(agent).feed
    return lambda tally, block: feed(tally, bytes(block))


def read_one(job: Job, feed: Feed, room: mmap | None = None) -> Digest | str:
    """Count what is new in one transcript; `room` for its bytes may serve many of them."""
    log = job.log
    if "#" in log.path and agents.load(log.agent).LOGS.database:
        return _read_session(log, feed)
    if log.path.endswith(COPY):
        return _read_copy(job, feed)
    try:
        fd = os.open(log.path, _READ)
    except FileNotFoundError:
        return GONE
    except OSError as error:
        return f"the transcript cannot be read: {error.strerror}"
    try:
        return _read_file(fd, job, feed, room)
    except OSError as error:
        return f"the transcript cannot be read: {error.strerror}"
    finally:
        os.close(fd)


def _read_session(log: Log, feed: Feed) -> Digest | str:
    """A session that is rows of a database: small, and read whole."""
    from leftoff.world import opencode_db

    block = opencode_db.block(log.path)
    if isinstance(block, str):
        return block
    tally = reader_of(log.agent).begin()
    feed(tally, memoryview(block))
    return _digest(log, Row(log.agent, log.inode, log.size, log.mtime_ns, 0, 0), tally)


def _read_copy(job: Job, feed: Feed) -> Digest | str:
    """A transcript that only our archive has: it grows no more, and is read whole."""
    from leftoff.errors import LeftoffError
    from leftoff.world import archive

    log, at, tally = job.log, 0, reader_of(job.log.agent).begin()
    try:
        for block in archive.blocks(archive.sound_note(log.path)):
            cut = job.own - at if at < job.own <= at + len(block) else 0
            if cut:
                feed(tally, memoryview(block)[:cut])
                tally = _going_on(log.agent, tally)
            feed(tally, memoryview(block)[cut:])
            at += len(block)
    except LeftoffError as error:
        return error.message
    tally["parent"] = job.parent or tally["parent"]
    row = Row(log.agent, log.inode, log.size, log.mtime_ns, 0, 0, job.own)
    return _digest(log, row, tally)


def _read_file(fd: int, job: Job, feed: Feed, room: mmap | None) -> Digest:
    log, row, size = job.log, job.row, os.fstat(fd).st_size
    tally = _before(fd, job, size)
    if row and tally:
        at, own, parent = row.offset, row.start, row.parent
    else:
        at, own, parent = job.own, job.own, job.parent
        tally = _after_history(fd, job, feed) if own else reader_of(log.agent).begin()
    for block, after in blocks(fd, at, size, room):
        feed(tally, block)
        at = after
    tally["parent"] = parent or tally["parent"]
    check = check_of(fd, at)
    return _digest(log, Row(log.agent, log.inode, log.size, log.mtime_ns, at, check, own), tally)


def _before(fd: int, job: Job, size: int) -> Tally | None:
    """What was counted so far, if the file still begins with what was read then."""
    row = job.row
    if not row or not row.offset or row.offset > size or check_of(fd, row.offset) != row.check:
        return None
    return log_cache.tally_in(job.tally, row, reader_of(job.log.agent).VERSION)


def _after_history(fd: int, job: Job, feed: Feed) -> Tally:
    history = reader_of(job.log.agent).begin()
    for block, _ in blocks(fd, 0, job.own):
        feed(history, block)
    return _going_on(job.log.agent, history)


def _going_on(agent: str, history: Tally) -> Tally:
    """The tally with which the own part of a fork begins: where it stands, nothing done yet."""
    own = reader_of(agent).begin()
    for name in _INHERITED:
        own[name] = history[name]
    own["copied"] = history["cost"]
    return own


def _digest(log: Log, row: Row, tally: Tally) -> Digest:
    """What to keep of a tally: no secret of a text that stands in it.

    The tally itself is for a transcript that grows, and most of a long history does so no more.
    """
    reader = reader_of(log.agent)
    settle(tally)
    tally.update(redacted({name: tally[name] for name in TEXTS}))
    first = next(iter(tally["answers"]), 0)
    row = row._replace(parent=tally["parent"], head=first, began=tally["began"])
    stats = reader.stats({**tally, "curve": [], "point": None})  # kept apart, as it is
    version = reader.VERSION if row.offset and log.mtime_ns > time_ns() - GROWING else 0
    return log_cache.digest(log.path, row, version, tally, stats)


def blocks(
    fd: int, at: int, end: int, room: mmap | None = None
) -> Iterator[tuple[memoryview, int]]:
    """Whole lines up to `end`, and where each block ends; half a line at the end is left.

    A block is good until the next one is asked for: fresh memory for each would cost as much as
    reading does, and so would memory that does not begin with a page, as a bytearray's.
    """
    room = room or mmap(-1, max(1, min(BLOCK, end - at)))
    while at < end:
        size = os.preadv(fd, [memoryview(room)[: end - at]], at)
        cut = room.rfind(b"\n", 0, size) + 1
        if cut:
            at += cut
            yield memoryview(room)[:cut], at
        elif size < len(room):
            return
        elif len(room) < LONGEST_LINE:
            room = mmap(-1, 2 * len(room))
        else:
            at = _line_end(fd, at + size, end)
            if not at:
                return
            yield memoryview(b"\n"), at  # counted as a line with nothing in it


def _line_end(fd: int, at: int, end: int) -> int:
    """Where a line ends that is too long to be read; 0 when it has no end yet."""
    while at < end:
        data = os.pread(fd, min(BLOCK, end - at), at)
        found = data.find(b"\n")
        if found >= 0:
            return at + found + 1
        if not data:
            return 0
        at += len(data)
    return 0


def check_of(fd: int, offset: int) -> int:
    """Of the first bytes, and of the last ones before the offset."""
    first = os.pread(fd, min(_ENDS, offset), 0)
    start = max(0, offset - _ENDS)
    return crc32(os.pread(fd, offset - start, start), crc32(first))


def check_at(path: str, offset: int) -> int:
    """The same of a file by its path; 0 where it cannot be read."""
    try:
        fd = os.open(path, _READ)
    except OSError:
        return 0
    try:
        return check_of(fd, offset)
    except OSError:
        return 0
    finally:
        os.close(fd)
