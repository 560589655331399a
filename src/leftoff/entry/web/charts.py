"""Charts on a page: the picture, and below it the same values as a table for those who read."""

from __future__ import annotations

from markupsafe import Markup, escape

from leftoff.core.chart_curve import spark
from leftoff.core.chart_timeline import Bar, Mark, Timeline, timeline
from leftoff.core.export import shown
from leftoff.core.session import ACTIVE
from leftoff.core.when import instant
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from leftoff.core.chart_svg import Chart
    from leftoff.entry.web.scene import Scene


LISTED = 130
"""Rows of the table at most."""


class Drawn(Record):
    """What the part `chart` of `_charts.html` shows."""

    svg: Markup
    head: Markup
    body: Markup
    """the rows of the table: as a whole, since a picture that is kept need not be put out anew"""


def timeline_of(scene: Scene, sessions: Sequence[dict[str, Any]], now: float) -> Drawn | None:
    """Sessions as `session list` has them, as bars over time; None where nothing is to be seen."""
    bars = [_bar(scene, one) for one in sessions if one["started"]]
    if not bars:
        return None
    made = timeline(Timeline(bars, now, scene.say("Sessions over time")), scene.say)
    return drawn(made, numbers=False)


def _bar(scene: Scene, one: dict[str, Any]) -> Bar:
    end = one["ended"] or one["seen"]
    return Bar(
        scene.clean(one["about"] or one["id"]),
        instant(one["started"]) or 0.0,
        instant(end) or 0.0,
        live=one["state"] == ACTIVE,
        marks=[Mark(instant(mark["at"]) or 0.0, mark["kind"]) for mark in one["marks"]],
        href=scene.link(f"/session/{one['agent']}/{one['id']}"),
        about=one["agent"],
    )


def sparked(values: Sequence[float], title: str) -> Markup:
    """A tiny line for a row of a table."""
    return Markup(spark(values, title))  # noqa: S704


def drawn(chart: Chart, *, numbers: bool = True) -> Drawn:
    """A chart as templates take it, every text in it escaped; behind its first column are numbers.

    That no secret is among them is for the page to see to, by `scene.clean`.
    """
    rows = Markup("\n").join(_row("td", row, numbers) for row in chart.rows[:LISTED])
    return Drawn(Markup(chart.svg), _row('th scope="col"', chart.columns, numbers), rows)  # noqa: S704


def _row(tag: str, cells: Sequence[str], numbers: bool) -> Markup:
    first = f"<{tag}>"
    others, end = f'<{tag} class="number">' if numbers else first, f"</{tag[:2]}>"
    told = (f"{others if at else first}{escape(shown(c))}{end}" for at, c in enumerate(cells))
    return Markup(f"<tr>{''.join(told)}</tr>")  # noqa: S704
