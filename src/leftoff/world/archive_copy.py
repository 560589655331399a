"""Transcripts into the archive: all of one on first sight, then only what is new in it.

What a client wrote is redacted before its first byte is written here, block by block, and never
read again. A block goes to the disk before the note that counts it: whenever this is stopped, the
next run takes it up where the note ends, and nothing is there twice.
"""

from __future__ import annotations

import os
from stat import S_ISREG

from leftoff import agents
from leftoff.core.redact import FAILURES
from leftoff.core.redact_lines import cleaned
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import archive, archive_images, log_files
from leftoff.world.archive import DATA, NOTE, PATIENCE, Note
from leftoff.world.archive_tombstones import Gone, forgotten
from leftoff.world.files import Attempt, Staged, discard, sweep, sync_folder, write_atomic
from leftoff.world.locks import locked
from leftoff.world.log_reading import blocks, check_of
from leftoff.world.place import find_place, is_below
from leftoff.world.redaction_key import redactor
from leftoff.world.settings import load_or_default
from leftoff.world.state import ensure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from leftoff.core.redact import Redactor
    from leftoff.world.archive_follow import Bounds
    from leftoff.world.log_record import Log

    Blocks = Iterable[tuple[bytes | memoryview, int]]

NEW, GROWN, SAME, REWRITTEN = "new", "grown", "same", "rewritten"
FORGOTTEN, FAILED, OFF = "forgotten", "failed", "off"
LEVEL = 3
COMMIT = 64 << 20
"""Bytes after which the note counts what there is: a crash costs no more than these."""
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW


class Copied(Record):
    """What became of one transcript; `added` bytes of it are new in the archive."""

    log: Log
    what: str
    added: int = 0
    note: Note | None = None
    trouble: str = ""


class Keeper(Record):
    """Whose archive it is, how texts are redacted, and what must never come into it."""

    state: str
    env: Mapping[str, str]
    now: float
    gone: Gone
    redactors: dict[str, Redactor]
    swept: set[str]
    """folders in which this run looked for what a killed one left"""
    bounds: Bounds | None = None
    """of a run that nobody asked for: a project may keep out of that one"""

    def by(self, project: str) -> Redactor:
        """With the rules of the user, and those of the project that a session was in."""
        if project not in self.redactors:
            settings, _ = load_or_default(project or os.devnull, self.env)
            self.redactors[project] = redactor(self.env, settings.redaction)
        return self.redactors[project]

    def lets(self, log: Log) -> bool:
        """Whether its project has it copied; one whose settings cannot be read does not say so."""
        if self.bounds is None:
            return True
        settings, error = load_or_default(_place_of(log, self.env)[1] or os.devnull, self.env)
        return settings.archive.auto and error is None

    def sweep(self, place: str) -> None:
        """Once for a folder: it may hold thousands of copies. Call it under the folder's lock."""
        if place not in self.swept:
            sweep(place, self.now)
            self.swept.add(place)

    def is_enough(self, size: int) -> bool:
        """Whether to stop here, now that so many more bytes were read."""
        return self.bounds is not None and self.bounds.reached(size)


def keeper(state: str, env: Mapping[str, str], now: float) -> Keeper:
    """For this user."""
    return Keeper(state, env, now, forgotten(state), {}, set())


def copy_all(
    logs: Sequence[Log], to: Keeper, progress: Callable[[int, int], None] | None = None
) -> list[Copied]:
    """Every transcript in turn; one that cannot be copied is told of, and stops no other."""
    total, done, found = sum(log.size for log in logs), 0, []
    for log in logs:
        try:
            found.append(copy(log, to))
        except LeftoffError as error:
            found.append(Copied(log, FAILED, trouble=error.message))
        done += log.size
        if progress:
            progress(done, total)
    return found


def copy(log: Log, to: Keeper) -> Copied:
    """What is new in one transcript, now also in the archive."""
    if to.gone.has(log):
        return Copied(log, FORGOTTEN)
    place = archive.place_of(to.state, log.agent, log.parent)
    note = _known(to.state, log)
    if note and _has_all(note, log):
        return Copied(log, SAME, note=note)
    if not to.lets(log):
        return Copied(log, OFF)
    ensure(place)
    with locked(place, PATIENCE):
        note = _last(to.state, log)  # another process may have been here
        if to.gone.now(to.state).has(log):
            return Copied(log, FORGOTTEN)
        to.sweep(place)
        if "#" in log.path and agents.load(log.agent).LOGS.database:
            return _copy_session(log, note, to)
        with Attempt("read", log.path):
            fd = os.open(log.path, _READ)
        try:
            return _copy_file(fd, log, note, to)
        finally:
            os.close(fd)


def is_same(log: Log, state: str) -> bool:
    """Whether the archive has all of a transcript."""
    note = _known(state, log)
    return note is not None and _has_all(note, log)


def _has_all(note: Note, log: Log) -> bool:
    return (note.inode, note.size, note.mtime_ns) == (log.inode, log.size, log.mtime_ns)


def _known(state: str, log: Log) -> Note | None:
    return _first(state, log) or _last(state, log)


def _first(state: str, log: Log) -> Note | None:
    """Its first copy, if that has all of it: no folder of thousands is listed for that."""
    place = archive.place_of(state, log.agent, log.parent)
    note = archive.note_at(os.path.join(place, archive.file_name(log.session) + NOTE))
    mine = note and not note.replaced and note.origin == log.path and _has_all(note, log)
    return note if mine else None


def _last(state: str, log: Log) -> Note | None:
    """The copy that grows with this very file; one may have been made and hold nothing yet."""
    place = archive.place_of(state, log.agent, log.parent)
    notes = archive.notes_of(place, archive.file_name(log.session))
    growing = [one for one in notes if not one.replaced]
    mine = [one for one in growing if one.origin == log.path]
    mine = mine or [one for one in growing if _moved(one, log)]
    return mine[-1] if mine else None


def _moved(note: Note, log: Log) -> bool:
    """Whether this is the file of that copy under another name, as Codex moves what it archives."""
    if not note.offset or note.offset > log.size or os.path.lexists(note.origin):
        return False
    try:
        fd = os.open(log.path, _READ)
    except OSError:
        return False
    try:
        return check_of(fd, note.offset) == note.check
    finally:
        os.close(fd)


def _copy_file(fd: int, log: Log, note: Note | None, to: Keeper) -> Copied:
    with Attempt("read", log.path):
        status = os.fstat(fd)
        if not S_ISREG(status.st_mode):
            return Copied(log, FAILED, trouble=f"{log.path} is not a regular file")
        goes_on = note and note.offset <= status.st_size
        goes_on = goes_on and note and check_of(fd, note.offset) == note.check
    what = GROWN if goes_on else REWRITTEN if note else NEW
    if note is None or not goes_on:
        old, note = note, _begun(log, to)
        _replace(old)
    elif note.origin != log.path:
        note = note._replace(origin=log.path, below=_below(log, to.env))
    source = blocks(fd, note.offset, status.st_size)
    after = _written(note, log, source, to, lambda at: check_of(fd, at))
    same = after.offset == note.offset and what != REWRITTEN
    return Copied(log, SAME if same else what, after.raw - note.raw, after)


def _copy_session(log: Log, old: Note | None, to: Keeper) -> Copied:
    """One that is rows of a database: they change in place, so that each copy is a new one."""
    from leftoff.world import opencode_db

    block = opencode_db.block(log.path)
    if isinstance(block, str):
        return Copied(log, FAILED, trouble=block)
    after = _written(_begun(log, to), log, [(block, len(block))], to, lambda _: 0)
    if old and _holds(after, old):
        remove(old)
    else:
        _replace(old)
    return Copied(log, GROWN if old else NEW, after.raw, after)


def _holds(new: Note, old: Note) -> bool:
    """Whether every message of an older copy is in the newer one too."""
    try:
        return {*map(_message, archive.lines(old))} <= {*map(_message, archive.lines(new)), b""}
    except LeftoffError:
        return False


def _message(line: bytes) -> bytes:
    head, info, _ = line.partition(b',"info":')
    return head if info else b""


def _begun(log: Log, to: Keeper) -> Note:
    """A new copy with nothing in it, under a name that nothing else has."""
    place, name = archive.place_of(to.state, log.agent, log.parent), archive.file_name(log.session)
    folder, root = _place_of(log, to.env)
    below = _below(log, to.env)
    machine = os.uname().nodename
    note = Note(log.agent, log.session, log.parent, log.path, below, machine, folder, root, to.now)
    number = 1
    while True:
        path = os.path.join(place, archive.numbered(name, number) + DATA)
        if not os.path.exists(path) and _claimed(note, path):
            return note._replace(path=path)
        number += 1


def _place_of(log: Log, env: Mapping[str, str]) -> tuple[str, str]:
    """The folder that a session began in, and the project that this is in."""
    folder = log.folder or log_files.head_of(log)[1]
    there = os.path.isdir(folder)
    return folder, find_place(folder, env.get("HOME", "")).root if there else folder


def _below(log: Log, env: Mapping[str, str]) -> str:
    """Where it is in the client's own folder; "" for one that is elsewhere."""
    client = log_files.folder_of(agents.load(log.agent), env)
    return os.path.relpath(log.path, client) if is_below(log.path, client) else ""


def _claimed(note: Note, path: str) -> bool:
    with Staged(archive.note_path(path)) as staged:
        staged.write(archive.note_bytes(note), 0o600)
        return staged.claim()


def _replace(note: Note | None) -> None:
    if note and note.stored:
        save(note._replace(replaced=True))
    elif note:
        remove(note)


def save(note: Note) -> None:
    """The note, on the disk."""
    write_atomic(archive.note_path(note.path), archive.note_bytes(note), 0o600)


def remove(note: Note) -> None:
    """A copy that another one holds whole: the note goes first, so that nobody reads a half."""
    discard(archive.note_path(note.path))
    discard(note.path)


def _written(note: Note, log: Log, source: Blocks, to: Keeper, check: Callable[[int], int]) -> Note:
    """The note after all of these blocks are in the copy, counted every now and then."""
    with Attempt("write", note.path):
        fd = os.open(note.path, _WRITE, 0o600)
        try:
            os.ftruncate(fd, note.stored)  # what a crash left is in no note
            os.lseek(fd, note.stored, os.SEEK_SET)
            for part in _parts(note, log, source, to, fd):
                note = _counted(fd, part._replace(check=check(part.offset)))
        except OSError:
            _give_back(fd, note.stored)
            raise
        finally:
            os.close(fd)
    return note


def _counted(fd: int, note: Note) -> Note:
    """The note on the disk, after what it counts."""
    os.fsync(fd)
    sync_folder(os.path.dirname(note.path))
    save(note)
    return note


def _give_back(fd: int, length: int) -> None:
    """The room that a half-written part takes, on a disk that may be full."""
    try:
        os.ftruncate(fd, length)
    except OSError:
        return  # the next run does it


def _parts(note: Note, log: Log, source: Blocks, to: Keeper, fd: int) -> Iterator[Note]:
    """Frames of whole blocks; the note that counts each, once its bytes are written.

    Only the last one says how the original looked: by that it is known to be read to its end.
    """
    frame, begun = _Frame(fd), note.raw
    for block, at in source:
        note = _added(note, bytes(block), at, frame, to)
        if to.is_enough(len(block)):
            yield note._replace(stored=note.stored + frame.end())
            return
        if note.raw - begun >= COMMIT:
            note = note._replace(stored=note.stored + frame.end())
            yield note
            frame, begun = _Frame(fd), note.raw
    stored = note.stored + frame.end()
    yield note._replace(stored=stored, inode=log.inode, size=log.size, mtime_ns=log.mtime_ns)


def _added(note: Note, block: bytes, at: int, frame: _Frame, to: Keeper) -> Note:
    """One block in the copy. What cannot be redacted is left out, and the note says so."""
    if block == b"\n" and at - note.offset > 1:
        return note._replace(offset=at, withheld=note.withheld + 1)  # longer than can be read
    try:
        data, images = archive_images.cut(block, to.state)
        clean = cleaned(data, to.by(note.project))
    except FAILURES:
        return note._replace(offset=at, withheld=note.withheld + block.count(b"\n"))
    frame.add(clean.data)
    return note._replace(
        offset=at,
        raw=note.raw + len(clean.data),
        lines=note.lines + clean.data.count(b"\n"),
        changed=note.changed + clean.changed,
        dropped=note.dropped + clean.dropped,
        withheld=note.withheld + clean.withheld,
        images=tuple(dict.fromkeys((*note.images, *images))) if images else note.images,
    )


class _Frame:
    """One zstd frame at the end of a file, in the making."""

    def __init__(self, fd: int) -> None:
        import zstandard

        self._fd, self._size = fd, 0
        self._zstd = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True).compressobj()
        self._empty = True

    def add(self, data: bytes) -> None:
        self._empty = self._empty and not data
        self._write(self._zstd.compress(data))

    def end(self) -> int:
        """Close it; its length, none where nothing was added."""
        if not self._empty:
            self._write(self._zstd.flush())
        return self._size

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            done = os.write(self._fd, rest)
            self._size += done
            rest = rest[done:]
