"""A session's journal: what happened and when, one line each; never what anybody said.

The hook path appends here, so the top of this file loads C modules only. Whoever appends first
has the event: a second process that the client started for it learns that its line counts nothing.
"""

from __future__ import annotations

import posix
from time import time, time_ns

from leftoff.core.fast_json import dumps, loads
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

LARGEST = 4 << 20
"""Bytes after which the next start of the session begins a new file."""
LONGEST_LINE = 64 << 10
AT_ONCE = 30.0
"""Seconds within which the same event of the same key is the same event, told twice."""

_NEVER = 1e12
"""No time: a number that no clock tells, and that may be too large to reckon with."""
_MOST_DIGITS = 16
"""A number with more of them is no count of tokens, and Python may refuse to read it."""
_TAIL = 16 << 10
_FLAGS = posix.O_RDWR | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW


class Journal(Record):
    """What is known of one session; `skipped` counts what was no line of a journal."""

    lines: tuple[dict[str, Any], ...]
    skipped: int


def path(state: str, agent: str, session: str, ending: str = ".jsonl") -> str:
    """Where a file about a session lies; Usage for an id that is no name of a file."""
    for name in (agent, session):
        plain = name.isascii() and name.replace("-", "").isalnum() and name[0] != "-"
        if not plain or len(name) > 100:
            from leftoff.core.ids import check_name  # nearly all ids are plain

            check_name(name, "session id")
    return f"{state}/sessions/{agent}/{session}{ending}"


def append(state: str, agent: str, session: str, line: Mapping[str, Any]) -> bool:
    """Add a line with its event, its key (none: every such line counts) and what else it says.

    False where another process has already told this event.
    """
    target = path(state, agent, session)
    by = f"{posix.getpid()}.{time_ns()}"
    at, event, key = round(line.get("at") or time(), 3), line["event"], line.get("key", "")
    # this order lets `_counts` find a line by its bytes
    whole = {"at": at, "event": event, "key": key, "by": by} | dict(line) | {"at": at}
    data = f"{dumps(whole)}\n".encode()
    if len(data) > LONGEST_LINE:
        raise ValueError("the line is too long for a journal")
    try:
        fd = _opened(target)
        try:
            _write(fd, data)
            return not key or _counts(fd, event, key, by, len(data))
        finally:
            posix.close(fd)
    except OSError as error:
        from leftoff.world.files import trouble  # only where something is wrong

        raise trouble(error, "write", target) from error


def _opened(target: str) -> int:
    try:
        return posix.open(target, _FLAGS, 0o600)
    except FileNotFoundError:
        from leftoff.world.state import ensure  # the first session of this client

        ensure(target.rpartition("/")[0])
        return posix.open(target, _FLAGS, 0o600)


def _write(fd: int, data: bytes) -> None:
    """One write, so that lines never mix; on a line of its own whatever a dead writer left."""
    size = posix.fstat(fd).st_size
    if size and posix.pread(fd, 1, size - 1) != b"\n":
        data = b"\n" + data
    if posix.write(fd, data) < len(data):
        from errno import ENOSPC

        raise OSError(ENOSPC, "no room")


def _counts(fd: int, event: str, key: str, by: str, length: int) -> bool:
    """Whether the line of this process is the one that readers keep."""
    size = posix.fstat(fd).st_size
    start = max(0, size - length - _TAIL)
    tail = posix.pread(fd, size - start, start)
    same = f'"event":{dumps(event)},"key":{dumps(key)},"by":'.encode()
    counted: dict[tuple[str, str], float] = {}
    found = tail.find(same)
    while found >= 0:
        end = tail.find(b"\n", found)
        line = parsed(tail[tail.rfind(b"\n", 0, found) + 1 : end if end >= 0 else None])
        if line:
            new = is_new(line, counted)
            if line["by"] == by:
                return new
        found = tail.find(same, found + 1)
    return True


def last_context(state: str, agent: str, session: str) -> int:
    """How many tokens the newest line that tells it says were in the context; 0 for none."""
    try:
        fd = posix.open(path(state, agent, session), posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return 0
    try:
        tail = posix.pread(fd, _TAIL, max(0, posix.fstat(fd).st_size - _TAIL))
    finally:
        posix.close(fd)
    # zeros are lines that could not tell
    for told in reversed(tail.split(b'"context":')[1:]):
        digits = told.partition(b",")[0]
        if len(digits) < _MOST_DIGITS and digits.isdigit() and int(digits):
            return int(digits)
    return 0


def parsed(data: bytes) -> dict[str, Any] | None:
    """A line of a journal; None for a torn or strange one."""
    try:
        line = loads(data.decode())
        known = isinstance(line, dict) and isinstance(line["event"], str)
        good = known and 0 <= line["at"] < _NEVER
    except (ValueError, TypeError, KeyError):
        return None
    return line if good else None


def is_new(line: dict[str, Any], counted: dict[tuple[str, str], float]) -> bool:
    """Whether a line tells what no line before it told; `counted` remembers those."""
    key = line.get("key")
    if not key or not isinstance(key, str):
        return True
    before = counted.get((line["event"], key))
    if before is not None and abs(line["at"] - before) <= AT_ONCE:
        return False
    counted[line["event"], key] = line["at"]
    return True


def read(target: str) -> Journal:
    """The whole journal, with its older parts; events told twice count once."""
    data = b"\n".join([_whole(part) for part in [*_older(target), target]])
    lines, counted, skipped = [], dict[tuple[str, str], float](), 0
    for piece in filter(None, data.split(b"\n")):
        line = parsed(piece)
        if line is None:
            skipped += 1
        elif is_new(line, counted):
            lines.append(line)
    return Journal(tuple(lines), skipped)


def all_in(state: str) -> Iterator[tuple[str, str, str]]:
    """Agent, session and path of every journal on this machine."""
    from leftoff.world.files import names_in

    base = f"{state}/sessions"
    for agent in names_in(base):
        folder = f"{base}/{agent}"
        names = {name[:-6] for name in names_in(folder) if name.endswith(".jsonl")}
        for session in sorted(names):
            whole, _, number = session.rpartition(".")
            if not (number.isdigit() and whole in names):
                yield agent, session, f"{folder}/{session}.jsonl"


def keep_small(state: str, agent: str, session: str) -> bool:
    """Begin a new file where a journal grew too large; the old one keeps a number. True: it did."""
    target = path(state, agent, session)
    try:
        if posix.stat(target).st_size <= LARGEST:
            return False
        _begin_anew(target, state, agent, session)
    except OSError:
        return False  # it can grow on: nothing is lost by that
    return True


def _begin_anew(target: str, state: str, agent: str, session: str) -> None:
    """A hook that still writes into the old file is read there."""
    from leftoff.world.files import take_name

    start = next((line for line in read(target).lines if line["event"] == "start"), None)
    number = len(_older(target)) + 1
    while not take_name(target, f"{target[:-6]}.{number}.jsonl"):
        number += 1
    if start:
        append(state, agent, session, start)  # readers of both parts see that it is the same


def _older(target: str) -> list[str]:
    """The parts of a journal that were put aside, oldest first; the folder may hold thousands."""
    found: list[str] = []
    while _is_there(part := f"{target[:-6]}.{len(found) + 1}.jsonl"):
        found.append(part)
    return found


def _is_there(path: str) -> bool:
    try:
        posix.stat(path)
    except OSError:
        return False
    return True


def _whole(target: str) -> bytes:
    from leftoff.errors import LeftoffError
    from leftoff.world.files import read_bytes

    try:
        return read_bytes(target)
    except LeftoffError:
        return b""
