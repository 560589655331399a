"""A curve: how full the context of a session was over its answers. And a spark, for a table row."""

from __future__ import annotations

from bisect import bisect_left

from leftoff.core.chart_axes import amount, day_words, scale, thinned, ticks
from leftoff.core.chart_svg import (
    Box,
    Chart,
    element,
    finite,
    hint,
    label,
    number,
    path,
    picture,
)
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from leftoff.core.texts import Say

WIDTH, HEIGHT = 760, 260
_BOX = Box(56, 18, 744, 224)
DRAWN, LISTED = 400, 40
"""points of the line, rows of the table"""
MARKS = 60
_SMALL = 0.3
"""of the window: a use that stays below is drawn larger than the window would let it be"""


class Limit(Record):
    """A level of the window, in percent, and its name."""

    percent: float
    name: str


class Cut(Record):
    """A compaction: when, from and to how many tokens."""

    at: float
    before: float = 0
    after: float = 0


class Curve(Record):
    """What the picture shows: moments with tokens, the window, its levels and the compactions."""

    points: Sequence[tuple[float, float]]
    window: float = 0
    limits: Sequence[Limit] = ()
    cuts: Sequence[Cut] = ()
    title: str = ""


def curve(shown: Curve, say: Say) -> Chart:
    """Tokens in the context, answer by answer; what no answer told is not drawn."""
    values = [finite(tokens) for _, tokens in shown.points]
    peak, window = max(values, default=0.0), finite(shown.window)
    marks = ticks(_top(peak, window), 4)
    parts = [*_grid(marks), *_levels(shown, window, marks[-1]), *_cuts(shown, say)]
    parts += [*_line(shown, values, marks[-1]), *_ends(shown, say)]
    desc = say("{n} answer(s), {peak} tokens at most", n=len(values), peak=amount(peak))
    if window:
        desc += " · " + say("window {n}", n=amount(window))
    if shown.cuts:
        desc += " · " + say("{n} compaction(s)", n=len(shown.cuts))
    svg = picture(WIDTH, HEIGHT, parts, title=shown.title, desc=desc, kind="curve")
    return Chart(svg, (say("Time"), say("Tokens")), tuple(_rows(shown, values)))


def _top(peak: float, window: float) -> float:
    if window and peak >= window * _SMALL:
        return max(peak, window)
    return peak * 1.2 or window


def _x(at: float, count: int) -> float:
    return _BOX.left + _BOX.width * (at / (count - 1) if count > 1 else 0.5)


def _y(tokens: float, top: float) -> float:
    return scale(tokens, top, _BOX.bottom, _BOX.top)


def _grid(marks: Sequence[float]) -> Iterator[str]:
    for mark in marks:
        y = _y(mark, marks[-1])
        yield element("line", x1=_BOX.left, x2=_BOX.right, y1=y, y2=y, class_="grid")
        yield label(_BOX.left - 8, y + 4, amount(mark), "t axis", "end")


def _levels(shown: Curve, window: float, top: float) -> Iterator[str]:
    """The lines of the levels, as far as the picture reaches; the first warns, others are bad."""
    whole = [(one, "bad" if at else "warn") for at, one in enumerate(shown.limits)]
    for limit, kind in (*whole, (Limit(100.0, ""), "full")):
        tokens = window * finite(limit.percent) / 100
        if not 0 < tokens <= top:
            continue
        y = _y(tokens, top)
        yield element("line", x1=_BOX.left, x2=_BOX.right, y1=y, y2=y, class_=f"level {kind}")
        if limit.name:
            text = f"{limit.name} {limit.percent:g} %"
            yield label(_BOX.left + 6, y - 5, text, f"t level {kind}")


def _cuts(shown: Curve, say: Say) -> Iterator[str]:
    times = [at for at, _ in shown.points]
    for cut in shown.cuts[:MARKS]:
        x = _x(max(0.0, bisect_left(times, cut.at) - 0.5), len(times)) if times else _BOX.left
        x = min(x, _BOX.right)
        line = element("line", x1=x, x2=x, y1=_BOX.top, y2=_BOX.bottom, class_="cut")
        knob = element("path", d=f"M{number(x - 5)} {_BOX.top}h10l-5 7z", class_="cut knob")
        told = say("compaction")
        if cut.before and cut.after:
            told += f": {amount(cut.before)} → {amount(cut.after)}"
        yield element("g", hint(f"{told} · {day_words(cut.at)}") + line + knob)


def _line(shown: Curve, values: Sequence[float], top: float) -> Iterator[str]:
    if not values:
        return
    points = [(_x(at, len(values)), _y(values[at], top)) for at in thinned(values, DRAWN)]
    if len(points) > 1:
        first, last = number(points[0][0]), number(points[-1][0])
        base = number(_BOX.bottom)
        area = f"{path(points)}L{last} {base}L{first} {base}z"
        yield element("path", d=area, class_="area")
        yield element("path", d=path(points), class_="line")
    x, y = points[-1]
    told = f"{amount(values[-1])} · {day_words(shown.points[-1][0])}"
    yield element("circle", hint(told), cx=x, cy=y, r=4, class_="dot")


def _ends(shown: Curve, say: Say) -> Iterator[str]:
    """When it began and when the last answer came."""
    base = _BOX.bottom + 20
    if shown.points:
        yield label(_BOX.left, base, day_words(shown.points[0][0]), "t axis")
        middle = (_BOX.left + _BOX.right) / 2
        yield label(middle, base, say("answers, in their order"), "t axis", "middle")
    if len(shown.points) > 1:
        yield label(_BOX.right, base, day_words(shown.points[-1][0]), "t axis", "end")


def _rows(shown: Curve, values: Sequence[float]) -> Iterator[tuple[str, ...]]:
    for at in thinned(values, LISTED):
        yield day_words(shown.points[at][0]), f"{values[at]:,.0f}"


def spark(values: Sequence[float], title: str, width: int = 96, height: int = 22) -> str:
    """A line without axes, from its own least to its own greatest value."""
    good = [finite(value) for value in values]
    if not good:
        return ""
    low, high = min(good), max(good)
    drawn = thinned(good, width)
    step = (width - 4) / max(1, len(good) - 1)
    points = [(2 + step * at, scale(good[at] - low, high - low, height - 3.0, 3.0)) for at in drawn]
    x, y = points[-1]
    parts = [element("path", d=path(points), class_="line")] if len(points) > 1 else []
    parts.append(element("circle", cx=x, cy=y, r=2, class_="dot"))
    desc = f"{amount(good[0])} → {amount(good[-1])}"
    return picture(width, height, parts, title=title, desc=desc, kind="spark")
