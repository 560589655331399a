"""Charts on a page: the picture, and below it the same values as a table for those who read."""

from __future__ import annotations

from markupsafe import Markup

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.core.chart_svg import Chart


class Drawn(Record):
    """What the part `chart` of `_charts.html` shows."""

    svg: Markup
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def drawn(chart: Chart) -> Drawn:
    """A chart as templates take it; its makers have escaped every text in it."""
    return Drawn(Markup(chart.svg), chart.columns, chart.rows)  # noqa: S704
