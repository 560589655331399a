"""What to do next: one ranked queue over all streams, each entry with its reason.

`next` and `status --brief` show the same first entry because both take it from here.
"""

from __future__ import annotations

from leftoff.core.claims import CONTRADICTED, fresh_actions, landed
from leftoff.core.model import ARCHIVED, BLOCKED, FAILED
from leftoff.core.rank import DECISION, QUEUED, REST, TROUBLE, in_order, over_budget, rank, waiting
from leftoff.core.stream import NO_STREAMS
from leftoff.core.texts import opening
from leftoff.core.work_references import tokens
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from leftoff.core.facts import Facts
    from leftoff.core.stream import Glance

TERMS = {
    1: "a decision waits for a person",
    2: "failed or blocked",
    3: "in progress, at a gate",
    4: "in progress",
    5: "complete, with work queued",
    6: "not started",
}


class Advice(Record):
    """One entry of the queue. `at` is the action's place in the stream, -1 when it is none."""

    stream: Glance
    rank: int
    why: str
    action: str
    at: int = -1
    check: str = ""
    landed: tuple[str, ...] = ()
    """actions of this stream that were passed over because their work has landed"""
    reconcile: bool = False
    """all its actions have landed: nothing to do but to bring the checkpoint up to date"""


def queue(
    streams: Iterable[Glance], facts: Facts, taken: Container[tuple[str, str]] = ()
) -> Iterator[Advice]:
    """What to do, most urgent first, worked out as it is asked for; `reconcile` ones among it.

    `taken` are (stream id, action) that others work on.
    """
    for stream in in_order(s for s in streams if _counts(s)):
        advice = _advice(stream, facts, taken)
        if advice.action:
            yield advice


def _counts(stream: Glance) -> bool:
    ended = stream.status == ARCHIVED or stream.format in NO_STREAMS
    return stream.readable and not ended


def terms(advice: Advice) -> list[str]:
    """Why this entry stands where it stands, one term of the order after the other."""
    stream = advice.stream
    found = [f"rank {advice.rank}: {TERMS[advice.rank]}"]
    if over_budget(stream):
        found.append(f"over budget: {stream.spent:g} of {stream.budget:g}")
    if stream.word == "current":
        found.append("it is the current checkpoint")
    found.append(f"last touched {stream.updated or stream.created or 'at an unknown time'}")
    return found


def _advice(stream: Glance, facts: Facts, taken: Container[tuple[str, str]]) -> Advice:
    urgency = rank(stream)
    passed = tuple(v.about for v in landed(stream, facts) if v.word == CONTRADICTED)
    fresh = [at for at in fresh_actions(stream, facts) if _is_free(stream, at, taken)]
    if urgency == DECISION:
        blocker = waiting(stream)[0]
        why = f"Blocked on your decision: {blocker[1]}"
        proposal = _proposal(stream, blocker[3], facts)
        action = f"Decide. Proposed: {proposal}" if proposal else "Decide, then resume."
        return Advice(stream, urgency, why, action, landed=passed)
    if urgency == TROUBLE:
        return _recovery(stream, facts, fresh)._replace(landed=passed)
    why = _budget(stream) + _gist(stream.summary)
    if fresh:
        at = fresh[0]
        check = stream.checks[at] if stream.checks else ""
        return Advice(stream, urgency, why, stream.actions[at], at, check, passed)
    if stream.actions and len(passed) == len(stream.actions):
        count = len(stream.actions)
        what = "The one queued action has" if count == 1 else f"All {count} queued actions have"
        action = f"{what} already landed: bring this checkpoint up to date."
        return Advice(stream, urgency, why, action, landed=passed, reconcile=True)
    if any(map(str.strip, stream.actions)) or urgency in {QUEUED, REST}:
        return Advice(stream, urgency, why, "")
    return Advice(stream, urgency, why, "No next action is queued: review the checkpoint.")


def _gist(summary: str) -> str:
    """How a summary begins; of one that is a list, its first item."""
    return opening(summary).removeprefix("- ").removeprefix("* ")


def _recovery(stream: Glance, facts: Facts, fresh: list[int]) -> Advice:
    first = next(iter(stream.blockers), None)
    word = {FAILED: "Failed", BLOCKED: "Blocked"}[stream.status]
    why = f"{word}: {first[1]}" if first else f"{word}: it needs recovery"
    proposal = _proposal(stream, first[3], facts) if first else ""
    if proposal or not fresh:
        return Advice(stream, TROUBLE, why, proposal or "Find out why, and recover.")
    check = stream.checks[fresh[0]] if stream.checks else ""
    return Advice(stream, TROUBLE, why, stream.actions[fresh[0]], fresh[0], check)


def _proposal(stream: Glance, text: str, facts: Facts) -> str:
    """A proposed way out, unless it is about work that has landed."""
    named = tokens(text)
    asked = stream._replace(actions=(text,), tokens=(named,) if named else ())
    return text if fresh_actions(asked, facts) else ""


def _is_free(stream: Glance, at: int, taken: Container[tuple[str, str]]) -> bool:
    """Whether it says something, and nobody else works on it."""
    action = stream.actions[at]
    return bool(action.strip()) and (stream.id, action) not in taken


def _budget(stream: Glance) -> str:
    return f"Over budget ({stream.spent:g} of {stream.budget:g}). " if over_budget(stream) else ""
