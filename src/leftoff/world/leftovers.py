"""Temporary files of writers that were killed: the next write in a folder sweeps them, or nobody.

Where no write may ever come again (the root, where git's merges are, the state folder, the clients'
settings), `doctor` finds them.
"""

from __future__ import annotations

import os
from contextlib import suppress

from leftoff import agents
from leftoff.core.thread import FOLDER as THREADS
from leftoff.record import TYPE_CHECKING
from leftoff.world import clients
from leftoff.world.files import abandoned
from leftoff.world.trash import is_trashed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from leftoff.core.stream import Stream
    from leftoff.world.store import Store

_WRITTEN = (".checkpoints", "checkpoints", ".workflow_artifacts")
"""Folders of a project below which leftoff makes folders of its own."""


def temporary(
    store: Store, streams: Iterable[Stream], env: Mapping[str, str], now: float, *, all_over: bool
) -> Iterator[str]:
    """Their paths: those in the project relative to it, all others whole.

    Threads have a folder each: if not `all_over`, only those of these streams are looked into.
    """
    shut = "" if all_over else os.path.join(store.root, THREADS)
    beside = {os.path.dirname(os.path.join(store.root, one.glance.path)) for one in streams}
    found = _listed({store.root, *beside})
    for name in _WRITTEN:
        found |= _folders(os.path.join(store.root, name), shut)
    for path in _left_in(found, now):
        yield os.path.relpath(path, store.root)
    yield from _left_in(_folders(store.state) | _listed(_settings(env)), now)


def _left_in(folders: Mapping[str, list[str]], now: float) -> Iterator[str]:
    for folder, names in sorted(folders.items()):
        paths = (os.path.join(folder, name) for name in abandoned(folder, now, names))
        yield from (path for path in paths if not is_trashed(path))


def _listed(folders: Iterable[str]) -> dict[str, list[str]]:
    """What is in each; nothing where it is not there, or not ours to read."""
    found = {}
    for folder in folders:
        with suppress(OSError):
            found[folder] = os.listdir(folder)
    return found


def _folders(top: str, shut: str = "") -> dict[str, list[str]]:
    """Each folder below, with the names of its files."""
    found = {}
    for place, folders, names in os.walk(top):
        if place == shut:
            folders.clear()
        found[place] = names
    return found


def _settings(env: Mapping[str, str]) -> Iterator[str]:
    """The folders of the files that `setup` edits."""
    for name in agents.names():
        agent = agents.load(name)
        if agent.HOOKS:
            yield os.path.dirname(os.path.realpath(clients.settings_file(agent, env)))
