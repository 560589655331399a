"""Sessions: who worked here or anywhere, newest first, a page at a time."""

from __future__ import annotations

from leftoff.commands.session import STATES
from leftoff.entry.web.scene import ALL, HERE
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.entry.web.scene import Scene

ROUTE = "/sessions"
TITLE = "Sessions"
TEMPLATE = "sessions.html"
KEY = "s"
PLACE = 30


def facts(scene: Scene) -> dict[str, Any]:
    """What `session list` says of those that the filters let through."""
    from leftoff import agents

    where = scene.chosen("where", (HERE, ALL), HERE)
    state = scene.chosen("state", STATES)
    agent = scene.chosen("agent", agents.names())
    words = ["session", "list", "--all", *scene.part()]
    words += ["--everywhere"] if where == ALL else []
    words += ["--state", state] if state else []
    words += ["--agent", agent] if agent else []
    said = scene.kept(*words)
    return {
        "sessions": scene.rows(said["data"]["sessions"]),
        "total": said["data"]["total"],
        "findings": said["findings"][:10],
        "filters": {"where": where, "state": state, "agent": agent},
        "agents": agents.names(),
        "states": STATES,
    }
