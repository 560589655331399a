"""A graph: which checkpoint came from which, as a tidy tree that grows to the right.

Every leaf has a row of its own and a parent stands in the middle of its children, so that no two
labels meet. Streams without any relative stand below, in columns.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

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

MOST = 120
_ROW, _TOP, _LEFT, _LABEL = 38.0, 26.0, 16.0, 14.0
_WIDEST, _NARROWEST, _ROOM = 186.0, 64.0, 1488.0
_COLUMNS, _LEAST = 4, 760.0


class Knot(Record):
    """A checkpoint: its name, state and verdict; the numbers of its children in the same list."""

    name: str
    status: str = ""
    verdict: str = ""
    children: Sequence[int] = ()
    href: str = ""
    about: str = ""


class Graph(Record):
    """All knots; `roots` are the numbers of those without a parent, in the order to be drawn."""

    knots: Sequence[Knot]
    roots: Sequence[int]
    title: str = ""


class _Spot(Record):
    at: int
    depth: int
    row: float


def graph(shown: Graph, say: Say) -> Chart:
    """At most MOST knots; how many more there are is said."""
    every = dict(_walk(shown))
    kept = dict(islice(every.items(), MOST))
    trees = [at for at in shown.roots if at in kept and shown.knots[at].children]
    single = [at for at in shown.roots if at in kept and not shown.knots[at].children]
    spots, rows = _spots(trees, kept)
    depth = max((spot.depth for spot in spots), default=0)
    step = max(_NARROWEST, min(_WIDEST, _ROOM / (depth + 1)))
    width = max(_LEAST, _LEFT * 2 + step * (depth + 1))
    places = {spot.at: _place(spot, step) for spot in spots}
    alone = _alone(single, width, _TOP + _ROW * (rows + bool(rows) / 2))
    parts = [*_edges(kept, places), *_knots(shown, places, step)]
    parts += _knots(shown, alone, width / _COLUMNS)
    bottom = max((y for _, y in (*places.values(), *alone.values())), default=_TOP) + _ROW
    if left := len(every) - len(kept):
        parts.append(label(_LEFT, bottom, say("{n} more are not drawn", n=left), "t axis"))
        bottom += 16
    desc = say("{n} checkpoint(s)", n=len(every))
    svg = picture(width, bottom, parts, title=shown.title, desc=desc, kind="graph")
    columns = (say("Checkpoint"), say("From"), say("State"), say("Verdict"))
    return Chart(svg, columns, tuple(_rows(shown, kept, say)))


def _walk(shown: Graph) -> Iterator[tuple[int, int]]:
    """Every knot once with the number of its parent (-1: none), parents first."""
    stack, seen = [(at, -1) for at in reversed(shown.roots)], set()
    while stack:
        at, parent = stack.pop()
        if at in seen or not 0 <= at < len(shown.knots):
            continue
        seen.add(at)
        yield at, parent
        if children := shown.knots[at].children:
            stack += [(child, at) for child in reversed(children)]


def _spots(trees: Sequence[int], kept: dict[int, int]) -> tuple[list[_Spot], float]:
    """Where each knot of the trees stands, and how many rows they take."""
    depths: dict[int, int] = {}
    below: dict[int, list[int]] = {}
    wanted = set(trees)
    for at, parent in kept.items():
        if parent in depths or at in wanted:
            depths[at] = depths.get(parent, -1) + 1
            below.setdefault(parent, []).append(at)
    rows: dict[int, float] = {}
    row = 0.0
    for at in depths:  # leaves from the top down, in the order of the walk
        if at not in below:
            rows[at] = row
            row += 1
    for at in reversed(depths):  # then each parent, when its children have their rows
        if at in below:
            rows[at] = (rows[below[at][0]] + rows[below[at][-1]]) / 2
    return [_Spot(at, depths[at], rows[at]) for at in depths], row


def _place(spot: _Spot, step: float) -> tuple[float, float]:
    return _LEFT + step * spot.depth, _TOP + _ROW * spot.row


def _alone(single: Sequence[int], width: float, top: float) -> dict[int, tuple[float, float]]:
    column = (width - _LEFT) / _COLUMNS
    return {
        at: (_LEFT + column * (n % _COLUMNS), top + _ROW * (n // _COLUMNS))
        for n, at in enumerate(single)
    }


def _edges(kept: dict[int, int], places: dict[int, tuple[float, float]]) -> Iterator[str]:
    for at, parent in kept.items():
        if at in places and parent in places:
            yield _edge(*places[parent], *places[at])


def _edge(x: float, y: float, to_x: float, to_y: float) -> str:
    middle = number((x + to_x) / 2)
    d = f"M{number(x)} {number(y)}C{middle} {number(y)} {middle} {number(to_y)}"
    return element("path", d=f"{d} {number(to_x)} {number(to_y)}", class_="edge")


def _knots(shown: Graph, places: dict[int, tuple[float, float]], room: float) -> Iterator[str]:
    for at, (x, y) in places.items():
        yield _knot(shown.knots[at]._replace(children=()), x, y, room)


@lru_cache(maxsize=4 * MOST)
def _knot(knot: Knot, x: float, y: float, room: float) -> str:
    """Remembered: nearly all are drawn again as they were."""
    told = " · ".join(filter(None, (knot.name, knot.status, knot.verdict, knot.about)))
    text = label(x - 6, y - _LABEL, fitted(knot.name, room - 16), "t name")
    # a pointer need not hit the small circle
    wide, high = min(room - 16, 150.0), _ROW - 2
    reach = element(
        "rect", x=x - 9, y=y - high + 10, width=wide, height=high, class_="reach", fill="none"
    )
    inside = hint(told) + reach + _shape(knot, x, y) + text
    return linked(inside, knot.href) if knot.href else element("g", inside)


_KINDS = {"complete": "done", "archived": "done", "broken": "bad", "current": "now"}
_VERDICTS = {"confirmed": "good", "unknown": "warn", "contradicted": "bad"}


def _shape(knot: Knot, x: float, y: float) -> str:
    """Filled where work goes on, hollow where it is over; a ring for the verdict on it."""
    kind = _KINDS.get(knot.status, "open")
    dot = element("circle", cx=x, cy=y, r=6, class_=f"knot {kind}")
    verdict = _VERDICTS.get(knot.verdict)
    if verdict is None:
        return dot
    ring = element("circle", cx=x, cy=y, r=9, class_=f"ring {verdict}")
    d = {"good": "m-3 0l2 3l4 -6", "warn": "m0 -4v4m0 3v1", "bad": "m-3 -3l6 6m0 -6l-6 6"}[verdict]
    mark = element("path", d=f"M{number(x)} {number(y)}{d}", class_=f"sign {verdict}")
    return ring + dot + mark


def _rows(shown: Graph, kept: dict[int, int], say: Say) -> Iterator[tuple[str, ...]]:
    for at, parent in kept.items():
        knot = shown.knots[at]
        above = shown.knots[parent].name if parent >= 0 else ""
        status, verdict = (knot.status and say(knot.status)), (knot.verdict and say(knot.verdict))
        yield knot.name, above, status, verdict
