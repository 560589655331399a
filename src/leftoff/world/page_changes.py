"""Whether something changed that a page may show: documents, commits, journals. Only looks.

Thousands of old sessions are not looked at one by one: a folder tells when a name came or went,
and among its files only the newest are asked, since a running session is one of them. Documents are
walked through only when the system told that one changed, where it tells.
"""

from __future__ import annotations

import os

from leftoff.record import TYPE_CHECKING
from leftoff.world import scan
from leftoff.world.files import names_in
from leftoff.world.place import find_place
from leftoff.world.scan import changed
from leftoff.world.server_documents import TRIES, folders_of, is_plain, matters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leftoff.world.inotify import Notices
    from leftoff.world.scan import Look

NEWEST = 20
"""Files of a folder of sessions that are asked for their time."""
_STATE = ("pending", "saves", "evidence", "claims", "trust")


class Watch:
    """A look at one project and at the state folder; equal values mean that nothing changed."""

    def __init__(self, root: str, state: str, notices: Notices | None = None) -> None:
        """Nothing is looked at yet."""
        self._root, self._state = root, state
        self._inbox = notices.inbox() if notices else None
        self._table, self._prints = scan.lens_table(), 0
        self._found = scan.Look(root, [], [], [], [], [])
        self._newest: dict[str, tuple[int, list[str]]] = {}

    def look(self) -> int:
        """A number that differs when anything did change."""
        return hash((*self._documents(), *self._branch(), *self._sessions()))

    def left(self) -> int:
        """The same for what sessions left in the state folder, beside their journals."""
        return hash(tuple(self._left()))

    def _documents(self) -> Iterator[object]:
        if self._may_differ():
            self._prints = self._walked()
        yield self._prints
        yield changed(os.path.join(self._root, ".checkpoints", "current"))
        yield changed(os.path.join(self._root, ".checkpoints", "config.toml"))

    def _may_differ(self) -> bool:
        """Whether a document may have come, gone or changed since the last look."""
        news = self._inbox.news() if self._inbox else None
        if news is None:
            return True
        base = len(self._root) + 1
        return any(matters(path[base:], self._table) for path in (*news.files, *news.folders))

    def _walked(self) -> int:
        """All documents, until the system told of all folders already when they were looked at."""
        for _ in range(TRIES):
            found = self._found = scan.look(self._root, self._table)
            if self._inbox is None or not is_plain(found):
                break
            if self._inbox.settled(self._places):
                return _prints(found)
        if self._inbox:
            self._inbox.doubt()
        return _prints(self._found)

    def _places(self) -> tuple[list[str], set[str]]:
        return [self._root], folders_of(self._found)

    def _branch(self) -> Iterator[int]:
        """A commit or another branch changes verdicts; git's folder may be anywhere."""
        git = find_place(self._root).git
        for name in ("HEAD", "logs/HEAD", "index") if git else ():
            yield changed(os.path.join(git, name))

    def _left(self) -> Iterator[int]:
        for name in _STATE:
            yield changed(os.path.join(self._state, name))

    def _sessions(self) -> Iterator[object]:
        yield from self._left()
        base = os.path.join(self._state, "sessions")
        for agent in names_in(base):
            yield from map(changed, self._newest_of(os.path.join(base, agent)))

    def _newest_of(self, folder: str) -> list[str]:
        """Who is worth asking; found anew only when a name came or went."""
        now = changed(folder)
        known = self._newest.get(folder)
        if known is None or known[0] != now:
            known = self._newest[folder] = (now, [folder, *_latest(folder)])
        return known[1]


def _prints(found: Look) -> int:
    return hash(tuple(print_ for _, _, print_ in (*found.files, *found.linked)))


def _latest(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            found = [(changed(entry.path), entry.path) for entry in entries]
    except OSError:
        return []
    return [path for _, path in sorted(found)[-NEWEST:]]
