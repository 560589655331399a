"""What a transcript amounts to: one record for all clients, and how several make one."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any


STEPS = (100_000, 200_000, 272_000)
"""Prompts longer than these cost more with some models: what was spent is counted apart."""


class Tokens(Record):
    """As the model's side reported them, each answer once."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def total(self) -> int:
        return self.input + self.output + self.cache_read + self.cache_write


class Compaction(Record):
    """A context was made smaller: when, by whom (manual or auto), from and to how many tokens."""

    at: float
    trigger: str = ""
    before: int = 0
    after: int = 0


class Task(Record):
    """One entry of the last to-do list; `status` is pending, in_progress or completed."""

    text: str
    status: str


class Failure(Record):
    """A command or tool call that ended badly and was not done again with success."""

    tool: str
    text: str
    at: float = 0.0


class HookCost(Record):
    """What all hooks of a client took, where it records that."""

    runs: int = 0
    ms: int = 0
    worst: int = 0


class Stats(Record):
    """All that is counted. Times are seconds since the epoch, 0 for unknown."""

    tokens: Tokens = Tokens()
    context: int = 0
    """tokens in the context after the last answer of the main conversation"""
    window: int = 0
    """the model's window, where the client says it"""
    peak: int = 0
    curve: tuple[tuple[float, int], ...] = ()
    """context use over time, thinned to a few hundred points"""
    models: Mapping[str, int] = {}
    """answers by model"""
    spent: Mapping[tuple[str, str, int], tuple[int, int, int, int, int]] = {}
    """tokens by day, model and how many of STEPS the prompt was longer than: input,
    output, cache read, cache write, and how much of that for an hour"""
    cost: float = 0.0
    """dollars, where the client itself says so"""
    tools: Mapping[str, int] = {}
    files: tuple[str, ...] = ()
    """paths that were changed with success, in order of the first change"""
    commands: int = 0
    failed: int = 0
    """tool calls that gave an error"""
    failures: tuple[Failure, ...] = ()
    """the last few that nobody repaired"""
    commits: int = 0
    tasks: tuple[Task, ...] = ()
    subagents: int = 0
    prompts: int = 0
    answers: int = 0
    interrupted: int = 0
    errors: int = 0
    """answers that the model's side refused"""
    compactions: tuple[Compaction, ...] = ()
    first: float = 0.0
    last: float = 0.0
    session: str = ""
    parent: str = ""
    """the session that this one was forked from, where the transcript says so"""
    cwd: str = ""
    branch: str = ""
    version: str = ""
    title: str = ""
    asked: str = ""
    """the first prompt, cut"""
    last_asked: str = ""
    said: str = ""
    """the last answer, cut"""
    hooks: HookCost = HookCost()
    lines: int = 0
    skipped: int = 0
    """blank, torn or malformed lines"""
    unknown: Mapping[str, int] = {}
    """lines of a type that nobody told us of"""

    @property
    def done(self) -> int:
        return len(self.done_tasks)

    @property
    def done_tasks(self) -> list[str]:
        return [task.text for task in self.tasks if task.status == "completed"]

    @property
    def open_tasks(self) -> list[str]:
        """What is still to do, the running one first."""
        left = [task for task in self.tasks if task.status != "completed"]
        return [task.text for task in sorted(left, key=lambda task: task.status != "in_progress")]


LONGEST = 400
"""Characters that are kept of a prompt, an answer or a failed command."""


_SUMS = ("commands", "failed", "commits", "answers", "lines", "skipped")


def together(main: Stats, others: Iterable[Stats]) -> Stats:
    """A session with its subagents: sums of both, the conversation of the main file alone."""
    each = [main, *others]
    last = max(one.last for one in each)
    return main._replace(**_summed(each), last=last) if len(each) > 1 else main


def _summed(each: Sequence[Stats]) -> dict[str, Any]:
    summed: dict[str, Any] = {name: sum([getattr(one, name) for one in each]) for name in _SUMS}
    for name in ("models", "tools", "unknown"):
        summed[name] = _counts([getattr(one, name) for one in each])
    summed["spent"] = _spendings([one.spent for one in each])
    summed["cost"] = sum(one.cost for one in each)
    summed["tokens"] = Tokens(*map(sum, zip(*(one.tokens for one in each), strict=True)))
    summed["files"] = tuple(dict.fromkeys([path for one in each for path in one.files]))
    return summed


def _spendings(each: Iterable[Mapping[Any, Sequence[int]]]) -> dict[Any, Any]:
    sums: dict[Any, Any] = {}
    for one in each:
        for key, used in one.items():
            sums[key] = tuple(map(sum, zip(sums[key], used, strict=True))) if key in sums else used
    return sums


def _counts(each: Iterable[Mapping[str, int]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in each:
        for key, count in one.items():
            counts[key] = counts.get(key, 0) + count
    return counts
