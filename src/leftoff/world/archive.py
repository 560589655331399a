"""The archive: copies of the clients' transcripts that outlive them, redacted and compressed.

`<state>/archive/<agent>/<session>.jsonl.zst` is a row of zstd frames, each of whole lines; a
subagent's lies in a folder called like its parent. The note beside it (`.json`) says what it is a
copy of and how much of the file counts: it is written last, so that a crash loses nothing, and what
stands behind that length is nobody's. `archive_copy` writes, this only reads.
"""

from __future__ import annotations

import os
from math import inf

from leftoff.core.fast_json import dumps, loads
from leftoff.core.ids import is_name
from leftoff.errors import FormatError, LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import bytes_or_none, names_in, tag
from leftoff.world.log_record import COPY, Log

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from io import RawIOBase
    from typing import Any

DATA, NOTE = COPY, ".json"
TOMBSTONES = "tombstones.jsonl"
"""What went; `archive_tombstones` reads and writes it."""
IMAGES = "images"
"""The folder of what `archive_images` cut out, beside those of the clients."""
BLOCK = 1 << 20
_FINE = 1 << 10
PATIENCE = 30.0
"""Seconds that a writer waits for another one in the same folder."""
_COPY = "~"
"""Between a name and the number of a further copy: no checked name holds it."""
_HASHED = "x-"
"""How the name of a file begins that is a hash, since the id is no name."""
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW


class Note(Record):
    """What one copy is a copy of, how far it goes, and what redaction did to it."""

    agent: str
    session: str
    parent: str = ""
    """the session of a subagent's"""
    origin: str = ""
    """the transcript on the machine that had it; a database has `#session` behind it"""
    below: str = ""
    """the same below the client's folder, so that another home can have it back"""
    machine: str = ""
    folder: str = ""
    """where the session began"""
    project: str = ""
    at: float = 0.0
    """when it was first seen"""
    inode: int = 0
    size: int = 0
    mtime_ns: int = 0
    offset: int = 0
    """how much of the original is in the copy: whole lines"""
    check: int = 0
    """of its first bytes and of those before `offset`"""
    stored: int = 0
    """bytes of the copy that count"""
    raw: int = 0
    """the same before compression"""
    lines: int = 0
    changed: int = 0
    """lines that held a secret"""
    dropped: int = 0
    """signed or encrypted parts that held one, and went as a whole"""
    withheld: int = 0
    """lines that could not be redacted, or are too long to be read: they are not in the copy"""
    images: tuple[str, ...] = ()
    replaced: bool = False
    """the original was written anew since, and a later copy has that"""
    path: str = ""
    """of the copy; the note itself does not say it"""
    more: Mapping[str, Any] = {}
    """what a later version of leftoff says besides: it stays as it is"""

    @property
    def key(self) -> tuple[str, str]:
        """The session it belongs to: a subagent's belongs to its parent."""
        return self.agent, self.parent or self.session

    @property
    def seen(self) -> float:
        """When the session last did something."""
        return self.mtime_ns / 1e9


def folder(state: str) -> str:
    """Where the archive is; it need not exist."""
    return os.path.join(state, "archive")


def sessions(state: str) -> Iterator[Note]:
    """Every copy that holds something, subagents' and replaced ones too, in a stable order."""
    for path in notes_below(folder(state)):
        note = note_at(path)
        if note and note.stored:
            yield note


def lines(note: Note) -> Iterator[bytes]:
    """The whole lines of a copy, without their ends. An image is a mark (`archive_images`).

    FormatError where the copy is damaged: what came before that is good.
    """
    for block in blocks(note):
        yield from block.split(b"\n")[:-1]


def blocks(note: Note) -> Iterator[bytes]:
    """The same as blocks of whole lines, none much larger than its longest line."""
    rest: list[bytes] = []
    for data in _plain(note):
        cut = data.rfind(b"\n") + 1
        if cut:
            yield b"".join((*rest, data[:cut]))
            rest.clear()
        rest.append(data[cut:])


def copies(state: str, agent: str, session: str) -> list[Note]:
    """The copies of a session's own transcript, the one that counts last; none for none."""
    return in_order(notes_of(place_of(state, agent), file_name(session)), session)


def in_order(notes: Iterable[Note], session: str) -> list[Note]:
    """Those of a session's own transcript that hold something, the one that counts last."""
    mine = [note for note in notes if note.stored and (note.session, note.parent) == (session, "")]
    return sorted(mine, key=lambda note: (not note.replaced, note.mtime_ns, note.path))


def notes_of(place: str, name: str) -> list[Note]:
    """The notes of one name and of its further copies, also of those that hold nothing yet."""
    return [note for note in map(note_at, _files(place, name)) if note]


def of_session(state: str, agent: str, session: str) -> list[Note]:
    """All copies of a session, its subagents' last."""
    own = copies(state, agent, session)
    inside = map(note_at, notes_below(os.path.join(place_of(state, agent), file_name(session))))
    return own + [one for one in inside if one and one.stored and one.key == (agent, session)]


def known(state: str) -> set[tuple[str, str]]:
    """Agent and id of every session that has a copy, by the names of the files alone."""
    base = folder(state)
    places = [(agent, os.path.join(base, agent)) for agent in names_in(base)]
    return {
        (agent, session_at(os.path.join(place, name)))
        for agent, place in places
        for name in names_in(place)
        if is_note(name)
    }


def session_at(note: str) -> str:
    """The session that a note is of, by its name; only where that is a hash the note is read."""
    name = bare(os.path.basename(note))
    told = note_at(note) if name.startswith(_HASHED) else None
    return told.session if told else name


def copied_logs(
    state: str,
    sessions: Iterable[tuple[str, str]],
    belongs: Callable[[str], bool] | None = None,
    look: Callable[[str, str], list[Note]] | None = None,
) -> list[Log]:
    """The copies of these sessions, in the place of their transcripts; of a project, or of all."""
    logs: list[Log] = []
    folders: dict[str, bool] = {}
    for key in sorted(sessions):
        notes = look(*key) if look else of_session(state, *key)
        for note in notes:
            where = note.project or note.folder
            if where not in folders:
                folders[where] = not belongs or belongs(where)
            if folders[where] and not note.replaced:
                logs.append(log_of(note))
        logs += [] if notes else _unreadable(state, *key)
    return logs


def _unreadable(state: str, agent: str, session: str) -> list[Log]:
    """A session's copy whose note cannot be read: it is there, whatever is in it.

    Where it began is not known: only its journal can tell.
    """
    from leftoff import agents
    from leftoff.world.log_files import log_at

    if agent not in agents.names():
        return []
    paths = _files(place_of(state, agent), file_name(session))
    lost = (path.removesuffix(NOTE) + DATA for path in paths if note_at(path) is None)
    return [log_at(agent, path)._replace(session=session, parent="") for path in lost]


def log_of(note: Note) -> Log:
    """A copy in the place of the transcript it is of."""
    return Log(
        note.agent,
        note.path,
        note.session,
        note.parent,
        note.stored,
        note.mtime_ns,
        note.inode,
        note.folder,
    )


def place_of(state: str, agent: str, parent: str = "") -> str:
    """The folder of a session's copies."""
    return os.path.join(folder(state), file_name(agent), *([file_name(parent)] if parent else ()))


def file_name(name: str) -> str:
    """A name as one segment of a path: itself where it is safe, else a hash of it."""
    return name if is_name(name) else f"{_HASHED}{tag(os.fsencode(name))[:32]}"


def numbered(name: str, number: int) -> str:
    """The name of a further copy, of which the first is the name itself."""
    return f"{name}{_COPY}{number}" if number > 1 else name


def bare(name: str) -> str:
    """The name of a note without its ending, and without the number of a further copy."""
    return name.removesuffix(NOTE).partition(_COPY)[0]


def is_note(name: str) -> bool:
    """Whether a file is called like a note; one in the making begins with a dot."""
    return name.endswith(NOTE) and name[0] != "."


def note_path(path: str) -> str:
    """The note of a copy."""
    return path.removesuffix(DATA) + NOTE


def note_at(path: str) -> Note | None:
    """A note; None for one that cannot be read."""
    try:
        data = bytes_or_none(path)
        told: Any = loads(data.decode("utf-8", "surrogatepass")) if data else None
    except (LeftoffError, ValueError):
        return None
    if not isinstance(told, dict) or not _is_sound(told):
        return None
    kept = {name: value for name, value in told.items() if name in _KINDS}
    more = {name: value for name, value in told.items() if name not in _KINDS}
    images = tuple(kept.pop("images", ()))
    return Note(**kept, images=images, path=path.removesuffix(NOTE) + DATA, more=more)


def sound_note(path: str) -> Note:
    """The note of a copy that somebody wants to read; FormatError for one that cannot be read."""
    note = note_at(note_path(path))
    if note is None:
        raise FormatError("the note of the archived copy cannot be read", where=path)
    return note


def note_bytes(note: Note) -> bytes:
    """As it lies on the disk."""
    told = {name: value for name, value in note._asdict().items() if name in _KINDS}
    text = dumps({**note.more, **told, "images": list(note.images)})
    return text.encode("utf-8", "surrogatepass") + b"\n"


_KINDS: dict[str, Any] = {
    name: (int, float) if isinstance(value, float) else type(value)
    for name, value in Note("", "")._asdict().items()
    if name not in {"path", "more"}
} | {"images": list}
"""What a note says, and of which kind each is."""


def _is_sound(told: dict[str, Any]) -> bool:
    """Whether every value is of its kind; what a later version adds may be anything."""
    return {"agent", "session"} <= told.keys() and all(
        isinstance(value, _KINDS[name]) for name, value in told.items() if name in _KINDS
    )


def notes_below(place: str) -> Iterator[str]:
    """Every note in a folder and below, in order."""
    for name in names_in(place):
        path = os.path.join(place, name)
        if is_note(name):
            yield path
        elif name != IMAGES and not name.endswith(DATA) and os.path.isdir(path):
            yield from notes_below(path)


def _files(place: str, name: str) -> Iterable[str]:
    """The notes of one name and of its further copies.

    Most have none of those, and then no folder of thousands is listed. A copy takes the lowest
    number that is free, and takes it before the one goes that it replaces: so of the numbers below
    the highest one at most is free, and where the next two are, there is none.
    """
    first, further = name + NOTE, name + _COPY
    if not any(map(os.path.lexists, _further(place, name))):
        own = os.path.join(place, first)
        return [own] if os.path.lexists(own) else []
    return [
        os.path.join(place, entry)
        for entry in names_in(place)
        if entry == first or (entry.startswith(further) and entry.endswith(NOTE))
    ]


def _further(place: str, name: str) -> Iterator[str]:
    for number in (2, 3):
        for end in (NOTE, DATA):  # a copy that was stopped while it went has no note any more
            yield os.path.join(place, numbered(name, number) + end)


def _plain(note: Note) -> Iterator[bytes]:
    """The bytes of a copy as far as it counts, decompressed piece by piece.

    The piece in which damage is met is lost whole, so that what is before it is read in small ones.
    """
    told = 0
    try:
        for data in _pieces(note):
            told += len(data)
            yield data
    except FormatError:
        at = 0
        for data in _pieces(note, told):
            if at >= told:
                yield data
            at += len(data)


def _pieces(note: Note, fine_from: float = inf) -> Iterator[bytes]:
    import zstandard  # for those who read or write the archive

    at = 0
    try:
        with open(os.open(note.path, _READ), "rb", buffering=0) as file:
            counted: Any = _Counted(file, note.stored)
            reader = zstandard.ZstdDecompressor().stream_reader(counted, read_across_frames=True)
            while data := reader.read(BLOCK if at < fine_from else _FINE):
                yield data
                at += len(data)
    except zstandard.ZstdError as error:
        raise FormatError(f"the archived copy is damaged: {error}", where=note.path) from None
    except OSError as error:
        raise FormatError(
            f"the archived copy cannot be read: {error.strerror}", where=note.path
        ) from None
    if counted.left:
        raise FormatError("the archived copy is shorter than its note says", where=note.path)


class _Counted:
    """A file up to a length: what a crash left behind it is not ours."""

    def __init__(self, file: RawIOBase, left: int) -> None:
        self._file, self.left = file, left

    def read(self, size: int = -1) -> bytes:
        wanted = self.left if size < 0 else min(size, self.left)
        data = self._file.read(wanted) or b""
        self.left -= len(data)
        return data
