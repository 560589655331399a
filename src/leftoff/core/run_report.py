"""What a run says: the step that comes next, and why it stopped and how far it came. Pure.

Texts of documents are data: they are made harmless and cut before they stand in ours.
"""

from __future__ import annotations

from leftoff.core import run as r
from leftoff.core.fence import fenced, plain_id
from leftoff.core.quote import quoted
from leftoff.core.thread import COMPLETE_MARK
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leftoff.core.texts import Say

NAME = "run"
LONGEST = 500


def go_on(decision: r.Decision, thread: str, say: Say) -> str:
    """The step, its number, and how to say that it is done; known as our own text."""
    step = decision.step or r.Step("", "")
    name = plain_id(thread)
    lines = (
        say("Go on with step {n} of this run: {text}", n=decision.started, text=shown(step.text)),
        say("When it is done: leftoff done {name} {number}", name=name, number=step.number),
        say("If a person has to decide something: leftoff thread continue off --question TEXT"),
    )
    return fenced(f"{NAME}-{name}", "".join(f"{line}\n" for line in lines))


def report(decision: r.Decision, thread: str, say: Say) -> Iterator[str]:
    """Why it stopped, what is done and what is left, what comes next."""
    if decision.why == r.COMPLETE:
        yield say("Every step of {thread} is done. {mark}", thread=thread, mark=COMPLETE_MARK)
        return
    text = "The run of {thread} stopped: {why}. {done} done, {left} left."
    why = reason(decision, say)
    yield say(text, thread=thread, why=why, done=decision.done, left=decision.left)
    if decision.why in {r.WAITING, r.FAILED}:
        yield say("Once that is settled: leftoff thread continue on")
    if decision.step:
        yield say("Up next: {text}", text=shown(decision.step.text))


def reason(decision: r.Decision, say: Say) -> str:
    """The reason alone."""
    if decision.why == r.WAITING:
        asked = shown(decision.question)
        return say("a decision waits for a person: {question}", question=asked)
    if decision.why == r.FAILED:
        return say("the step failed {n} times", n=decision.attempts)
    return say(_REASONS.get(decision.why, "nothing was completed"))


_REASONS = {
    r.MAX_STEPS: "the largest number of steps is reached (maxSteps)",
    r.BUDGET: "the thread's budget of tokens is spent",
    r.CAP: "this client allows no more turns in a row; the next prompt picks it up again",
    r.NO_PROGRESS: "no step was completed since it last continued",
    r.WORD: "the person said stop",
    r.TURN_FAILED: "the turn was interrupted or failed",
    r.NO_STEPS: "there are no steps",
}


def shown(text: str) -> str:
    """A text of a document, as long as one of ours may quote it."""
    return quoted(text, LONGEST)
