"""Whether a skill does its work here, hands it to a cheaper model, or stops. Pure.

Seed C's rule: what the prompt begins with decides first, then what the model costs. Where nobody
can tell, the work goes on: a guard against cost must never be what stops it.
"""

from __future__ import annotations

from leftoff.core.texts import short
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

TIERS = ("haiku", "sonnet", "opus")
"""From the cheapest up."""
DECLARED = TIERS[0]
SKILL = "checkpoint"

PROCEED, DISPATCH, ABORT = "proceed", "dispatch", "abort"
HANDOFF, OVERRIDE, AT_TIER = "cost-guardrail handoff", "override", "at or below the declared tier"
HARD_CAP, MALFORMED = "hard-cap", "malformed counter"
UNKNOWN, UNAVAILABLE = "unknown model", "no subagent"
RETURN, STOP = "return-and-stop", "stop"

MARK = "[no-redispatch]"
_FAMILY, _COUNTER, _END = "[no-redispatch", ":", "]"
_NONE, _BARE, _TOO_OFTEN, _ODD = "none", "bare", "too often", "odd"
_LONGEST = 20

_BY_FORM: Mapping[str, tuple[str, str]] = {
    _TOO_OFTEN: (ABORT, HARD_CAP),
    _BARE: (PROCEED, OVERRIDE),
    _ODD: (PROCEED, MALFORMED),
}
"""What the prompt begins with, and what that alone decides."""

WARNINGS: Mapping[str, str] = {
    UNAVAILABLE: "subagent dispatch unavailable; proceeding at current tier",
    UNKNOWN: 'the tier of the model "{given}" is not known; proceeding at current tier',
    MALFORMED: 'the counter "{given}" is not a number from 1 up; proceeding at current tier',
}
CAP = (
    "leftoff self-dispatch hard-cap reached at N={given} in checkpoint."
    " This indicates a recursion bug; aborting before any tool calls."
    " Re-invoke with [no-redispatch] (bare) to override."
)
_THEN: Mapping[str, str] = {DISPATCH: RETURN, ABORT: STOP}


class Request(Record):
    """What to start a subagent with."""

    model: str
    description: str
    reason: str
    prompt: str


class Decision(Record):
    """The answer, and why; `given` is the counter or the name of the model that it is about."""

    answer: str
    reason: str
    request: Request | None = None
    given: str = ""

    @property
    def then(self) -> str:
        """What is left to do with the answer of the subagent; empty where there is none."""
        return _THEN.get(self.answer, "")

    @property
    def told(self) -> str:
        """The template of the one line that goes with it: a warning, or why it stops; or empty."""
        return CAP if self.answer == ABORT else WARNINGS.get(self.reason, "")


class Asked(Record):
    """Who would do the work, and what is asked of it."""

    model: str
    prompt: str
    declared: str = DECLARED
    subagents: bool = True


def decide(asked: Asked) -> Decision:
    """Proceed, dispatch or abort; the prompt's own words come first."""
    form, counter = _form(asked.prompt)
    if form in _BY_FORM:
        answer, reason = _BY_FORM[form]
        return Decision(answer, reason, given=counter)
    tier = tier_of(asked.model)
    if not tier:
        return Decision(PROCEED, UNKNOWN, given=short(asked.model, 60))
    if TIERS.index(tier) <= TIERS.index(asked.declared):
        return Decision(PROCEED, AT_TIER)
    if not asked.subagents:
        return Decision(PROCEED, UNAVAILABLE)
    return Decision(DISPATCH, HANDOFF, _request(asked))


def tier_of(model: str) -> str:
    """The one tier that a model's name holds as a word; empty for none, or for several."""
    name = "".join(ch if ch.isalpha() else " " for ch in model.casefold())
    found = [tier for tier in TIERS if tier in name.split()]
    return found[0] if len(found) == 1 else ""


def _request(asked: Asked) -> Request:
    said = f"{SKILL} dispatched at {asked.declared} tier"
    return Request(asked.declared, said, HANDOFF, f"{MARK}\n{asked.prompt}")


def _form(prompt: str) -> tuple[str, str]:
    """Which form of the mark a prompt begins with, and its counter.

    The counter stays text: it may have more digits than anyone would count.
    """
    start = prompt.lstrip()
    if start.startswith(MARK):
        return _BARE, ""
    if not start.startswith(_FAMILY + _COUNTER):
        return _NONE, ""
    counter, closed, _ = start[len(_FAMILY + _COUNTER) :].partition(_END)
    number = counter.lstrip("0") if counter.isascii() and counter.isdigit() else ""
    if not number or not closed:
        return _ODD, short(counter, _LONGEST)
    return (_BARE, "") if number == "1" else (_TOO_OFTEN, short(number, _LONGEST))
