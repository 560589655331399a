"""What a draft of a session is made from: its files, its branch, its conversation."""

from __future__ import annotations

from functools import partial

from leftoff.commands._redaction import seen_by_own_rules
from leftoff.core.digest import digest
from leftoff.core.draft import Seen
from leftoff.core.stats import Stats
from leftoff.core.when import stamp
from leftoff.record import TYPE_CHECKING
from leftoff.world import conversation, refs
from leftoff.world.dirty import uncommitted
from leftoff.world.git import PATIENCE

if TYPE_CHECKING:
    from leftoff.commands import Call


def look(call: Call, agent: str, session: str) -> Seen:
    """What can be seen of a session, wherever its transcript lies."""
    return seen(call, agent, session, conversation.where(agent, session, call.env))


def seen(  # noqa: PLR0913  # which session, where it is told of, and how much of that is read
    call: Call,
    agent: str,
    session: str,
    path: str,
    *,
    trigger: str = "",
    last: int = 0,
    dirty: tuple[str, ...] | None = None,
    since: float = 0.0,
) -> Seen:
    """Paths and counts; what git or the transcript at `path` do not tell is left out.

    `call.patience` is what git may take, unless it was asked before (`dirty`). With `last` only
    the end of the transcript is read; with `since`, only what came after that time counts, and the
    to-do list.
    """
    branch, commit = refs.head_of(call.store.place, call.env)
    unread: list[str] = []
    made_of = partial(digest, since=since)
    found, stats = conversation.listened(agent, path, made_of, last, unread.append)
    if since:
        stats = Stats(tasks=stats.tasks, lines=stats.lines)
    if dirty is None:
        dirty = tuple(uncommitted(call.store.place, call.env, call.patience or PATIENCE) or ())
    made = Seen(
        session,
        call.store.root,
        stamp(call.now)[:10],
        trigger,
        branch,
        commit,
        dirty,
        stats,
        agent,
        found,
        since,
        "".join(unread),
    )
    return seen_by_own_rules(call, made)
