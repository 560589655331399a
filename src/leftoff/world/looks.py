"""The documents of projects as a server knows them: one look finds what changed, only that is read.

A process of its own takes them from the cache on disk (`listing`); a server still has them.
"""

from __future__ import annotations

import os
from stat import S_ISREG
from time import monotonic, time_ns

from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import cache, listing, scan

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from leftoff.core.stream import Stream
    from leftoff.world.cache import Streams
    from leftoff.world.scan import Candidate, Look, Print, Table

    Found: TypeAlias = tuple[Table, list[Stream]]
    Listed: TypeAlias = Callable[[str, str, int, tuple[str, ...]], Found]

SHARED = 1.0
"""Seconds for which a look at the documents is good enough for a page."""


class _Seen(Record):
    """A project as it was at a look."""

    at: float
    look: Look
    scanned: int
    table: Table
    groups: Streams
    streams: list[Stream]


class Looks:
    """One look at the documents of a project serves all pages of a second.

    Whoever sees or makes a change says `forget`, so that the next page looks again.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """Nothing was looked at yet."""
        self._clock = clock
        self._seen: dict[str, _Seen] = {}

    def streams(self, root: str, state: str, now: int, _: tuple[str, ...] = ()) -> Found:
        """As `listing.streams`, with all fields; each asker gets a list of its own."""
        seen = self._seen.get(root)
        if seen is None:
            seen = _first(root, state, now)
        elif self._clock() - seen.at >= SHARED:
            seen = _again(seen, time_ns())
        else:
            return seen.table, [*seen.streams]
        self._seen[root] = seen._replace(at=self._clock())
        return seen.table, [*seen.streams]

    def forget(self) -> None:
        """Look again for the next page."""
        for root, seen in self._seen.items():
            self._seen[root] = seen._replace(at=float("-inf"))


def _first(root: str, state: str, now: int) -> _Seen:
    """By the cache on disk, which is brought up to date for everybody."""
    listing.streams(root, state, now)
    kept = cache.load(state, root, scan.formats_stamp())
    saved = kept or cache.empty(root, (), scan.lens_table())
    files = cache.files_of(saved)
    old = dict(zip(cache.grouped(files, saved.table), cache.unpack(saved), strict=True))
    nothing = scan.Look(root, files, [], [], [], [])
    return _renewed(_Seen(0.0, nothing, saved.scanned, saved.table, old, []), now)


def _again(seen: _Seen, now: int) -> _Seen:
    """Where only texts changed, these are read; where a name came or went, all is listed."""
    certain = seen.scanned - cache.RACY
    if any(at > certain for _, at in seen.look.folders):
        return _renewed(seen, now)
    found = changes(seen.look)
    if found is None:
        return _renewed(seen, now)
    young = {path for path, _, print_ in seen.look.files if max(print_[3:]) > certain}
    stale = young | found.keys()
    return _patched(seen, stale, found, now) if stale else seen


def _renewed(seen: _Seen, now: int) -> _Seen:
    with cache.Uncollected():
        table, found = seen.table, scan.look(seen.look.root, seen.table)
        groups = cache.grouped(found.files, table)
        made = cache.renewed(found.root, groups, seen.groups, seen.scanned)
        return _Seen(seen.at, found, now, table, made, listing.in_order(found, [*made.values()]))


def _patched(seen: _Seen, stale: set[str], prints: Mapping[str, Print], now: int) -> _Seen:
    """Only the groups that these files are part of are read."""

    def now_is(file: Candidate) -> Candidate:
        path, name, known = file
        return path, name, prints.get(path, known)

    look = seen.look._replace(files=[now_is(file) for file in seen.look.files])
    old = [group for group in seen.groups if not stale.isdisjoint([path for path, _, _ in group])]
    fresh = [tuple(map(now_is, group)) for group in old]
    kept = {group: stream for group, stream in seen.groups.items() if group not in old}
    made = {**kept, **cache.renewed(look.root, fresh, {}, 0)}
    return _Seen(seen.at, look, now, seen.table, made, listing.in_order(look, [*made.values()]))


def changes(found: Look) -> dict[str, Print] | None:
    """The files that changed, as they are now; None where only a walk can tell.

    That is half the price of a walk. A name that comes or goes changes its folder, and whatever is
    done to a file its ctime. Links, and what was refused, may change elsewhere.
    """
    root = found.root
    if found.linked or found.refused or os.path.lexists(f"{root}/{scan.ALIAS}"):
        return None
    if any(scan.changed(f"{root}/{folder}") != at for folder, at in found.folders):
        return None
    if any(os.path.lexists(f"{root}/{path}") for path in found.absent):
        return None
    try:
        return _changed(found)
    except OSError:
        return None  # one of them went


def _changed(found: Look) -> dict[str, Print] | None:
    fd, stat = os.open(found.root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), os.stat
    changed: dict[str, Print] = {}
    try:
        for _, _, (path, inode, _, _, at) in found.files:
            seen = stat(path, dir_fd=fd, follow_symlinks=False)
            if seen.st_ctime_ns != at or seen.st_ino != inode:
                if not S_ISREG(seen.st_mode):
                    return None
                figures = seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns
                changed[path] = (path, *figures)
    finally:
        os.close(fd)
    return changed
