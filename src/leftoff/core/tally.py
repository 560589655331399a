"""Counting what a transcript tells, the same way for every client.

A tally is a dict of plain values that marshal can keep between two readings of a growing file. Each
step depends on the lines before it alone, so any split of a file into readings counts the same.
"""

from __future__ import annotations

from leftoff.core import talk
from leftoff.core.commits import commits_in
from leftoff.core.event import without_own
from leftoff.core.tally_parts import (
    POINTS,
    cut,
    key_of,
    marked,
    plain,
    seconds,
    settle,
    thin,
    time_of,
)
from leftoff.core.tally_stats import curve_of, points, stats
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeAlias

    Tally: TypeAlias = dict[str, Any]
    Answer: TypeAlias = tuple[int, str, Sequence[int], float | str, bool, int]

__all__ = [
    "FEW",
    "POINTS",
    "TALK",
    "TEXTS",
    "answer",
    "answered",
    "begin",
    "called",
    "charged",
    "compacted",
    "curve_of",
    "cut",
    "hook_ran",
    "itself",
    "key_of",
    "opened",
    "plain",
    "points",
    "prompted",
    "ran",
    "returned",
    "said",
    "said_last",
    "saw",
    "saw_texts",
    "seconds",
    "settle",
    "stats",
    "thin",
    "unknown",
]

FEW = 8
"""failures that are told"""
_OPEN = 256
TALK = "talk"
"""where a tally hears the turns of the conversation, for whoever wants them; it is never kept"""
TEXTS = ("asked", "last_asked", "said", "title", "failures", "tasks", "waiting")
"""what may hold words of a person or a model"""


def itself(text: str | None) -> str | None:
    """A text that is one already, for `said_last`."""
    return text


def begin() -> Tally:
    """The tally of nothing."""
    return {
        "answers": {},  # key: (input, output, cache read, cache write, number of the model)
        "models": {},  # (name, day): number
        "hour": {},  # by the same key: what of its cache write is kept for an hour
        "costs": {},  # by the same key: dollars, where the client says so
        "cost": 0.0,  # dollars of all answers, where the client says so
        "copied": 0.0,  # how much of that is of the history that a fork copied
        "context": 0,
        "window": 0,
        "peak": 0,
        "point": None,  # (key, time, context) of the last answer of the main conversation
        "passed": [],  # those before it that the curve does not know yet
        "points": 0,  # how many it knows
        "every": 1,  # which of them it keeps
        "curve": [],
        "tools": {},
        "files": {},
        "waiting": {},  # calls without a result yet, by id
        "commands": 0,
        "failed": 0,
        "failures": {},  # by call, or by its mark
        "marked": False,  # whether there may be marks: only in what was kept
        "commits": 0,
        "tasks": {},  # id: (text, status)
        "created": 0,  # tasks that were made one by one
        "subagents": 0,
        "prompts": 0,
        "interrupted": 0,
        "errors": 0,
        "compactions": [],
        "began": 0.0,  # time of the first line: a fork begins later than the history it copies
        "first": 0.0,
        "last": 0.0,
        "session": "",
        "parent": "",
        "cwd": "",
        "branch": "",
        "version": "",
        "title": "",
        "asked": "",
        "last_asked": "",
        "said": "",
        "hooks": (0, 0, 0),
        "lines": 0,
        "skipped": 0,
        "unknown": {},
    }


def saw(tally: Tally, when: float) -> None:
    """A line of this time. Clocks jump: the first and the last are the least and the greatest."""
    if when > tally["last"]:
        tally["last"] = when
        tally["began"] = tally["began"] or when
    if when < tally["first"] or not tally["first"]:
        tally["first"] = when or tally["first"]


def saw_texts(tally: Tally, times: Sequence[str | None]) -> None:
    """The same for the times of many lines; those of one form, in UTC, sort as their texts do."""
    texts = [*filter(None, times)]
    if len(texts) > 1 and _are_alike(texts):
        ordered = sorted(texts)  # they nearly are: sooner than two looks at all of them
        bounds = texts[0], ordered[0], ordered[-1]
        if all(map(seconds, bounds)):
            texts = [*bounds]
    for text in texts:
        saw(tally, seconds(text))


def _are_alike(texts: Sequence[str]) -> bool:
    """Whether all have 24 characters, the last a Z: told from a few looks at all of them."""
    many, joined = len(texts), "\n".join(texts)
    ends = joined[23::25] == "Z" * many and joined[24::25] == "\n" * (many - 1)
    return ends and 0 < many == joined.count("\n") + 1


def answer(  # noqa: PLR0913, PLR0917  # what a model's side tells of an answer
    tally: Tally,
    key: int,
    model: str,
    used: Sequence[int],
    when: float | str = 0.0,
    main: bool = True,
    context: int = -1,
) -> None:
    """An answer of the model; one that was told before is told again with better figures.

    `used` is input, output, cache read, cache write; `context` where it is not the sum of what went
    in. Key 0 is for an answer without id. What is not `main` is a subagent's: no context of ours.
    A time in text is worked out where it is shown.
    """
    answered(tally, [(key, model, used, when, main, context)])


def answered(tally: Tally, told: Iterable[Answer]) -> None:
    """The same for answers in their order, each by what `answer` takes."""
    answers, models, passed = tally["answers"], tally["models"], tally["passed"]
    point, now, peak = tally["point"], tally["context"], tally["peak"]
    for key, model, used, when, main, context in told:
        name = key or -len(answers) - 1
        before = answers.get(name)
        if before is not None and before[:4] == used:
            number = before[4]  # only told again: of the day and the model that it was
        else:
            spent_on = model, when[:10] if isinstance(when, str) else when // 86400
            number = models.setdefault(spent_on, len(models))
        answers[name] = (*used, number)
        if not main:
            continue
        now = used[0] + used[2] + used[3] if context < 0 else context
        if now > peak:  # noqa: PLR1730  # on the path of every line
            peak = now
        if not point:
            point = (name, when, now)
        elif point[0] == name:  # told again: it may be any of its lines that is told twice
            point = (name, point[1], now)
        else:
            passed.append(point)
            point = (name, when, now)
    tally["point"], tally["context"], tally["peak"] = point, now, peak


def called(  # noqa: PLR0913  # what a client tells of a call
    tally: Tally,
    call: str,
    tool: str,
    when: float | str = 0.0,
    *,
    command: str | None = None,
    changes: Sequence[str] = (),
    about: str = "",
) -> None:
    """A tool call: its shell command, or the files that it changes if it ends well."""
    if command is not None:
        ran(tally, call, tool, when, command, changes)
    else:
        opened(tally, call, tool, when, about or " ".join(changes), changes, 0)


def ran(  # noqa: PLR0913, PLR0917  # by place: on the path of every line
    tally: Tally, call: str, tool: str, when: float | str, command: str, changes: Sequence[str] = ()
) -> None:
    """A shell command."""
    tally["commands"] += 1
    commits = commits_in(command) if "commit" in command else 0
    opened(tally, call, tool, when, command or " ".join(changes), changes, commits)
    if TALK in tally:
        talk.ran(tally[TALK], call)


def opened(  # noqa: PLR0913, PLR0917  # as above
    tally: Tally,
    call: str,
    tool: str,
    when: float | str,
    about: str,
    changes: Sequence[str],
    commits: int,
) -> None:
    """A call that waits for its result: what it is about, and what a good end will have done."""
    tools = tally["tools"]
    tools[tool] = tools.get(tool, 0) + 1
    waiting = tally["waiting"]
    if len(waiting) >= _OPEN:  # never answered
        del waiting[next(iter(waiting))]
    waiting[call] = ((tool, about), None, changes, commits, when)
    if TALK in tally:
        talk.called(tally[TALK], call, tool, about, changes)


def returned(tally: Tally, call: str, failed: bool = False) -> None:
    """The result of a call. One that goes well repairs its earlier failures."""
    told = tally["waiting"].pop(call, None)
    if TALK in tally:
        talk.returned(tally[TALK], call, failed=failed)
    if failed:
        tally["failed"] += 1
    if not told:
        return
    what, shown, paths, commits, when = told
    failures = tally["failures"]
    if failures and (what in failures or tally["marked"]):
        _repaired(tally, what)
    if failed:
        failures[what] = (what[0], cut(what[1]) if shown is None else shown, time_of(when))
        if len(failures) > FEW:
            del failures[next(iter(failures))]
        return
    if commits:
        tally["commits"] += commits
    for path in paths:
        tally["files"][plain(path)] = None


def _repaired(tally: Tally, what: tuple[str, str | int]) -> None:
    """Forget the failure of the same call; one that was kept in between is known by its mark."""
    failures = tally["failures"]
    failures.pop(what, None)
    if tally["marked"]:
        mark = marked(what)
        for other in [other for other in failures if marked(other) == mark]:
            del failures[other]


def prompted(tally: Tally, text: str) -> bool:
    """What a person asked, without our own echo; False when nothing is left of it."""
    text = without_own(text)
    if not text or text.isspace():
        return False
    tally["prompts"] += 1
    tally["last_asked"] = text
    tally["asked"] = tally["asked"] or cut(text.strip())
    if TALK in tally:
        talk.asked(tally[TALK], text)
    return True


def said(tally: Tally, text: str) -> bool:
    """What the model told the person; the last such text stays. False when it says nothing."""
    text = without_own(text)
    if not text or text.isspace():
        return False
    tally["said"] = text
    if TALK in tally:
        talk.said(tally[TALK], text)
    return True


def said_last(
    tally: Tally, texts: Sequence[Any], text_of: Callable[[Any], str | None] = itself
) -> None:
    """The same for many texts in their order; whoever listens hears each of them.

    Only those that are wanted are made, by `text_of`.
    """
    if TALK in tally:
        for each in texts:
            said(tally, text_of(each) or "")
    else:
        any(said(tally, text) for each in reversed(texts) if (text := text_of(each)))


def compacted(
    tally: Tally, when: float, trigger: str = "", before: int = 0, after: int = 0
) -> None:
    """The context became smaller, to `after` tokens where the client says so."""
    tally["compactions"].append((when, trigger, before, after))
    if after:
        tally["context"] = after
        tally["peak"] = max(tally["peak"], after)


def charged(tally: Tally, total: float) -> None:
    """The client says what all answers together cost, in dollars."""
    if total < tally["copied"]:
        tally["copied"] = 0.0  # a fork that counts from nothing
    tally["cost"] = total


def hook_ran(tally: Tally, ms: int) -> None:
    """A hook of the client took so long."""
    runs, total, worst = tally["hooks"]
    tally["hooks"] = (runs + 1, total + ms, max(worst, ms))


def unknown(tally: Tally, kind: str) -> None:
    """A line of a type that nobody told us of; a file of nothing else stays small all the same."""
    kinds, kind = tally["unknown"], plain(kind)[:60]
    if kind not in kinds and len(kinds) >= 50:
        kind = "others"
    kinds[kind] = kinds.get(kind, 0) + 1
