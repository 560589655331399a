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
    columns: Sequence[Markup]
    rows: Sequence[Sequence[Markup]]


def timeline_of(scene: Scene, sessions: Sequence[dict[str, Any]], now: float) -> Drawn | None:
    """Sessions as `session list` has them, as bars over time; None where nothing is to be seen."""
    bars = [_bar(scene, one) for one in sessions if one["started"]]
    if not bars:
        return None
    return drawn(timeline(Timeline(bars, now, scene.say("Sessions over time")), scene.say))


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


def drawn(chart: Chart) -> Drawn:
    """A chart as templates take it, every text in it escaped.

    That no secret is among them is for the page to see to, by `scene.clean`.
    """
    rows = [[escape(shown(cell)) for cell in row] for row in chart.rows[:LISTED]]
    return Drawn(Markup(chart.svg), [escape(shown(one)) for one in chart.columns], rows)  # noqa: S704
