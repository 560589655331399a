"""What `doctor` looks at beside documents: pointers, indexes, git, leftovers, the machine."""

from __future__ import annotations

import os

from leftoff.core.diagnose_place import Listed, Signs
from leftoff.core.stream import names_none
from leftoff.errors import GitError
from leftoff.record import TYPE_CHECKING
from leftoff.world import git, merge_setup
from leftoff.world.index_md import outdated
from leftoff.world.mounts import kind_of
from leftoff.world.state_room import is_full, is_sealed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from leftoff.core.stream import Stream
    from leftoff.world.store import Store

ASKED = 200
"""Of how many documents git is asked whether it ignores them."""


_SHARED = frozenset({"skill", "md", "thread"})
"""Formats whose documents belong into git."""

HEAVY = 100 << 20
"""Bytes from which on a folder that only grows is mentioned."""

_GROWING = (".checkpoints/history", "checkpoints/archive")
_COUNTED = 5000
_FLEETING = frozenset({"tmpfs", "ramfs", "overlay", "aufs"})
_PATIENCE = 5.0


def look_around(
    store: Store,
    streams: Sequence[Stream],
    near: Sequence[Stream],
    env: Mapping[str, str],
    now: float,
) -> Signs:
    """Everything that is not in a document; what costs a look at each only beside those `near`."""
    from leftoff.world.hooks import installed
    from leftoff.world.leftovers import temporary
    from leftoff.world.sentinels import left_behind, markers

    hooks, unhooked = installed(store.root, env)
    pipes = _pipes(store, near)
    return Signs(
        pointer=_pointer(store, streams),
        indexes=tuple(outdated(store, streams)),
        driver=_driver(store, env),
        left=left_behind(store.root, now),
        markers=markers(store.root),
        listed=tuple(_listed(store, streams)),
        ignored=() if pipes else _ignored(store, near, env),
        pipes=tuple(os.path.relpath(path, store.root) for path in pipes),
        temporary=tuple(temporary(store, near, env, now, all_over=len(near) == len(streams))),
        heavy=tuple(_heavy(store)),
        hooks=tuple(hooks),
        unhooked=tuple(unhooked),
        state=store.state,
        vanishing=_vanishing(store.state),
        sealed=is_sealed(store.state),
        full=is_full(store.state),
    )


def not_looked_at(streams: Sequence[Stream]) -> Iterator[str]:
    """What the limits above leave out."""
    shared = sum(stream.glance.format in _SHARED for stream in streams)
    if shared > ASKED:
        yield f"whether git ignores {shared - ASKED} of {shared} documents"


def _pointer(store: Store, streams: Iterable[Stream]) -> str:
    """What the pointer says, if that is no thread."""
    said = store.pointer()
    return said if names_none(said, streams) else ""


# Git


def _driver(store: Store, env: Mapping[str, str]) -> str:
    """How the driver stands, where the repository asks for it."""
    if not store.place.git or store.raw_or_none(merge_setup.ATTRIBUTES) is None:
        return ""
    state = merge_setup.state(store, env)
    if state.attributes == merge_setup.MISSING:
        return ""
    # A driver that works for some of the files only is set up as a whole, or by hand.
    return state.command if state.attributes == merge_setup.WORKING else merge_setup.PARTIAL


def _pipes(store: Store, streams: Iterable[Stream]) -> list[str]:
    """Files with rules for git that are pipes, above the documents and beside them."""
    if not store.place.git:
        return []
    beside = {os.path.dirname(stream.glance.path) for stream in streams} - {""}
    below = sorted(os.path.join(store.root, folder) for folder in beside)
    return git.pipes((*git.folders(store.root), *below))


def _ignored(
    store: Store, streams: Sequence[Stream], env: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """The documents that an ignore rule hides, with the rule; what git tracks is not hidden."""
    paths = [s.glance.path for s in streams if s.glance.format in _SHARED][:ASKED]
    if not store.place.git or not paths:
        return ()
    words = ("-c", "core.quotePath=false", "check-ignore", "--verbose", "--", *paths)
    try:
        _, said = git.ask(store.root, *words, env=env, patience=_PATIENCE)
    except GitError:
        return ()
    rows = (line.partition("\t") for line in said.splitlines())
    # `FILE:LINE:PATTERN`; a pattern that begins with ! lets the file through
    found = ((path, rule) for rule, _, path in rows)
    return tuple((path, rule) for path, rule in found if not rule.split(":", 2)[-1].startswith("!"))


# Files and the machine


def _listed(store: Store, streams: Iterable[Stream]) -> Iterator[Listed]:
    """The sessions that registries call active."""
    for stream in streams:
        if stream.glance.format != "session" or stream.glance.broken:
            continue
        for one in store.read_stream(stream).sessions:
            if one.id and one.get("state") == "active":  # without one it is an error already
                seen = one.get("lastActivityAt") or one.get("startedAt")
                yield Listed(stream.glance.path, one.id, seen)


def _heavy(store: Store) -> Iterator[tuple[str, int]]:
    own = [(folder, os.path.join(store.root, folder)) for folder in _GROWING]
    trash = os.path.join(store.state, "trash")
    for shown, folder in (*own, (trash, trash)):
        size = _size(folder)
        if size > HEAVY:
            yield shown, size


def _size(folder: str) -> int:
    """The bytes of the first so many files in a folder: enough to tell whether it is heavy."""
    total = counted = 0
    for place, _, names in os.walk(folder):
        for name in names:
            counted += 1
            try:
                total += os.lstat(os.path.join(place, name)).st_size
            except OSError:
                continue
        if counted > _COUNTED:
            break
    return total


def _vanishing(folder: str) -> str:
    """The kind of file system, where what lies on it does not last; empty where nobody can say."""
    kind = kind_of(folder)
    return kind if kind in _FLEETING else ""
