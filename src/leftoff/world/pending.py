"""What was left for a next session, with all that guards it: who has it, until when, is it used.

A record is one line in a file; everything else is computed. That a record was given to a session
stands in a mark of its own in the state folder: hooks change no file of a project, so a record
there that was used is only marked so, and the next command puts it away.
"""

from __future__ import annotations

import os

from leftoff.core.choose import AUTOMATIC, RECOVERED, Pending, is_dated
from leftoff.core.fast_json import dumps, loads
from leftoff.core.thread import FORMAT as THREAD
from leftoff.core.thread import document as document_of
from leftoff.core.when import stamp
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import bindings, saves
from leftoff.world.files import (
    decode,
    discard,
    encode,
    modified,
    names_in,
    read_bytes,
    write_atomic,
)
from leftoff.world.place import is_below
from leftoff.world.sentinels import MEMORY
from leftoff.world.state import ensure, place_key
from leftoff.world.trash import move_to_trash

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from leftoff.core.session import Session
    from leftoff.core.stream import Glance, Stream
    from leftoff.world.store import Store

_MARK = ".offered"
GONE, OUTSIDE = "the file is gone", "it leads out of the project"


class Mark(Record):
    """That a record, as it was at a time, was given to a session; `used`: and it answered."""

    record: str
    created: float
    agent: str
    session: str
    at: float
    used: bool = False


class Waiting(Record):
    """What waits, newest first, and the records whose time is over or that were used."""

    records: tuple[Pending, ...] = ()
    over: tuple[Pending, ...] = ()


def waiting(
    store: Store, streams: Sequence[Stream], now: float, limits: Mapping[str, float]
) -> Waiting:
    """All that was left for a session of this project."""
    given = {mark.record: mark for mark in _marks(store.state)}
    records: list[Pending] = []
    over: list[Pending] = []
    for raw in saves.pendings(store):
        mark = given.get(raw.record)
        mark = mark if mark and mark.created == raw.at else None
        used, expires = bool(mark and mark.used), raw.at + limits["pending.expires"]
        one = Pending(raw.record, _target(store, raw), raw.session, raw.at, expires, consumed=used)
        if not used and now <= expires:
            one = _described(store, streams, _guarded(store, one, mark, now, limits))
        over_now = used or now > expires or _is_superseded(streams, one)
        (over if over_now else records).append(one)
    return Waiting(tuple(records), tuple(over))


def own_target(store: Store, raw: saves.Pending) -> str:
    """What a record points at; "" where that is not the project's own."""
    target = _target(store, raw)
    return target if _may_read(store, target) else ""


def _target(store: Store, raw: saves.Pending) -> str:
    return os.path.realpath(os.path.join(store.root, raw.path))


def _guarded(
    store: Store, one: Pending, mark: Mark | None, now: float, limits: Mapping[str, float]
) -> Pending:
    """With the sessions behind it: the one that left it, and the one that was given it."""
    author = bindings.by_id(store.state, one.session)
    live = author is not None and bindings.is_live(author, now, limits)
    one = one._replace(live=live, thread=author.thread if author else "")
    taker = bindings.known(store.state, mark.agent, mark.session) if mark else None
    if taker and bindings.is_live(taker, now, limits):
        return one._replace(offered=taker.id)
    return one


def _described(store: Store, streams: Sequence[Stream], one: Pending) -> Pending:
    """With what the document says: task, branch and day."""
    if not _may_read(store, one.target):
        return one._replace(there=False, trouble=OUTSIDE)
    if not os.path.exists(one.target):
        return one._replace(there=False, trouble=GONE)
    try:
        seen = stream_at(store, streams, one.target).glance
    except LeftoffError as error:
        return one._replace(trouble=error.message, date=_day(one.target))
    if not seen.readable:
        return one._replace(trouble=seen.broken, date=_day(one.target))
    thread = seen.id if seen.format == THREAD else one.thread
    day = _day(one.target) or _written(seen)
    return one._replace(task=seen.name or seen.id, branch=seen.branch, date=day, thread=thread)


def _is_superseded(streams: Sequence[Stream], one: Pending) -> bool:
    """Whether nobody asked for this save, and somebody has saved its thread since."""
    if not one.thread or not one.target.endswith((f"{AUTOMATIC}.md", f"{RECOVERED}.md")):
        return False
    found = (s.glance for s in streams if (s.glance.format, s.glance.id) == (THREAD, one.thread))
    return any((seen.touched or 0.0) > one.created for seen in found)


def _may_read(store: Store, target: str) -> bool:
    """A record may come with `git pull`: it opens nothing but what is the project's own."""
    return is_below(target, store.root) or is_below(target, os.path.realpath(saves.folder(store)))


def _day(path: str) -> str:
    return os.path.basename(path)[:10] if is_dated(path) else ""


def _written(seen: Glance) -> str:
    return stamp(seen.touched)[:10] if seen.touched is not None else ""


def stream_at(store: Store, streams: Sequence[Stream], target: str) -> Stream:
    """The stream of a document, in the project or among the saves of this machine."""
    if not is_below(target, store.root):
        return saves.stream_of_save(store, target)
    where = os.path.relpath(target, store.root)
    known = next((one for one in streams if where in one.parts), None)
    return known or store.stream_at(where)


def document(store: Store, thread: str) -> str:
    """The real path of a thread's document; "" for no thread."""
    return os.path.realpath(os.path.join(store.root, document_of(thread))) if thread else ""


def put_away(store: Store, one: Pending, now: float) -> None:
    """Move a record that was used to the trash, unless another took its place meanwhile."""
    if in_project(store, one.record):
        if modified(one.record) == one.created:
            away(store, one.record, now)
    else:
        _to_trash(store, one.record, one.created, now)
    discard(_mark_of(store.state, one.record))


def _to_trash(store: Store, record: str, created: float, now: float) -> None:
    """Move a record of this machine, unless a save left another one in its place."""
    from leftoff.world.locks import locked  # whoever uses nothing up pays for no locks

    with locked(os.path.dirname(record)):
        if modified(record) == created:
            move_to_trash(store.root, record, store.state, now)


def away(store: Store, record: str, now: float) -> str:
    """Move a small file to the trash of the place it is in; where it is now."""
    if in_project(store, record):
        where = os.path.relpath(record, store.root)
        return store.move(where, f"{MEMORY}/trash/{stamp(now)[:10]}", os.path.basename(record))
    return move_to_trash(store.root, record, store.state, now)


def in_project(store: Store, record: str) -> bool:
    """Whether a record lies in seed C's own folder, and not in that of the user."""
    return is_below(record, os.path.join(store.root, MEMORY))


def offer(store: Store, one: Pending, who: tuple[str, str], now: float) -> None:
    """Mark a record as given to a session."""
    mark = Mark(one.record, one.created, *who, now)
    path = _mark_of(store.state, one.record)
    ensure(os.path.dirname(path))
    write_atomic(path, encode(dumps(mark._asdict())), 0o600)


def is_offered(state: str, who: tuple[str, str]) -> bool:
    """Whether a session has been given a record, and has not answered since."""
    return next(_given(state, who), None) is not None


def givens(store: Store, now: float, limits: Mapping[str, float]) -> dict[str, str]:
    """The live session that each record was given to."""
    return {
        mark.record: mark.session
        for mark in _marks(store.state)
        if bindings.is_live(bindings.known(store.state, mark.agent, mark.session), now, limits)
    }


def answered(store: Store, who: tuple[str, str], now: float) -> None:
    """The session that was given records has come to the end of a turn: they are used."""
    for mark in _given(store.state, who):
        _use(store, mark, now)


def is_left(store: Store, target: str) -> bool:
    """Whether a record points at this document."""
    return any(_target(store, raw) == target for raw in saves.pendings(store))


def use_up(store: Store, target: str, now: float) -> None:
    """Nobody needs what points at this document any more."""
    for raw in saves.pendings(store):
        if _target(store, raw) == target:
            _use(store, Mark(raw.record, raw.at, "", "", now), now)


def _use(store: Store, mark: Mark, now: float) -> None:
    path = _mark_of(store.state, mark.record)
    if in_project(store, mark.record):
        write_atomic(path, encode(dumps(mark._replace(used=True)._asdict())), 0o600)
        return
    _to_trash(store, mark.record, mark.created, now)
    discard(path)


def native(state: str, ids: Sequence[str]) -> Session | None:
    """The first of these sessions whose own transcript is still there."""
    for session in ids:
        one = bindings.by_id(state, session)
        if one and one.transcript and os.path.exists(one.transcript):
            return one
    return None


def _given(state: str, who: tuple[str, str]) -> Iterator[Mark]:
    return (mark for mark in _marks(state) if (mark.agent, mark.session) == who and not mark.used)


def _marks(state: str) -> Iterator[Mark]:
    folder = os.path.join(state, saves.PENDING)
    for name in names_in(folder):
        mark = _mark(os.path.join(folder, name)) if name.endswith(_MARK) else None
        if mark:
            yield mark


def _mark(path: str) -> Mark | None:
    try:
        said = loads(decode(read_bytes(path)))
        return Mark(**said)
    except (LeftoffError, ValueError, TypeError):
        return None  # a mark that cannot be read marks nothing: the record is free


def _mark_of(state: str, record: str) -> str:
    return os.path.join(state, saves.PENDING, f"{place_key(record)}{_MARK}")
