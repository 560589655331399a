"""What a tally amounts to."""

from __future__ import annotations

from bisect import bisect_left

from leftoff.core.stats import STEPS, Compaction, Failure, HookCost, Stats, Task, Tokens
from leftoff.core.tally_parts import cut, thin, time_of
from leftoff.core.when import DAY, stamp
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    Tally = dict[str, Any]


_MOST = 10**9
"""tokens of one answer, or dollars of a session"""
_LATEST = 253_402_214_400.0
"""the last day of the year 9999"""


def stats(tally: Tally) -> Stats:
    """What was counted."""
    get = tally.__getitem__
    *used, numbers = zip(*get("answers").values(), strict=True) if get("answers") else ((),) * 5
    return Stats(
        tokens=Tokens(*map(_sum, used)),
        context=_possible(get("context")),
        window=_possible(get("window")),
        peak=_possible(get("peak")),
        curve=curve_of(points(tally)),
        models=_models(get("models"), numbers),
        spent=_spent(tally),
        cost=_cost(tally),
        tools=dict(get("tools")),
        files=tuple(get("files")),
        commands=get("commands"),
        failed=get("failed"),
        failures=tuple(map(Failure._make, get("failures").values())),
        commits=get("commits"),
        tasks=tuple(Task(*each) for each in get("tasks").values()),
        subagents=get("subagents"),
        prompts=get("prompts"),
        answers=len(numbers),
        interrupted=get("interrupted"),
        errors=get("errors"),
        compactions=tuple(Compaction(*each) for each in get("compactions")),
        first=get("first"),
        last=get("last"),
        session=get("session"),
        parent=get("parent"),
        cwd=get("cwd"),
        branch=get("branch"),
        version=get("version"),
        title=get("title"),
        asked=get("asked"),
        last_asked=cut(get("last_asked").strip()),
        said=cut(get("said").strip()),
        hooks=HookCost(*get("hooks")),
        lines=get("lines"),
        skipped=get("skipped"),
        unknown=dict(get("unknown")),
    )


def _models(names: dict[tuple[str, Any], int], numbers: Sequence[int]) -> dict[str, int]:
    models: dict[str, int] = {}
    for (name, _), at in names.items():
        if count := numbers.count(at):
            models[name] = models.get(name, 0) + count
    return models


def _spent(tally: Tally) -> dict[tuple[str, str, int], tuple[int, int, int, int, int]]:
    """By number of model and day, and by how long the prompts were."""
    hour, sums = tally["hour"], dict[tuple[int, int], list[int]]()
    for key, (given, output, read, write, at) in tally["answers"].items():
        prompt = given + read + write
        step = bisect_left(STEPS, prompt) if prompt > STEPS[0] else 0
        used = sums.setdefault((at, step), [0, 0, 0, 0, 0])
        if min(given, output, read, write) < 0 or prompt + output > _MOST:
            figures = [*map(_possible, (given, output, read, write)), 0]
            used[:] = map(sum, zip(used, figures, strict=True))
            continue
        used[0] += given
        used[1] += output
        used[2] += read
        used[3] += write
        if key in hour:
            used[4] += max(0, min(hour[key], write))
    names = {at: name for name, at in tally["models"].items()}
    found: dict[tuple[str, str, int], tuple[int, int, int, int, int]] = {}
    for (at, step), (a, b, c, d, e) in sums.items():
        model, day = names[at]
        found[_day(day), model, step] = a, b, c, d, e
    return found


def _day(day: str | float) -> str:
    """The date of answers, by the text of their lines or by days since the epoch."""
    if isinstance(day, str):
        return day if time_of(day) else ""
    return stamp(day * DAY)[:10] if 0 < day * DAY < _LATEST else ""


def _cost(tally: Tally) -> float:
    """The client's figure for all of this session; else what it says of each answer."""
    told = tally["cost"] - tally["copied"] if tally["cost"] else sum(tally["costs"].values())
    return float(told) if 0 < told < _MOST else 0.0


def _sum(column: Sequence[int]) -> int:
    total = sum(column)
    good = min(column, default=0) >= 0 and (total <= _MOST or max(column) <= _MOST)
    return total if good else sum(map(_possible, column))


def _possible(tokens: int) -> int:
    """A figure that no model's side can have told counts nothing."""
    return tokens if 0 <= tokens <= _MOST else 0


def points(tally: Tally) -> list[tuple[float | str, int]]:
    """The curve as it is kept: its times may still be texts, for `curve_of` to work out."""
    thin(tally)
    point = tally["point"]
    return [*tally["curve"], point[1:]] if point else tally["curve"]


def curve_of(kept: Iterable[tuple[float | str, int]]) -> tuple[tuple[float, int], ...]:
    """Context use over time, of points that were kept."""
    return tuple([(time_of(when), tokens) for when, tokens in kept])
