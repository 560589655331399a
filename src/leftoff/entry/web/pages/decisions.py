"""What waits for a person's decision, in all checkpoints of the project."""

from __future__ import annotations

from leftoff.entry.web.pages.home import decisions
from leftoff.entry.web.scene import ROWS
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
    """Checkpoints that ask come first in `status`, so that a page of it holds a page of these."""
    told = scene.answer("status", "--limit", str(ROWS), "--from", str(scene.start))["data"]
    found = decisions(told["streams"])
    asks = sum(1 for one in told["streams"] if one.get("decisions_waiting"))
    last = asks < len(told["streams"]) or not found
    total = scene.start + len(told["streams"]) + (0 if last else 1)
    return {"decisions": found, "waiting": told["waiting"], "total": total}
