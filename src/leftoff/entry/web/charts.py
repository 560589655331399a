"""Charts on a page: the picture, and below it the same values as a table for those who read."""

from __future__ import annotations

from markupsafe import Markup, escape

from leftoff.core.export import shown
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.core.chart_svg import Chart


LISTED = 130
"""Rows of the table at most."""


class Drawn(Record):
    """What the part `chart` of `_charts.html` shows."""

    svg: Markup
    columns: Sequence[Markup]
    rows: Sequence[Sequence[Markup]]


def drawn(chart: Chart) -> Drawn:
    """A chart as templates take it. Its texts are escaped here and in the picture; that no secret
    is among them is for the page to see to, by `scene.clean`.
    """
    rows = [[escape(shown(cell)) for cell in row] for row in chart.rows[:LISTED]]
    return Drawn(Markup(chart.svg), [escape(shown(one)) for one in chart.columns], rows)  # noqa: S704
