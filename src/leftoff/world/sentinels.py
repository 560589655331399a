"""The small files that seed C's sessions leave for one another, seen as they lie there."""

from __future__ import annotations

import os

from leftoff.core.diagnose_place import Left, Marker
from leftoff.errors import LeftoffError
from leftoff.formats._sentinel import (
    RESTORE,
    Pidfile,
    family_and_session,
    read_pidfile,
    restore_path,
    skill_and_pid,
)
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import alive, decode, names_in, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

MEMORY = ".workflow_artifacts/memory"
SESSIONS = f"{MEMORY}/sessions"


def left_behind(root: str, now: float) -> tuple[Left, ...]:
    """What waits for a next session."""
    return tuple(
        _left(root, f"{MEMORY}/{name}", found[0], now)
        for name in names_in(os.path.join(root, MEMORY))
        if (found := family_and_session(name))
    )


def markers(root: str) -> tuple[Marker, ...]:
    """Who says that they are at work."""
    return tuple(
        Marker(f"{SESSIONS}/{name}", said.skill, said.pid, runs(said) is not False)
        for name, said in pidfiles(os.path.join(root, SESSIONS))
    )


def pidfiles(folder: str) -> Iterator[tuple[str, Pidfile]]:
    """The pidfiles of a folder: what each says counts; its name where it says nothing."""
    for name in names_in(folder):
        if found := skill_and_pid(name):
            try:
                yield name, read_pidfile(decode(read_bytes(os.path.join(folder, name))))
            except LeftoffError:
                yield name, Pidfile(*found, "")


def runs(said: Pidfile) -> bool | None:
    """Whether the process of a pidfile runs; None where this machine cannot tell."""
    if not said.host:
        return alive(said.pid)
    from leftoff.core.session import Client
    from leftoff.world import liveness  # what others write needs none of it

    return liveness.alive(Client(said.pid, said.began, said.boot, said.ns, said.host))


def _left(root: str, path: str, family: str, now: float) -> Left:
    full = os.path.join(root, path)
    try:
        age = now - os.stat(full).st_mtime
        target = restore_path(decode(read_bytes(full))) if family == RESTORE else None
    except (LeftoffError, OSError) as error:
        said = error.message if isinstance(error, LeftoffError) else str(error.strerror)
        return Left(path, 0.0, trouble=said)
    there = target is None or os.path.exists(os.path.join(root, target))
    return Left(path, age, target, there)
