"""Sessions as their journals alone tell of them: where each began, and which thread it is on."""

from __future__ import annotations

import os

from leftoff.core.event import START
from leftoff.core.session import Session, thread_by_descent
from leftoff.core.session_lines import session_of
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import modified

if TYPE_CHECKING:
    from collections.abc import Callable

    Belongs = Callable[[str], bool]
    Key = tuple[str, str]

FIRST_LINE = 1 << 16


class Journaled(Record):
    """The sessions of a project, and those that do not say where they began; by agent and id."""

    sessions: dict[Key, Session]
    began: dict[Key, str]
    """the folder that each names, also those of other projects, where one project is wanted"""


def journaled(
    state: str, belongs: Belongs | None = None, most: int = 0, among: int = 0
) -> Journaled:
    """All there are, or the newest `most` of a project, for which `among` journals are opened."""
    found = Journaled({}, {})
    for agent, name, path in _paths(state, among):
        folder = _began_in(path) if belongs else ""  # who wants all of them need not ask each
        found.began[agent, name] = folder
        if not belongs or not folder or belongs(folder):
            found.sessions[agent, name] = read(agent, name, path)
        if most and len(found.sessions) == most:
            break
    for key, one in found.sessions.items():
        found.sessions[key] = _with_thread(one, state, found.sessions)
    return found


def beginnings(state: str) -> dict[Key, str]:
    """The folder that each journal names; "" for one that does not say."""
    return {(agent, name): _began_in(path) for agent, name, path in _paths(state)}


def _paths(state: str, among: int = 0) -> list[tuple[str, str, str]]:
    if not os.path.isdir(os.path.join(state, "sessions")):
        return []  # the common case before setup, for one system call
    from leftoff.world import journal

    paths = [*journal.all_in(state)]
    return sorted(paths, key=lambda one: -modified(one[2]))[:among] if among else paths


def _with_thread(one: Session, state: str, others: dict[Key, Session]) -> Session:
    """With the thread of the one it continues, of whatever project, where it has none of its own.

    `others` are the sessions that were read already; whoever else it descends from is read.
    """
    from leftoff.world import bindings

    if one.thread or not one.parent:
        return one

    def told(name: str) -> tuple[str, str]:
        above = others.get((one.agent, name)) or bindings.known(state, one.agent, name)
        return above.thread, above.parent

    return one._replace(thread=thread_by_descent(one.parent, told))


def of_key(state: str, key: Key) -> Session | None:
    """One of them by its name; None where it has no journal."""
    from leftoff.world import journal

    try:
        path = journal.path(state, *key)
    except LeftoffError:
        return None  # an id that is no name of a file
    return _with_thread(read(*key, path), state, {}) if os.path.isfile(path) else None


def read(agent: str, name: str, path: str) -> Session:
    """What a journal amounts to; why it is nothing, where it cannot be read."""
    from leftoff.world import journal

    try:
        found = journal.read(path)
    except (OSError, LeftoffError) as error:
        return Session(agent, name, seen=modified(path), trouble=f"{path}: {error}")
    made = session_of(agent, name, found.lines, found.skipped)
    if made.seen:
        return made
    empty = "holds no line that can be read"
    return made._replace(seen=modified(path), trouble=f"{path}: {empty}")


def roots_in(state: str) -> set[str]:
    """The projects that journals name."""
    return {folder for folder in beginnings(state).values() if folder}


def _began_in(path: str) -> str:
    """The folder that a journal names: its first line does so, and is cheaper than all of it."""
    from leftoff.core.fast_json import loads

    if not os.path.isfile(path):  # a named pipe called like a journal must not stop us
        return _said_later(path)
    try:
        with open(path, "rb") as file:
            said = loads(file.readline(FIRST_LINE).decode("utf-8", "replace"))
        if said.get("event") == START and (found := said.get("root") or said.get("cwd")):
            return str(found)
    except (OSError, ValueError, AttributeError):
        pass
    return _said_later(path)


def _said_later(path: str) -> str:
    """The same where the first line is torn, or not that of a start."""
    made = read("", "", path)
    return made.root or made.cwd
