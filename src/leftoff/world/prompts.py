"""Blocked prompts: kept word for word, for the user alone, until they are replayed."""

from __future__ import annotations

import os

from leftoff.core.when import stamp
from leftoff.errors import LeftoffError
from leftoff.formats._sentinel import (
    PROMPT,
    Prompt,
    append_prompt,
    family_and_session,
    file_name,
    has_headers,
    prompts,
)
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import bytes_or_none, decode, encode, names_in, write_atomic
from leftoff.world.locks import locked
from leftoff.world.saves import PENDING
from leftoff.world.sentinels import MEMORY
from leftoff.world.state import ensure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from leftoff.core.replay import Held
    from leftoff.world.store import Store

WAIT = 1.0
"""Seconds to wait for another hook that stores a prompt."""
_NOTIFICATION = "<task-notification"


def store(state: str, session: str, text: str, now: float) -> str:
    """Add a prompt to those of its session: where it is. LeftoffError when it is not kept."""
    path = path_of(state, session)
    ensure(os.path.dirname(path))
    replayable = not text.lstrip().startswith(_NOTIFICATION)
    with locked(os.path.dirname(path), WAIT):
        whole = append_prompt(_text(path), Prompt(stamp(now), text, replayable))
        write_atomic(path, encode(whole), 0o600)
    return path


class Waiting(Record):
    """The files of prompts for a project: those of the session (under any id), and others'."""

    own: tuple[Held, ...]
    others: tuple[Held, ...]
    unread: tuple[tuple[str, str], ...]
    """path and reason of those that cannot be read"""


def waiting(place: Store, own: Sequence[str]) -> Waiting:
    """What was kept back for this project."""
    found: list[Held] = []
    unread = []
    for path, session in _files(place):
        try:
            found.append(_held(path, session))
        except LeftoffError as error:
            unread.append((path, error.message))
    said = [one for one in found if one.entries]
    mine = tuple(one for one in said if one.session in own)
    return Waiting(mine, tuple(one for one in said if one not in mine), tuple(unread))


def _files(place: Store) -> Iterator[tuple[str, str]]:
    """Path and session of each; on this machine, none of a session of another project."""
    here, theirs = os.path.join(place.state, PENDING), os.path.join(place.root, MEMORY)
    yield from ((path, name) for path, name in _named(here) if _is_of(place, name))
    yield from _named(theirs)


def _named(folder: str) -> Iterator[tuple[str, str]]:
    for name in names_in(folder):
        said = family_and_session(name)
        if said and said[0] == PROMPT:
            yield os.path.join(folder, name), said[1]


def _is_of(place: Store, session: str) -> bool:
    """Whether a session was of this project; one that no journal can place may be."""
    from leftoff.world.bindings import by_id

    known = by_id(place.state, session)
    return known is None or known.root in {"", place.root}


def _held(path: str, session: str) -> Held:
    from leftoff.core.replay import Entry, Held

    text = _text(path)
    entries = tuple(Entry(*one) for one in prompts(text))
    return Held(path, session, entries, plain=not has_headers(text))


def path_of(state: str, session: str) -> str:
    """Where the prompts of a session are; Usage for a session that cannot be named."""
    return os.path.join(state, PENDING, file_name(PROMPT, session))


def _text(path: str) -> str:
    return decode(bytes_or_none(path) or b"")
