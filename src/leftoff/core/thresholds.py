"""Every limit that a seed names, in one table: the default, the unit, and which seed says so.

Settings may change them; code takes the effective table as a value and never repeats a number.
Ages compare strictly (`>`), context levels at or above (`>=`).
"""

from __future__ import annotations

from leftoff.core.when import DAY, HOUR, LATEST, LONGEST, instant
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.core.model import Json


class Threshold(Record):
    """A limit. `unit` is seconds, bytes, chars, items or percent."""

    default: float
    unit: str
    means: str


TABLE: Mapping[str, Threshold] = {
    "stale.checkpoint": Threshold(7 * DAY, "seconds", "in progress and not updated (seed A)"),
    "stale.session": Threshold(1 * HOUR, "seconds", "no activity of a listed session (seed D)"),
    "stale.created": Threshold(7 * DAY, "seconds", "an active Markdown checkpoint's age (seed B)"),
    "stale.delta": Threshold(3 * DAY, "seconds", "since the last delta of one (seed B)"),
    "future.updated": Threshold(1 * DAY, "seconds", "a stamp this far ahead is a mistake (seed A)"),
    "check.consistency": Threshold(1 * DAY, "seconds", "resume checks every file (seed A)"),
    "history.recent": Threshold(72 * HOUR, "seconds", "an ended session stays listed (seed D)"),
    "size.summary": Threshold(1200, "chars", "a summary people still scan (seed A)"),
    "size.skill_file": Threshold(32768, "bytes", "a skill checkpoint before rotation (seed A)"),
    "size.decisions": Threshold(20, "items", "decisions before they are folded (seed A)"),
    "size.task_file": Threshold(4096, "bytes", "a task save (seed C)"),
    "events.max": Threshold(100, "items", "events kept per session (seed D)"),
    "context.advise": Threshold(70, "percent", "context use that suggests a save (seed E)"),
    "context.block": Threshold(95, "percent", "context use that blocks, where opted in (seed C)"),
    "budget.warn": Threshold(60, "percent", "context budget: warning (seed D)"),
    "budget.critical": Threshold(80, "percent", "context budget: critical (seed D)"),
    "run.maxSteps": Threshold(30, "items", "steps of one run (seed E)"),
    "pending.expires": Threshold(30 * DAY, "seconds", "what was left for a next session (leftoff)"),
    "verify.timeout": Threshold(600, "seconds", "how long a done_when may run (leftoff)"),
}

DEFAULTS: Mapping[str, float] = {key: row.default for key, row in TABLE.items()}
_SIZES = {"KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "TB": 1_000_000_000_000}
_UNITS = {"s": 1.0, "m": 60.0, "h": HOUR, "d": DAY}
_NO_NUMBER = float("nan")
"""Neither more nor less than any limit, and so is whatever it is multiplied with."""


def effective(settings: Mapping[str, Json]) -> dict[str, float]:
    """The table with what the settings say: numbers in the row's unit, or spans such as "7d"."""
    table = dict(DEFAULTS)
    for key, value in settings.items():
        if key not in TABLE:
            raise Usage(f'there is no threshold "{key}"', hint=f"known: {', '.join(TABLE)}")
        table[key] = _value(key, value)
    return table


def span(text: str) -> float | None:
    """Seconds of `90s`, `15m`, `24h`, `7d`; None when it is none of these, or beyond all time."""
    seconds = _amount(text[:-1]) * _UNITS.get(text[-1:], _NO_NUMBER)
    return seconds if 0 <= seconds <= LATEST else None


def size(text: str) -> int | None:
    """Bytes of `500MB`, `20GB`, `20 GB`; None when it is none of these."""
    found = _amount(text[:-2].strip()) * _SIZES.get(text[-2:].upper(), _NO_NUMBER)
    return int(found) if found >= 0 else None


def _amount(text: str) -> float:
    """The number before a unit."""
    fits = text.replace(".", "", 1).isdecimal() and len(text) <= LONGEST
    return float(text) if fits else _NO_NUMBER


def since(text: str, now: float) -> float:
    """The instant that `--since` means: a time, or a span back from now."""
    ago = span(text)
    then = now - ago if ago is not None else instant(text)
    if then is None:
        raise Usage(f'--since cannot read "{text}"', hint="write a time as 2026-01-31, or 2d, 12h")
    return then


def _value(key: str, value: Json) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LATEST:
        return float(value)
    seconds = span(value) if isinstance(value, str) and TABLE[key].unit == "seconds" else None
    if seconds is None:
        raise Usage(f"threshold {key} cannot be {value!r}", hint="give a number, or a span like 7d")
    return seconds
