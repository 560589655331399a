"""How many turns a context still has room for, by how fast it grew since it was last emptied."""

from __future__ import annotations

from leftoff.core.event import STOP
from leftoff.core.window import MOST
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.core.session import Session

TURNS, ANSWERS = "turns", "answers"


class Pace(Record):
    """Tokens that a turn adds, counted by which marks."""

    per_turn: float
    method: str


def pace(session: Session) -> Pace | None:
    """By the journal's turn ends where it has two; else by the transcript's answers."""
    ends = [event.context for event in session.events if event.what == STOP and event.context]
    grown = since_emptied(ends)
    if len(grown) > 1:
        turns = len(grown) - 1
        return Pace((grown[-1] - grown[0]) / turns, TURNS)
    return _by_answers(session)


def _by_answers(session: Session) -> Pace | None:
    stats = session.stats
    uses = [min(context, MOST) for _, context in stats.curve]
    grown = since_emptied(uses)
    if len(grown) < 2 or not stats.prompts:
        return None
    # the curve is thinned: its points stand for an equal share of all prompts
    turns = max(1.0, stats.prompts * (len(grown) - 1) / max(1, len(uses) - 1))
    return Pace((grown[-1] - grown[0]) / turns, ANSWERS)


def since_emptied(uses: Sequence[int]) -> Sequence[int]:
    """The last stretch in which a context only grew: compaction starts a new one."""
    start = next((at for at in range(len(uses) - 1, 0, -1) if uses[at] < uses[at - 1]), 0)
    return uses[start:]


def turns_left(headroom: int, per_turn: float) -> int | None:
    """Whole turns until the window is full; None where nothing grows."""
    return int(headroom // per_turn) if per_turn > 0 else None
