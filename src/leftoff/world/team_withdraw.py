"""What somebody no longer shares leaves the store with the next push, rows and all."""

from __future__ import annotations

from leftoff.core.team import DOCUMENTS, FIGURES, OFF
from leftoff.record import TYPE_CHECKING
from leftoff.world.team_connection import Talking
from leftoff.world.team_state import choose

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leftoff.world.team_exchange import Exchange
    from leftoff.world.team_state import Shares

_GONE = {
    OFF: ("session_text", "session_stats", "checkpoints", "evidence"),
    FIGURES: ("session_text",),
    DOCUMENTS: ("session_text",),
}
"""The tables that rows leave when the level is lowered to this; hidden again is done by a push."""


def withdraw(exchange: Exchange) -> int:
    """Delete what was chosen to be taken back; how many rows that were."""
    count, shares, memory = 0, exchange.shares, exchange.memory
    for thread in shares.withdraw:
        tables = _GONE.get(shares.of(thread).level, ())
        with Talking(exchange.to), exchange.link.transaction():
            count += sum(_deleted(exchange, table, thread) for table in tables)
        # what was sent is no longer there: it would have to be sent again
        kinds = {*tables, "read", *(("document", "base") if "checkpoints" in tables else ())}
        memory.forget([name for name in memory.sent if name.partition(" ")[0] in kinds])
    if shares.withdraw:
        choose(exchange.store.state, exchange.origin.project, lambda now: _without(now, shares))
    return count


def _without(now: Shares, done: Shares) -> Shares:
    """The choices of now without what was taken back; less may be shared since that began."""
    told = {thread for thread in done.withdraw if now.of(thread) == done.of(thread)}
    return now._replace(withdraw=tuple(one for one in now.withdraw if one not in told))


def _deleted(exchange: Exchange, table: str, thread: str) -> int:
    where, about = "NOT thread = ANY(%s)", [*exchange.shares.threads]  # they have their own choice
    if table == "evidence":  # of a project, never of a thread alone
        where = "cardinality(%s::text[]) = 0"
        about = [thread] if thread else []
    elif thread:
        where, about = "thread = ANY(%s)", [thread]
    mine = f"owner = current_user::text AND project = %s AND {where}"
    query = f"DELETE FROM leftoff.{table} WHERE {mine}"  # noqa: S608  # names are ours
    return exchange.link.execute(query, (exchange.origin.project, about)).rowcount


def bury(exchange: Exchange, forgotten: Iterable[tuple[str, str]]) -> int:
    """Sessions that somebody made leftoff forget leave the store, and no machine sends them again.

    How many rows that were.
    """
    names = {f"{agent}/{session}": (agent, session) for agent, session in forgotten}
    told = [name for name in names if not exchange.memory.sent.get(f"buried {name}")]
    if not told:
        return 0
    new = [
        f"{agent}/{exchange.session_id(session)}" for agent, session in map(names.__getitem__, told)
    ]
    count = 0
    with Talking(exchange.to), exchange.link.transaction():
        exchange.link.execute(_STONES, (new,))
        for table in ("session_stats", "session_text"):
            query = f"DELETE FROM leftoff.{table} {_BURIED}"  # noqa: S608  # names are ours
            count += exchange.link.execute(query, (new,)).rowcount
    exchange.memory.note({f"buried {name}": "yes" for name in told})
    return count


_STONES = """
INSERT INTO leftoff.tombstones (owner, kind, key, visibility)
SELECT current_user, 'session', key, 'private' FROM unnest(%s::text[]) AS gone(key)
ON CONFLICT DO NOTHING
"""
_BURIED = "WHERE owner = current_user::text AND agent || '/' || id = ANY(%s)"
