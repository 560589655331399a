"""All threads of the project, the last touched first."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.entry.web.scene import Scene

ROUTE = "/threads"
TITLE = "Threads"
TEMPLATE = "threads.html"
KEY = "t"
PLACE = 20
SHOWN = 25
"""Threads on a page."""


def facts(scene: Scene) -> dict[str, Any]:
    """What `thread list` says."""
    told = scene.answer("thread", "list", *scene.part(SHOWN))
    return {**told["data"], "findings": told["findings"], "shown": SHOWN}
