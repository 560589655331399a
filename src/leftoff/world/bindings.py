"""Which session is on which thread, as the journals of this machine tell."""

from __future__ import annotations

from leftoff.core.session import ACTIVE, state
from leftoff.core.session_lines import session_of
from leftoff.core.when import DAY
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world import journal
from leftoff.world.traces import modified

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leftoff.core.session import Session
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
    one, walked = known(state_dir, agent, session), set[str]()
    while not one.thread and one.parent and one.parent not in walked:
        walked.add(one.parent)
        one = known(state_dir, agent, one.parent)
    return one.thread


def holder(
    store: Store,
    thread: str,
    own: tuple[str, str] | None,
    now: float,
    limits: Mapping[str, float],
) -> str:
    """The other live session of this place that is bound to a thread; "" for none."""
    others = (one for one in _live(store, now, limits, thread) if (one.agent, one.id) != own)
    return next((one.name for one in others), "")


def live(store: Store, now: float, limits: Mapping[str, float]) -> dict[str, list[str]]:
    """By thread, the live sessions of this place that are bound to it."""
    found: dict[str, list[str]] = {}
    for one in _live(store, now, limits):
        found.setdefault(one.thread, []).append(one.name)
    return found


def _live(
    store: Store, now: float, limits: Mapping[str, float], thread: str = ""
) -> Iterator[Session]:
    from leftoff.world.liveness import alive

    for one in of_place(store, now):
        if not one.thread or thread not in {"", one.thread}:
            continue
        known = one._replace(alive=alive(one.client))
        if known.alive is not False and state(known, now, limits) == ACTIVE:
            yield known


def of_place(store: Store, now: float) -> Iterator[Session]:
    """The sessions of this place that somebody heard of lately."""
    for agent, name, path in journal.all_in(store.state):
        if now - modified(path) <= FORGOTTEN:
            one = session_of(agent, name, journal.read(path).lines)
            if one.root == store.root:
                yield one
