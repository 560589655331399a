"""Journals and transcripts, held in memory by a server, each with what tells whether it changed."""

from __future__ import annotations

import os
from time import time

from leftoff import agents
from leftoff.record import TYPE_CHECKING
from leftoff.world import cache_file, clients, scan
from leftoff.world import session_catalogue as c
from leftoff.world.files import names_in
from leftoff.world.journal import all_in
from leftoff.world.log_files import bases, beginnings, folder_of, log_at, placed, with_head

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from leftoff.world.inotify import News
    from leftoff.world.log_record import Log
    from leftoff.world.session_catalogue import Row, Sign

    Key = tuple[str, str]

ASKED = 100
"""Files that a look asks in turn, beside the newest."""


class Signs:
    """Files with their signs, newest first."""

    def __init__(self) -> None:
        self.signs: dict[str, Sign] = {}
        self._order: list[str] = []
        self._moved: set[str] = set()
        self._turn = 0

    def put(self, signs: Iterable[Sign], gone: Iterable[str] = ()) -> None:
        """So they are now; what changed a moment ago may change again unseen."""
        fresh = {one[0]: one for one in settled(signs)}
        for path in gone:
            self.signs.pop(path, None)
        self.signs.update(fresh)
        self._moved.update(fresh, gone)

    def changed(self, some: int) -> list[str]:
        """Which of the newest are others now, and which of the next so many, in turn."""
        self._put_in_order()
        goes_on = c.NEWEST <= self._turn < len(self._order) and some < len(self._order)
        start = self._turn if goes_on else c.NEWEST
        self._turn = start + some
        asked = (*self._order[: c.NEWEST], *self._order[start : start + some])
        return [path for path in asked if c.sign(path) != self.signs[path]]

    def _put_in_order(self) -> None:
        """Only when somebody asks: where the system tells of changes, nobody does."""
        moved, self._moved = self._moved, set()
        if moved:
            here = [path for path in moved if path in self.signs]
            self._order = [path for path in self._order if path not in moved]
            self._order[:0] = sorted(here, key=lambda path: -self.signs[path][1])


class Journals:
    """A row for each journal."""

    def __init__(self, state: str) -> None:
        self._state, self._base = state, os.path.join(state, "sessions")
        self._above: list[Sign] = []
        self._names: dict[str, set[str]] = {}
        self._signs = Signs()
        self._keys: dict[str, Key] = {}
        self.rows: dict[Key, Row] = {}

    def look(self, some: int) -> set[Key]:
        """The sessions whose journals came, went or grew."""
        if not self._above:
            return self._first()
        return self._taken_in(self._signs.changed(some), *self._listed())

    def heard(self, news: News) -> set[Key]:
        """The same, by what the system told."""
        known = [path for path in news.files if path in self._keys]
        came = (path for path in news.files if path not in self._keys)
        if self._is_other(known, came, news.folders):
            return self._taken_in(known, *self._listed())
        return self._taken_in(known, {}, [])

    def tops(self) -> list[str]:
        """Below which all of them are."""
        return [self._base]

    def folders(self) -> Iterator[str]:
        """In which one may come or go."""
        yield from (path for path in (self._base, *c.below(self._base)) if os.path.isdir(path))

    def _is_other(self, known: Iterable[str], came: Iterable[str], folders: Iterable[str]) -> bool:
        """Whether one may have come or gone."""
        own = f"{self._base}/"
        return (
            any(f"{path}/".startswith(own) for path in folders)
            or any(path.startswith(own) and path.endswith(".jsonl") for path in came)
            or not all(map(os.path.exists, known))
        )

    def _taken_in(
        self, stale: Iterable[str], new: Mapping[str, Key], gone: Iterable[str]
    ) -> set[Key]:
        went = {self._keys.pop(path) for path in gone}
        for key in went:
            del self.rows[key]
        changed = self._with_heirs(went)
        self._keys |= new
        signs = [c.sign(path) for path in {*new, *stale} - {*gone}]
        for sign in signs:
            changed |= self._read(self._keys[sign[0]], sign)
        if signs or changed:
            self._signs.put(signs, gone)
        return changed

    def _first(self) -> set[Key]:
        """As `session_catalogue` kept them: that is sooner than to read them all."""
        self._listed()
        self.rows = {(row[c.AGENT], row[c.SESSION]): row for row in c.journals(self._state, 0)}
        self._keys = {row[c.PATH]: key for key, row in self.rows.items()}
        self._signs.put((row[c.PATH], row[c.AT], row[c.SIZE]) for row in self.rows.values())
        return {*self.rows}

    def _listed(self) -> tuple[dict[str, Key], list[str]]:
        """The journals that came, and the paths of those that went, where a folder changed."""
        folders = [self._base, *c.below(self._base)]
        above = [*settled(map(c.sign, folders))]
        if above == self._above:
            return {}, []
        self._above, names = above, {folder: {*names_in(folder)} for folder in folders[1:]}
        if names == self._names:  # a small file beside a journal was replaced
            return {}, []
        self._names = names
        there = {path: (agent, session) for agent, session, path in all_in(self._state)}
        new = {path: key for path, key in there.items() if path not in self._keys}
        return new, [path for path in self._keys if path not in there]

    def _read(self, key: Key, sign: Sign) -> set[Key]:
        """Read one, and tell whose facts may be others now."""
        before, row = self.rows.get(key), c.journal_row(*key, sign)
        self.rows[key] = row
        same = before and (before[c.BOUND], before[c.PARENT]) == (row[c.BOUND], row[c.PARENT])
        return {key} if same else self._with_heirs({key})

    def _with_heirs(self, keys: set[Key]) -> set[Key]:
        """And whoever continues one of these, at however many removes, and so has its thread."""
        found, last = {*keys}, keys
        while last:
            heirs = {name for name, one in self.rows.items() if (name[0], one[c.PARENT]) in last}
            last = heirs - found
            found |= last
        return found


class Transcripts:
    """Every transcript, by path and by session."""

    def __init__(self, state: str, env: Mapping[str, str]) -> None:
        self._state, self._env = state, env
        self._above: list[Sign] = []
        self._locked = False
        self.linked = False
        """links lead out of the clients' folders, to where the system may not tell of changes"""
        self._signs, self._aside = Signs(), Signs()
        self._new_folders: set[str] = set()
        self._places = _Places(env)
        self.files: dict[str, Log] = {}
        self.groups: dict[Key, dict[str, Log]] = {}

    def look(self, some: int, *, whole: bool) -> set[Key]:
        """The sessions whose transcripts came, went or grew."""
        stale, listed = self._signs.changed(some), whole or self._locked or not self._above
        listed = listed or [*settled(map(c.sign, self._folders()))] != self._above
        return self._taken_in(stale, listed=listed)

    def heard(self, news: News) -> set[Key]:
        """The same, by what the system told; what lies aside is asked."""
        stale, places = {path for path in news.files if path in self.files}, self._places
        new = {path for path in news.folders if places.is_folder(path)}
        others = [path for path in news.files if path not in self.files]
        came = any(places.is_file(path) or places.is_link(path) for path in others)
        self._new_folders |= new
        listed = bool(new) or came or self._locked or not all(map(os.path.exists, stale))
        return self._taken_in(stale.union(self._aside.changed(ASKED)), listed=listed)

    def tops(self) -> list[str]:
        """Below which clients keep them; by the names that people know, which may be links."""
        every = map(agents.load, agents.names())
        homes = [clients.logs_folder(one, self._env) for one in every if one.LOGS.patterns]
        return [*homes, os.path.dirname(clients.database(self._env))]

    def folders(self) -> set[str]:
        """In which one may come or go; those of subagents, one for each session, lie aside."""
        self._new_folders = {*filter(os.path.isdir, self._new_folders)}
        places = self._places
        found = {path for path in self._folders() if os.path.isdir(path)}
        found |= {path for new in self._new_folders for path in places.below(new)}
        found |= {*places.database()}
        self._aside = Signs()
        away = (log for path, log in self.files.items() if os.path.dirname(path) not in found)
        self._aside.put((log.path, log.mtime_ns, log.size) for log in away if "#" not in log.path)
        return found

    def _taken_in(self, stale: Iterable[str], *, listed: bool) -> set[Key]:
        fresh, gone = {path: self._as_it_is(path) for path in stale}, list[str]()
        if listed:
            there = self._listed()
            gone = [path for path in self.files if path not in there]
            new = {path: log for path, log in there.items() if log is not self.files.get(path)}
            fresh = {**new, **{path: log for path, log in fresh.items() if path in there}}
        changed = {self._drop(path) for path in gone}
        for path, log in fresh.items():
            if known := self.files.get(path):
                changed.add(known.key)
                self.groups[known.key].pop(path, None)
            # one that was known keeps its place among all
            self.files[path] = self.groups.setdefault(log.key, {})[path] = log
        self._put(fresh, gone)
        return changed | {log.key for log in fresh.values()}

    def _put(self, fresh: Mapping[str, Log], gone: Iterable[str]) -> None:
        files = [log for log in fresh.values() if "#" not in log.path]
        signs = [(log.path, log.mtime_ns, log.size) for log in files]
        self._signs.put(signs, gone)
        aside = self._aside.signs
        self._aside.put([one for one in signs if one[0] in aside], gone)

    def _as_it_is(self, path: str) -> Log:
        known = self.files[path]
        seen = log_at(known.agent, path)
        log = known._replace(size=seen.size, mtime_ns=seen.mtime_ns, inode=seen.inode)
        return log if log.folder else with_head(log)  # its first lines come one by one

    def _listed(self) -> dict[str, Log]:
        """All there are; first the folders, so that what comes meanwhile is seen the next time."""
        self._places = _Places(self._env)
        links = [*self._places.links()]
        begin = *bases(self._env), *links, *beginnings(self._env)
        above = [*map(c.sign, dict.fromkeys(begin))]
        found, self._locked = placed(self._env, self._state, self.files)
        there = {log.path: log for log in found}
        tops = {path for path, *_ in above}
        between = c.between(there.values(), tops)
        inside = tuple(f"{top}/" for top in tops)
        self.linked = bool(links) or not all(f"{path}/".startswith(inside) for path in between)
        folders = *between, *c.beside(there.values())
        self._above = [*settled((*above, *map(c.sign, folders)))]
        return there

    def _folders(self) -> list[str]:
        return [path for path, *_ in self._above]

    def _drop(self, path: str) -> Key:
        log = self.files.pop(path)
        self.groups[log.key].pop(path, None)
        return log.key


class _Places:
    """Where transcripts may be, by the patterns of the clients."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._database = os.path.realpath(clients.database(env))  # the system tells of that one
        every = [agents.load(name) for name in agents.names()]
        self._patterns = [
            (folder_of(one, env), pattern) for one in every for pattern in one.LOGS.patterns
        ]

    def is_file(self, path: str) -> bool:
        """Whether a transcript may have this path."""
        if path.startswith(self._database):
            return True
        return any(
            path.startswith(f"{base}/") and scan.matches(path[len(base) + 1 :], pattern)
            for base, pattern in self._patterns
        )

    def is_folder(self, path: str) -> bool:
        """Whether there may be transcripts below it."""
        return any(_is_above(path, base, pattern) for base, pattern in self._patterns)

    def is_link(self, path: str) -> bool:
        """Whether it leads to a folder that stands for one in which transcripts may be."""
        return self.is_folder(path) and os.path.islink(path) and os.path.isdir(path)

    def links(self) -> Iterator[str]:
        """The links among the folders that patterns begin with, and in the last of them."""
        for base, pattern in self._patterns:
            top = f"{base}/{pattern.partition('*')[0]}".rstrip("/")
            yield from (path for path in (base, top, *c.below(top)) if self.is_link(path))

    def below(self, folder: str) -> Iterator[str]:
        """A folder, and those in it in which transcripts may be."""
        yield folder
        for path in c.below(folder):
            if self.is_folder(path) and os.path.isdir(path) and not os.path.islink(path):
                yield from self.below(path)

    def database(self) -> Iterator[str]:
        """The folder of the one that is a database."""
        folder = os.path.dirname(self._database)
        if os.path.isdir(folder):
            yield folder


def _is_above(path: str, base: str, pattern: str) -> bool:
    if path == base:
        return True
    own, parts = path[len(base) + 1 :], pattern.split("/")[:-1]
    first = "/".join(parts[: own.count("/") + 1])
    return path.startswith(f"{base}/") and scan.matches(own, first)


def settled(signs: Iterable[Sign]) -> Iterable[Sign]:
    """A sign of this moment is none: what changes again within it would look the same."""
    limit = int((time() - cache_file.TICK) * 1e9)
    return ((path, at, size) if at < limit else (path, at, -1) for path, at, size in signs)
