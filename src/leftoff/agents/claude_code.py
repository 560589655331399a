"""Claude Code: events, payloads and replies as version 2.1 has them (docs/agents.md)."""

from __future__ import annotations

from leftoff.agents import Hook, Logs, Settings
from leftoff.agents._payload import count, inner, last_lines, path, sign, text, typed
from leftoff.core import event as e
from leftoff.core.event import ParsedPayload, Usage
from leftoff.core.fast_json import dumps
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME, TITLE, PROGRAM = "claude-code", "Claude Code", "claude"
HOOKS = (
    Hook("SessionStart", e.START, timeout=10),
    Hook("UserPromptSubmit", e.PROMPT),
    Hook("Stop", e.STOP),
    Hook("StopFailure", e.STOP),
    Hook("PreCompact", e.COMPACTING, timeout=10),
    # The subagent without a name is the compaction itself: it alone carries the summary in time.
    Hook("SubagentStop", e.SUMMARY, "^$"),
    Hook("PostCompact", e.COMPACTED),
    Hook("SessionEnd", e.END),
)
SETTINGS = Settings(
    "nested",
    "CLAUDE_CONFIG_DIR",
    ".claude",
    "settings.json",
    ".claude/settings.local.json",
    also=(".claude/settings.json",),
    reads=("bom",),
    plugins=(("settings.json", "enabledPlugins"),),
    project_plugins=(
        (".claude/settings.json", "enabledPlugins"),
        (".claude/settings.local.json", "enabledPlugins"),
    ),
    off=("disableAllHooks", True),
    project_skills=".claude/skills",
)
LOGS = Logs("_claude_log", ("projects/*/*.jsonl", "projects/*/*/subagents/*.jsonl"))
SESSION_VARIABLE, PID_VARIABLE = "CLAUDE_CODE_SESSION_ID", "CLAUDE_PID"
EXPORT_VARIABLE, ENTRY_VARIABLE = "CLAUDE_ENV_FILE", "CLAUDE_CODE_ENTRYPOINT"
RESUME = ("claude", "--resume", "{id}")
BEGIN = ("claude", "{prompt}")
BEGIN_HEADLESS = ("claude", "-p", "{prompt}")
PLUGIN, TRUSTS_BY_PLACE = "", False
CONTEXT_BYTES = 9500
CONTINUES = 7
LATE_STARTS: tuple[str, ...] = ()
AFTER_CLEAR: tuple[str, ...] = ("clear",)
TODO_MARKS = (b'"TodoWrite"', b'"TaskUpdate"')
NEEDS: tuple[str, ...] = ()
CANNOT = (
    "At a compaction it shows the commands of all hooks, and what its summariser is told.",
    "A turn that is interrupted with Esc has no end event: only its transcript shows it.",
    "With `-p`, an error on the model's side has no end event either.",
    "It ends a turn after eight continuations without a tool call: leftoff stops at seven.",
)

_INJECTS = {e.START: "SessionStart", e.PROMPT: "UserPromptSubmit"}


def parse(event: str, payload: Mapping[str, Any]) -> ParsedPayload | None:
    """A payload in our words."""
    if _of_a_subagent(event, payload) or _of_copilot(payload):
        return None
    given = text(payload, "prompt")
    prompt = typed(given)
    if event == e.PROMPT and given and not prompt:
        return None  # nobody typed it
    answer = text(payload, "last_assistant_message", "compact_summary")
    return ParsedPayload(
        session=text(payload, "session_id"),
        cwd=path(payload, "cwd"),
        transcript=path(payload, "transcript_path"),
        key=_key(event, payload, answer),
        source=text(payload, "source", "trigger", "reason"),
        mode=text(payload, "permission_mode"),
        model=text(payload, "model"),
        prompt=prompt,
        answer=answer,
        failed=text(payload, "error"),
        again=payload.get("stop_hook_active") is True,
        context=count(payload, "context_tokens"),
    )


def _of_a_subagent(event: str, payload: Mapping[str, Any]) -> bool:
    """The parent's transcript tells of these; the one without a type writes the summary."""
    if event == e.SUMMARY:
        return payload.get("agent_type") != ""
    return bool(payload.get("agent_id"))


def _of_copilot(payload: Mapping[str, Any]) -> bool:
    """Copilot runs the hooks in a project's Claude settings too; its sessions are no Claude's."""
    transcript = text(payload, "transcript_path")
    return "timestamp" in payload and (not transcript or transcript.endswith("/events.jsonl"))


def _key(event: str, payload: Mapping[str, Any], answer: str) -> str:
    """One prompt can have several turn ends, when it goes on, and several compactions."""
    if event == e.PROMPT:
        return text(payload, "prompt_id")
    if event == e.SUMMARY:
        return text(payload, "agent_id")
    if event in {e.STOP, e.COMPACTED}:
        return ".".join(filter(None, (text(payload, "prompt_id"), sign(answer))))
    return ""


def reply(event: str, verb: str, text: str) -> str:
    """JSON with the fields that the event allows; plain text for the summariser."""
    if (verb, event) in {(e.BLOCK, e.PROMPT), (e.GO_ON, e.STOP)}:
        return dumps({"decision": "block", "reason": text})
    if verb != e.CONTEXT:
        return ""
    if event == e.COMPACTING:
        return text
    if event not in _INJECTS:
        return ""
    inside = {"hookEventName": _INJECTS[event], "additionalContext": text}
    return dumps({"hookSpecificOutput": inside})


def usage(tail: bytes) -> Usage | None:
    """Of the last answer of the main conversation that the model's side gave."""
    for line in last_lines(tail, b'"assistant"'):
        aside = line.get("isSidechain") or line.get("isApiErrorMessage")
        used = inner(line, "message", "usage")
        if line.get("type") == "assistant" and used and not aside:
            parts = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
            tokens = sum(count(used, part) for part in parts)
            return Usage(tokens, 0, text(inner(line, "message"), "model"))
    return None
