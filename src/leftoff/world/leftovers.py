"""Temporary files of writers that were killed: the next write in a folder sweeps them, or nobody.

Where no write may ever come again (the root, where git's merges are, the state folder, the clients'
settings), `doctor` finds them.
"""

from __future__ import annotations

import os

from leftoff import agents
from leftoff.errors import LeftoffError
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
    store: Store, streams: Iterable[Stream], env: Mapping[str, str], now: float
) -> Iterator[str]:
    """Their paths: those in the project relative to it, all others whole."""
    below = (place for name in _WRITTEN for place in _folders(os.path.join(store.root, name)))
    beside = (os.path.dirname(os.path.join(store.root, one.glance.path)) for one in streams)
    for path in _left_in({store.root, *below, *beside}, now):
        yield os.path.relpath(path, store.root)
    yield from _left_in({*_folders(store.state), *_settings(env)}, now)


def _left_in(folders: Iterable[str], now: float) -> Iterator[str]:
    for folder in sorted(folders):
        try:
            names = abandoned(folder, now)
        except LeftoffError:
            continue  # not there, or not ours to read
        paths = (os.path.join(folder, name) for name in names)
        yield from (path for path in paths if not is_trashed(path))


def _folders(top: str) -> Iterator[str]:
    return (place for place, _, _ in os.walk(top))


def _settings(env: Mapping[str, str]) -> Iterator[str]:
    """The folders of the files that `setup` edits."""
    for name in agents.names():
        agent = agents.load(name)
        if agent.HOOKS:
            yield os.path.dirname(os.path.realpath(clients.settings_file(agent, env)))
