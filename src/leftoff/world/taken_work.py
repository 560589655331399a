"""Which work somebody on this machine took: a file for each item, free again when its owner died.

All working trees of a repository share it, so that two agents never get the same item.
"""

from __future__ import annotations

import os
from time import time

from leftoff.core.fast_json import dumps, loads
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import (
    ABANDONED,
    UNKNOWN,
    alive,
    discard,
    modified,
    names_in,
    read_bytes,
    started,
    tag,
    write_atomic,
)
from leftoff.world.locks import locked
from leftoff.world.place import family
from leftoff.world.state import ensure, place_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leftoff.core.caller import Process
    from leftoff.world.place import Place

Item = tuple[str, str]

FORGOTTEN = 86400.0
"""Seconds after which what was taken on another host, which nobody can look at, is free again."""


class Taken(Record):
    """Who took what: the stream's id and the action; the owner's process."""

    id: str
    action: str
    pid: int
    started: str
    host: str
    by: str

    @property
    def item(self) -> Item:
        """What was taken."""
        return self.id, self.action

    def is_live(self, age: float) -> bool:
        """Whether the owner still runs; on another host age alone decides."""
        if self.host != os.uname().nodename:
            return age < FORGOTTEN
        return alive(self.pid) and started(self.pid) in {self.started, UNKNOWN}

    def is_of(self, owner: Process) -> bool:
        """Whether this owner took it, here."""
        return self[2:5] == (owner.pid, owner.started, os.uname().nodename)


def taken(state: str, place: Place) -> list[Taken]:
    """What is taken by processes that still run."""
    folder = _folder(state, place)
    return [one for name in names_in(folder) if (one := _live(os.path.join(folder, name)))]


def take(state: str, place: Place, owner: Process, by: str, items: Iterable[Item]) -> Taken | None:
    """The first item that nobody else has, taken for the owner; None when all are."""
    folder = ensure(_folder(state, place))
    with locked(folder):
        _clear(folder)
        held = {one.item: one for one in taken(state, place)}
        for name, action in items:
            mine = Taken(name, action, owner.pid, owner.started, os.uname().nodename, by)
            if held.get(mine.item, mine).is_of(owner):
                write_atomic(_file(folder, mine.item), dumps(mine._asdict()).encode(), 0o600)
                return mine
    return None


def release(state: str, place: Place, item: Item) -> None:
    """The item is done or given up: anybody may forget who had it."""
    discard(_file(_folder(state, place), item))


def _folder(state: str, place: Place) -> str:
    return os.path.join(state, "claims", place_key(family(place)))


def _file(folder: str, item: Item) -> str:
    return os.path.join(folder, tag("\0".join(item).encode("utf-8", "replace"))[:32])


def _clear(folder: str) -> None:
    """Dead owners' files go, so that they do not pile up.

    Call it under the folder's lock: a look that takes none could remove what was taken meanwhile.
    """
    for path in (os.path.join(folder, name) for name in names_in(folder)):
        if not _live(path) and time() - modified(path) > ABANDONED:
            discard(path)


def _live(path: str) -> Taken | None:
    """What a file says is taken, while its owner lives."""
    one = _read(path)
    return one if one and one.is_live(time() - modified(path)) else None


def _read(path: str) -> Taken | None:
    try:
        said = loads(read_bytes(path).decode())
        return Taken(**said)
    except (LeftoffError, ValueError, TypeError):
        return None
