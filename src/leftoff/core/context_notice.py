"""What a session is told of its context, and when: once as it crosses a level. Pure.

The levels are percent of the window; a level counts as reached at the level itself. After a notice
nothing is said until use fell well below it, as it does at a compaction.
"""

from __future__ import annotations

from leftoff.core.event import (
    COMPACTED,
    COMPACTING,
    END,
    FREQUENT,
    PROMPT,
    START,
    STOP,
    SUMMARY,
)
from leftoff.core.event import SHRUNK as SHRUNK_TO
from leftoff.core.window import ESTIMATE
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from leftoff.core.stats import Task
    from leftoff.core.texts import Say
    from leftoff.core.window import Use

NOTICE = "notice"
ADVISED, SAVED, LOST, SHRUNK = "advised", "saved", "lost", "shrunk"
RETOLD, FINISHED = "retold", "finished"
"""What notices are about, in the journal."""

SLACK = 10.0
"""So many percent below its level a notice may be given again: use that wavers is one crossing."""

EXEMPT = (
    *("/compact", "/compress", "/summarize", "/clear", "/new", "/help", "/exit", "/quit"),
    *("/checkpoint", "/resume", "/leftoff"),
)
"""Prompts that make room or leave are never refused."""


def armed_below(level: float) -> float:
    """The use below which a notice at this level may be given again."""
    return max(0.0, level - SLACK)


def is_due(use: Use | None, level: float, *, noticed: bool) -> bool:
    """Whether to speak: at the level or above it, for the first time in this crossing."""
    return use is not None and use.percent >= level and not noticed


def has_spoken(lines: Iterable[Mapping[str, Any]], level: float, window: int = 0) -> bool:
    """Whether this crossing was told already, by a journal; for where nobody else remembers.

    `window` stands in for lines that do not say it.
    """
    spoken = False
    for line in lines:
        event = line.get("event")
        if event == NOTICE and line.get("what") in (ADVISED, SAVED):
            spoken = True
        elif event in {PROMPT, STOP} and _percent(line, window) < armed_below(level):
            spoken = False
    return spoken


def _percent(line: Mapping[str, Any], usual: int) -> float:
    """A line without figures says nothing, so it re-arms nothing."""
    context, window = line.get("context"), line.get("window") or usual
    if not isinstance(context, int) or not isinstance(window, int) or not context or window <= 0:
        return 100.0
    return 100 * context / window


def was_briefed(lines: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the session got its brief again after the last compaction, by its journal.

    Clients differ in what they tell first: that it is compacted, or that it starts anew with that.
    """
    told = False
    for line in reversed(lines):
        event, what = line.get("event"), line.get("what")
        if event == START:
            return bool(line.get("source") == "compact")
        if event == NOTICE and what == RETOLD:
            return not told
        begun = event == COMPACTING or (event == NOTICE and what == SHRUNK)
        if begun or (told and event in {COMPACTED, *FREQUENT}):
            return False
        told = told or event == COMPACTED
    return False


def unheard(lines: Sequence[Mapping[str, Any]], late: Sequence[str]) -> str:
    """The event since which nothing could be said to a session; "" where that is not so.

    Its start, where the client drops the text of those (`late` are their sources); or its end,
    where it goes on all the same.
    """
    for line in reversed(lines):
        event = line.get("event")
        if event == END or (event == START and line.get("source") in late):
            return str(event)
        if event == START or (event == NOTICE and line.get("what") == RETOLD):
            break
    return ""


def was_announced(lines: Sequence[Mapping[str, Any]], used: int) -> bool:
    """Whether a session knows why only so much is in use, or never used much more; by its journal.

    A prompt right after a compaction still tells the figure from before it.
    """
    stale = 0
    for line in reversed(lines):
        event, before = line.get("event"), line.get("context")
        retold = event == NOTICE and line.get("what") == RETOLD
        anew = event == START and (not stale or line.get("source") == "compact")
        if retold or anew or event in {COMPACTED, SUMMARY}:
            return True
        if isinstance(before, int) and used < before * SHRUNK_TO:
            if stale not in {0, before}:
                return False
            stale = before
    return not stale


def is_exempt(prompt: str) -> bool:
    """Whether a prompt is a command of the client that must never be refused."""
    first = prompt.split(maxsplit=1)[:1]
    return not first or first[0] in EXEMPT


def shown(use: Use, say: Say) -> str:
    """A figure that is never rounded up to a level it has not reached."""
    percent = int(use.percent * 10) / 10
    if use.method == ESTIMATE:
        return say("about {percent} % (a guess from the size of the transcript)", percent=percent)
    return say(
        "{percent} % ({tokens} of {window} tokens)",
        percent=percent,
        tokens=use.tokens,
        window=use.window.tokens,
    )


COMMAND = "leftoff save NOTE --decision TEXT --next TEXT"


def how_to_save(say: Say) -> str:
    """The one place that says how to write down where work stands."""
    return say("write down what matters: {command}", command=COMMAND)


def advice(use: Use, say: Say) -> str:
    """Save before the context runs out."""
    return say(
        "Context use is {figure}. Before it is compacted, {how}",
        figure=shown(use, say),
        how=how_to_save(say),
    )


def finished(count: int, say: Say) -> str:
    """A piece of work is done: the next one begins from solid ground."""
    text = "All {n} entries of the to-do list are done: a good moment to {how}"
    return say(text, n=count, how=how_to_save(say))


def list_mark(tasks: Iterable[Task]) -> str:
    """Tells two to-do lists of a session apart, and gives no word of them away."""
    from binascii import crc32  # at most once per list

    text = "\0".join(task.text for task in tasks)
    return f"{crc32(text.encode('utf-8', 'replace')):08x}"


def was_finished(lines: Iterable[Mapping[str, Any]], mark: str) -> bool:
    """Whether the end of this list was told, by a journal."""
    return any(line.get("what") == FINISHED and line.get("list") == mark for line in lines)


def refusal(use: Use, path: str, say: Say) -> str:
    """Why a prompt was not taken, and where it is."""
    how = how_to_save(say)
    return say(
        "Context use is {figure}: this prompt was held back, and is kept in {path}. {how},"
        " then go on in a new session.",
        figure=shown(use, say),
        path=path,
        how=how[:1].upper() + how[1:],
    )
