"""Hapi: a hub that runs other clients. It has no hooks of its own; theirs run inside it.

A session under it is a session of Claude Code or Codex whose environment names the one of Hapi, so
there is no payload to read here: this describes the link, and what cannot be done. The throw-away
sessions that it starts are left out by `core.session`.
"""

from __future__ import annotations

from leftoff.agents import Logs, Settings
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from leftoff.agents import Hook
    from leftoff.core.event import ParsedPayload, Usage

NAME, TITLE, PROGRAM = "hapi", "Hapi", "hapi"
HOOKS: tuple[Hook, ...] = ()
SETTINGS = Settings("none", "HAPI_HOME", ".hapi", "", "")
LOGS = Logs("")
SESSION_VARIABLE, PID_VARIABLE = "", ""
EXPORT_VARIABLE, ENTRY_VARIABLE = "", ""
RESUME: tuple[str, ...] = ()
BEGIN: tuple[str, ...] = ()
BEGIN_HEADLESS: tuple[str, ...] = ()
PLUGIN, TRUSTS_BY_PLACE = "", False
CONTEXT_BYTES = 0
CONTINUES = 0
LATE_STARTS: tuple[str, ...] = ()
AFTER_CLEAR: tuple[str, ...] = ()
TODO_MARKS: tuple[bytes, ...] = ()
NEEDS: tuple[str, ...] = ()
CANNOT = (
    "It has no hooks of its own: those of the client that it runs are used.",
    "The number of its session may change on a resume; the client's own stays.",
    "Codex runs no untrusted hook under it and cannot ask there: trust them in a terminal first.",
)


def parse(_event: str, _payload: Mapping[str, Any]) -> ParsedPayload | None:
    """Nothing calls a hook in its name."""
    return None


def reply(_event: str, _verb: str, _text: str) -> str:
    """Nothing reads one."""
    return ""


def usage(_tail: bytes) -> Usage | None:
    """Its messages lie in a database behind its own interface."""
    return None
