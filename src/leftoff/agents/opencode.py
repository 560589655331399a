"""OpenCode: it calls no commands but loads plugins, so a small one of ours calls the hook.

The payloads are those that `opencode_plugin.js` composes, and the replies what it understands: both
sides of that are here and there, and a test runs the one against the other.
"""

from __future__ import annotations

from leftoff.agents import Hook, Logs, Settings
from leftoff.agents._payload import count, path, sign, text, typed
from leftoff.core import event as e
from leftoff.core.event import ParsedPayload, Usage
from leftoff.core.fast_json import dumps
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME, TITLE, PROGRAM = "opencode", "OpenCode", "opencode"
HOOKS = (
    Hook("session.created", e.START, timeout=10),
    Hook("chat.message", e.PROMPT),
    Hook("session.idle", e.STOP),
    Hook("experimental.session.compacting", e.COMPACTING, timeout=10),
    Hook("session.compacted", e.COMPACTED),
)
SETTINGS = Settings(
    "plugin",
    "XDG_CONFIG_HOME",
    ".config/opencode",
    "plugin/leftoff.js",
    ".opencode/plugin/leftoff.js",
    below="opencode",
    plugins=(
        ("opencode.json", "plugin"),
        ("opencode.jsonc", "plugin"),
        ("plugins/leftoff.js", ""),
    ),
)
PLUGIN, TRUSTS_BY_PLACE = "opencode_plugin.js", False
LOGS = Logs(
    "_opencode_log",
    database="opencode.db",
    variable="XDG_DATA_HOME",
    home=".local/share/opencode",
    below="opencode",
)
SESSION_VARIABLE, PID_VARIABLE = "", ""
EXPORT_VARIABLE, ENTRY_VARIABLE = "", ""
RESUME = ("opencode", "--session", "{id}")
BEGIN = ("opencode", "--prompt", "{prompt}")
BEGIN_HEADLESS = ("opencode", "run", "{prompt}")
CONTEXT_BYTES = 9500
CONTINUES = 0
LATE_STARTS: tuple[str, ...] = ()
AFTER_CLEAR: tuple[str, ...] = ("clear",)
TODO_MARKS: tuple[bytes, ...] = ()
NEEDS: tuple[str, ...] = ()
CANNOT = (
    "It has no end event: the end of a session is detected by its process.",
    "It does not say what a session is a fork of: a fork is on no thread yet.",
    "A prompt cannot be blocked.",
    "leftoff does not continue a turn here.",
)


def parse(event: str, payload: Mapping[str, Any]) -> ParsedPayload | None:
    """A payload in our words; subagents have a parent, and the plugin leaves them out already."""
    if payload.get("parent"):
        return None
    answer = text(payload, "answer")
    key = text(payload, "message")
    if event == e.STOP:
        key = ".".join(filter(None, (key, sign(answer))))
    return ParsedPayload(
        session=text(payload, "session"),
        cwd=path(payload, "cwd"),
        key=key,
        source=text(payload, "source"),
        mode=text(payload, "agent"),
        model=text(payload, "model"),
        prompt=typed(text(payload, "prompt")),
        answer=answer,
        failed=text(payload, "error"),
        context=count(payload, "context"),
        window=count(payload, "window"),
    )


def reply(event: str, verb: str, text: str) -> str:
    """The plugin puts it into the system prompt, or among what the summary is made of."""
    if verb == e.CONTEXT and event in {e.START, e.PROMPT, e.COMPACTING, e.COMPACTED}:
        return dumps({"context": text})
    return ""


def usage(_tail: bytes) -> Usage | None:
    """It keeps a database, not a file with a tail: the payload says it."""
    return None
