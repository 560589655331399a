"""What a tally amounts to."""

from __future__ import annotations

from bisect import bisect_left
from itertools import repeat

from leftoff.core.stats import STEPS, Compaction, Failure, HookCost, Stats, Task, Tokens
from leftoff.core.tally_parts import cut, thin, time_of
from leftoff.core.when import DAY, LATEST, stamp
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    Tally = dict[str, Any]
    Groups = dict[tuple[int, int], list[Sequence[int]]]
    Sums = dict[tuple[int, int], list[int]]
    Spent = tuple[int, int, int, int, int]


_MOST = 10**9
"""tokens of one answer, or dollars of a session"""
_dates: dict[str | float, str] = {}


def stats(tally: Tally) -> Stats:
    """What was counted."""
    get = tally.__getitem__
    groups = _grouped(get("answers").values())
    sums = {key: [*map(_sum, zip(*group, strict=True))][:4] for key, group in groups.items()}
    return Stats(
        tokens=Tokens(*map(sum, zip(*sums.values(), strict=True))),
        context=_possible(get("context")),
        window=_possible(get("window")),
        peak=_possible(get("peak")),
        curve=curve_of(points(tally)),
        models=_models(tally, groups),
        spent=_spent(tally, sums),
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
        answers=len(get("answers")),
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


def _grouped(answers: Iterable[Sequence[int]]) -> Groups:
    """Answers by number of model and day, and by how many of STEPS the prompt was longer than."""
    told = [*answers]
    groups: Groups = {}
    models = [used[4] for used in told]
    prompts = [used[0] + used[2] + used[3] for used in told]
    keys = zip(models, map(bisect_left, repeat(STEPS), prompts), strict=True)
    for key, used in zip(keys, told, strict=True):
        if key in groups:
            groups[key].append(used)
        else:
            groups[key] = [used]
    return groups


def _models(tally: Tally, groups: Groups) -> dict[str, int]:
    """How often each answered, in the order of their first answers."""
    models = {name: 0 for name, _ in tally["models"]}
    names = [name for name, _ in tally["models"]]
    for (at, _), group in groups.items():
        models[names[at]] += len(group)
    return {name: count for name, count in models.items() if count}


def _spent(tally: Tally, sums: Sums) -> dict[tuple[str, str, int], Spent]:
    names, hours = [*tally["models"]], _hours(tally)
    found: dict[tuple[str, str, int], Spent] = {}
    for (at, step), used in sums.items():
        model, day = names[at]
        whole = [*used, min(hours.get((at, step), 0), used[3])]
        key = _day(day), model, step
        if key in found:  # of no day are all texts that are no time
            whole = [a + b for a, b in zip(found[key], whole, strict=True)]
        given, output, read, write, hour = whole
        found[key] = given, output, read, write, hour
    return found


def _hours(tally: Tally) -> dict[tuple[int, int], int]:
    """What is kept in caches for an hour, of the same groups."""
    answers, sums = tally["answers"], dict[tuple[int, int], int]()
    for key, tokens in tally["hour"].items():
        for group in _grouped([answers[key]] if key in answers else ()):
            sums[group] = sums.get(group, 0) + _possible(min(tokens, answers[key][3]))
    return sums


def _day(day: str | float) -> str:
    """The date of answers, by the text of their lines or by days since the epoch."""
    known = _dates.get(day)
    if known is None:
        if len(_dates) > 1024:
            _dates.clear()
        known = _dates[day] = _date(day)
    return known


def _date(day: str | float) -> str:
    if isinstance(day, str):
        return day if time_of(day) else ""
    return stamp(day * DAY)[:10] if 0 < day * DAY < LATEST else ""


def _cost(tally: Tally) -> float:
    """The client's figure for all of this session; else what it says of each answer."""
    told = tally["cost"] - tally["copied"] if tally["cost"] else sum(tally["costs"].values())
    return float(told) if 0 < told < _MOST else 0.0


def _sum(column: Sequence[int]) -> int:
    return sum(column) if _is_good(column) else sum(map(_possible, column))


def _is_good(column: Sequence[int]) -> bool:
    """Whether all of it can have been told by a model's side."""
    return min(column, default=0) >= 0 and max(column, default=0) <= _MOST


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
