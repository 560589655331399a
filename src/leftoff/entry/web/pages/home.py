"""The first page: where work was left off, what is next and why, what waits for a person."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.entry.web.scene import Scene

ROUTE = "/"
TITLE = "Where you left off"
TEMPLATE = "home.html"
KEY = "h"
PLACE = 10


def facts(scene: Scene) -> dict[str, Any]:
    """What `status` and `next` say."""
    status, ahead = scene.answer("status"), scene.answer("next")
    return {"status": status["data"], "next": ahead["data"], "findings": status["findings"]}
