"""A stream as data: what status and list report of it, the same for every face of leftoff."""

from __future__ import annotations

from leftoff.core.age_checks import stale_days
from leftoff.core.model import ARCHIVED, IN_PROGRESS
from leftoff.core.rank import last_touched, over_budget, rank, waiting
from leftoff.core.when import DAY, HOUR, stamp
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.core.model import Json
    from leftoff.core.stream import Glance
    from leftoff.core.texts import Say

_LEAD_ROLES = ("incident", "deploy", "source", "linked", "child", "")
_POINTS_AT = {"incident": ("deploy", "source", "linked"), "deploy": ("source", "linked")}


def facts(
    stream: Glance, now: float, limits: Mapping[str, float], thread: str = ""
) -> dict[str, Json]:
    """What there is to say of a stream; `thread` is the one that `.checkpoints/current` names."""
    if not stream.readable:
        return row(stream, now, limits, thread)
    return {
        **row(stream, now, limits, thread),
        "summary": stream.summary,
        "next_actions": [{"n": n, "text": text} for n, text in enumerate(stream.actions, 1)],
        "progress": {"done": stream.done, "total": stream.total},
        "pm": pm_line(stream.refs),
        "over_budget": over_budget(stream),
        "conflicts": stream.conflicts,
    }


def row(
    stream: Glance, now: float, limits: Mapping[str, float], thread: str = ""
) -> dict[str, Json]:
    """What a table of very many says of each; of a broken one, why nobody can say more."""
    if not stream.readable:
        return {
            "id": stream.id,
            "format": stream.format,
            "path": stream.path,
            "status": "broken",
            "broken": stream.broken,
        }
    since = None if stream.touched is None else now - stream.touched
    return {
        "id": stream.id,
        "name": stream.name,
        "format": stream.format,
        "path": stream.path,
        "status": stream.status,
        "current": _is_current(stream, thread),
        "phase": stream.phase,
        "step": stream.stage,
        "updated": _stamped(stream),
        "age_seconds": None if since is None else int(since),
        "stale_days": stale_days(stream, now, limits),
        "rank": rank(stream),
        "blockers": [
            {"id": name, "description": text, "needs": needs, "proposed_resolution": proposal}
            for name, text, needs, proposal in stream.blockers
        ],
        "decisions_waiting": len(waiting(stream)),
        **({"broken_part": _broken_part(stream)} if stream.broken else {}),
    }


def _broken_part(stream: Glance) -> str:
    """The lesser file of a stream that cannot be read, and why."""
    folder = stream.broken_part.rpartition("/")[0]
    return f"{folder}/{stream.broken}" if folder else stream.broken


def _stamped(stream: Glance) -> str:
    """When it was last written, in UTC; most documents say it so, and need no clock for it."""
    said = last_touched(stream)
    if stream.touched is None or (len(said) == 20 and said[-1] == "Z" and said[10] == "T"):
        return said
    return stamp(stream.touched)


def _is_current(stream: Glance, thread: str) -> bool:
    if stream.format == "thread":
        return bool(thread) and stream.id == thread
    return stream.word == "current" and stream.status != ARCHIVED


def standing(told: Mapping[str, Json]) -> str:
    """The status in a word; any other than in progress says more than that it is in focus."""
    focus = told["current"] and told["status"] == IN_PROGRESS
    return "current" if focus else str(told["status"])


def pm_line(refs: tuple[tuple[str, str], ...]) -> str:
    """The tickets of a skill in one line: `X-1 (source) + 3 children`, `X-9 (deploy) → X-1`."""
    if not refs:
        return ""
    roles: dict[str, list[str]] = {}
    for ticket, role in refs:
        known = roles.setdefault(role, [])
        if ticket not in known:
            known.append(ticket)
    lead = next((role for role in _LEAD_ROLES if role in roles), None)
    if lead is None:
        return ""
    line = roles[lead][0] + (f" ({lead})" if lead else "")
    target = next((role for role in _POINTS_AT.get(lead, ()) if role in roles), "")
    if target:
        return f"{line} → {roles[target][0]}"
    children = len(roles.get("child", ())) if lead != "child" else len(roles["child"]) - 1
    if children:
        return f"{line} + {children} {'child' if children == 1 else 'children'}"
    return line


def age_words(seconds: float | None, say: Say) -> str:
    """An age for people: `3d`, `5h`, `now`; a dash where it is unknown.

    Clocks differ a little: less than an hour ahead is now.
    """
    if seconds is None:
        return "-"
    if seconds <= -HOUR:
        return say("in the future")
    if seconds >= DAY:
        return say("{n}d", n=int(seconds / DAY))
    return say("{n}h", n=int(seconds / HOUR)) if seconds >= HOUR else say("now")
