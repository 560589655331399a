"""What the archive takes, and taking sessions out of it: into the trash, with a tombstone."""

from __future__ import annotations

import os

from leftoff.core.fast_json import dumps, loads
from leftoff.core.model import Finding
from leftoff.core.retention import Kept
from leftoff.core.texts import bytes_words
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import archive, archive_images
from leftoff.world.archive import DATA, IMAGES, NOTE, PATIENCE
from leftoff.world.archive_notes import every_note
from leftoff.world.archive_tombstones import Tombstone, bury
from leftoff.world.files import (
    ABANDONED,
    bytes_or_none,
    modified,
    names_in,
    remove_empty,
    sweep,
    write_atomic,
)
from leftoff.world.locks import locked
from leftoff.world.trash import move_to_trash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from leftoff.core.retention import Policy
    from leftoff.world.archive import Note


class Totals(Record):
    """How much there is: sessions, the bytes of their copies, images and theirs."""

    sessions: int = 0
    stored: int = 0
    images: int = 0
    image_bytes: int = 0

    @property
    def size(self) -> int:
        """Bytes in all."""
        return self.stored + self.image_bytes


def totals(state: str) -> Totals:
    """As the last change of the archive left it; counted anew where nobody noted that."""
    try:
        data = bytes_or_none(_totals_file(state))
        return Totals(*map(int, loads(data.decode()))) if data else counted(state)
    except (LeftoffError, ValueError, TypeError):
        return counted(state)


def counted(state: str) -> Totals:
    """By a look at every file, none of which is opened."""
    found: set[tuple[str, str]] = set()
    stored = 0
    base = archive.folder(state)
    for place, folders, names in os.walk(base):
        if place == base and IMAGES in folders:
            folders.remove(IMAGES)
        for name in names:
            if name.endswith(DATA):
                stored += _size(os.path.join(place, name))
            elif name.endswith(NOTE) and os.path.dirname(place) == base:
                found.add((place, archive.bare(name)))
    sizes = image_sizes(state)
    return Totals(len(found), stored, len(sizes), sum(sizes.values()))


def note_totals(state: str) -> Totals:
    """The same, noted for `status`, which has no time to count."""
    found = counted(state)
    if os.path.isdir(archive.folder(state)):
        data = dumps([*found]).encode()
        write_atomic(_totals_file(state), data, 0o600, durable=False)
    return found


def findings(state: str, policy: Policy) -> Iterator[Finding]:
    """How large it is, and what in it cannot be read."""
    base = archive.folder(state)
    if not os.path.isdir(base):
        return
    found = counted(state)
    if policy.max_size and found.size > policy.max_size:
        most = bytes_words(policy.max_size)
        text = f"takes {bytes_words(found.size)}, more than archive.max_size ({most})"
        fix = "leftoff prune --archive --dry-run says what would go"
        yield Finding("archive-large", "advice", base, text, fix)
    elif found.sessions:
        text = f"sessions in it: {found.sessions}, {bytes_words(found.size)}"
        yield Finding("archive", "info", base, text)
    for path in broken(state):
        text = "is a copy or a note that cannot be read; nothing else in the archive depends on it"
        yield Finding("archive-broken", "warning", path, text, "leftoff session archive --all")


def broken(state: str) -> list[str]:
    """Notes that cannot be read, copies without one, and copies that are not whole."""
    base, found = archive.folder(state), []
    for place, _, names in os.walk(base):
        there = {*names}
        found += [
            f"{place}/{one}" for one in names if one.endswith(DATA) and not _noted(one, there)
        ]
    notes = every_note(state)
    found += [path for path, note in notes.items() if note is None]
    return sorted(found + [note.path for note in notes.values() if note and _is_cut(note)])


def _is_cut(note: Note) -> bool:
    """Whether there is less of a copy than counts: all that can be seen without reading it."""
    try:
        return os.path.getsize(note.path) < note.stored
    except OSError:
        return note.stored > 0


def _noted(name: str, there: set[str]) -> bool:
    return name.removesuffix(DATA) + NOTE in there


def image_sizes(state: str) -> dict[str, int]:
    """Every image and its bytes."""
    place = os.path.join(archive.folder(state), IMAGES)
    names = (name for name in names_in(place) if name[0] != ".")
    return {name: _size(os.path.join(place, name)) for name in names}


def kept(state: str) -> list[Kept]:
    """Every session that has copies, with all of its subagents'."""
    groups: dict[tuple[str, str], list[Note]] = {}
    for note in archive.sessions(state):
        groups.setdefault(note.key, []).append(note)
    return [
        Kept(
            *key,
            max(note.seen for note in notes),
            sum(note.stored for note in notes),
            frozenset(image for note in notes for image in note.images),
        )
        for key, notes in groups.items()
    ]


def take_out(state: str, sessions: Iterable[tuple[str, str]], why: str, now: float) -> int:
    """Sessions leave the archive, and images that no other has; how many copies there were."""
    gone = [note for key in sessions for note in _taken_out(state, *key, why, now)]
    _drop_images(state, {image for note in gone for image in note.images}, now)
    return len(gone)


def _taken_out(state: str, agent: str, session: str, why: str, now: float) -> list[Note]:
    """First the tombstone, then the copies."""
    notes = archive.of_session(state, agent, session)
    newest = max((note.mtime_ns for note in notes), default=0)
    bury(state, Tombstone(agent, session, why, now, newest))
    # the highest number first: so all of them are found again where this is stopped
    for note in sorted(notes, key=lambda note: (len(note.path), note.path), reverse=True):
        with locked(os.path.dirname(note.path), PATIENCE):
            # the note last: as long as it is there, this can be done again
            for path in (note.path, archive.note_path(note.path)):
                _trash(state, path, now)
    remove_empty(os.path.join(archive.place_of(state, agent), archive.file_name(session)))
    return notes


def sweep_images(state: str, now: float) -> None:
    """Images that no note names, because a copy was stopped before its note was written."""
    place = os.path.join(archive.folder(state), IMAGES)
    if not os.path.isdir(place):
        return
    with locked(place, PATIENCE):
        sweep(place, now)
    paths = {name: archive_images.path_of(state, name) for name in image_sizes(state)}
    old = [name for name, path in paths.items() if now - modified(path) > ABANDONED]
    _drop_images(state, old, now)


def _drop_images(state: str, names: Iterable[str], now: float) -> None:
    wanted = {*names}
    if not wanted:
        return
    for note in archive.sessions(state):
        wanted.difference_update(note.images)
    for name in sorted(wanted):
        _trash(state, archive_images.path_of(state, name), now)


def _trash(state: str, path: str, now: float) -> None:
    if os.path.lexists(path):
        move_to_trash(archive.folder(state), path, state, now)


def _size(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0


def _totals_file(state: str) -> str:
    return os.path.join(archive.folder(state), "totals")
