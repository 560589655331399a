"""The documents of projects, held in memory by a server: a look reads only what changed.

A process of its own takes them from the cache on disk (`stream_list`) instead. Where the system
tells of changes, a look takes what it told; else it asks every file.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from stat import S_ISREG
from time import monotonic, time_ns

from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import glance_cache, scan, stream_list

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import TypeAlias

    from leftoff.core.stream import Stream
    from leftoff.world.glance_cache import Group
    from leftoff.world.inotify import Inbox, News, Notices
    from leftoff.world.scan import Candidate, Look, Print, Table

    Found: TypeAlias = tuple[Table, list[Stream]]
    Listed: TypeAlias = Callable[[str, str, int, tuple[str, ...]], Found]

SHARED = 1.0
"""Seconds for which a look is good enough for a page."""
TRIES = 3
"""Looks until the system tells of all folders: each may find new ones."""
_LONG_AGO = float("-inf")


class ServerDocuments:
    """One look at the documents of a project serves all pages of a second.

    Whoever sees or makes a change says `forget`, so that the next page looks again.
    """

    def __init__(
        self, clock: Callable[[], float] = monotonic, notices: Notices | None = None
    ) -> None:
        """Nothing was looked at yet."""
        self._clock, self._notices = clock, notices
        self._projects: dict[str, _Project] = {}
        self._at: dict[str, float] = {}

    @property
    def mark(self) -> int:
        """Another one whenever a look at some project saw a change."""
        return sum(project.mark for project in self._projects.values())

    def streams(self, root: str, state: str, now: int, _: tuple[str, ...] = ()) -> Found:
        """As `stream_list.streams`, with all fields; each asker gets a list of its own."""
        project = self._projects.get(root)
        if project is None:
            inbox = self._notices.inbox() if self._notices else None
            project = self._projects[root] = _Project(_first(root, state, now), inbox)
        if self._clock() - self._at.get(root, _LONG_AGO) >= SHARED:
            self._at[root] = self._clock()  # before: another thread may say `forget` meanwhile
            project.look()
        return project.seen.table, [*project.seen.streams]

    def forget(self) -> None:
        """Look again for the next page."""
        self._at.clear()

    def turn(self) -> None:
        """A page begins: where the system tells, its look costs next to nothing."""
        for root, project in self._projects.items():
            if project.is_told:
                self._at.pop(root, None)


class _Seen(Record):
    """A project as it was at a look."""

    look: Look
    scanned: int
    table: Table
    groups: dict[Group, Stream]
    streams: list[Stream]


class _Project:
    """The documents of one project; told of changes where the system does that."""

    def __init__(self, seen: _Seen, inbox: Inbox | None) -> None:
        self.seen, self._inbox, self.mark = seen, inbox, 0
        self._index()

    @property
    def is_told(self) -> bool:
        return bool(self._inbox and self._inbox.sure)

    def look(self) -> None:
        """Bring it up to date."""
        news = self._inbox.news() if self._inbox else None
        if news is None or not self._heard(news):
            self._looked()

    def _looked(self) -> None:
        """At everything, until the system told of all folders already when they were looked at."""
        for _ in range(TRIES):
            before, self.seen = self.seen, _again(self.seen, time_ns())
            if self.seen is not before:
                self._index()
            if not self._inbox or not is_plain(self.seen.look):
                break
            if self._inbox.settled(self._places):
                return
        if self._inbox:
            self._inbox.doubt()

    def _places(self) -> tuple[list[str], set[str]]:
        return [self.seen.look.root], folders_of(self.seen.look)

    def _index(self) -> None:
        self.mark += 1
        self._groups = {path: group for group in self.seen.groups for path, _, _ in group}

    def _heard(self, news: News) -> bool:
        """Take in what the system told; False where only a look at everything can."""
        base, table = len(self.seen.look.root) + 1, self.seen.table
        files = {path[base:] for path in news.files}
        stale = {path for path in files if path in self._groups}
        others = (files - stale) | {path[base:] for path in news.folders}
        if any(matters(path, table) for path in others):
            return False
        return all(self._is_read(group) for group in {self._groups[path] for path in stale})

    def _is_read(self, old: Group) -> bool:
        """The files of a stream as they are now; the other streams stay; False where one went."""
        seen, root = self.seen, self.seen.look.root
        now = ((path, kind, _print(root, path)) for path, kind, _ in old)
        group = tuple((path, kind, print_) for path, kind, print_ in now if print_)
        if len(group) < len(old):
            return False
        (stream,) = glance_cache.renewed(root, [group], {}, 0).values()
        before, self.mark = seen.groups.pop(old), self.mark + 1
        seen.groups[group] = stream
        self._groups.update((path, group) for path, _, _ in group)
        if stream.glance.path and stream.glance.path == before.glance.path:
            at = bisect_left(seen.streams, stream.glance.path, key=lambda one: one.glance.path)
            seen.streams[at] = stream
        else:
            seen.streams[:] = stream_list.in_order(seen.look, [*seen.groups.values()])
        return True


def _first(root: str, state: str, now: int) -> _Seen:
    """By the cache on disk, which is brought up to date for everybody."""
    stream_list.streams(root, state, now)
    kept = glance_cache.load(state, root, scan.formats_stamp())
    saved = kept or glance_cache.empty(root, (), scan.lens_table())
    files = glance_cache.files_of(saved)
    old = dict(
        zip(glance_cache.grouped(files, saved.table), glance_cache.unpack(saved), strict=True)
    )
    nothing = scan.Look(root, files, [], [], [], [])
    return _renewed(_Seen(nothing, saved.scanned, saved.table, old, []), now)


def _again(seen: _Seen, now: int) -> _Seen:
    """Where only texts changed, these are read; where a name came or went, all is listed."""
    certain = seen.scanned - glance_cache.RACY
    if any(at > certain for _, at in seen.look.folders):
        return _renewed(seen, now)
    found = changes(seen.look)
    if found is None:
        return _renewed(seen, now)
    young = {path for path, _, print_ in seen.look.files if max(print_[3:]) > certain}
    stale = young | found.keys()
    return _patched(seen, stale, found, now) if stale else seen


def _renewed(seen: _Seen, now: int) -> _Seen:
    with glance_cache.Uncollected():
        table, found = seen.table, scan.look(seen.look.root, seen.table)
        groups = glance_cache.grouped(found.files, table)
        made = glance_cache.renewed(found.root, groups, seen.groups, seen.scanned)
        return _Seen(found, now, table, made, stream_list.in_order(found, [*made.values()]))


def _patched(seen: _Seen, stale: set[str], prints: Mapping[str, Print], now: int) -> _Seen:
    """Only the groups that these files are part of are read."""

    def now_is(file: Candidate) -> Candidate:
        path, name, known = file
        return path, name, prints.get(path, known)

    look = seen.look._replace(files=[now_is(file) for file in seen.look.files])
    old = [group for group in seen.groups if not stale.isdisjoint([path for path, _, _ in group])]
    fresh = [tuple(map(now_is, group)) for group in old]
    kept = {group: stream for group, stream in seen.groups.items() if group not in old}
    made = {**kept, **glance_cache.renewed(look.root, fresh, {}, 0)}
    return _Seen(look, now, seen.table, made, stream_list.in_order(look, [*made.values()]))


def is_plain(found: Look) -> bool:
    """Whether all documents are where they seem to be: links lead to where nobody is told of."""
    never = any(at == scan.NEVER for _, at in found.folders)
    alias = os.path.lexists(f"{found.root}/{scan.ALIAS}")
    return not (found.linked or found.refused or never or alias)


def folders_of(found: Look) -> set[str]:
    """Every folder in which a document may come, go or change, and those above it."""
    inner = {path.rpartition("/")[0] for path, _, _ in found.files}
    inner |= {path.rpartition("/")[0] for path in found.absent}
    inner |= {path.rstrip("/") for path, _ in found.folders}
    above = {up for path in inner for up in _up(path)}
    return {f"{found.root}/{path}".rstrip("/") for path in above}


def _up(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition("/")[0]
    yield path


def matters(path: str, table: Table) -> bool:
    """Whether a document may be there, or below."""
    depth = path.count("/") + 1
    places = ("/".join(glob.split("/")[:depth]) for _, globs in table for glob in globs)
    return path in {"", scan.ALIAS} or any(scan.matches(path, place) for place in places)


def _print(root: str, path: str) -> Print | None:
    """As a scan sees it; None where there is no file, or no longer."""
    try:
        seen = os.lstat(f"{root}/{path}")
    except OSError:
        return None
    figures = seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns
    return (path, *figures) if S_ISREG(seen.st_mode) else None


def changes(found: Look) -> dict[str, Print] | None:
    """The files that changed, as they are now; None where only a walk can tell.

    That is half the price of a walk. A name that comes or goes changes its folder, and whatever is
    done to a file its ctime. Links, and what was refused, may change elsewhere.
    """
    root = found.root
    if found.linked or found.refused or os.path.lexists(f"{root}/{scan.ALIAS}"):
        return None
    if any(scan.touched(f"{root}/{folder}") != at for folder, at in found.folders):
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
