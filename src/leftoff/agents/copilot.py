"""GitHub Copilot CLI: events, payloads and replies as version 1.0 has them (docs/agents.md).

It knows each event by two names. The camelCase ones are registered, whose replies were seen to
work; payloads of both are understood.
"""

from __future__ import annotations

from leftoff.agents import Hook, Logs, Settings
from leftoff.agents._payload import count, inner, last_lines, path, text, typed
from leftoff.core import event as e
from leftoff.core.event import ParsedPayload, Usage
from leftoff.core.fast_json import dumps
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME, TITLE, PROGRAM = "copilot", "GitHub Copilot CLI", "copilot"
HOOKS = (
    Hook("sessionStart", e.START, timeout=10),
    Hook("userPromptSubmitted", e.PROMPT),
    Hook("agentStop", e.STOP),
    Hook("preCompact", e.COMPACTING, timeout=10),
    Hook("sessionEnd", e.END),
)
SETTINGS = Settings(
    "flat",
    "COPILOT_HOME",
    ".copilot",
    "hooks/leftoff.json",
    ".github/hooks/leftoff.json",
    plugins=(("settings.json", "enabledPlugins"), ("config.json", "enabledPlugins")),
    off=("disableAllHooks", True),
    off_alone=True,
)
LOGS = Logs(
    "_copilot_log",
    ("session-state/*/events.jsonl",),
    named="session-state/{id}/events.jsonl",
)
SESSION_VARIABLE, PID_VARIABLE = "COPILOT_AGENT_SESSION_ID", ""
EXPORT_VARIABLE, ENTRY_VARIABLE = "", ""
RESUME = ("copilot", "--resume={id}")
BEGIN = ("copilot", "-i", "{prompt}")
BEGIN_HEADLESS = ("copilot", "-p", "{prompt}")
PLUGIN, TRUSTS_BY_PLACE = "", False
CONTEXT_BYTES = 9500
CONTINUES = 7
LATE_STARTS: tuple[str, ...] = ()
AFTER_CLEAR = ("clear", "startup")
TODO_MARKS = (b'"sql"', b'"update_todo"')
NEEDS: tuple[str, ...] = ()
CANNOT = (
    "It does not report a compaction, and takes no text for the summary.",
    "The first prompt may be reported before the start of its session.",
    "Text that was given at the start of a session is not in its history after a resume.",
    "It ends a turn after eight continuations: leftoff stops at seven.",
    "A project's own hooks run in `-p` only with `--trust-folder`.",
)

_SOURCES = {"new": "startup"}
_ENDED_WELL = {"", "end_turn"}


def parse(event: str, payload: Mapping[str, Any]) -> ParsedPayload | None:
    """A payload in our words."""
    given = text(payload, "prompt")
    prompt = typed(given)
    if event == e.PROMPT and given and not prompt:
        return None  # a continuation: the reason that we gave comes back as a prompt
    source = text(payload, "source", "trigger", "reason")
    ended = text(payload, "stopReason", "stop_reason")
    return ParsedPayload(
        session=text(payload, "sessionId", "session_id"),
        cwd=path(payload, "cwd"),
        transcript=path(payload, "transcriptPath", "transcript_path"),
        key=_key(payload),
        source=_SOURCES.get(source, source),
        prompt=prompt,
        failed="" if ended in _ENDED_WELL else ended,
        again=payload.get("stop_hook_active") is True,
    )


def _key(payload: Mapping[str, Any]) -> str:
    """The time, in its own clock: every hook on one event is told the same."""
    at = count(payload, "timestamp")
    return str(at) if at else text(payload, "timestamp")


def reply(event: str, verb: str, text: str) -> str:
    """The fields stand at the top, unlike with its siblings."""
    if (verb, event) in {(e.BLOCK, e.PROMPT), (e.GO_ON, e.STOP)}:
        return dumps({"decision": "block", "reason": text})
    if verb == e.CONTEXT and event in {e.START, e.PROMPT}:
        return dumps({"additionalContext": text})
    return ""


def usage(tail: bytes) -> Usage | None:
    """Of the last request of the conversation itself; others are titles and subagents."""
    for line in last_lines(tail, b'"session.usage_record"'):
        used = inner(line, "data", "usage")
        kind = used.get("interactionType") or "conversation-agent"
        tokens = count(used, "inputTokens")
        if line.get("type") == "session.usage_record" and kind == "conversation-agent" and tokens:
            return Usage(tokens, count(used, "maxPromptTokens"), text(used, "model"))
    return None
