"""Sessions: who worked here or anywhere, newest first, a page at a time."""

from __future__ import annotations

from leftoff.commands.session import STATES
from leftoff.entry.web.scene import ROWS
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from leftoff.entry.web.scene import Scene

ROUTE = "/sessions"
TITLE = "Sessions"
TEMPLATE = "sessions.html"
KEY = "s"
PLACE = 30

HERE, ALL = "here", "all"


def facts(scene: Scene) -> dict[str, Any]:
    """What `session list` says of those that the filters let through."""
    from leftoff import agents

    where = ALL if scene.query.get("where") == ALL else HERE
    state = scene.query.get("state", "")
    state = state if state in STATES else ""
    agent = scene.query.get("agent", "")
    agent = agent if agent in agents.names() else ""
    words = ["session", "list", "--all", "--from", str(scene.start), "--limit", str(ROWS)]
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
