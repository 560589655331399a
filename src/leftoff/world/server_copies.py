"""The archive's copies, held in memory by a server: for sessions of which nothing else is left."""

from __future__ import annotations

import os

from leftoff.record import TYPE_CHECKING
from leftoff.world import archive
from leftoff.world import session_catalogue as c
from leftoff.world.server_session_files import settled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from leftoff.world.inotify import News
    from leftoff.world.log_record import Log
    from leftoff.world.session_catalogue import Sign

    Key = tuple[str, str]


class Copies:
    """By their names; a note is read when somebody asks for what it is of, and then kept."""

    def __init__(self, state: str) -> None:
        self._state, self._base = state, archive.folder(state)
        self._above: list[Sign] = []
        self._known: set[Key] = set()
        self._read: dict[Key, tuple[list[Log], list[Sign]]] = {}

    def look(self, *, whole: bool) -> set[Key]:
        """The sessions whose copies came, went or changed."""
        above = [*settled(map(c.sign, self.folders()))]
        if above == self._above and not whole:
            return set()
        self._above = above
        stale = {key for key, (_, signs) in self._read.items() if _differ(signs)} if whole else ()
        return self._listed() | self._dropped(stale)

    def heard(self, news: News) -> set[Key]:
        """The same, by what the system told; a folder that came is for `ServerSessions`."""
        own = f"{self._base}/"
        notes = [path for path in news.files if path.startswith(own) and _is_note(path)]
        keys = {key for path in notes if (key := self._key_at(path))}
        if not all(map(os.path.exists, notes)):
            return self._listed() | self._dropped(keys)
        new = keys - self._known
        self._known |= new
        return new | self._dropped(keys)

    def tops(self) -> list[str]:
        """Below which all of them are."""
        return [self._base]

    def folders(self) -> Iterator[str]:
        """In which one may come or go; those of subagents lie aside."""
        every = (self._base, *c.below(self._base))
        yield from (path for path in every if os.path.isdir(path) and not _holds_images(path))

    def of(self, key: Key) -> list[Log]:
        """What there is of a session, in the place of its transcripts."""
        if key in self._read:
            return self._read[key][0]
        logs = archive.copied_logs(self._state, [key]) if key in self._known else []
        if logs:
            notes = (archive.note_path(log.path) for log in logs)
            self._read[key] = logs, [*settled(map(c.sign, notes))]
        return logs

    def forget(self, key: Key) -> None:
        """Its transcript is there again: until that goes, its copy grows."""
        self._read.pop(key, None)

    def read(self) -> list[Log]:
        """All that somebody asked for, and that is not forgotten."""
        return [log for logs, _ in self._read.values() for log in logs]

    def _listed(self) -> set[Key]:
        before, self._known = self._known, archive.known(self._state)
        changed = before ^ self._known
        self._dropped(changed)
        return changed

    def _dropped(self, keys: Iterable[Key]) -> set[Key]:
        """Those of them that were read: they are read again when they are wanted."""
        return {key for key in keys if self._read.pop(key, None)}

    def _key_at(self, note: str) -> Key | None:
        agent, _, name = note[len(self._base) + 1 :].partition("/")
        return (agent, archive.session_at(note)) if name else None


def _differ(signs: Iterable[Sign]) -> bool:
    return any(c.sign(one[0]) != one for one in signs)


def _is_note(path: str) -> bool:
    return archive.is_note(os.path.basename(path))


def _holds_images(path: str) -> bool:
    return os.path.basename(path) == archive.IMAGES
