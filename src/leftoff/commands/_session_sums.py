"""What sessions amount to, by day, agent, project or model: tokens and cost where they were spent.

A session counts once, for the day that it began on and the model that answered most; its tokens and
its cost count for every day and model that they were spent on.
"""

from __future__ import annotations

from leftoff.core.cost import BY, facts
from leftoff.core.spending import parts_of, prices_for, total
from leftoff.core.when import stamp
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from leftoff.core.model import Json
    from leftoff.core.prices import Price
    from leftoff.core.session import Session
    from leftoff.core.spending import Part, Prices

ALL = "everything"
NOBODY = "-"
_SPENT_ON: dict[str, Callable[[Part], str]] = {
    "day": lambda part: part.day,
    "model": lambda part: part.model,
}
"""What a session may have spent on several of; of all else it has one."""


class Spent(Record):
    """A session, and what it spent by day and model."""

    session: Session
    parts: list[Part]


def spent(known: Sequence[Session], own: Mapping[str, Price], since: float = 0.0) -> list[Spent]:
    """Each session with its spending since a day; an answer without a time is of its start."""
    first = stamp(since)[:10] if since else ""
    prices = prices_for((one.stats for one in known), own)
    return [
        Spent(one, [part for part in _parts(one, prices) if part.day >= first]) for one in known
    ]


def _parts(one: Session, prices: Prices) -> list[Part]:
    start = stamp(one.started or one.seen)[:10]
    return [
        part
        if part.day and part.model
        else part._replace(day=part.day or start, model=part.model or NOBODY)
        for part in parts_of(one.stats, prices)
    ]


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
        name = _name(one.session, by)
        sessions.setdefault(name, []).append(one)
        if at is None:
            parts.setdefault(name, []).extend(one.parts)
            continue
        for part in one.parts:
            parts.setdefault(at(part), []).append(part)
    names = sorted({*sessions, *parts}, reverse=by == "day")
    return [{"name": n, **_sum(sessions.get(n, ()), parts.get(n, ()))} for n in names]


def _name(one: Session, by: str) -> str:
    """Where a session counts."""
    if by == "day":
        return stamp(one.started or one.seen)[:10]
    if by == "project":
        return one.root or NOBODY
    if by == "model":
        models = one.stats.models
        return max(models, key=lambda name: (models[name], name), default=NOBODY) or NOBODY
    return one.agent


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
    stats = [one.session.stats for one in group]
    return {
        "sessions": len(group),
        "tokens": sum(part.tokens for part in parts),
        "cost": facts(total(parts)),
        "prompts": sum(each.prompts for each in stats),
        "files": sum(len(each.files) for each in stats),
        "commits": sum(each.commits for each in stats),
        "tasks": sum(each.done for each in stats),
        "failed": sum(each.failed for each in stats),
        "minutes": int(sum(one.session.duration for one in group) // 60),
    }
