"""The small files that seed C's sessions leave for one another, seen as they lie there."""

from __future__ import annotations

import os

from leftoff.core.diagnose_place import Left, Marker
from leftoff.errors import LeftoffError
from leftoff.formats._sentinel import (
    RESTORE,
    family_and_session,
    read_pidfile,
    restore_path,
    skill_and_pid,
)
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import alive, decode, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY = ".workflow_artifacts/memory"
SESSIONS = f"{MEMORY}/sessions"


def left_behind(root: str, now: float) -> tuple[Left, ...]:
    """What waits for a next session."""
    return tuple(
        _left(root, path, found[0], now)
        for path, name in _files(root, MEMORY)
        if (found := family_and_session(name))
    )


def markers(root: str) -> tuple[Marker, ...]:
    """Who says that they are at work."""
    return tuple(
        _marker(root, path, *found)
        for path, name in _files(root, SESSIONS)
        if (found := skill_and_pid(name))
    )


def _files(root: str, folder: str) -> Iterator[tuple[str, str]]:
    try:
        names = sorted(os.listdir(os.path.join(root, folder)))
    except OSError:
        return
    yield from ((f"{folder}/{name}", name) for name in names)


def _left(root: str, path: str, family: str, now: float) -> Left:
    full = os.path.join(root, path)
    try:
        age = now - os.stat(full).st_mtime
        target = restore_path(decode(read_bytes(full))) if family == RESTORE else None
    except (LeftoffError, OSError) as error:
        said = error.message if isinstance(error, LeftoffError) else str(error.strerror)
        return Left(path, family, 0.0, trouble=said)
    there = target is None or os.path.exists(os.path.join(root, target))
    return Left(path, family, age, target, there)


def _marker(root: str, path: str, skill: str, pid: int) -> Marker:
    """What the file says counts; its name where it says nothing."""
    try:
        said = read_pidfile(decode(read_bytes(os.path.join(root, path))))
        skill, pid = said.skill, said.pid
    except LeftoffError:
        pass
    return Marker(path, skill, pid, alive(pid))
