"""Which stream comes first: one order for `status`, `status --brief` and `next`.

Decision waiting > failed or blocked > in progress at a gate > in progress > complete with queued
work > the rest; among equals over budget first, B's current, then newest, then name.
"""

from __future__ import annotations

from leftoff.core.model import (
    ARCHIVED,
    BLOCKED,
    COMPLETE,
    FAILED,
    IN_PROGRESS,
    NEEDS_DECISION,
)
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leftoff.core.stream import Glance

DECISION, TROUBLE, GATE, WORK, QUEUED, REST = range(1, 7)
GATE_WORDS = frozenset({"gate", "approval", "approve", "signoff", "awaiting"})


def rank(stream: Glance) -> int:
    """1 (most urgent) to 6."""
    if waiting(stream):
        return DECISION
    if stream.status in {FAILED, BLOCKED}:
        return TROUBLE
    if stream.status == IN_PROGRESS:
        return GATE if stream.at_gate else WORK
    return QUEUED if stream.status == COMPLETE and stream.actions else REST


def waiting(stream: Glance) -> list[tuple[str, str, str, str]]:
    """The blockers that wait for a person's decision; an archived stream waits for nobody."""
    if not stream.blockers or stream.status == ARCHIVED:
        return []
    return [blocker for blocker in stream.blockers if blocker[2] == NEEDS_DECISION]


def names_gate(*texts: str) -> bool:
    """Whether one of the texts names a gate, as a whole word: "navigate" does not."""
    words = " ".join(texts).casefold()
    joined = words.replace("sign-off", "signoff").replace("sign off", "signoff")
    spaced = "".join(ch if ch.isalnum() else " " for ch in joined)
    return not GATE_WORDS.isdisjoint(spaced.split())


def over_budget(stream: Glance) -> bool:
    """Whether more was spent than the budget allows."""
    return stream.spent > stream.budget > 0


def in_order(streams: Iterable[Glance]) -> list[Glance]:
    """The streams, most urgent first; broken ones lead, since nobody knows what they hide."""
    return sorted(streams, key=_order)


def last_touched(stream: Glance) -> str:
    """The time a stream was last written, as its document says it."""
    return stream.updated or stream.created


def _order(stream: Glance) -> tuple[int, bool, bool, float, str]:
    urgency = rank(stream) if stream.readable else 0
    newest = -(stream.touched or 0.0)
    return (urgency, not over_budget(stream), stream.word != "current", newest, stream.id)
