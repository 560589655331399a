"""Statistics: tokens and cost for each day, agent, project and model."""

from __future__ import annotations

from leftoff.core.chart_axes import amount, money
from leftoff.core.chart_bars import Bars, bars
from leftoff.core.cost import DATE
from leftoff.core.cost import words as cost_words
from leftoff.core.when import DAY, instant, stamp
from leftoff.entry.web.charts import drawn
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from leftoff.entry.web.charts import Drawn
    from leftoff.entry.web.scene import Scene

ROUTE = "/statistics"
TITLE = "Statistics"
TEMPLATE = "statistics.html"
KEY = "f"
PLACE = 50

SPANS = ("7", "30", "90", "365")
BY = ("agent", "project", "model")
TABLES = (
    *(("agent", "By agent"), ("project", "By project"), ("model", "By model")),
    ("day", "By day"),
)
HERE, ALL = "here", "all"
LISTED = 31
"""Rows of a table."""


def facts(scene: Scene) -> dict[str, Any]:
    """What `session stats --by everything` says of the last days."""
    span = _chosen(scene, "days", SPANS, "30")
    by = _chosen(scene, "by", BY, "agent")
    where = _chosen(scene, "where", (HERE, ALL), HERE)
    words = ["session", "stats", "--by", "everything", "--since", f"{span}d"]
    data = scene.kept(*words, *(["--all"] if where == ALL else []))["data"]
    return {
        "filters": {"days": span, "by": by, "where": where},
        "spans": SPANS,
        "bys": BY,
        "total": data["total"],
        "cost": cost_words(data["total"]["cost"], scene.say),
        "charts": scene.keeping(
            ("bars", span, by, where), lambda: _charts(scene, data["parts"], by)
        ),
        "tables": [(name, title, data[f"{name}s"]) for name, title in TABLES],
        "listed": LISTED,
        "cost_words": lambda one: cost_words(one, scene.say),
        "priced": DATE,
    }


def _chosen(scene: Scene, name: str, known: Sequence[str], usual: str) -> str:
    given = scene.query.get(name, "")
    return given if given in known else usual


def _charts(scene: Scene, parts: Sequence[dict[str, Any]], by: str) -> list[Drawn]:
    """Tokens, and cost where any is known."""
    if not parts:
        return []
    say = scene.say
    tokens = _bars(scene, parts, by, lambda one: one["tokens"])
    cost = _bars(scene, parts, by, lambda one: one["cost"]["usd"] or 0.0)
    made = [bars(Bars(tokens, say("Tokens per day"), amount), say)]
    if any(value for _, values in cost for value in values.values()):
        same = made[0].columns[1:]  # a colour means the same in both
        made.append(bars(Bars(cost, say("Cost per day"), money, same), say))
    return [drawn(one) for one in made]


def _bars(
    scene: Scene,
    parts: Sequence[dict[str, Any]],
    by: str,
    value: Callable[[dict[str, Any]], float],
) -> list[tuple[str, dict[str, float]]]:
    """Every day of the span, those without any work too."""
    found: dict[str, dict[str, float]] = {}
    for one in parts:
        name = _name(scene, one[by], by)
        day = found.setdefault(one["day"], {})
        day[name] = day.get(name, 0.0) + value(one)
    days = [at for at in map(instant, found) if at is not None]
    if not days or max(days) - min(days) > 4000 * DAY:
        return sorted(found.items())
    every = range(int((max(days) - min(days)) // DAY) + 1)
    names = [stamp(min(days) + n * DAY)[:10] for n in every]
    return [(name, found.get(name, {})) for name in names]


def _name(scene: Scene, name: str, by: str) -> str:
    shown = (name.rstrip("/").rpartition("/")[2] or name) if by == "project" else name
    return scene.clean(shown)
