"""What waits for a person's decision, in all checkpoints of the project."""

from __future__ import annotations

from leftoff.entry.web.pages.home import decisions
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.entry.web.scene import Scene

ROUTE = "/decisions"
TITLE = "Decisions"
TEMPLATE = "decisions.html"
KEY = "d"
PLACE = 40


def facts(scene: Scene) -> dict[str, Any]:
    """The checkpoints that ask, most urgent first."""
    told = scene.answer("status", "--waiting", *scene.part())["data"]
    return {"decisions": decisions(told["streams"]), "total": told["total"]}
