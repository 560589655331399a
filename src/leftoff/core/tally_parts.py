"""Times, ids and texts of transcripts, as a tally keeps them."""

from __future__ import annotations

from zlib import crc32

from leftoff.core.stats import LONGEST
from leftoff.core.texts import in_words
from leftoff.core.when import instant
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Tally: TypeAlias = dict[str, Any]

POINTS = 256
"""of the curve of context use, at most"""
_days: dict[str, float] = {}


def seconds(text: str) -> float:
    """Seconds since the epoch of an ISO time, 0 for what is none.

    Lines of one day share their date: that part is worked out once.
    """
    day = _days.get(text[:11])
    hours, minutes, rest = text[11:13], text[14:16], text[17:23]
    digits = hours + minutes + rest[:2] + rest[3:]  # `int` takes blanks and marks between them, too
    plain_clock = text[23:] == "Z" and text[13:20:3] == "::." and digits.isdecimal()
    if day is None or not plain_clock or hours > "23" or minutes > "59" or not text.isascii():
        return _slowly(text)
    second = float(rest)
    return day + int(hours) * 3600 + int(minutes) * 60 + second if second < 61 else 0.0


def _slowly(text: str) -> float:
    found = instant(text)
    if found and len(text) == 24 and text[23] == "Z":
        if len(_days) > 1024:
            _days.clear()
        _days[text[:11]] = instant(text[:10]) or 0.0
    return found or 0.0


def time_of(when: float | str) -> float:
    """A time that may still be the text of a line."""
    return seconds(when) if isinstance(when, str) else when


def key_of(first: str, last: str = "") -> int:
    """A number in the place of an answer's ids: whole ids of a large file would be megabytes."""
    try:
        return crc32(first.encode()) << 32 | crc32((last or first[::-1]).encode())
    except UnicodeEncodeError:
        return key_of(plain(first), plain(last))


def plain(text: str) -> str:
    """The text with half a surrogate pair replaced: it could never be written anywhere."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def cut(text: str) -> str:
    """As much of a text as is kept."""
    return plain(in_words(text, LONGEST))


def thin(tally: Tally) -> None:
    """Take the points that passed into the curve.

    Every second one goes when there are too many: what stays depends on their number alone.
    """
    curve, every, passed = tally["curve"], tally["every"], tally["passed"]
    curve += [point[1:] for point in passed[-tally["points"] % every :: every]]
    tally["points"] += len(passed)
    while len(curve) >= POINTS:
        del curve[1::2]
        every *= 2
    tally["every"], tally["passed"] = every, []


def settle(tally: Tally) -> None:
    """Make a tally ready to be kept: it holds no more of a text than is ever shown."""
    thin(tally)
    for name in ("said", "last_asked"):
        tally[name] = cut(tally[name].strip())
    tally["failures"] = {marked(what): told for what, told in tally["failures"].items()}
    tally["marked"] = True
    waiting = tally["waiting"]
    for call, (what, shown, paths, commits, when) in waiting.items():
        text, changes = cut(what[1]) if shown is None else shown, tuple(map(plain, paths))
        waiting[call] = (marked(what), text, changes, commits, time_of(when))


def marked(what: tuple[str, str | int]) -> tuple[str, str | int]:
    """A call by its tool and a number: what is kept of its text may be cut and redacted."""
    tool, text = what
    return what if isinstance(text, int) else (tool, key_of(text, tool))
