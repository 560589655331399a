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
from leftoff.core.fast_json import loads
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import forking
from leftoff.world.log_cache import Digest, Row
from leftoff.world.log_files import reader_of
from leftoff.world.log_reading import BLOCK, pending, plain_feed, read_one

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from leftoff.core.tally import Tally
    from leftoff.world.log_reading import Feed, Job

FOR_TWO = 16 << 20
"""pending bytes that are worth a second process"""
_NUMBER = array("I").itemsize
"""bytes of a number between the two processes"""


def run(
    jobs: Sequence[Job], total: int, progress: Callable[[int, int], None]
) -> list[Digest | str]:
    """What `log_reading.run` finds, sooner."""
    feed = typed_feed()
    was_on = gc.isenabled()
    gc.disable()  # hundreds of thousands of lines, and no cycle among them
    try:
        if total >= FOR_TWO and len(jobs) > 1 and forking.pays():
            return _in_two(jobs, feed, total, progress)
        turns = range(len(jobs))
        return [one for _, one in _read(jobs, turns, feed, _told_to(progress, jobs, total))]
    finally:
        if was_on:
            gc.enable()


class _Decoders(Record):
    """Of the lines that come most, of any line, of a text put off; and what they raise."""

    common: Any
    whole: Any
    text: Any
    refused: tuple[type[Exception], ...]


def typed_feed() -> Feed | None:
    """`_claude_log.feed` with msgspec; None without it."""
    msgspec = _msgspec()
    if msgspec is None:
        return None
    decoder, refused = msgspec.json.Decoder, (msgspec.MsgspecError, ValueError, RecursionError)
    # of all that is said only the last is wanted: the common lines put their texts off
    common = decoder(_structs(msgspec, {"text": msgspec.Raw})[Common])
    whole = decoder(_structs(msgspec, {})[Line])
    return partial(_feed, _Decoders(common, whole, decoder(str), refused))


def _msgspec() -> Any:
    """The decoder's module; None without it.

    It asks for typing_extensions and does as well without: to load that is a third of the whole.
    """
    loaded: dict[str, Any] = sys.modules
    spared = loaded.setdefault("typing_extensions", None)
    try:
        import msgspec
    except ImportError:
        return None
    finally:
        if spared is None:
            del loaded["typing_extensions"]
    return msgspec


def _feed(by: _Decoders, tally: Tally, block: memoryview) -> None:
    ends = _ends(block)
    try:
        lines = by.common.decode_lines(block)  # a call for each costs what a short line does
    except by.refused:
        lines = []
    if len(lines) != len(ends):  # one is blank or broken
        times = [_one(by, tally, _line(block, ends, at)) for at in range(len(ends))]
        fed(tally, times, partial(_text, by))
        return
    count(tally, lines, lambda at: _rest(by, tally, _line(block, ends, at)))
    fed(tally, [line.timestamp for line in lines], partial(_text, by))


def _text(by: _Decoders, said: Any) -> str | None:
    """A text, whether it was put off or not; None for a value of another type."""
    if said is None or isinstance(said, str):
        return said
    data = bytes(said)
    if not data.startswith(b'"'):
        return None
    try:
        return by.text.decode(data)  # type: ignore[no-any-return]
    except by.refused:  # bytes that are no UTF-8, which the plain decoder replaces
        return loads(data.decode("utf-8", "replace"))  # type: ignore[no-any-return]


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


def _structs(msgspec: Any, instead: Mapping[str, Any]) -> dict[Any, Any]:
    """The records as structs, which the garbage collector need not know; some fields otherwise."""
    made: dict[Any, Any] = {}

    def kind_of(kind: Any) -> Any:
        if isinstance(kind, tuple):
            items: Any = list.__class_getitem__(made[kind[0]])
            return items | str | None if kind[1] else items | None
        return made.get(kind, kind) | None

    for record in RECORDS:
        fields = [
            (name, instead.get(name) or kind_of(kind), None)
            for name, kind in FIELDS[record].items()
        ]
        made[record] = msgspec.defstruct(record.__name__, fields, gc=False)
    return made


def _read(
    jobs: Sequence[Job], turns: Iterable[int], typed: Feed | None, told: Callable[[int], None]
) -> Iterator[tuple[int, Digest | str]]:
    """The jobs of these numbers, each with what it found."""
    room = mmap(-1, BLOCK)
    for at in turns:
        agent = jobs[at].log.agent
        fast = typed if reader_of(agent) is _claude_log else None
        yield at, read_one(jobs[at], fast or plain_feed(agent), room)
        told(at)


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
    queue, answer = _queue(len(jobs)), os.memfd_create("leftoff")
    try:
        pid = _start(ordered, feed, queue, answer)
        found = dict(_read(ordered, _turns(queue), feed, _told_to(progress, ordered, total)))
        if pid:
            os.waitpid(pid, 0)
        found |= _answers(answer)
    finally:
        os.close(queue)
        os.close(answer)
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


def _start(jobs: Sequence[Job], feed: Feed | None, queue: int, answer: int) -> int:
    """Another process that takes turns at these, and writes down what each found when it did.

    0 where the system has none to give: then nobody else takes a turn.
    """
    try:
        pid = os.fork()
    except OSError:
        return 0
    if pid:
        return pid
    try:
        with os.fdopen(answer, "wb", buffering=0) as file:
            for at, one in _read(jobs, _turns(queue), feed, _quiet):
                data = marshal.dumps((at, one if isinstance(one, str) else _bare(one)))
                file.write(len(data).to_bytes(_NUMBER) + data)
    finally:
        os._exit(0)  # whatever happened: the parent sees what is missing


def _answers(answer: int) -> dict[int, Digest | str]:
    """What the other process found, as far as it came."""
    found: dict[int, Digest | str] = {}
    data = memoryview(os.pread(answer, os.fstat(answer).st_size, 0))
    while data:
        start, end = _NUMBER, _NUMBER + int.from_bytes(data[:_NUMBER])
        if end > len(data):
            break  # it died while it wrote
        at, one = marshal.loads(data[start:end])  # noqa: S302  # from our own process
        found[at] = one if isinstance(one, str) else _digest(one)
        data = data[end:]
    return found


def _bare(one: Digest) -> tuple[Any, ...]:
    return one.path, tuple(one.row), *one[2:]


def _digest(bare: tuple[Any, ...]) -> Digest:
    path, row, *rest = bare
    return Digest(path, Row._make(row), *rest)


def _quiet(_at: int) -> None: ...
