"""Statistics: tokens and cost for each day, agent, project and model."""

from __future__ import annotations

from leftoff.core.chart_axes import amount, money
from leftoff.core.chart_bars import Bars, bars
from leftoff.core.cost import DATE
from leftoff.core.cost import words as cost_words
from leftoff.core.when import DAY, instant, stamp
from leftoff.entry.web.charts import drawn, sparked
from leftoff.entry.web.scene import ALL, HERE
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from markupsafe import Markup

    from leftoff.entry.web.charts import Drawn
    from leftoff.entry.web.scene import Scene

    Day = tuple[str, dict[str, float]]

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
LISTED = 31
"""Rows of a table."""


def facts(scene: Scene) -> dict[str, Any]:
    """What `session stats --by everything` says of the last days."""
    span = scene.chosen("days", SPANS, "30")
    by = scene.chosen("by", BY, "agent")
    where = scene.chosen("where", (HERE, ALL), HERE)
    words = ["session", "stats", "--by", "everything", "--since", f"{span}d"]
    data = scene.kept(*words, *(["--all"] if where == ALL else []))["data"]
    return {
        "filters": {"days": span, "by": by, "where": where},
        "spans": SPANS,
        "bys": BY,
        "total": data["total"],
        "cost": cost_words(data["total"]["cost"], scene.say),
        "charts": scene.made_of(
            data["parts"], ("bars", span, by, where), lambda: _charts(scene, data["parts"], by)
        ),
        "tables": [(name, title, _rows(data, name)) for name, title in TABLES],
        "sparks": scene.made_of(data, ("sparks", span, where), lambda: _sparks(scene, data)),
        "listed": LISTED,
        "priced": DATE,
    }


def _rows(data: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Of one table: days from the last back, all else by its tokens."""
    rows: list[dict[str, Any]] = data[f"{name}s"]
    return rows if name == "day" else sorted(rows, key=lambda row: -row["tokens"])


def _sparks(scene: Scene, data: dict[str, Any]) -> dict[str, dict[str, Markup]]:
    """How the tokens of each row went from day to day."""
    found: dict[str, dict[str, Markup]] = {}
    for by in BY:
        wanted = {row["name"]: scene.clean(row["name"]) for row in _rows(data, by)[:LISTED]}
        days = _days(data["parts"], by, lambda one: one["tokens"])
        found[by] = {
            name: sparked([values.get(name, 0.0) for _, values in days], shown)
            for name, shown in wanted.items()
        }
    return found


def _charts(scene: Scene, parts: Sequence[dict[str, Any]], by: str) -> list[Drawn]:
    """Tokens, and cost where any is known."""
    if not parts:
        return []
    say = scene.say
    tokens = _named(scene, by, _days(parts, by, lambda one: one["tokens"]))
    cost = _named(scene, by, _days(parts, by, lambda one: one["cost"]["usd"] or 0.0))
    made = [bars(Bars(tokens, say("Tokens per day"), amount), say)]
    if any(value for _, values in cost for value in values.values()):
        same = made[0].columns[1:]  # a colour means the same in both
        made.append(bars(Bars(cost, say("Cost per day"), money, same), say))
    return [drawn(one) for one in made]


def _days(
    parts: Sequence[dict[str, Any]], by: str, value: Callable[[dict[str, Any]], float]
) -> list[Day]:
    """Every day from the first to the last, those without any work too."""
    found: dict[str, dict[str, float]] = {}
    for one in parts:
        day = found.setdefault(one["day"], {})
        day[one[by]] = day.get(one[by], 0.0) + value(one)
    days = [at for at in map(instant, found) if at is not None]
    if not days or max(days) - min(days) > 4000 * DAY:
        return sorted(found.items())
    every = range(int((max(days) - min(days)) // DAY) + 1)
    names = [stamp(min(days) + n * DAY)[:10] for n in every]
    return [(name, found.get(name, {})) for name in names]


def _named(scene: Scene, by: str, days: Sequence[Day]) -> list[Day]:
    """With names for people; projects that share one are drawn as one."""
    names = {name: _name(scene, name, by) for _, values in days for name in values}
    made: list[Day] = []
    for day, values in days:
        sums: dict[str, float] = {}
        for name, value in values.items():
            sums[names[name]] = sums.get(names[name], 0.0) + value
        made.append((day, sums))
    return made


def _name(scene: Scene, name: str, by: str) -> str:
    shown = (name.rstrip("/").rpartition("/")[2] or name) if by == "project" else name
    return scene.clean(shown)
