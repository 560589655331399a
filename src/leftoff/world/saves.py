"""What sessions leave on this machine: saves, what waits for the next session, what was lost.

All of it lies in the state folder, is the user's alone, and names its project: two projects may
share the short name of a folder.
"""

from __future__ import annotations

import os

from leftoff.core.choose import AUTOMATIC
from leftoff.errors import LeftoffError
from leftoff.formats._sentinel import (
    RESTORE,
    family_and_session,
    file_name,
    restore_path,
    restore_text,
)
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import (
    Staged,
    decode,
    discard,
    encode,
    modified,
    names_in,
    read_bytes,
    write_atomic,
)
from leftoff.world.place import find_place, is_below
from leftoff.world.sentinels import MEMORY
from leftoff.world.state import ensure, place_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leftoff.core.model import Checkpoint
    from leftoff.core.stream import Stream
    from leftoff.world.store import Store

PENDING, SAVES = "pending", "saves"
MOST = 200
"""Records of a folder that are read: each costs a look at its document and at its session."""
_PRIVATE = 0o600


class Pending(Record):
    """A record for the next session: what it points at, who left it, when, and if it is there."""

    path: str
    """as the record says it; in seed C's folder it is from the project's root"""
    session: str
    at: float
    there: bool
    record: str
    """the path of the record itself"""


def folder(store: Store) -> str:
    """The saves of a project."""
    return os.path.join(store.state, SAVES, place_key(store.root))


def save(
    store: Store, stem: str, text: str, end: str = f"{AUTOMATIC}.md", *, at: float = 0.0
) -> str:
    """Keep a text under a new name, by default `STEM-precompact.md`; where it is.

    Saves go by the time of their files: `at` is that of one about the past.
    """
    base = ensure(folder(store))
    for number in range(1, 1000):
        name = f"{stem}-{number}" if number > 1 else stem
        path = os.path.join(base, f"{name}{end}")
        if os.path.lexists(path):
            continue
        with Staged(path) as new:
            new.write(encode(text), _PRIVATE, at)
            if new.claim():
                return path
    raise LeftoffError("there are too many saves of one day", where=base)


def keep_fresh(store: Store, stem: str, text: str) -> None:
    """Remember what the sources of a save said, so that the next one knows what others changed."""
    try:
        ensure(folder(store))
        write_atomic(_fresh(store, stem), encode(text), _PRIVATE, durable=False)
    except LeftoffError:
        return  # the next one is only more careful


def fresh(store: Store, stem: str) -> str:
    """The same, at the next save; "" where nobody knows."""
    try:
        return decode(read_bytes(_fresh(store, stem)))
    except LeftoffError:
        return ""


def _fresh(store: Store, stem: str) -> str:
    return os.path.join(folder(store), f"fresh-{stem}.md")


def leave(store: Store, session: str, path: str) -> str:
    """Leave a pending restore of a save that is there; the newest of a session counts."""
    from leftoff.world.locks import locked  # readers pay for no locks

    base = ensure(os.path.join(store.state, PENDING))
    target = os.path.join(base, file_name(RESTORE, session))
    with locked(base):  # else the one that is there might go to the trash just as this one comes
        write_atomic(target, encode(restore_text(path)), _PRIVATE)
    return target


def pendings(store: Store) -> list[Pending]:
    """What waits for a session of this project, here and in seed C's own folder; newest first."""
    return sorted([*_own(store), *_foreign(store)], key=lambda one: -one.at)


def _own(store: Store) -> Iterator[Pending]:
    """Those of this machine that point at a save of the project, or at a document in it."""
    mine = folder(store) + os.sep
    for one in _in(os.path.join(store.state, PENDING), ""):
        if one.path.startswith(mine) or _in_project(store, one.path):
            yield one


def _in_project(store: Store, path: str) -> bool:
    """Whether a document is this project's, and not that of a project inside it."""
    real = os.path.realpath(path)
    if not os.path.isabs(path) or not is_below(real, store.root):
        return False
    return find_place(os.path.dirname(real)).root == store.root


def _foreign(store: Store) -> Iterator[Pending]:
    yield from _in(os.path.join(store.root, MEMORY), store.root)


def _in(base: str, root: str) -> Iterator[Pending]:
    """The newest ones: nobody goes on with one that hundreds came after."""
    said = {name: family_and_session(name) for name in names_in(base)}
    found = {name: one[1] for name, one in said.items() if one and one[0] == RESTORE}
    if len(found) > MOST:
        newest = sorted(found, key=lambda name: -modified(os.path.join(base, name)))
        found = {name: found[name] for name in newest[:MOST]}
    for name in sorted(found):
        yield from _read(os.path.join(base, name), found[name], root)


def _read(record: str, session: str, root: str) -> Iterator[Pending]:
    try:
        path = restore_path(decode(read_bytes(record)))
        at = os.stat(record).st_mtime
    except (LeftoffError, OSError):
        return  # doctor tells of records that cannot be read
    yield Pending(path, session, at, os.path.exists(os.path.join(root, path)), record)


def all_saves(store: Store) -> list[str]:
    """The paths of the saves of this machine for a project."""
    place = folder(store)
    return [os.path.join(place, name) for name in names_in(place) if name.endswith(".md")]


def stream_of_save(store: Store, path: str) -> Stream:
    """A save outside of the project as a stream; FormatError where it is not a document."""
    from leftoff.world.read_streams import stream_of  # only for who resumes one

    return stream_of(store.root, path, store.lens_for(path, _legible(path)).NAME)


def read_stream(store: Store, stream: Stream) -> Checkpoint:
    """The checkpoint of a stream, in the project or (a save of this machine) outside of it."""
    path = stream.glance.path
    if not os.path.isabs(path):
        return store.read_stream(stream)
    text = decode(read_bytes(path), path)
    return store.lens_for(path, text).read(text, path)


def _legible(path: str) -> str:
    return read_bytes(path).decode("utf-8", "replace")


def keep_loss(store: Store, session: str, text: str) -> None:
    """Keep what a compaction lost, for the session to be told."""
    path = loss_path(store, session)
    ensure(os.path.dirname(path))
    write_atomic(path, encode(text), _PRIVATE)


def has_loss(store: Store, session: str) -> bool:
    """Whether anything is kept to be told."""
    return os.path.exists(loss_path(store, session))


def take_loss(store: Store, session: str) -> str:
    """What was kept, once: it is gone afterwards. Empty where nothing was."""
    path = loss_path(store, session)
    try:
        text = decode(read_bytes(path))
    except LeftoffError:
        return ""
    discard(path)
    return text


def loss_path(store: Store, session: str) -> str:
    """Where it lies until it is told."""
    from leftoff.core.ids import check_name

    return os.path.join(folder(store), f"loss-{check_name(session, 'session id')}.json")
