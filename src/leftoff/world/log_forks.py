"""Forks: a session that goes on from another's history begins with a copy of it, and no mark.

Nothing may count twice in sums over sessions, so a fork counts its own part alone. It is found by
the key of its first answer, which another transcript holds as well: the keys are eight bytes for
each answer, and the lines of two files are compared only when that says they share a history.
"""

from __future__ import annotations

import os
from array import array
from contextlib import suppress

from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import archive, log_cache
from leftoff.world.log_cache import Row
from leftoff.world.log_files import log_at, reader_of
from leftoff.world.log_reading import Job, blocks, plain_feed, read_one
from leftoff.world.log_record import COPY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    LineId: TypeAlias = Callable[[bytes], int]

    from leftoff.world.log_cache import Digest, Logs
    from leftoff.world.log_record import Log


class _Log(Record):
    """A transcript among those it may share a history with."""

    path: str
    row: Row
    keys: bytes

    @property
    def name(self) -> list[str]:
        """Project, session, subagent: a client's folder that was copied has the same elsewhere.

        So has a copy in the archive, which is read when the transcript is gone, and knows its name.
        """
        note = _note(self.path)
        path = note.origin if note else self.path
        return path.rsplit("/", 4 if "/subagents/" in path else 2)[1:]

    @property
    def session(self) -> str:
        """What a fork of it names as its parent."""
        note = _note(self.path)
        return note.session if note else log_at("", self.path).session

    @property
    def age(self) -> tuple[float, list[str]]:
        """Which of two came first: a copy is written when the history is already there."""
        return self.row.began, self.name


def own_parts(state: str, known: Logs, fresh: Sequence[Digest]) -> list[Digest]:
    """The readings, with forks among them and among those before read again as such."""
    if all(one.path in known.rows for one in fresh):
        return list(fresh)
    logs = _logs(state, fresh)
    again = {}
    for log, others in _sharing(logs):
        earlier = [one for one in others if one.age < log.age and one.name != log.name]
        if earlier and (made := _as_fork(log, earlier)):
            again[log.path] = made
    return [*(one for one in fresh if one.path not in again), *again.values()]


def _logs(state: str, fresh: Sequence[Digest]) -> list[_Log]:
    before = log_cache.load(state, keys=True)
    rows = {path: Row._make(row) for path, row in before.rows.items()}
    keys: Mapping[str, bytes] = {**before.keys, **{one.path: one.keys for one in fresh}}
    rows.update((one.path, one.row) for one in fresh)
    return [_Log(path, row, keys[path]) for path, row in rows.items()]


def _sharing(logs: Sequence[_Log]) -> Iterator[tuple[_Log, list[_Log]]]:
    """Transcripts not known as forks whose first answer stands in others too, with those."""
    heads: dict[int, list[_Log]] = {}
    for log in logs:
        if log.row.head > 0 and not log.row.start:
            heads.setdefault(log.row.head, []).append(log)
    found: dict[str, list[_Log]] = {}
    for log in logs:
        for head in filter(heads.__contains__, array("Q", log.keys)):
            for one in heads[head]:
                if one.path != log.path:
                    found.setdefault(one.path, []).append(log)
    yield from ((log, found[log.path]) for log in logs if log.path in found)


def _as_fork(log: _Log, earlier: Sequence[_Log]) -> Digest | None:
    """The reading of its own part alone; None where it turns out to be no fork."""
    reader = reader_of(log.row.agent)
    line_id = getattr(reader, "line_id", None)
    if not line_id:
        return None  # this client's reader sees to it
    seen = {found for one in earlier for found in _seen(one.path, line_id)}
    try:
        own = _own_part(log, line_id, seen)
    except (OSError, LeftoffError):
        return None
    parent = max(earlier, key=lambda one: len({*array("Q", one.keys)} & {*array("Q", log.keys)}))
    job = Job(_as_listed(log), own=own, parent=parent.session)
    made = read_one(job, plain_feed(log.row.agent)) if own else ""
    return None if isinstance(made, str) else made


def _as_listed(log: _Log) -> Log:
    """Of a copy in the archive its note says how it looks, not the file."""
    note = _note(log.path)
    return archive.log_of(note) if note else log_at(log.row.agent, log.path)


def _note(path: str) -> archive.Note | None:
    return archive.note_at(archive.note_path(path)) if path.endswith(COPY) else None


def _seen(path: str, line_id: LineId) -> set[int]:
    """The lines of another one; of one that is gone by now, or cannot be read, as many as can."""
    found: set[int] = set()
    with suppress(OSError, LeftoffError):
        found.update(line for _, line in _ids(path, line_id) if line)
    return found


def _own_part(log: _Log, line_id: LineId, seen: set[int]) -> int:
    """Where the first line of the conversation begins that no other has; 0 if it shares none."""
    at, shares = 0, False
    for at, found in _ids(log.path, line_id):  # noqa: B007  # where it stopped
        if found and found not in seen:
            break
        shares = shares or bool(found)
    return at if shares else 0


def _ids(path: str, line_id: LineId) -> Iterator[tuple[int, int]]:
    """Each line's place and id; ids as numbers, because a long history has many. Last, the end."""
    at = 0
    for block in _blocks(path):
        for line in bytes(block).split(b"\n")[:-1]:
            yield at, line_id(line)
            at += len(line) + 1
    yield at, 0


def _blocks(path: str) -> Iterator[bytes | memoryview]:
    if path.endswith(COPY):
        yield from archive.blocks(archive.sound_note(path))
        return
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield from (block for block, _ in blocks(fd, 0, os.fstat(fd).st_size))
    finally:
        os.close(fd)
