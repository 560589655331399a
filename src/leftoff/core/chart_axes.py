"""Axes: where the marks stand and what they say; long series made short without losing peaks."""

from __future__ import annotations

from math import ceil, floor, log10
from time import gmtime, strftime

from leftoff.core.chart_svg import MOST, finite
from leftoff.core.when import DAY, HOUR, LATEST
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_YEAR = 365 * DAY
_STEPS = (
    *(60.0, 300.0, 600.0, 1800.0, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR),
    *(DAY, 2 * DAY, 7 * DAY, 14 * DAY, 30 * DAY, 91 * DAY, 182 * DAY, _YEAR),
)
_UNITS = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))


def ticks(top: float, most: int) -> list[float]:
    """Round values from 0 to one at or above `top`, 1, 2 or 5 times a power of ten apart."""
    top = finite(top) or 1.0
    step = _step(top / max(1, most))
    return [step * at for at in range(max(1, ceil(top / step - 1e-9)) + 1)]


def _step(least: float) -> float:
    power = 10.0 ** floor(log10(max(least, 1e-9)))
    return power * next(times for times in (1, 2, 5, 10) if power * times >= least * (1 - 1e-9))


def time_ticks(start: float, end: float, most: int = 6) -> list[tuple[float, str]]:
    """Moments between two, on whole minutes, hours or days (UTC), with the words for their span."""
    start, end = instant_of(start), instant_of(end)
    span = end - start
    step = next((one for one in _STEPS if span / one <= most), 0.0)
    step = step or _step(span / _YEAR / most) * _YEAR
    form = "%H:%M" if step < DAY else "%m-%d"
    form = "%m-%d %H:%M" if step < DAY < span else form
    form = "%Y-%m" if step >= 91 * DAY else form
    first = ceil(start / step) * step
    found = [first + step * at for at in range(int((end - first) // step) + 1)]
    return [(at, strftime(form, gmtime(at))) for at in found]


def instant_of(value: float) -> float:
    """A moment that a calendar knows."""
    return min(finite(value), LATEST)


def day_words(at: float) -> str:
    """A moment as people read it in a table."""
    return strftime("%Y-%m-%d %H:%M", gmtime(instant_of(at)))


def amount(value: float) -> str:
    """A number as an axis says it: 950, 1.5k, 200k, 12M."""
    value = finite(value)
    for size, unit in _UNITS:
        if value >= size * 0.9995:
            return f"{value / size:.3g}{unit}"
    return f"{value:.3g}" if value < 10 else f"{value:.0f}"


def money(value: float) -> str:
    """The same for dollars: $0.0040, $1.50, $5, $230, $12k."""
    value = finite(value)
    if value >= 10_000:
        return f"${amount(value)}"
    whole = value >= 100 or value == int(value)
    digits = 0 if whole else 2 if value >= 0.1 else 4
    return f"${value:.{digits}f}"


def scale(value: float, top: float, low: float, high: float) -> float:
    """Where a value stands between two coordinates; never outside of them."""
    share = finite(value) / top if 0 < top <= MOST * 10 else 0.0
    return low + (high - low) * min(1.0, max(0.0, share))


def thinned(values: Sequence[float], most: int) -> list[int]:
    """Which of many values are drawn: of each stretch its least and its greatest, and both ends."""
    count = len(values)
    if count <= max(most, 4):
        return list(range(count))
    stretches = max(1, (most - 2) // 2)
    chosen = {0, count - 1}
    for at in range(stretches):
        part = range(count * at // stretches, count * (at + 1) // stretches)
        chosen |= {min(part, key=values.__getitem__), max(part, key=values.__getitem__)}
    return sorted(chosen)
