"""Continuing by itself: whether a session gets its thread's next step as a turn ends. Pure.

A run is told by lines of the session's journal: it begins, it goes on, it stops. The lines hold
marks of steps, never their text. Steps are counted here, by what the document says is done, not by
the model and not by the client: without a step completed since the last time nothing goes on.
"""

from __future__ import annotations

from zlib import crc32

from leftoff.core.event import PROMPT
from leftoff.core.model import NEEDS_DECISION, URGENT, open_blockers
from leftoff.core.thread import counted
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from leftoff.core.model import Checkpoint, Json

    Line = Mapping[str, Any]

RUN = "run"
"""The event of these lines."""
BIND = "bind"
BEGIN, AGAIN, WENT_ON, STOPPED, TOLD = "begin", "again", "go", "stop", "told"
GO, END, STOP = "go", "complete", "stop"

COMPLETE, WAITING, FAILED, MAX_STEPS = "complete", "waiting", "failed", "max-steps"
BUDGET, CAP, NO_PROGRESS, WORD, TURN_FAILED = "budget", "cap", "no-progress", "word", "turn-failed"
NO_STEPS = "no-steps"
REASONS = (
    *(COMPLETE, WAITING, FAILED, MAX_STEPS, BUDGET, CAP, NO_PROGRESS, WORD, TURN_FAILED, NO_STEPS),
)
FOR_GOOD = (COMPLETE, WORD)
"""After these only a command begins a run again; after the others the next prompt does."""

ATTEMPTS = 2
"""A step whose check failed so often was retried, in vain."""
KEY, MAX_KEY, MAX_STEPS_DEFAULT = "autoContinue", "maxSteps", 30
MOST_MARKS = 500
"""Marks of open steps in one line: a journal's line may have 64 KB."""
WORDS = frozenset({"停", "停止", "暂停", "stop"})
_AROUND = " \t\r\n.!?…\u3002\uff01\uff1f"
"""Blanks, and the ends of sentences in both scripts."""


class Step(Record):
    """One step of a thread; `number` is the one that `leftoff done` knows an open step by."""

    mark: str
    text: str
    number: int = 0
    urgent: bool = False

    @property
    def done(self) -> bool:
        """Whether it is ticked off."""
        return not self.number


class Run(Record):
    """A run as a journal tells of it."""

    thread: str = ""
    on: bool = False
    since: float = 0.0
    """when somebody last said that it may go on"""
    seen: frozenset[str] = frozenset()
    """the steps that were open when it began or went on"""
    started: frozenset[str] = frozenset()
    """the steps that were handed out"""
    done: int = 0
    """how many were done when it last went on"""
    free: bool = False
    """it may go on once without a step done: the session itself asked for it in this very turn"""
    gone_on: int = 0
    """how often since the last prompt"""
    why: str = ""
    told: bool = False
    """the report of its end was given"""


class Facts(Record):
    """What else decides."""

    steps: tuple[Step, ...]
    most: int = MAX_STEPS_DEFAULT
    question: str = ""
    """what waits for a person's decision"""
    failures: Mapping[str, int] = {}
    """by mark, how often the check of a step failed in a row"""
    spent: int = 0
    budget: int = 0
    """tokens; 0 for no limit"""
    cap: int = 0
    """how often leftoff makes one turn of this client go on; 0: it does not"""
    turn_failed: bool = False
    again: bool = False
    """the client says that the turn went on already: then nothing is free"""


class Decision(Record):
    """Go on with a step, or the end of the run and why."""

    verb: str
    why: str = ""
    step: Step | None = None
    started: int = 0
    done: int = 0
    left: int = 0
    attempts: int = 0
    question: str = ""


def steps(c: Checkpoint) -> tuple[Step, ...]:
    """The steps of a thread, in the order of the document."""
    found, seen, number = [], dict[str, int](), 0
    for item in c.next_actions:
        again = seen[item.key] = seen.get(item.key, -1) + 1
        ticked = bool(item.attrs.get("done"))
        number += not ticked
        mark = _mark(f"{item.key}#{again}" if again else item.key)
        urgent = item.get("priority") == URGENT
        found.append(Step(mark, item.text, 0 if ticked else number, urgent))
    return tuple(found)


def _mark(key: str) -> str:
    """Tells the steps of one thread apart, and gives none of them away."""
    data = key.encode("utf-8", "replace")
    return f"{crc32(data):08x}{len(data) & 0xFFF:03x}"


def question(c: Checkpoint) -> str:
    """What waits for a person; "" for nothing."""
    waits = (one.text for one in open_blockers(c) if one.get("needs") == NEEDS_DECISION)
    return next(waits, "")


def most(config: Mapping[str, Json], default: float = MAX_STEPS_DEFAULT) -> int:
    """How many steps a run of this thread may have."""
    return counted(config.get(MAX_KEY)) or int(default)


def next_step(known: Sequence[Step]) -> Step | None:
    """The first open one of the most urgent, else the first open one."""
    open_ones = [step for step in known if not step.done]
    return min(open_ones, key=lambda step: not step.urgent) if open_ones else None


def is_stop_word(prompt: str) -> bool:
    """Whether a prompt is nothing but the word that ends a run."""
    return prompt.strip(_AROUND).casefold() in WORDS


def begin_line(thread: str, known: Sequence[Step], *, free: bool) -> dict[str, Json]:
    """A run begins: every step that is open, and the one that is the first."""
    first = next_step(known)
    said: dict[str, Json] = {"what": BEGIN, "thread": thread, "free": free}
    return {**said, "step": first.mark if first else "", "open": _open(known)}


def again_line(known: Sequence[Step]) -> dict[str, Json]:
    """A run that stopped is taken up: what it has counted stays."""
    return {"what": AGAIN, "open": _open(known)}


def line_of(decision: Decision, known: Sequence[Step]) -> dict[str, Json]:
    """What a decision is in the journal."""
    counts: dict[str, Json] = {"n": decision.started, "done": decision.done, "left": decision.left}
    if decision.verb == GO and decision.step:
        return {"what": WENT_ON, "step": decision.step.mark, **counts, "open": _open(known)}
    tries = {"attempts": decision.attempts} if decision.attempts else {}
    return {"what": STOPPED, "why": decision.why, **counts, **tries}


def _open(known: Sequence[Step]) -> list[Json]:
    marks: list[Json] = [step.mark for step in known if not step.done]
    return marks[:MOST_MARKS]


def told(lines: Iterable[Line]) -> Run:
    """The run that the lines of a journal amount to; odd values count for nothing."""
    run = Run()
    for line in lines:
        run = after(run, line)
    return run


def after(run: Run, line: Line) -> Run:
    """The run after one more line."""
    event = line.get("event")
    if event == PROMPT:
        return run._replace(gone_on=0, free=False)
    if event == BIND and line.get("thread") != run.thread:
        return Run(thread=str(line.get("thread") or ""))
    if event == RUN:
        return _MEANS.get(str(line.get("what")), _nothing)(run, line)
    return run


def _begin(run: Run, line: Line) -> Run:
    thread = line.get("thread")
    return Run(
        thread=thread if isinstance(thread, str) else run.thread,
        on=True,
        since=_time(line),
        seen=_marks(line),
        started=_marks(line, "step"),
        free=line.get("free") is True,
    )


def _again(run: Run, line: Line) -> Run:
    return run._replace(
        on=True, since=_time(line), seen=run.seen | _marks(line), why="", gone_on=0, free=False
    )


def _went_on(run: Run, line: Line) -> Run:
    done = line.get("done")
    return run._replace(
        seen=run.seen | _marks(line),
        started=run.started | _marks(line, "step"),
        done=max(run.done, done if isinstance(done, int) else 0),
        gone_on=run.gone_on + 1,
        free=False,
    )


def _stopped(run: Run, line: Line) -> Run:
    why = line.get("why")
    said = why if why in REASONS else NO_PROGRESS
    return run._replace(on=False, free=False, why=said, told=False)


def _told(run: Run, line: Line) -> Run:
    del line
    return run._replace(told=True)


def _nothing(run: Run, line: Line) -> Run:
    del line
    return run


_MEANS = {BEGIN: _begin, AGAIN: _again, WENT_ON: _went_on, STOPPED: _stopped, TOLD: _told}


def _time(line: Line) -> float:
    at = line.get("at")
    return float(at) if isinstance(at, int | float) else 0.0


def _marks(line: Line, name: str = "open") -> frozenset[str]:
    said = line.get(name)
    listed = said if isinstance(said, list) else [said]
    return frozenset(mark for mark in listed if isinstance(mark, str) and mark)


def decide(run: Run, facts: Facts) -> Decision:
    """What happens at the end of a turn, while a run is on."""
    here = after_step(run, facts)
    if facts.turn_failed and here.verb == GO:
        return _end(here, TURN_FAILED)
    if here.verb != GO:
        return here
    if run.gone_on >= facts.cap:
        return _end(here, CAP)
    if here.done > run.done or (run.free and not facts.again):
        return here
    return _end(here, NO_PROGRESS)


def after_step(run: Run, facts: Facts) -> Decision:
    """What comes after a step: the next one, or what no end of a turn has to be waited for."""
    known = facts.steps
    step = next_step(known)
    finished = {one.mark for one in known if one.done} & run.seen
    left = sum(not one.done for one in known)
    started = run.started | finished | ({step.mark} if step else set())
    here = Decision(GO, "", step, len(started), len(finished), left)
    if step is None:
        return _end(here, COMPLETE if known else NO_STEPS)
    if facts.question:
        return _end(here, WAITING)._replace(question=facts.question)
    tries = facts.failures.get(step.mark, 0)
    if tries >= ATTEMPTS:
        return _end(here, FAILED)._replace(attempts=tries)
    if len(started) > facts.most:
        return _end(here, MAX_STEPS)._replace(started=facts.most)
    if 0 < facts.budget < facts.spent:
        return _end(here, BUDGET)
    return here


def _end(here: Decision, why: str) -> Decision:
    return here._replace(verb=END if why == COMPLETE else STOP, why=why)


def ended(run: Run, facts: Facts) -> Decision:
    """How a run that stopped stands, with what the documents say now."""
    here = after_step(run, facts)
    tries = max(here.attempts, ATTEMPTS) if run.why == FAILED else 0
    return here._replace(why=run.why, question=facts.question, attempts=tries)


def is_taken_up(run: Run) -> bool:
    """Whether the next prompt lets a thread's steps go on, where nothing is going on."""
    return not run.on and run.why not in FOR_GOOD


def begins_anew(run: Run) -> bool:
    """Whether it is counted from 0 then: a run that was never there, or that had all its steps."""
    return run.why in {"", MAX_STEPS, NO_STEPS}
