"""Temporary files of writers that were killed: the next write in a folder sweeps them, or nobody.

Where no write may ever come again (the root, where git's merges are, the state folder, the clients'
settings), `doctor` finds them.
"""

from __future__ import annotations

import os
from contextlib import suppress
from time import time_ns

from leftoff import agents
from leftoff.core.paths import FOLDERS
from leftoff.core.thread import FOLDER as THREADS
from leftoff.record import TYPE_CHECKING
from leftoff.world import clients
from leftoff.world.files import abandoned, is_temporary, names_in
from leftoff.world.glance_cache import RACY
from leftoff.world.trash import is_trashed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from leftoff.core.stream import Stream
    from leftoff.world.store import Store

_known: dict[str, tuple[int, list[str]]] = {}
"""By folder: when it changed last, and the names in it that may be of temporary files."""


def temporary(
    store: Store, streams: Iterable[Stream], env: Mapping[str, str], now: float, *, all_over: bool
) -> Iterator[str]:
    """Their paths: those in the project relative to it, all others whole.

    Threads have a folder each: if not `all_over`, only those of these streams are looked into.
    """
    shut = "" if all_over else os.path.join(store.root, THREADS)
    beside = {os.path.dirname(os.path.join(store.root, one.glance.path)) for one in streams}
    found = _listed({store.root, *beside})
    for name in FOLDERS:
        found |= _folders(os.path.join(store.root, name), shut)
    for path in _left_in(found, now):
        yield os.path.relpath(path, store.root)
    yield from _left_in(_of_state(store.state) | _listed(_settings(env)), now)


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


def _of_state(state: str) -> dict[str, list[str]]:
    """The same for the state folder: of ten thousands of journals, side by side, names will do."""
    journals = os.path.join(state, "sessions")
    found = _listed((state, journals))
    for folder in (os.path.join(journals, name) for name in names_in(journals)):
        found[folder] = _few(folder)
    for path in (os.path.join(state, name) for name in names_in(state)):
        if path != journals and not os.path.islink(path):
            found |= _folders(path)
    return found


def _few(folder: str) -> list[str]:
    """The names of temporary files in a folder of many; a server lists it again when it changed."""
    try:
        changed = os.stat(folder).st_mtime_ns
        if _known.get(folder, (0,))[0] == changed:
            return _known[folder][1]
        now, names = time_ns(), [name for name in os.listdir(folder) if is_temporary(name)]
    except OSError:
        return []
    if changed <= now - RACY:
        _known[folder] = changed, names
    return names


def _settings(env: Mapping[str, str]) -> Iterator[str]:
    """The folders of the files that `setup` edits."""
    for name in agents.names():
        agent = agents.load(name)
        if agent.HOOKS:
            yield os.path.dirname(os.path.realpath(clients.settings_file(agent, env)))
