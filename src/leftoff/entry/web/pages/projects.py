"""Where work stopped, in every project that this machine knows."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.entry.web.scene import Scene

ROUTE = "/projects"
TITLE = "Projects"
TEMPLATE = "projects.html"
KEY = "p"
PLACE = 90


def facts(scene: Scene) -> dict[str, Any]:
    """What `status --everywhere` says; whoever is named here may be looked at."""
    told: dict[str, Any] = scene.answer("status", "--everywhere", *scene.part())["data"]
    scene.site.learn(row["root"] for row in told["projects"])
    return {**told, "projects": scene.rows(told["projects"])}
