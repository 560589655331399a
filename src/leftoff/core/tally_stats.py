"""What a tally amounts to."""

from __future__ import annotations

from leftoff.core.stats import Compaction, Failure, HookCost, Stats, Task, Tokens
from leftoff.core.tally_parts import cut, thin, time_of
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    Tally = dict[str, Any]


_MOST = 10**9
"""tokens of one answer"""


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
        models={name: n for name, at in get("models").items() if (n := numbers.count(at))},
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
