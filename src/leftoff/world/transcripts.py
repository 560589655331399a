"""What the clients' transcripts amount to; of a file that was read before, only the new is read.

Whole lines count; half a line at the end waits for its rest. A file that became shorter, or whose
first or last known bytes changed, is read again from its start.
"""

from __future__ import annotations

from leftoff.core.stats import Stats
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import log_cache
from leftoff.world.log_files import find, for_project, has_reader
from leftoff.world.log_record import GONE, Log

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from leftoff.world.log_cache import Digest, Logs
    from leftoff.world.log_reading import Job

    Progress: TypeAlias = Callable[[int, int], None]

__all__ = ["Known", "Log", "find", "for_project", "read"]


class Known(Record):
    """A transcript and what it amounts to; `note` says why that is nothing, if it is."""

    log: Log
    stats: Stats
    note: str = ""

    @property
    def trouble(self) -> str:
        """The note, if what there is could not be read."""
        return "" if self.note == GONE else self.note


def read(
    logs: Sequence[Log],
    state: str,
    *,
    progress: Progress | None = None,
    curves: bool = True,
    known: Logs | None = None,
) -> list[Known]:
    """The statistics of each transcript. `progress` hears of bytes read and of bytes to read.

    Without `curves` the curve of context use is left empty: it is most of what there is to load.
    A server has `known`, what was loaded before; what is read is put into it.
    """
    known = known or log_cache.load(state, curves=curves)
    pending = [log for log in logs if not _is_read(known, log)]
    notes: dict[str, str] = {}
    if pending:
        notes = _refreshed(state, known, pending, progress, curves=curves)
    return [_known(known, log, notes) for log in logs]


def _is_read(known: Logs, log: Log) -> bool:
    row = known.rows.get(log.path)
    return row is not None and row[1:4] == (log.inode, log.size, log.mtime_ns)


def _refreshed(
    state: str, known: Logs, pending: Sequence[Log], progress: Progress | None, *, curves: bool
) -> dict[str, str]:
    from leftoff.world import log_forks, log_reading

    notes = _of_strangers(pending)
    pending = [log for log in pending if log.path not in notes]
    jobs = log_reading.plan(state, known, pending)
    found = _found(jobs, sum(map(log_reading.pending, jobs)), progress or _quiet)
    fresh = [one for one in found if not isinstance(one, str)]
    if fresh:
        own = log_forks.own_parts(state, known, fresh)
        log_cache.save(state, own)
        log_cache.put(known, own, ("rows", "stats", *(["curves"] * curves)))
    told = zip(pending, found, strict=True)
    return notes | {log.path: note for log, note in told if isinstance(note, str)}


def _of_strangers(logs: Sequence[Log]) -> dict[str, str]:
    """Transcripts of clients that nobody here can read, such as another leftoff archived."""
    strangers = {agent for agent in {log.agent for log in logs} if not has_reader(agent)}
    return {
        log.path: f'leftoff knows no client "{log.agent}"' for log in logs if log.agent in strangers
    }


def _found(jobs: Sequence[Job], size: int, progress: Progress) -> list[Digest | str]:
    from leftoff.world import log_reading

    if size < log_reading.MUCH:
        return log_reading.run(jobs, size, progress)
    from leftoff.world import bulk

    return bulk.run(jobs, size, progress)


def _known(known: Logs, log: Log, notes: dict[str, str]) -> Known:
    if log.path in notes:
        return Known(log, Stats(), notes[log.path])
    return Known._make((log, log_cache.stats_of(known, log.path), ""))


def _quiet(_done: int, _total: int) -> None: ...
