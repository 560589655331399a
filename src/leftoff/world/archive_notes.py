"""The notes of all archived copies at once, cached: one is read again only when it changed.

To read a note takes as long as to ask ten files for their time. What is kept can be deleted at any
time.
"""

from __future__ import annotations

import os
from time import time

from leftoff.record import TYPE_CHECKING
from leftoff.world import archive, cache_file
from leftoff.world.archive import NOTE, Note

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeAlias

    from leftoff.world.log_record import Log

    Entries: TypeAlias = list[os.DirEntry[str]]

FEW = 20
"""Sessions up to which nothing is gained."""
_HEAD = cache_file.head_of("copies 1")


def archived_logs(
    env: Mapping[str, str],
    state: str,
    logs: Iterable[Log],
    belongs: Callable[[str], bool] | None = None,
) -> list[Log]:
    """Copies of transcripts that are nowhere else any more; of a project, or of all."""
    missing = archive.known(state) - {log.key for log in logs}
    if missing and belongs:  # those of other projects are there all the same
        from leftoff.world.log_files import find

        missing -= {log.key for log in find(env)}
    if len(missing) <= FEW:
        return archive.copied_logs(state, missing, belongs)
    known = NoteCache(state)
    found = archive.copied_logs(state, missing, belongs, known.of_session)
    known.keep()
    return found


def every_note(state: str) -> dict[str, Note | None]:
    """Each note of the archive by its path, in order; None for one that cannot be read."""
    known = NoteCache(state, "notes")  # others ask for some, and keep no more than those
    found = {path: known.note(path) for path in archive.notes_below(archive.folder(state))}
    if len(found) > FEW:
        known.keep()
    return found


class NoteCache:
    """The archive as it is at this moment, to be asked as `archive` is; then it is for `keep`."""

    def __init__(self, state: str, name: str = "copies") -> None:
        self._state, self._file = state, os.path.join(state, "cache", f"{name}.bin")
        self._before: dict[str, Any] = cache_file.load_value(self._file, _HEAD) or {}
        self._now: dict[str, Any] = {}
        self._places: dict[str, dict[str, Entries]] = {}
        self._settled = int((time() - cache_file.TICK) * 1e9)

    def of_session(self, agent: str, session: str) -> list[Note]:
        """All copies of a session, its subagents' last."""
        place, name = archive.place_of(self._state, agent), archive.file_name(session)
        notes = [self.note(one.path) for one in self._in(place).get(name + NOTE, ())]
        own = archive.in_order([one for one in notes if one], session)
        if name not in self._in(place):
            return own
        inside = [one for each in self._in(os.path.join(place, name)).values() for one in each]
        inside.sort(key=lambda entry: entry.name)
        others = [self.note(one.path) for one in inside if archive.is_note(one.name)]
        return own + [one for one in others if one and one.stored and one.key == (agent, session)]

    def note(self, path: str) -> Note | None:
        """One of them; None for one that cannot be read."""
        try:
            seen = os.stat(path)
        except OSError:
            return None  # gone since
        sign = seen.st_mtime_ns, seen.st_size, seen.st_ino
        row = self._before.get(path)
        if row is None or row[0] != sign:
            note = archive.note_at(path)
            row = sign, tuple(note) if note else None
        if seen.st_mtime_ns < self._settled:  # else it may change again, and look the same
            self._now[path] = row
        return Note._make(row[1]) if row[1] else None

    def keep(self) -> None:
        """What was read now, if that is not what was kept."""
        if self._now != self._before:
            cache_file.save_value(self._file, _HEAD, self._now)

    def _in(self, place: str) -> dict[str, Entries]:
        """What a folder holds, by its name; the notes of further copies with that of the first."""
        if place not in self._places:
            found: dict[str, Entries] = {}
            for entry in _entries(place):
                name = entry.name
                first = archive.bare(name) + NOTE if archive.is_note(name) else name
                found.setdefault(first, []).append(entry)
            self._places[place] = found
        return self._places[place]


def _entries(place: str) -> Entries:
    try:
        with os.scandir(place) as found:
            return [*found]
    except OSError:
        return []
