"""Parrot: a made-up client whose hooks and transcripts are like Claude Code's.

A whole client in one file, to begin a new one with; `tests/test_one_file.py` puts it in its place.
"""

from __future__ import annotations

from leftoff.agents import Hook, Logs, Settings
from leftoff.agents._payload import path, text, typed
from leftoff.core import event as e
from leftoff.core.event import ParsedPayload, Usage
from leftoff.core.fast_json import dumps
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME, TITLE, PROGRAM = "parrot", "Parrot", "parrot"
HOOKS = (
    Hook("SessionStart", e.START, timeout=10),
    Hook("UserPromptSubmit", e.PROMPT),
    Hook("Stop", e.STOP),
    Hook("SessionEnd", e.END),
)
SETTINGS = Settings("nested", "PARROT_HOME", ".parrot", "settings.json", ".parrot/settings.json")
LOGS = Logs("_claude_log", ("talks/*/*.jsonl",))
SESSION_VARIABLE, PID_VARIABLE, EXPORT_VARIABLE, ENTRY_VARIABLE = "PARROT_SESSION_ID", "", "", ""
RESUME = ("parrot", "--resume", "{id}")
BEGIN = ("parrot", "{prompt}")
BEGIN_HEADLESS = ("parrot", "-p", "{prompt}")
PLUGIN, TRUSTS_BY_PLACE = "", False
CONTEXT_BYTES = 9500
CONTINUES = 0
LATE_STARTS: tuple[str, ...] = ()
AFTER_CLEAR: tuple[str, ...] = ()
TODO_MARKS: tuple[bytes, ...] = ()
NEEDS: tuple[str, ...] = ()
CANNOT = ("It does not say that it compacted.",)


def parse(event: str, payload: Mapping[str, Any]) -> ParsedPayload | None:
    """A payload in our words."""
    given = text(payload, "prompt")
    prompt = typed(given)
    if event == e.PROMPT and given and not prompt:
        return None
    return ParsedPayload(
        session=text(payload, "session_id"),
        cwd=path(payload, "cwd"),
        transcript=path(payload, "transcript_path"),
        key=text(payload, "prompt_id"),
        source=text(payload, "source"),
        prompt=prompt,
    )


def reply(event: str, verb: str, text: str) -> str:
    """JSON with the fields that the event allows."""
    if verb == e.CONTEXT and event in {e.START, e.PROMPT}:
        return dumps({"additionalContext": text})
    return ""


def usage(tail: bytes) -> Usage | None:
    """Its transcripts do not tell."""
    return None
