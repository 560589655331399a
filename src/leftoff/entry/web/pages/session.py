"""One session: what it was about, its figures, its context as a curve, and what was said in it."""

from __future__ import annotations

from leftoff.core.chart_curve import Curve, Cut, Limit, curve
from leftoff.core.cost import words as cost_words
from leftoff.core.when import instant
from leftoff.entry.web.charts import drawn
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.entry.web.charts import Drawn
    from leftoff.entry.web.scene import Scene

ROUTE = "/session/{agent}/{id:path}"
TITLE = "Session"
TEMPLATE = "session.html"
KEY = ""
PLACE = 0

TURNS = 60
LONGEST = 4000
"""Characters of a text that are shown at once; the rest opens on demand up to WHOLE."""
WHOLE = 20_000
ROOM = 150_000
"""Characters of all texts on a page: where there are more, each gets its share."""
LISTED = 40
"""Files, tools and models that are shown."""


def facts(scene: Scene) -> dict[str, Any]:
    """What `session stats`, `budget` and `session export` say of it."""
    name = f"{scene.path['agent']}/{scene.path['id']}"
    said = scene.kept("session", "stats", "--", name)
    use = _use(scene, name)
    (one,) = scene.rows([said["data"]["session"]])
    turns = _turns(scene, name)
    if turns:  # of the project that the session was in, which may be another than is shown
        (talk,) = scene.rows([{**one, **turns}])
        turns = {key: talk[key] for key in turns}
    return {
        "title": _short(one["about"]) or name,
        "crumb": (scene.say("Sessions"), scene.link("/sessions")),
        "one": one,
        "stats": one["stats"],
        "cost": cost_words(one["stats"]["cost"], scene.say),
        "findings": said["findings"],
        "use": use,
        "curve": _curve(scene, use),
        "talk": turns,
        "here": f"/session/{name}",
        "step": TURNS,
        "listed": LISTED,
        "longest": LONGEST,
        "whole": share([len(turn["text"]) for turn in turns["turns"]] if turns else []),
    }


def share(sizes: list[int]) -> int:
    """How much of each text is shown, so that short ones stay whole and all of them fit."""
    left = ROOM
    for at, size in enumerate(sorted(sizes)):
        each = left // (len(sizes) - at)
        if size > each:
            return min(WHOLE, each)
        left -= min(size, WHOLE)
    return WHOLE


def _short(text: str) -> str:
    return text if len(text) <= 90 else text[:89] + "…"


def _use(scene: Scene, name: str) -> dict[str, Any] | None:
    data: dict[str, Any] = scene.kept("budget", f"--session={name}")["data"]
    return data if data["use"] else None


def _curve(scene: Scene, said: dict[str, Any] | None) -> Drawn | None:
    if not said or len(said["curve"]) < 2:
        return None
    say, limits = scene.say, said["thresholds"]
    shown = Curve(
        [(instant(one["at"]) or 0.0, one["tokens"]) for one in said["curve"]],
        said["use"]["window"],
        (Limit(limits["warn"], say("warning")), Limit(limits["critical"], say("critical"))),
        [
            Cut(instant(one["at"]) or 0.0, one["before"], one["after"])
            for one in said["compactions"]
        ],
        say("Context use"),
    )
    return drawn(curve(shown, say))


def _turns(scene: Scene, name: str) -> dict[str, Any] | None:
    """The part of the conversation that is asked for; None where there is no transcript."""
    words = ["session", "export", "--limit", str(TURNS)]
    for part in ("from", "line"):
        given = scene.query.get(part, "")
        if given.isascii() and given.isdigit() and len(given) < 8:
            words += [f"--{part}", given]
    words += ["--", name]
    try:
        data: dict[str, Any] = scene.answer(*words)["data"]
    except LeftoffError:
        return None
    return data if data["total"] else None
