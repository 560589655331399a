"""A draft on top of the save that its session was given: what is not settled is told again."""

from __future__ import annotations

from leftoff.core.asked import telling
from leftoff.core.draft import Seen, is_draft, steps
from leftoff.core.model import DRAFT, FIRST_ASKED, Checkpoint


def built_on(given: Checkpoint, seen: Seen) -> tuple[Seen, Checkpoint]:
    """What was seen, and the save beneath it, as a draft takes a thread.

    Where the session lists what is left to do, the drafted steps before it are over.
    """
    seen = seen._replace(began_with=_first_asked(given.intent))
    if telling(seen):
        given = given._replace(intent="")
    if steps(seen):
        stated = tuple(item for item in given.next_actions if DRAFT not in item.attrs)
        given = given._replace(next_actions=stated)
    return seen, given


def _first_asked(intent: str) -> str:
    """What the work began with, as a stated or a drafted intent tells."""
    if not is_draft(intent):
        return intent
    asked = intent[: intent.rstrip().rfind(f" [{DRAFT}")]
    _, found, first = asked.rpartition(FIRST_ASKED)
    return first.removesuffix(")") if found else asked
