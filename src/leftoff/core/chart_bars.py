"""Stacked bars: an amount for each day, by agent, project or model."""

from __future__ import annotations

from leftoff.core.chart_axes import amount, scale, ticks
from leftoff.core.chart_svg import (
    SERIES,
    Box,
    Chart,
    element,
    finite,
    fitted,
    hint,
    label,
    picture,
)
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from leftoff.core.texts import Say

WIDTH, HEIGHT = 760, 250
_BOX = Box(56, 40, 744, 212)
MOST = 124
"""bars; more days than that are put together"""
_NAMED = 8
"""names under the bars"""
_GAP = 0.25


class Bars(Record):
    """The days in order, each with its amounts by name; `words` says an amount."""

    days: Sequence[tuple[str, Mapping[str, float]]]
    title: str = ""
    words: Callable[[float], str] = amount
    names: Sequence[str] = ()
    """the series in their order, where another chart has them so"""


class _Stack(Record):
    """One bar: the first and the last of its days, and an amount for each of the series."""

    first: str
    last: str
    values: tuple[float, ...]

    @property
    def name(self) -> str:
        return self.first if self.first == self.last else f"{self.first} … {self.last}"


def bars(shown: Bars, say: Say) -> Chart:
    """The greatest series at the bottom; what is small is one series of others."""
    names = _names(shown, say("others"))
    stacks = _stacks(shown, names)
    top = max((sum(one.values) for one in stacks), default=0.0)
    marks = ticks(top, 4)
    parts = [*_legend(names), *_grid(marks, shown), *_drawn(stacks, names, marks[-1], shown)]
    total = sum(sum(one.values) for one in stacks)
    desc = say("{n} day(s), {total} in all", n=len(shown.days), total=shown.words(total))
    svg = picture(WIDTH, HEIGHT, parts, title=shown.title, desc=desc, kind="bars")
    rows = tuple((one.name, *map(shown.words, one.values)) for one in stacks)
    return Chart(svg, (say("Day"), *names), rows)


def _names(shown: Bars, others: str) -> list[str]:
    """The series, the greatest first; a name alone decides between equals."""
    if shown.names:
        return [*shown.names][:SERIES]
    sums: dict[str, float] = {}
    for _, values in shown.days:
        for name, value in values.items():
            sums[name] = sums.get(name, 0.0) + finite(value)
    order = sorted((name for name in sums if sums[name]), key=lambda name: (-sums[name], name))
    return order if len(order) <= SERIES else [*order[: SERIES - 1], others]


def _stacks(shown: Bars, names: Sequence[str]) -> list[_Stack]:
    days = shown.days
    each = -(-len(days) // MOST) or 1
    groups = [days[at : at + each] for at in range(0, len(days), each)]
    return [_Stack(group[0][0], group[-1][0], _sums(group, names)) for group in groups]


def _sums(
    group: Sequence[tuple[str, Mapping[str, float]]], names: Sequence[str]
) -> tuple[float, ...]:
    sums = dict.fromkeys(names, 0.0)
    last = names[-1] if names else ""
    for _, values in group:
        for name, value in values.items():
            if finite(value):
                sums[name if name in sums else last] += finite(value)
    return tuple(sums.values())


def _grid(marks: Sequence[float], shown: Bars) -> Iterator[str]:
    for mark in marks:
        y = scale(mark, marks[-1], _BOX.bottom, _BOX.top)
        yield element("line", x1=_BOX.left, x2=_BOX.right, y1=y, y2=y, class_="grid")
        yield label(_BOX.left - 8, y + 4, shown.words(mark), "t axis", "end")


def _legend(names: Sequence[str]) -> Iterator[str]:
    """A square and a name for each series, as wide as all of them leave room."""
    room = _BOX.width / max(1, len(names))
    room = min(room, 180.0)
    for at, name in enumerate(names):
        x = _BOX.left + room * at
        square = element("rect", x=x, y=10, width=11, height=11, rx=2, class_=f"c{at}")
        text = label(x + 16, 20, fitted(name, room - 22), "t")
        yield element("g", hint(name) + square + text)


def _drawn(
    stacks: Sequence[_Stack], names: Sequence[str], top: float, shown: Bars
) -> Iterator[str]:
    room = _BOX.width / max(1, len(stacks))
    wide = min(48.0, room * (1 - _GAP))
    named = -(-len(stacks) // _NAMED) or 1
    for at, stack in enumerate(stacks):
        x = _BOX.left + room * at + (room - wide) / 2
        yield element("g", hint(_told(stack, names, shown)) + "".join(_bar(stack, x, wide, top)))
        if at % named == 0:
            text = fitted(_short(stack.first), room * named)
            yield label(x + wide / 2, _BOX.bottom + 18, text, "t axis", "middle")


def _short(day: str) -> str:
    """A date without its year, which the table has."""
    return day[5:] if len(day) == 10 and day[4] == day[7] == "-" else day


def _bar(stack: _Stack, x: float, wide: float, top: float) -> Iterator[str]:
    # a pointer finds the bar of a day although it is low or empty
    yield element(
        "rect", x=x, y=_BOX.top, width=wide, height=_BOX.height, class_="reach", fill="none"
    )
    sofar = 0.0
    for at, value in enumerate(stack.values):
        low = scale(sofar, top, _BOX.bottom, _BOX.top)
        sofar += value
        high = scale(sofar, top, _BOX.bottom, _BOX.top)
        if value:
            yield element("rect", x=x, y=high, width=wide, height=low - high, class_=f"c{at}")


def _told(stack: _Stack, names: Sequence[str], shown: Bars) -> str:
    pairs = zip(names, stack.values, strict=True)
    each = ", ".join(f"{name} {shown.words(value)}" for name, value in pairs if value)
    return f"{stack.name}: {each or shown.words(0)}"
