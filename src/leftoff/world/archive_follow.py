"""One run of the archive that nobody asked for: bounded, one at a time, taken up by the next one.

The session that just ended comes first, then whatever changed, the oldest first: that is what a
client deletes next.
"""

from __future__ import annotations

import os
from fcntl import LOCK_EX, LOCK_NB, flock
from time import monotonic, sleep

from leftoff.core.fast_json import dumps, loads
from leftoff.core.model import Finding
from leftoff.core.texts import bytes_words
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import archive, archive_copy, follower, log_files
from leftoff.world.archive_upkeep import counted, note_totals
from leftoff.world.files import bytes_or_none, write_atomic
from leftoff.world.settings import load_or_default
from leftoff.world.state import ensure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from leftoff.core.retention import Policy
    from leftoff.world.archive_copy import Copied
    from leftoff.world.log_record import Log

LONGEST = 120.0
"""Seconds of one run."""
WAIT = 120.0
"""Seconds that the session which just ended waits for another run to end."""
MOST = 1 << 30
"""Bytes of transcripts that one run reads."""
ROOM = 1 << 30
"""Bytes that stay free on the disk, whatever there is to copy."""
SOON = 300.0
"""Seconds until a run goes on that came to one of these bounds."""
TIME, BYTES, DISK, FULL = "time", "bytes", "disk", "full"
_LOCK = "archive/following"
_PAUSE = 0.2
_OPEN = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class Followed(Record):
    """What a run tells of itself: what it left, and why it stopped, or "" for its end."""

    at: float
    left: int = 0
    left_bytes: int = 0
    failed: int = 0
    trouble: str = ""
    why: str = ""


class Bounds:
    """How far one run may go; `why` says which bound it came to."""

    def __init__(self, state: str, most: int) -> None:
        self._state, self._most = state, most
        self._began, self._read, self.why = monotonic(), 0, ""

    def reached(self, size: int) -> bool:
        """Whether to stop, now that so many more bytes were read."""
        self._read += size
        if not self.why:
            self.why = self._bound()
        return bool(self.why)

    def _bound(self) -> str:
        if monotonic() - self._began > LONGEST:
            return TIME
        if self._read >= self._most:
            return BYTES if self._most else FULL
        return DISK if _free(self._state) < ROOM else ""


def run(
    state: str, env: Mapping[str, str], now: float, session: tuple[str, str] = ("", "")
) -> Followed | None:
    """Copy what is new, within the bounds; None where another run is at it.

    Before a look at everything is due, only the session that is named; it waits for its turn.
    """
    ensure(archive.folder(state))
    fd = os.open(os.path.join(state, _LOCK), _OPEN, 0o600)
    try:
        if not _alone(fd, WAIT if session[1] else 0.0):
            return None
        due = follower.is_due(state, now)
        logs = [log for log in log_files.find(env) if due or log.key == session]
        bounds = Bounds(state, _most(state, env))
        found, left = _copied(_in_order(logs, session), state, env, now, bounds)
        if any(one.added for one in found):
            note_totals(state)
        told = _sum(now, found, left, bounds.why)
        if due:
            _leave(state, told)
        return told
    finally:
        os.close(fd)


def _alone(fd: int, patience: float) -> bool:
    """Whether no other run is at it, or none any more."""
    deadline = monotonic() + patience
    while True:
        try:
            flock(fd, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            if monotonic() >= deadline:
                return False
            sleep(_PAUSE)
        except OSError:
            return True  # no such locks here: every copy has one of its own
        else:
            return True


def _most(state: str, env: Mapping[str, str]) -> int:
    """Bytes that may be read: a copy is no larger, so that the archive keeps to its size."""
    largest = load_or_default(os.devnull, env)[0].archive.max_size
    return min(MOST, max(0, largest - counted(state).size)) if largest else MOST


def _in_order(logs: Sequence[Log], session: tuple[str, str]) -> list[Log]:
    return sorted(logs, key=lambda log: (log.key != session, log.mtime_ns, log.path))


def _copied(
    logs: Sequence[Log], state: str, env: Mapping[str, str], now: float, bounds: Bounds
) -> tuple[list[Copied], list[Log]]:
    """What became of each; then those that were not reached, or not to their end."""
    to = archive_copy.keeper(state, env, now)._replace(bounds=bounds)
    found: list[Copied] = []
    for log in logs:
        if bounds.reached(0):
            break
        found += archive_copy.copy_all([log], to)
    rest = logs[max(0, len(found) - 1) :] if bounds.why else []
    left = [one for one in rest if not to.gone.has(one) and not archive_copy.is_same(one, state)]
    return found, left


def _sum(now: float, found: Sequence[Copied], left: Sequence[Log], why: str) -> Followed:
    failed = [one for one in found if one.what == archive_copy.FAILED]
    size = sum(log.size for log in left)
    trouble = failed[0].trouble if failed else ""
    return Followed(now, len(left), size, len(failed), trouble, why if left else "")


def _leave(state: str, told: Followed) -> None:
    """Word of the run, with the time of the next one."""
    path = os.path.join(state, follower.FOLLOWED)
    write_atomic(path, dumps(told._asdict()).encode() + b"\n", 0o600, durable=False)
    due = told.at + (SOON if told.why in (TIME, BYTES) else follower.EVERY)
    os.utime(path, (due, due))


def _free(state: str) -> int:
    try:
        disk = os.statvfs(state)
    except OSError:
        return 0
    return disk.f_bavail * disk.f_frsize


def last(state: str) -> Followed | None:
    """What the last run told; None before the first one."""
    try:
        data = bytes_or_none(os.path.join(state, follower.FOLLOWED))
        return Followed(**loads(data.decode())) if data else None
    except (LeftoffError, ValueError, TypeError):
        return None


def findings(state: str, env: Mapping[str, str], policy: Policy) -> Iterator[Finding]:
    """What keeps sessions from being copied by themselves, where that is wanted."""
    base, told = archive.folder(state), last(state)
    if told is None or not policy.auto or not follower.is_on(env):
        return
    if told.failed:
        text = f"transcripts that could not be copied: {told.failed} ({told.trouble})"
        yield Finding(
            "not-archived", "warning", base, text, "leftoff session archive --all tries again"
        )
    if told.left:
        yield _unfinished(told, base)


def _unfinished(told: Followed, base: str) -> Finding:
    left = f"transcripts not copied yet: {told.left} ({bytes_words(told.left_bytes)})"
    if told.why == DISK:
        text = f"{left}: less than {bytes_words(ROOM)} of the disk is free"
        return Finding("archive-stopped", "warning", base, text, "make room")
    if told.why == FULL:
        text = f"{left}: the archive has reached archive.max_size"
        fix = "leftoff prune --archive --dry-run says what would go"
        return Finding("archive-stopped", "warning", base, text, fix)
    text = f"{left}: the next session continues"
    return Finding(
        "archive-behind", "info", base, text, "leftoff session archive --all copies them now"
    )
