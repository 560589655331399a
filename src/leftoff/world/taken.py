"""Work that somebody on this machine took: one file for each item, free again when its owner died.

All working trees of a repository share it, so that two agents never get the same item.
"""

from __future__ import annotations

import os

from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import alive, discard, read_bytes, tag, write_atomic
from leftoff.world.locks import locked, started
from leftoff.world.place import family
from leftoff.world.state import ensure, place_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leftoff.core.caller import Process
    from leftoff.world.place import Place

Item = tuple[str, str]


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

    def is_live(self) -> bool:
        """Whether the owner still runs; on another host nobody can tell, so it counts."""
        if self.host != os.uname().nodename:
            return True
        return alive(self.pid) and started(self.pid) == self.started


def taken(state: str, place: Place) -> list[Taken]:
    """What is taken by processes that still run."""
    folder = _folder(state, place)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    found = (_read(os.path.join(folder, name)) for name in names)
    return [one for one in found if one and one.is_live()]


def take(state: str, place: Place, owner: Process, by: str, items: Iterable[Item]) -> Taken | None:
    """The first item that nobody else has, taken for the owner; None when all are."""
    folder = ensure(_folder(state, place))
    with locked(folder):
        held = {one.item: one for one in taken(state, place)}
        for name, action in items:
            mine = Taken(name, action, owner.pid, owner.started, os.uname().nodename, by)
            if held.get((name, action), mine)[:5] == mine[:5]:
                write_atomic(_file(folder, mine.item), _written(mine), 0o600)
                return mine
    return None


def release(state: str, place: Place, item: Item) -> None:
    """The item is done or given up: anybody may forget who had it."""
    discard(_file(_folder(state, place), item))


def _folder(state: str, place: Place) -> str:
    return os.path.join(state, "claims", place_key(family(place)))


def _file(folder: str, item: Item) -> str:
    return os.path.join(folder, tag("\0".join(item).encode("utf-8", "replace"))[:32])


def _written(one: Taken) -> bytes:
    from json import dumps  # only who takes something pays

    return dumps(one._asdict()).encode()


def _read(path: str) -> Taken | None:
    from json import loads

    try:
        said = loads(read_bytes(path))
        return Taken(**said)
    except (LeftoffError, ValueError, TypeError):
        return None
