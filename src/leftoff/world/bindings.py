"""Which session is on which thread, as the journals of this machine tell."""

from __future__ import annotations

import os

from leftoff.core.session import ACTIVE, state, thread_by_descent
from leftoff.core.session_lines import session_of
from leftoff.core.when import DAY
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world import journal
from leftoff.world.files import modified, names_in
from leftoff.world.session_catalogue import AGENT, ENDED, SESSION, THREAD, journals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leftoff.core.session import Session
    from leftoff.world.session_catalogue import Row
    from leftoff.world.store import Store

FORGOTTEN = 7 * DAY
"""Seconds without a line after which a session holds no thread against another."""


def known(state_dir: str, agent: str, session: str) -> Session:
    """A session as its journal tells of it."""
    try:
        lines = journal.read(journal.path(state_dir, agent, session)).lines
    except LeftoffError:
        lines = ()  # a name that is no session's, but a path
    return session_of(agent, session, lines)


def bound(state_dir: str, agent: str, session: str) -> str:
    """The session's own binding, else that of the one it continues; "" for none."""

    def told(name: str) -> tuple[str, str]:
        one = known(state_dir, agent, name)
        return one.thread, one.parent

    return thread_by_descent(session, told)


def lineage(state_dir: str, agent: str, session: str) -> tuple[str, ...]:
    """A session's id, and those of the sessions that it continues under a new one."""
    walked: dict[str, None] = {}
    while session and session not in walked:
        walked[session] = None
        session = known(state_dir, agent, session).parent
    return tuple(walked)


def by_id(state_dir: str, session: str) -> Session | None:
    """The session that goes by an id, of whatever client; None where no journal tells of it."""
    base = os.path.join(state_dir, "sessions")
    for agent in names_in(base):
        path = os.path.join(base, agent, f"{session}.jsonl")
        if os.path.isfile(path):
            return session_of(agent, session, journal.read(path).lines)
    return None


def is_live(session: Session, now: float, limits: Mapping[str, float]) -> bool:
    """Whether a session still goes on, as far as anybody can know."""
    from leftoff.world.liveness import alive

    one = session._replace(alive=alive(session.client))
    return not one.ended and one.alive is not False and state(one, now, limits) == ACTIVE


def holder(
    store: Store,
    thread: str,
    own: tuple[str, str] | None,
    now: float,
    limits: Mapping[str, float],
) -> str:
    """The other live session of this place that is bound to a thread; "" for none."""
    on_it = (one for one in _of_place(store, now) if one.thread == thread)
    others = (one for one in on_it if (one.agent, one.id) != own)
    return next((one.name for one in others if is_live(one, now, limits)), "")


def live(store: Store, now: float, limits: Mapping[str, float]) -> dict[str, list[str]]:
    """By thread, the live sessions of this place that are bound to it."""
    found: dict[str, list[str]] = {}
    for row in _journals(store, now):
        if row[THREAD] and not row[ENDED]:
            one = known(store.state, row[AGENT], row[SESSION])
            if one.root == store.root and one.thread and is_live(one, now, limits):
                found.setdefault(one.thread, []).append(one.name)
    return found


def on_thread(store: Store, now: float, thread: str) -> Iterator[Session]:
    """Those of them that are bound to a thread; of the others, nothing is read."""
    for row in _journals(store, now):
        if row[THREAD] == thread:
            one = known(store.state, row[AGENT], row[SESSION])
            if one.root == store.root and one.thread == thread:
                yield one


def _journals(store: Store, now: float) -> list[Row]:
    since = now - FORGOTTEN
    return (
        store.server_sessions.look().journals(since)
        if store.server_sessions
        else journals(store.state, since)
    )


def _of_place(store: Store, now: float) -> Iterator[Session]:
    """The sessions of this place that somebody heard of lately."""
    for agent, name, path in journal.all_in(store.state):
        if now - modified(path) <= FORGOTTEN:
            one = session_of(agent, name, journal.read(path).lines)
            if one.root == store.root:
                yield one
