"""What can be seen of a session: its files, its branch, its conversation; and the draft of that."""

from __future__ import annotations

from functools import partial

from leftoff.core import draft
from leftoff.core.draft import Seen, digest
from leftoff.core.stats import Stats
from leftoff.core.when import stamp
from leftoff.errors import GitError
from leftoff.record import TYPE_CHECKING
from leftoff.world import conversation, refs
from leftoff.world.dirty import uncommitted
from leftoff.world.git import PATIENCE

if TYPE_CHECKING:
    from leftoff.commands import Call
    from leftoff.core.model import Checkpoint


def look(  # noqa: PLR0913  # which session, where it is told of, and how much of that is read
    call: Call, agent: str, session: str, transcript: str = "", *, trigger: str = "", last: int = 0
) -> Seen:
    """Paths and counts; what git or the transcript do not tell is left out.

    `call.patience` is what git may take; with `last` only the end of the transcript is read.
    """
    path = conversation.where(agent, session, call.env, transcript)
    return seen(call, agent, session, path, trigger=trigger, last=last)


def seen(  # noqa: PLR0913  # as above
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
    """The same with the transcript that is there, or none; `dirty` where git was asked before.

    With `since`, only what came after that time counts, and the to-do list.
    """
    branch, commit = head(call)
    found, stats = conversation.listened(agent, path, partial(digest, since=since), last)
    if since:
        stats = Stats(tasks=stats.tasks, lines=stats.lines)
    if dirty is None:
        dirty = tuple(uncommitted(call.store.place, call.env, call.patience or PATIENCE) or ())
    return Seen(
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
    )


def drafted(call: Call, agent: str, session: str) -> Checkpoint | None:
    """What can be seen of a session, for `core.draft.laid_over`; None where that is nothing."""
    found = look(call, agent, session)
    worked = found.digest.prompts or found.stats.lines or found.dirty
    return draft.drafted(found) if worked else None


def head(call: Call) -> tuple[str, str]:
    """Branch and commit; empty outside git, before the first commit, and where git is broken."""
    place = call.store.place
    try:
        found = refs.read(place, call.env) if place.git else None
    except GitError:
        found = None
    return (found.branch, found.head) if found else ("", "")
