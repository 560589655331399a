"""What hooks cost and where they failed, from the two files that the hook path appends to."""

from __future__ import annotations

import os

from leftoff.core.when import DAY
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

RUNS, FAILURES = "hook/runs", "hook.log"


class Run(Record):
    """One run of a hook; `why` it went to the ordinary commands, or "-"."""

    at: float
    agent: str
    event: str
    ms: float
    why: str


class Cost(Record):
    """Of many runs, in milliseconds."""

    runs: int
    median: float
    p99: float
    worst: float
    worst_event: str


class Failure(Record):
    """One line of hook.log."""

    at: str
    agent: str
    event: str
    what: str


def runs(state: str) -> list[Run]:
    """Every run that is still kept, the oldest first."""
    found = []
    for words in _lines(state, RUNS):
        try:
            at, agent, event, ms, why = words.split(" ")
            found.append(Run(float(at), agent, event, float(ms), why))
        except ValueError:
            continue  # torn by a full disk
    return found


def cost(found: list[Run], now: float) -> Cost | None:
    """What the runs of the day up to `now` cost; None where there were none."""
    today = sorted((run.ms, run.event) for run in found if now - DAY <= run.at <= now)
    if not today:
        return None
    times = [ms for ms, _ in today]
    worst, event = today[-1]
    return Cost(len(times), _share(times, 0.5), _share(times, 0.99), worst, event)


def failures(state: str) -> list[Failure]:
    """What went wrong, the oldest first."""
    found = []
    for line in _lines(state, FAILURES):
        at, agent, event, what = (*line.split(" ", 3), "", "", "")[:4]
        found.append(Failure(at, agent, event, what))
    return found


def _share(times: list[float], part: float) -> float:
    """The time that this part of the sorted runs stayed within."""
    return times[min(len(times) - 1, int(len(times) * part))]


def _lines(state: str, name: str) -> Iterator[str]:
    """Of the file that was put aside, then of the one in use."""
    for ending in (".1", ""):
        path = os.path.join(state, f"{name}{ending}")
        try:
            text = read_bytes(path).decode("utf-8", "replace")
        except LeftoffError:
            continue
        yield from filter(None, text.split("\n"))
