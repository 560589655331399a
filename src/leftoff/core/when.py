"""Times as they stand in documents: read without `datetime`, which the common path does not load.

A date alone or a time without a zone counts as UTC. What leftoff writes is UTC with `Z`.
"""

from __future__ import annotations

from time import gmtime, strftime

DAY = 86400.0
HOUR = 3600.0
LATEST = 253_402_214_400.0
"""The last day of the year 9999: no calendar goes on."""
LONGEST = 20
"""Digits; longer ones are no part of a time, and of some thousands Python makes no number."""
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def instant(text: str) -> float | None:
    """Seconds since the epoch, or None where the text is no ISO-8601 date or time."""
    text = text.strip()
    day = _day(text[:10])
    if day is None:
        return None
    rest = text[10:]
    if not rest:
        return day * DAY
    if rest[0] not in "Tt ":
        return None
    clock, zone = _split_zone(rest[1:])
    seconds, offset = _clock(clock), _offset(zone)
    if seconds is None or offset is None:
        return None
    return day * DAY + seconds - offset


def stamp(now: float) -> str:
    """A time as leftoff writes it."""
    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(now))


def _day(text: str) -> int | None:
    """Days since 1970-01-01 of a calendar date that exists."""
    if len(text) != 10 or text[4] != "-" or text[7] != "-":
        return None
    year, month, day = _number(text[:4]), _number(text[5:7]), _number(text[8:])
    if year is None or month is None or day is None or not 1 <= month <= 12:
        return None
    if not 1 <= day <= _MONTH_DAYS[month - 1] or (month == 2 and day == 29 and not _leap(year)):
        return None
    # Howard Hinnant's days-from-civil: March-based years make the leap day the last one.
    year -= month <= 2
    era, month = year // 400, (month + 9) % 12
    in_era = year - era * 400
    in_year = (153 * month + 2) // 5 + day - 1
    return era * 146097 + in_era * 365 + in_era // 4 - in_era // 100 + in_year - 719468


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _split_zone(text: str) -> tuple[str, str]:
    for at in range(len(text) - 1, 0, -1):
        if text[at] in "Zz+-":
            return text[:at].rstrip(), text[at:]
    return text, "Z"


def _clock(text: str) -> float | None:
    """Seconds since midnight of `hh:mm`, `hh:mm:ss` or `hh:mm:ss.fff`."""
    whole, _, fraction = text.partition(".")
    parts = [_number(part) if len(part) == 2 else None for part in whole.split(":")]
    if len(parts) == 2:
        parts.append(0)
    if len(parts) != 3 or None in parts or ("." in text and _number(fraction) is None):
        return None
    hours, minutes, seconds = (part or 0 for part in parts)
    if hours > 23 or minutes > 59 or seconds > 60:
        return None
    return hours * 3600 + minutes * 60 + seconds + (float(f"0.{fraction}") if fraction else 0.0)


def _offset(zone: str) -> float | None:
    """Seconds east of UTC of `Z`, `+hh`, `+hhmm` or `+hh:mm`."""
    if zone in "Zz":
        return 0.0
    if zone[0] in "Zz" or (":" in zone and zone[3:4] != ":"):
        return None
    digits = zone[1:].replace(":", "", 1)
    hours, minutes = _number(digits[:2]), _number(digits[2:] or "00")
    if hours is None or minutes is None or len(digits) not in {2, 4} or hours > 23 or minutes > 59:
        return None
    return (hours * 3600.0 + minutes * 60) * (-1 if zone[0] == "-" else 1)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else None
