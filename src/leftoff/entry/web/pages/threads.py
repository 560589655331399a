"""All threads of the project, the last touched first."""

from __future__ import annotations

from leftoff.entry.web.scene import ROWS
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.entry.web.scene import Scene

ROUTE = "/threads"
TITLE = "Threads"
TEMPLATE = "threads.html"
KEY = "t"
PLACE = 20


def facts(scene: Scene) -> dict[str, Any]:
    """What `thread list` says."""
    told = scene.answer("thread", "list", "--limit", str(ROWS), "--from", str(scene.start))
    return {**told["data"], "findings": told["findings"]}
