"""Codex CLI: events, payloads and replies as version 0.166 has them (docs/agents.md).

Its output types refuse unknown keys: a reply with one too many is dropped whole, in silence. The
shapes here are those of the JSON schemas in its own binary, against which a test holds them.
"""

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

NAME, TITLE, PROGRAM = "codex", "Codex CLI", "codex"
HOOKS = (
    Hook("SessionStart", e.START, timeout=10),
    Hook("UserPromptSubmit", e.PROMPT),
    Hook("Stop", e.STOP),
    Hook("Interrupt", e.STOP, timeout=3),
    Hook("PreCompact", e.COMPACTING, timeout=10),
    Hook("PostCompact", e.COMPACTED),
    Hook("SessionEnd", e.END, timeout=3),  # its own most, as for Interrupt: it complains of more
)
SETTINGS = Settings(
    "nested",
    "CODEX_HOME",
    ".codex",
    "hooks.json",
    ".codex/hooks.json",
    plugins=(("config.toml", "plugins"),),
    off=("features.hooks", False),
    off_in="config.toml",
)
LOGS = Logs("_codex_log", ("sessions/*/*/*/*.jsonl", "archived_sessions/*.jsonl"))
SESSION_VARIABLE, PID_VARIABLE = "", ""
EXPORT_VARIABLE, ENTRY_VARIABLE = "", ""
RESUME = ("codex", "resume", "{id}")
BEGIN = ("codex", "{prompt}")
BEGIN_HEADLESS = ("codex", "exec", "{prompt}")
PLUGIN, TRUSTS_BY_PLACE = "", True
CONTEXT_BYTES = 9500
CONTINUES = 20
LATE_STARTS: tuple[str, ...] = ()
AFTER_CLEAR: tuple[str, ...] = ("clear",)
TODO_MARKS = (b'"update_plan"',)
NEEDS = (
    "Codex runs no hook until you trust it: start `codex` once and choose to trust the hooks.",
    "It asks again whenever the command of a hook changes.",
)
CANNOT = (
    "Its summariser cannot be told what must survive a compaction.",
    "Its terminal program keeps sessions in a shared process: leaving it is not an end event.",
)

_INJECTS = {e.START: "SessionStart", e.PROMPT: "UserPromptSubmit"}
_INTERRUPT = "Interrupt"


def parse(event: str, payload: Mapping[str, Any]) -> ParsedPayload | None:
    """A payload in our words."""
    if payload.get("agent_id"):
        return None  # inside a subagent, which has a transcript of its own
    given = text(payload, "prompt")
    prompt = typed(given)
    if event == e.PROMPT and given and not prompt:
        return None  # nobody typed it
    answer = text(payload, "last_assistant_message")
    turn = text(payload, "turn_id")
    ended = ".".join(filter(None, (turn, sign(answer))))
    return ParsedPayload(
        session=text(payload, "session_id"),
        cwd=path(payload, "cwd"),
        transcript=path(payload, "transcript_path"),
        # a turn that goes on ends more than once, and may be compacted more than once
        key={e.PROMPT: turn, e.STOP: ended}.get(event, ""),
        source=text(payload, "source", "trigger", "reason"),
        mode=text(payload, "permission_mode"),
        model=text(payload, "model"),
        prompt=prompt,
        answer=answer,
        failed="interrupted" if payload.get("hook_event_name") == _INTERRUPT else "",
        again=payload.get("stop_hook_active") is True,
    )


def reply(event: str, verb: str, text: str) -> str:
    """Exactly the keys of its schemas; nothing at a compaction, where no text is passed on."""
    if (verb, event) in {(e.BLOCK, e.PROMPT), (e.GO_ON, e.STOP)}:
        return dumps({"decision": "block", "reason": text})
    if verb != e.CONTEXT or event not in _INJECTS:
        return ""
    inside = {"hookEventName": _INJECTS[event], "additionalContext": text}
    return dumps({"hookSpecificOutput": inside})


def usage(tail: bytes) -> Usage | None:
    """By its own count after each answer, which names the window too."""
    for line in last_lines(tail, b'"token_count"'):
        info = inner(line, "payload", "info")
        last = inner(info, "last_token_usage")
        # right after a compaction only the total is told
        tokens = count(last, "input_tokens") or count(last, "total_tokens")
        if inner(line, "payload").get("type") == "token_count" and tokens:
            return Usage(tokens, count(info, "model_context_window"))
    return None
