"""Gemini CLI: events, payloads and replies as version 0.61 has them (docs/agents.md).

PreCompress is not registered: it comes before every request to the model, compaction or not.
"""

from __future__ import annotations

from leftoff.agents import Hook, Logs, Settings
from leftoff.agents._payload import count, inner, last_lines, path, text, typed
from leftoff.core import event as e
from leftoff.core.event import ParsedPayload, Usage, without
from leftoff.core.fast_json import dumps
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME, TITLE, PROGRAM = "gemini-cli", "Gemini CLI", "gemini"
HOOKS = (
    Hook("SessionStart", e.START, timeout=10),
    Hook("BeforeAgent", e.PROMPT),
    Hook("AfterAgent", e.STOP),
    Hook("SessionEnd", e.END),
)
SETTINGS = Settings(
    "nested",
    "GEMINI_CLI_HOME",
    ".gemini",
    "settings.json",
    ".gemini/settings.json",
    unit=1000,
    below=".gemini",
    reads=("comments",),
    plugins=(("extensions/leftoff", ""),),
    switches="extensions/extension-enablement.json",
    shows_hook=True,
    off=("hooksConfig.enabled", False),
)
LOGS = Logs("_gemini_log", ("tmp/*/chats/*.jsonl", "tmp/*/chats/*/*.jsonl"))
SESSION_VARIABLE, PID_VARIABLE = "GEMINI_SESSION_ID", ""
EXPORT_VARIABLE, ENTRY_VARIABLE = "", ""
RESUME = ("gemini", "--resume", "{id}")
BEGIN = ("gemini", "-i", "{prompt}")
BEGIN_HEADLESS = ("gemini", "-p", "{prompt}")
PLUGIN, TRUSTS_BY_PLACE = "", False
CONTEXT_BYTES = 9500
CONTINUES = 20
LATE_STARTS = ("clear",)
AFTER_CLEAR: tuple[str, ...] = ("clear",)
TODO_MARKS = (b'"write_todos"',)
NEEDS: tuple[str, ...] = ()
CANNOT = (
    "It does not report a compaction: leftoff notices it at the next prompt.",
    "It compacts at half of its window: for advice before that, set `context.advise` below 50.",
    "Its summariser cannot be told what must survive a compaction.",
    "It takes no text at `/clear` or `/resume`: the brief comes with the next prompt.",
    "Text that was given at the start of a session is not in its history after a resume.",
    "It ends a run of continuations whose tool calls or answers repeat.",
)

CONTEXT_MARKS = "<hook_context>", "</hook_context>"
"""It puts the text of hooks into the prompt itself, between these."""

_INJECTS = {e.START: "SessionStart", e.PROMPT: "BeforeAgent"}


def parse(event: str, payload: Mapping[str, Any]) -> ParsedPayload | None:
    """A payload in our words."""
    given = text(payload, "prompt")
    prompt = typed(without(given, *CONTEXT_MARKS).strip() if CONTEXT_MARKS[0] in given else given)
    if event == e.PROMPT and given and not prompt:
        return None  # a continuation: the reason that we gave comes back as a prompt
    return ParsedPayload(
        session=text(payload, "session_id"),
        cwd=path(payload, "cwd"),
        transcript=path(payload, "transcript_path"),
        key=text(payload, "timestamp"),
        source=text(payload, "source", "trigger", "reason"),
        prompt=prompt,
        answer=text(payload, "prompt_response"),
        again=payload.get("stop_hook_active") is True,
    )


def reply(event: str, verb: str, text: str) -> str:
    """Always JSON; its word for a refusal is `deny`."""
    if (verb, event) in {(e.BLOCK, e.PROMPT), (e.GO_ON, e.STOP)}:
        return dumps({"decision": "deny", "reason": text})
    if verb != e.CONTEXT or event not in _INJECTS:
        return ""
    inside = {"hookEventName": _INJECTS[event], "additionalContext": text}
    return dumps({"hookSpecificOutput": inside})


def usage(tail: bytes) -> Usage | None:
    """Of the last answer; its input counts what came out of a cache."""
    for line in last_lines(tail, b'"tokens"'):
        tokens = count(inner(line, "tokens"), "input")
        if line.get("type") == "gemini" and tokens:
            return Usage(tokens, 0, text(line, "model"))
    return None
