"""Much to read at once: a typed decoder for Claude Code's lines, and two processes.

The tally is that of `_claude_log`, whose functions take the decoder's lines as they take their own.
A line that the decoder refuses goes the plain way, and so does all where msgspec is missing.
"""

from __future__ import annotations

import gc
import marshal
import os
import sys
from array import array
from functools import partial
from itertools import accumulate
from mmap import mmap

from leftoff.agents import _claude_log
from leftoff.agents._claude_line import FIELDS, RECORDS, Common, Line
from leftoff.agents._claude_log import count, count_rest, fed, feed_line
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.log_cache import Digest, Row
from leftoff.world.log_files import reader_of
from leftoff.world.log_reading import BLOCK, pending, plain_feed, read_one

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from leftoff.core.tally import Tally
    from leftoff.world.log_reading import Feed, Job

FOR_TWO = 64 << 20
"""pending bytes that are worth a second process"""
_NUMBER = array("I").itemsize


def run(
    jobs: Sequence[Job], total: int, progress: Callable[[int, int], None]
) -> list[Digest | str]:
    """What `log_reading.run` finds, sooner."""
    feed = typed_feed()
    was_on = gc.isenabled()
    gc.disable()  # hundreds of thousands of lines, and no cycle among them
    try:
        if total >= FOR_TWO and len(jobs) > 1 and _has_two():
            return _in_two(jobs, feed, total, progress)
        return [*_read(jobs, range(len(jobs)), feed, _told_to(progress, jobs, total)).values()]
    finally:
        if was_on:
            gc.enable()


class _Decoders(Record):
    """Of the lines that come most, of any line; and what they raise."""

    common: Any
    whole: Any
    refused: tuple[type[Exception], ...]


def typed_feed() -> Feed | None:
    """`_claude_log.feed` with msgspec; None without it."""
    try:
        import msgspec
    except ImportError:
        return None
    common, whole = map(msgspec.json.Decoder, _structs(msgspec))
    refused = (msgspec.MsgspecError, ValueError, RecursionError)
    return partial(_feed, _Decoders(common, whole, refused))


def _feed(by: _Decoders, tally: Tally, block: memoryview) -> None:
    ends = _ends(block)
    try:
        lines = by.common.decode_lines(block)  # a call for each costs what a short line does
    except by.refused:
        lines = []
    if len(lines) != len(ends):  # one is blank or broken
        fed(tally, [_one(by, tally, _line(block, ends, at)) for at in range(len(ends))])
        return
    count(tally, lines, lambda at: _rest(by, tally, _line(block, ends, at)))
    fed(tally, [line.timestamp for line in lines])


def _line(block: memoryview, ends: list[int], at: int) -> memoryview:
    return block[ends[at - 1] + 1 if at else 0 : ends[at]]


def _one(by: _Decoders, tally: Tally, data: memoryview) -> str | None:
    """One line by itself; its time."""
    try:
        line = by.common.decode(data)
    except by.refused:
        return feed_line(tally, bytes(data))
    count(tally, [line], lambda _: _rest(by, tally, data))
    return line.timestamp  # type: ignore[no-any-return]


def _rest(by: _Decoders, tally: Tally, data: memoryview) -> None:
    """A line that needs its other fields."""
    try:
        line = by.whole.decode(data)
    except by.refused:
        feed_line(tally, bytes(data))
    else:
        count_rest(tally, line)


def _ends(block: memoryview) -> list[int]:
    """Where its lines end."""
    room: Any = block.obj  # a view cannot search; this one shows its first bytes
    find, size = room.find, len(block)
    ends, end = [], find(b"\n", 0, size)
    while end >= 0:
        ends.append(end)
        end = find(b"\n", end + 1, size)
    return ends


def _structs(msgspec: Any) -> tuple[Any, Any]:
    """`Common` and `Line` as structs, which the garbage collector need not know."""
    made: dict[Any, Any] = {}

    def kind_of(kind: Any) -> Any:
        if isinstance(kind, tuple):
            items: Any = list.__class_getitem__(made[kind[0]])
            return items | str | None if kind[1] else items | None
        return made.get(kind, kind) | None

    for record in RECORDS:
        fields = [(name, kind_of(kind), None) for name, kind in FIELDS[record].items()]
        made[record] = msgspec.defstruct(record.__name__, fields, gc=False)
    return made[Common], made[Line]


def _has_two() -> bool:
    """Elsewhere (macOS) a process that is a mere copy of another may break in the system's code."""
    return sys.platform == "linux" and (os.cpu_count() or 1) > 1


def _read(
    jobs: Sequence[Job], turns: Iterable[int], typed: Feed | None, told: Callable[[int], None]
) -> dict[int, Digest | str]:
    """What the jobs of these numbers found."""
    found, room = {}, mmap(-1, BLOCK)
    for at in turns:
        agent = jobs[at].log.agent
        fast = typed if reader_of(agent) is _claude_log else None
        found[at] = read_one(jobs[at], fast or plain_feed(agent), room)
        told(at)
    return found


def _told_to(
    progress: Callable[[int, int], None], jobs: Sequence[Job], total: int
) -> Callable[[int], None]:
    """Tells of a job that is done, and of those before it."""
    sums = [*accumulate(map(pending, jobs))]
    return lambda at: progress(sums[at], total)


def _in_two(
    jobs: Sequence[Job], feed: Feed | None, total: int, progress: Callable[[int, int], None]
) -> list[Digest | str]:
    """The largest first, each to whom is free: the other work of a machine slows one of them."""
    order = sorted(range(len(jobs)), key=lambda at: -pending(jobs[at]))
    ordered = [jobs[at] for at in order]
    queue = _queue(len(jobs))
    try:
        pid, pipe = _start(ordered, feed, queue)
        found = _read(ordered, _turns(queue), feed, _told_to(progress, ordered, total))
    finally:
        os.close(queue)
    found |= _result(pid, pipe)
    left = [at for at in range(len(jobs)) if at not in found]  # it was killed, or had no memory
    found |= _read(ordered, left, feed, _quiet)
    placed = {order[at]: one for at, one in found.items()}
    return [placed[at] for at in range(len(jobs))]


def _queue(count: int) -> int:
    """A file of numbers; two processes that share its position never read the same one."""
    queue = os.memfd_create("leftoff")
    os.write(queue, array("I", range(count)).tobytes())
    os.lseek(queue, 0, os.SEEK_SET)
    return queue


def _turns(queue: int) -> Iterator[int]:
    while number := os.read(queue, _NUMBER):
        yield array("I", number)[0]


def _start(jobs: Sequence[Job], feed: Feed | None, queue: int) -> tuple[int, int]:
    """Another process that takes turns at these; the end of the pipe on which it answers."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    try:
        found = _read(jobs, _turns(queue), feed, _quiet)
        bare = {at: one if isinstance(one, str) else _bare(one) for at, one in found.items()}
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(marshal.dumps(bare))
    finally:
        os._exit(0)  # whatever happened: the parent sees that the answer is not whole


def _result(pid: int, pipe: int) -> dict[int, Digest | str]:
    with os.fdopen(pipe, "rb") as answer:
        data = answer.read()
    os.waitpid(pid, 0)
    try:
        found = marshal.loads(data)  # noqa: S302  # from our own process
    except (ValueError, EOFError, TypeError):
        return {}
    return {at: one if isinstance(one, str) else _digest(one) for at, one in found.items()}


def _bare(one: Digest) -> tuple[Any, ...]:
    return one.path, tuple(one.row), *one[2:]


def _digest(bare: tuple[Any, ...]) -> Digest:
    path, row, *rest = bare
    return Digest(path, Row._make(row), *rest)


def _quiet(_at: int) -> None: ...
