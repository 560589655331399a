"""A timeline: the sessions of a thread as bars over time, with what happened in them."""

from __future__ import annotations

from leftoff.core.chart_axes import day_words, instant_of, time_ticks
from leftoff.core.chart_svg import (
    Chart,
    element,
    fitted,
    hint,
    label,
    linked,
    number,
    picture,
)
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from leftoff.core.texts import Say

WIDTH = 760
_LEFT, _RIGHT, _TOP, _ROW = 190.0, 744.0, 30.0, 26.0
MOST, MARKS = 60, 40
"""rows, and marks of one row"""
COMPACTION, CRASH, SAVE = "compaction", "crash", "save"


class Mark(Record):
    """Something that happened: COMPACTION, CRASH or SAVE, and when."""

    at: float
    kind: str


class Bar(Record):
    """One session: its name, when it began and ended; `live` is still open."""

    name: str
    start: float
    end: float = 0.0
    live: bool = False
    marks: Sequence[Mark] = ()
    href: str = ""
    about: str = ""


class Timeline(Record):
    """The sessions, those to be shown first first, and the time of now, where a live one ends."""

    bars: Sequence[Bar]
    now: float
    title: str = ""


class _Span(Record):
    start: float
    end: float

    def x(self, at: float) -> float:
        """Where a moment stands; never outside of the picture."""
        share = (instant_of(at) - self.start) / (self.end - self.start)
        return _LEFT + (_RIGHT - _LEFT) * min(1.0, max(0.0, share))


def timeline(shown: Timeline, say: Say) -> Chart:
    """A row for each session, at most MOST; what is left out is said."""
    rows = shown.bars[:MOST]
    span, left = _span(rows, shown.now), len(shown.bars) - len(rows)
    bottom = _TOP + _ROW * max(1, len(rows))
    parts = [*_axis(span, bottom)]
    for at, bar in enumerate(rows):
        parts += _row(bar, _TOP + _ROW * at, span, shown.now, say)
    parts += [*_legend(bottom + 22, rows, say)]
    if left:
        text = say("not drawn: {n} more session(s)", n=left)
        parts.append(label(_RIGHT, bottom + 22, text, "t axis", "end"))
    desc = say("{n} session(s)", n=len(shown.bars))
    if rows:
        desc += f" · {day_words(span.start)} … {day_words(span.end)}"
    svg = picture(WIDTH, bottom + 34, parts, title=shown.title, desc=desc, kind="timeline")
    columns = (say("Session"), say("Began"), say("Ended"), say("Marks"))
    return Chart(svg, columns, tuple(_cells(bar, say) for bar in rows))


def _span(rows: Sequence[Bar], now: float) -> _Span:
    starts = [instant_of(bar.start) for bar in rows]
    ends = [_end(bar, now) for bar in rows]
    first, last = min(starts, default=0.0), max(ends, default=0.0)
    room = max(60.0, (last - first) * 0.02)
    return _Span(first - room, max(first, last) + room)


def _end(bar: Bar, now: float) -> float:
    return max(instant_of(bar.start), instant_of(now if bar.live else bar.end or bar.start))


def _axis(span: _Span, bottom: float) -> Iterator[str]:
    for at, words in time_ticks(span.start, span.end):
        x = span.x(at)
        yield element("line", x1=x, x2=x, y1=_TOP - 6, y2=bottom, class_="grid")
        yield label(min(x, _RIGHT - 18), _TOP - 12, words, "t axis", "middle")


def _row(bar: Bar, top: float, span: _Span, now: float, say: Say) -> Iterator[str]:
    start, end = span.x(bar.start), span.x(_end(bar, now))
    wide, middle = max(4.0, end - start), top + _ROW / 2
    start = min(start, _RIGHT - wide)
    told = " · ".join(filter(None, (bar.name, bar.about, *_cells(bar, say)[1:])))
    name = label(8, middle + 4, fitted(bar.name, _LEFT - 20), "t name")
    yield linked(name + hint(told), bar.href) if bar.href else element("g", hint(told) + name)
    kind = "run live" if bar.live else "run"
    shape = element("rect", x=start, y=top + 6, width=wide, height=_ROW - 12, rx=3, class_=kind)
    if bar.live:
        x = number(min(start + wide, _RIGHT - 1))
        arrow = f"M{x} {number(top + 6)}l7 {number((_ROW - 12) / 2)}l-7 {number((_ROW - 12) / 2)}z"
        shape += element("path", d=arrow, class_="run live")
    yield linked(element("g", hint(told) + shape), bar.href)
    for mark in bar.marks[:MARKS]:
        yield _mark(mark, span.x(mark.at), middle, say)


def _mark(mark: Mark, x: float, y: float, say: Say) -> str:
    told = hint(f"{say(mark.kind)} · {day_words(mark.at)}") if mark.at else ""
    return element("g", told + _shape(mark.kind, x, y))


def _shape(kind: str, x: float, y: float) -> str:
    """A form for each kind, so that no colour is needed to tell them apart."""
    at = f"{number(x)} {number(y)}"
    if kind == CRASH:
        d = f"M{at}m-5 -5l10 10m0 -10l-10 10"
        return element("path", d=d, class_="mark crash")
    if kind == SAVE:
        return element("path", d=f"M{at}m0 -6l6 6l-6 6l-6 -6z", class_="mark save")
    return element("path", d=f"M{at}m-5 -9h10l-5 8z", class_="mark compaction")


def _legend(y: float, rows: Sequence[Bar], say: Say) -> Iterator[str]:
    seen = {mark.kind for bar in rows for mark in bar.marks}
    x = 14.0
    for kind in (SAVE, COMPACTION, CRASH):
        if kind in seen:
            yield _shape(kind, x, y if kind == COMPACTION else y - 4)  # it hangs from above
            yield label(x + 12, y, say(kind), "t axis")
            x += 110


def _cells(bar: Bar, say: Say) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for mark in bar.marks:
        counts[mark.kind] = counts.get(mark.kind, 0) + 1
    marks = ", ".join(f"{say(kind)} {n}" for kind, n in sorted(counts.items()))
    end = say("live") if bar.live else day_words(bar.end or bar.start)
    return bar.name, day_words(bar.start), end, marks
