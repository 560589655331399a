"""One thread: where it stands, and its sessions in the order of time."""

from __future__ import annotations

from leftoff.entry.web.charts import timeline_of
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.entry.web.scene import Scene

ROUTE = "/threads/{name:path}"
TITLE = "Thread"
TEMPLATE = "thread.html"
KEY = ""
PLACE = 0


def facts(scene: Scene) -> dict[str, Any]:
    """What `thread status` says, and which sessions were on it."""
    told = scene.answer("thread", "status", "--", scene.path["name"])
    one = told["data"]["threads"][0]
    of_thread = ("--all", *scene.part(), "--thread", one["id"])
    listed = scene.answer("session", "list", *of_thread)["data"]
    return {
        "title": one["name"] or one["id"],
        "crumb": (scene.say("Threads"), scene.link("/threads")),
        "thread": one,
        "sessions": listed["sessions"],
        "timeline": timeline_of(scene, listed["sessions"], scene.site.clock()),
        "total": listed["total"],
        "findings": told["findings"],
    }
