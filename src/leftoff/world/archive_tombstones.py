"""Which sessions were taken out of the archive, so that they stay out of every copy and index.

`<state>/archive/tombstones.jsonl` has a line for each session that somebody made leftoff forget,
and for each that grew too old. The first never comes back; the second does when it goes on.
"""

from __future__ import annotations

import os

from leftoff.core.fast_json import dumps, loads
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.archive import TOMBSTONES, folder
from leftoff.world.files import bytes_or_none
from leftoff.world.state import append_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leftoff.world.log_record import Log

FORGOTTEN, PRUNED = "forgotten", "pruned"


class Tombstone(Record):
    """A session that is in the archive no more: why, since when, and how it was then."""

    agent: str
    session: str
    why: str
    at: float
    mtime_ns: int = 0
    """of the newest of its transcripts when it went"""


class Gone(Record):
    """Sessions that must not be copied; of those that were pruned, up to which change of theirs."""

    forgotten: frozenset[tuple[str, str]] = frozenset()
    pruned: Mapping[tuple[str, str], int] = {}
    size: int = 0
    """bytes of what was read: lines only come, so that it tells whether there are more"""

    def now(self, state: str) -> Gone:
        """The same, with what came since."""
        try:
            same = os.stat(_file(state)).st_size == self.size
        except OSError:
            same = False  # reading it says why, where that is an error
        return self if same else forgotten(state)

    def has(self, log: Log) -> bool:
        """Whether a transcript is to stay out."""
        return log.key in self.forgotten or log.mtime_ns <= self.pruned.get(log.key, -1)


def forgotten(state: str) -> Gone:
    """All of them; an error where there are some that cannot be read: none must come back."""
    data = bytes_or_none(_file(state)) or b""
    stones = [stone for line in data.split(b"\n") for stone in _told(line)]
    pruned = {(one.agent, one.session): one.mtime_ns for one in stones if one.why == PRUNED}
    gone = frozenset((one.agent, one.session) for one in stones if one.why == FORGOTTEN)
    return Gone(gone, pruned, len(data))


def bury(state: str, stone: Tombstone) -> None:
    """Before the copy goes: what is half removed must not be copied again."""
    append_line(_file(state), dumps(stone._asdict()))


def _told(line: bytes) -> Iterator[Tombstone]:
    try:
        told = loads(line.decode())
        stone = Tombstone(
            str(told["agent"]),
            str(told["session"]),
            str(told["why"]),
            float(told["at"]),
            int(told["mtime_ns"]),
        )
    except (ValueError, KeyError, TypeError):
        return  # a line that a crash tore
    yield stone


def _file(state: str) -> str:
    return os.path.join(folder(state), TOMBSTONES)
