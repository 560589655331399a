"""Removal is a move, and a move never overwrites: to the trash and back, to history, to archive."""

from __future__ import annotations

import errno
import os
from stat import S_IMODE, S_ISREG

from leftoff.core.fast_json import dumps, loads
from leftoff.core.when import stamp
from leftoff.errors import Conflict, FormatError, LeftoffError, NotFound, Usage
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import Attempt, Staged, discard, names_in, read_bytes, sync_folder
from leftoff.world.place import inside
from leftoff.world.rename import rename_new
from leftoff.world.state import ensure, place_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_NOTE = ".origin"


class Trashed(Record):
    """A file in the trash: where it is and was, since when, and what it is, or is a part of."""

    path: str
    root: str
    origin: str
    at: str
    of: str


def move_to_trash(store_root: str, path: str, state: str, now: float, of: str = "") -> str:
    """Where the file now is, with a note beside it that says where it was, and of what."""
    _require_file(path)
    note, targets = _ticket(store_root, path, state, now, of)
    return _put_at_first(targets, note, lambda target: _move(path, target))


def copy_to_trash(store_root: str, path: str, state: str, now: float) -> str:
    """Where a copy of the file now is, as if it had been moved there."""
    note, targets = _ticket(store_root, path, state, now)
    data = read_bytes(path)
    return _put_at_first(targets, note, lambda target: _write_new(target, data))


def _ticket(
    store_root: str, path: str, state: str, now: float, of: str = ""
) -> tuple[bytes, Iterator[str]]:
    """The note of where a file was, and the paths that it may have in today's trash."""
    folder = ensure(os.path.join(state, "trash", stamp(now)[:10], place_key(store_root)))
    origin = os.path.relpath(path, store_root)
    known = {"root": store_root, "path": origin, "at": stamp(now), **({"of": of} if of else {})}
    note = dumps(known).encode() + b"\n"
    return note, (os.path.join(folder, name) for name in _numbered(os.path.basename(path)))


def _put_at_first(targets: Iterable[str], note: bytes, put: Callable[[str], bool]) -> str:
    """The first of these names that is free, with the file there, and the note beside it.

    The note goes first and holds the name: nothing in the trash is ever without a way back.
    """
    return next(t for t in targets if _write_new(t + _NOTE, note) and _put_or_forget(t, put))


def find(store_root: str, state: str, name: str) -> list[Trashed]:
    """The project's files in the trash that had that name, newest first.

    An error where there is none that can be read, but a note that cannot.
    """
    found: list[Trashed] = []
    broken: list[LeftoffError] = []
    for note in _notes(store_root, state):
        try:
            one = _read_note(note)
        except LeftoffError as error:
            broken.append(error)  # one that cannot be read hides no other
            continue
        if one.root == store_root and _goes_by(one, name):
            found.append(one)
    found.sort(key=lambda one: (one.at, one.path), reverse=True)
    there = [one for one in found if os.path.exists(one.path)]
    if broken and not there:
        raise broken[0]
    return there


def _notes(store_root: str, state: str) -> Iterator[str]:
    """The notes of all that was put into the project's corner of the trash."""
    days = os.path.join(state, "trash")
    for day in names_in(days):
        folder = os.path.join(days, day, place_key(store_root))
        for name in names_in(folder):
            if name.endswith(_NOTE):
                yield os.path.join(folder, name)


def is_trashed(path: str) -> bool:
    """Whether a file lies in the trash, by the note beside it."""
    return os.path.lexists(path + _NOTE)


def _goes_by(one: Trashed, name: str) -> bool:
    """By its path, its id, with its format or without, by its file or its folder."""
    *folders, file = one.origin.split("/")
    ids = (one.of, one.of.rpartition(":")[2])
    return name in (one.origin, *ids, _split_ending(file)[0], *folders[-1:])


def _put_or_forget(target: str, put: Callable[[str], bool]) -> bool:
    done = False
    try:
        done = put(target)
    finally:
        if not done:
            discard(target + _NOTE)
    return done


def restore(trash_path: str) -> str:
    """Put a file back where it was; Conflict when something else is there by now."""
    known = _read_note(trash_path + _NOTE)
    target = inside(known.root, known.origin)
    with Attempt("create", os.path.dirname(target)):
        os.makedirs(os.path.dirname(target), exist_ok=True)
    if not _move(trash_path, target):
        text = f"{known.origin} exists again; it was left as it is"
        raise Conflict(text, where=known.origin)
    with Attempt("remove", trash_path + _NOTE):
        os.unlink(trash_path + _NOTE)
    return target


def move_into(folder: str, path: str, name: str) -> str:
    """Where the file now is: under the name in the folder, numbered when the name is taken."""
    _require_file(path)
    with Attempt("create", folder):
        os.makedirs(folder, exist_ok=True)
    targets = (os.path.join(folder, numbered) for numbered in _numbered(name))
    return next(target for target in targets if _move(path, target))


def _require_file(path: str) -> None:
    with Attempt("move", path):
        if not S_ISREG(os.lstat(path).st_mode):
            raise Usage(f"{path} is not a regular file", where=path)


def _numbered(name: str) -> Iterator[str]:
    """name.md, name-1.md, name-2.md ... The whole ending stays: x.checkpoint.json, x-1.che..."""
    stem, ending = _split_ending(name)
    yield name
    number = 0
    while True:
        number += 1
        yield f"{stem}-{number}{ending}"


def _split_ending(name: str) -> tuple[str, str]:
    """At most two endings of letters: `.checkpoint.json`, `.md`, but not a date or a version."""
    stem = name
    for _ in range(2):
        head, dot, tail = stem.rpartition(".")
        if not (head.strip(".") and dot and tail.isalpha()):
            break
        stem = head
    return stem, name[len(stem) :]


def _move(source: str, target: str) -> bool:
    """Move a file, durably; False, and nothing done, when the target's name is taken."""
    with Attempt("move", source):
        try:
            moved = rename_new(source, target)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            moved = _copy_over(source, target)
        if moved:
            sync_folder(os.path.dirname(target))
            sync_folder(os.path.dirname(source))
        return moved


def _copy_over(source: str, target: str) -> bool:
    """Across devices: the copy is whole and on the disk before the source goes."""
    mode = S_IMODE(os.lstat(source).st_mode)
    if not _write_new(target, read_bytes(source), mode):
        return False
    os.unlink(source)
    return True


def _write_new(path: str, data: bytes, mode: int = 0o600) -> bool:
    with Staged(path) as new:
        new.write(data, mode)
        return new.claim()


def _read_note(path: str) -> Trashed:
    try:
        note = loads(read_bytes(path).decode())
        root, origin = str(note["root"]), str(note["path"])
        at, of = str(note.get("at", "")), str(note.get("of", ""))
        return Trashed(path.removesuffix(_NOTE), root, origin, at, of)
    except NotFound:
        raise NotFound(f"there is no note of origin at {path}", where=path) from None
    except (ValueError, KeyError, TypeError):
        raise FormatError("not a note of origin", where=path) from None
