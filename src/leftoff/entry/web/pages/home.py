"""The first page: where work was left off, what is next and why, what waits for a person."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.entry.web.scene import Scene

ROUTE = "/"
TITLE = "Where you left off"
MENU = "Now"
"""What the menu says, where that is shorter than the title."""
TEMPLATE = "home.html"
KEY = "h"
PLACE = 10
SHOWN = 20
"""Checkpoints on a page."""


def facts(scene: Scene) -> dict[str, Any]:
    """What `status` says; the newest sessions, those that go on apart from the others."""
    told = scene.answer("status", *scene.part(SHOWN))
    said = told["data"]
    live = [one for one in said["sessions"] if one["state"] == "active"]
    return {
        "status": said,
        "findings": told["findings"],
        "decisions": decisions(said["streams"]),
        "live": live,
        "recent": [one for one in said["sessions"] if one not in live],
        "shown": SHOWN,
    }


def decisions(streams: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What waits for a person, with the checkpoint that asks."""
    return [
        {**one, "stream": stream, "open": len(stream["blockers"])}
        for stream in streams
        for one in stream.get("blockers", ())
        if one["needs"] == "user_decision"
    ]
