"""What sessions amount to, by day, agent, project or model: tokens and cost where they were spent.

A session counts once, for the day that it began on and the model that answered most; its tokens and
its cost count for every day and model that they were spent on.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter

from leftoff.core.cost import BY, facts
from leftoff.core.spending import parts_of, prices_for, total
from leftoff.core.when import DAY, stamp
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from leftoff.core.model import Json
    from leftoff.core.prices import Price
    from leftoff.core.session import Session
    from leftoff.core.spending import Part, Prices

ALL = "everything"
NOBODY = "-"
_SPENT_ON = {"day": attrgetter("day"), "model": attrgetter("model")}
"""What a session may have spent on several of; of all else it has one."""


class Spent(Record):
    """A session, where it counts, its figures, and what it spent by day and model."""

    session: Session
    parts: list[Part]
    day: str
    figures: tuple[float, ...]
    """in the order of `_FIGURES`"""


_FIGURES = ("prompts", "files", "commits", "tasks", "failed", "minutes")
_NOTHING = (0,) * len(_FIGURES)


class Memory:
    """What sessions spent, for a server: only of those that changed it is worked out again."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._own: Mapping[str, Price] = {}
        self._known: dict[tuple[str, str], Spent] = {}

    def spent(self, sessions: Sequence[Session], own: Mapping[str, Price]) -> list[Spent]:
        """Of each session, all of it."""
        if own != self._own:
            self._own, self._known = own, {}
        known, keys = self._known, [(one.agent, one.id) for one in sessions]
        stale = [
            one
            for one, key in zip(sessions, keys, strict=True)
            if key not in known or known[key].session is not one
        ]
        prices = prices_for((one.stats for one in stale), own)
        known.update(((one.agent, one.id), _spent(one, prices)) for one in stale)
        return [known[key] for key in keys]


def spent(
    known: Sequence[Session],
    own: Mapping[str, Price],
    since: float = 0.0,
    memory: Memory | None = None,
) -> list[Spent]:
    """Each session with its spending since a day; an answer without a time is of its start."""
    first = stamp(since)[:10] if since else ""
    found = (memory or Memory()).spent(known, own)
    return [_since(one, first) for one in found] if first else found


def _since(one: Spent, first: str) -> Spent:
    if all(part.day >= first for part in one.parts):
        return one
    return one._replace(parts=[part for part in one.parts if part.day >= first])


def _spent(one: Session, prices: Prices) -> Spent:
    day, stats = _day(int((one.started or one.seen) // DAY)), one.stats
    parts = [
        part
        if part.day and part.model
        else part._replace(day=part.day or day, model=part.model or NOBODY)
        for part in parts_of(stats, prices)
    ]
    done = stats.prompts, len(stats.files), stats.commits, stats.done, stats.failed, one.duration
    return Spent._make((one, parts, day, done))


@lru_cache(maxsize=4096)
def _day(number: int) -> str:
    """The name of a day by how many there were before it: many sessions are of few days."""
    return stamp(number * DAY)[:10]


def rows(known: Sequence[Spent], by: str) -> dict[str, Json]:
    """A row for each name, and all together; days from the last back."""
    return {"by": by, "rows": [*_rows(known, by)], "total": _sum(known, _all(known))}


def everything(known: Sequence[Spent]) -> dict[str, Json]:
    """The rows by each, and for each day how much is whose: all that a page of figures shows."""
    data: dict[str, Json] = {f"{by}s": [*_rows(known, by)] for by in BY}
    return {"by": ALL, **data, "parts": [*_cells(known)], "total": _sum(known, _all(known))}


def _all(known: Iterable[Spent]) -> list[Part]:
    return [part for one in known for part in one.parts]


def _rows(known: Sequence[Spent], by: str) -> list[Json]:
    sessions: dict[str, list[Spent]] = {}
    parts: dict[str, list[Part]] = {}
    at = _SPENT_ON.get(by)
    for one in known:
        name = _name(one, by)
        sessions.setdefault(name, []).append(one)
        if at is None:
            parts.setdefault(name, []).extend(one.parts)
            continue
        for part in one.parts:
            parts.setdefault(at(part), []).append(part)
    names = sorted({*sessions, *parts}, reverse=by == "day")
    return [{"name": n, **_sum(sessions.get(n, ()), parts.get(n, ()))} for n in names]


def _name(one: Spent, by: str) -> str:
    """Where a session counts."""
    if by == "day":
        return one.day
    if by == "project":
        return one.session.root or NOBODY
    if by == "model":
        models = one.session.stats.models
        if len(models) == 1:
            return next(iter(models)) or NOBODY
        return max(models, key=lambda name: (models[name], name), default=NOBODY) or NOBODY
    return one.session.agent


def _cells(known: Sequence[Spent]) -> list[Json]:
    """Tokens and dollars by day and agent, project, model: the least that any picture needs."""
    sums: dict[tuple[str, str, str, str], list[Part]] = {}
    for one in known:
        for part in one.parts:
            key = (part.day, one.session.agent, one.session.root or NOBODY, part.model)
            sums.setdefault(key, []).append(part)
    return [
        {
            **dict(zip(BY, key, strict=True)),
            "tokens": sum(part.tokens for part in parts),
            "cost": facts(total(parts)),
        }
        for key, parts in sorted(sums.items())
    ]


def _sum(group: Sequence[Spent], parts: Sequence[Part]) -> dict[str, Json]:
    sums = map(sum, zip(*(one.figures for one in group), strict=True)) if group else _NOTHING
    figures = dict(zip(_FIGURES, sums, strict=True))
    return {
        "sessions": len(group),
        "tokens": sum([part.tokens for part in parts]),
        "cost": facts(total(parts)),
        **figures,
        "minutes": int(figures["minutes"] // 60),
    }
