"""Copilot CLI: what a session's events tell, by the schema that version 1.0.102 ships.

Subagents write into the same file: their events carry an `agentId`, count as work and tokens, and
are no part of the conversation.
"""

from __future__ import annotations

from leftoff.agents._copilot_todos import todos_after
from leftoff.agents._log_parts import (
    Head,
    command_of,
    feed_lines,
    first_object,
    held,
    hold,
    name_of,
    number,
    objects,
    patched,
)
from leftoff.agents._payload import count, inner, text
from leftoff.core import tally as t
from leftoff.core.stats import Tokens
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from leftoff.agents._log_parts import Line
    from leftoff.core.stats import Stats
    from leftoff.core.tally import Tally

VERSION = 1

# What a log holds and nobody counts.
_KNOWN = frozenset(
    (
        *("assistant.turn_start", "assistant.turn_end", "assistant.reasoning"),
        *("assistant.fusion_phase_completed", "assistant.fusion_phase_failed"),
        *("external_tool.requested", "human_response.recorded", "mcp.oauth_recovery_completed"),
        *("model.turn_started", "model.model_call_started", "model.model_call_success"),
        *("model.model_call_failure", "model.message", "model.response", "model.turn_ended"),
        *("model.messages_snapshot", "permission.assentDetected", "permission.carriedForward"),
        *("permission.completed", "permission.contextualAuthorization"),
        *("permission.messageAuthorization", "permission.messageAuthorizationDegraded"),
        *("permission.messageAuthorizationRead", "permission.requested"),
        *("session.auto_mode_resolved", "session.autopilot_objective_changed"),
        *("session.binary_asset", "session.canvas.recorded", "session.canvas.removed"),
        *("session.compaction_start", "session.completion_receipt"),
        *("session.fusion_change_checkpoint", "session.fusion_commit_started"),
        *("session.fusion_completed", "session.fusion_handoff", "session.fusion_resolved"),
        *("session.fusion_route_failed", "session.handoff", "session.info", "session.mode_changed"),
        *("session.mode_notice_delivered", "session.model_change", "session.model_deselected"),
        *("session.permission_recovery", "session.permissions_changed", "session.plan_changed"),
        *("session.remote_steerable_changed", "session.request_body_compression_disabled"),
        *("session.schedule_cancelled", "session.schedule_created", "session.schedule_rearmed"),
        *("session.session_limits_changed", "session.task_complete", "session.truncation"),
        *("session.usage_checkpoint", "session.warning", "session.workspace_file_changed"),
        *("skill.context_delivered", "skill.context_delivered_ref", "skill.invoked"),
        *("skill.invoked_ref", "subagent.completed", "subagent.configured", "subagent.deselected"),
        *("subagent.failed", "subagent.selected", "system.message", "system.notification"),
        *("tool.user_requested", "tool_search.activated"),
    )
)
_SHELLS = frozenset(("bash", "powershell", "shell"))
_EDITS = frozenset(("create", "edit", "str_replace", "str_replace_editor", "insert"))
_EXITED = "with exit code "
_OPEN_HOOKS = 64


def begin() -> Tally:
    """The tally of nothing."""
    return t.begin() | {
        "running": {},  # hooks without an end: id, start
        "refused": 0,  # key of the reason why a stop was refused: it comes back as a prompt
        "summing": False,  # a summary's own usage was told by a record
        "recorded": False,  # this version records the usage of each answer
        "sums": (),  # of all answers, as the last end told them
    }


def feed(tally: Tally, block: bytes) -> None:
    """Count whole lines."""
    feed_lines(tally, block, _take)


def stats(tally: Tally) -> Stats:
    """What was counted; where answers have no record each, the sums of the last end tell."""
    told = t.stats(tally)
    if tally["recorded"] or not tally["sums"]:
        return told
    sums = Tokens(*tally["sums"])
    model = max(told.models, key=lambda name: (told.models[name], name), default="")
    day = max((key[0] for key in told.spent), default="")
    return told._replace(tokens=sums, spent={(day, model, 0): (*sums, 0)})


def head(first: bytes) -> Head:
    """By the event of the start."""
    data = inner(first_object(first), "data")
    return Head(name_of(data, "sessionId"), name_of(inner(data, "context"), "cwd"))


def aside(data: bytes) -> bool:
    """Whether a line is a subagent's."""
    return b'"agentId"' in data and bool(text(first_object(data), "agentId"))


def _take(tally: Tally, line: Line) -> None:
    kind, data = text(line, "type"), inner(line, "data")
    when, main = t.seconds(text(line, "timestamp")), not text(line, "agentId")
    t.saw(tally, when)
    if kind in _STEPS:
        _STEPS[kind](tally, data, when, main)
    elif kind not in _KNOWN:
        t.unknown(tally, kind or "?")


def _session(tally: Tally, data: Line, _when: float, _main: bool) -> None:
    """A start or a resume; the last one says on which branch the work is."""
    context = inner(data, "context")
    for ours, told in (
        ("session", name_of(data, "sessionId")),
        ("parent", name_of(data, "detachedFromSpawningParentSessionId")),
        ("cwd", name_of(context, "cwd")),
    ):
        tally[ours] = tally[ours] or told
    tally["branch"] = name_of(context, "branch") or tally["branch"]
    tally["version"] = name_of(data, "copilotVersion") or tally["version"]


def _moved(tally: Tally, data: Line, _when: float, _main: bool) -> None:
    tally["branch"] = name_of(data, "branch") or tally["branch"]


def _prompt(tally: Tally, data: Line, _when: float, main: bool) -> None:
    """What a person typed: not what skills, agents, the autopilot or a hook said in that place."""
    said = text(data, "content")
    refused, tally["refused"] = tally["refused"], 0
    if not main or text(data, "source") or data.get("isAutopilotContinuation") is True:
        return
    if not refused or refused != t.key_of(said):
        t.prompted(tally, said)


def _message(tally: Tally, data: Line, when: float, main: bool) -> None:
    """A message; older versions wrote no record of its usage, and knew its output alone."""
    key = t.key_of(text(data, "apiCallId", "messageId"))
    if key not in tally["answers"]:
        used = (0, count(data, "outputTokens"), 0, 0)
        t.answer(tally, key, name_of(data, "model"), used, when, main=False)
    if main and not text(data, "parentToolCallId"):
        t.said(tally, text(data, "content"))


def _usage(tally: Tally, data: Line, when: float, main: bool) -> None:
    told, tally["recorded"] = inner(data, "usage"), True
    kind = text(told, "interactionType") or "conversation-agent"
    main = main and kind == "conversation-agent"
    tally["summing"] = tally["summing"] or kind == "conversation-compaction"
    key, used = t.key_of(text(told, "apiCallId")), _used(told)
    t.answer(tally, key, name_of(told, "model"), used, when, main=main)
    if main:
        tally["window"] = count(told, "maxPromptTokens") or tally["window"]


def _used(told: Line) -> tuple[int, int, int, int]:
    """Its input counts what came out of a cache, whatever the provider."""
    read, written = count(told, "cacheReadTokens"), count(told, "cacheWriteTokens")
    fresh = max(0, count(told, "inputTokens") - read - written)
    return fresh, count(told, "outputTokens"), read, written


def _call(tally: Tally, data: Line, when: float, _main: bool) -> None:
    ident, tool, given = (
        name_of(data, "toolCallId"),
        name_of(data, "toolName") or "?",
        inner(data, "arguments"),
    )
    path = text(given, "path") if tool in _EDITS else ""
    changes = [path] if path else patched(text(given, "input"), tally["cwd"])
    command = command_of(given, "command") if tool in _SHELLS else None
    t.called(
        tally,
        ident,
        tool,
        when,
        command=command,
        changes=changes,
        about=text(given, "path", "description", "pattern", "query"),
    )
    if tool in {"sql", "update_todo"}:
        hold(tally, ident, t.plain(text(given, "query", "todos"))[:20000])


def _result(tally: Tally, data: Line, _when: float, _main: bool) -> None:
    ident = name_of(data, "toolCallId")
    failed = data.get("success") is False or _exit_code(data) != 0
    query = held(tally, ident)
    if ident in tally["waiting"]:
        t.returned(tally, ident, failed=failed)
    edits = (name_of(edit, "path") for edit in objects(data.get("fileEdits")))
    tally["files"].update(dict.fromkeys(filter(None, edits)))
    if query and not failed:
        tally["tasks"] = todos_after(tally["tasks"], query)


def _exit_code(data: Line) -> int:
    """Of a shell command, which counts as a success for the client whatever it returned."""
    code = number(inner(data, "shellExecution"), "exitCode")
    if code is not None:
        return code
    tail = text(inner(data, "result"), "content")[-200:]
    digits = tail.rpartition(_EXITED)[2].rstrip(">\n ") if _EXITED in tail else ""
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def _compacted(tally: Tally, data: Line, when: float, main: bool) -> None:
    told_already, tally["summing"] = tally["summing"], False
    used = inner(data, "compactionTokensUsed")
    if used and not told_already:
        key = t.key_of(text(data, "compactionAttemptId", "requestId") or str(when))
        t.answer(tally, key, name_of(used, "model"), _used(used), when, main=False)
    if main and data.get("success") is True:
        trigger = "manual" if text(data, "trigger") == "manual" else "auto"
        before, after = count(data, "preCompactionTokens"), count(data, "postCompactionTokens")
        t.compacted(tally, when, trigger, before, after)


def _cleared(tally: Tally, _data: Line, _when: float, main: bool) -> None:
    tally["context"] = 0 if main else tally["context"]


def _hook_began(tally: Tally, data: Line, when: float, _main: bool) -> None:
    running = tally["running"]
    if len(running) >= _OPEN_HOOKS:  # killed with their session
        del running[next(iter(running))]
    running[name_of(data, "hookInvocationId")] = when


def _hook_ended(tally: Tally, data: Line, when: float, _main: bool) -> None:
    began = tally["running"].pop(name_of(data, "hookInvocationId"), None)
    if began:
        t.hook_ran(tally, max(0, round((when - began) * 1000)))
    output = inner(data, "output")
    if text(output, "decision") == "block" and text(output, "reason"):
        tally["refused"] = t.key_of(text(output, "reason"))


def _subagent(tally: Tally, _data: Line, _when: float, _main: bool) -> None:
    tally["subagents"] += 1


def _error(tally: Tally, _data: Line, _when: float, _main: bool) -> None:
    tally["errors"] += 1


def _abort(tally: Tally, _data: Line, _when: float, _main: bool) -> None:
    tally["interrupted"] += 1


def _shutdown(tally: Tally, data: Line, _when: float, _main: bool) -> None:
    rows = [_used(inner(told, "usage")) for told in inner(data, "modelMetrics").values()]
    tally["sums"] = tuple(map(sum, zip(*rows, strict=True))) or tally["sums"]


_STEPS = {
    "session.start": _session,
    "session.resume": _session,
    "session.context_changed": _moved,
    "session.context_cleared": _cleared,
    "session.compaction_complete": _compacted,
    "session.usage_record": _usage,
    "session.error": _error,
    "session.shutdown": _shutdown,
    "user.message": _prompt,
    "assistant.message": _message,
    "tool.execution_start": _call,
    "tool.execution_complete": _result,
    "subagent.started": _subagent,
    "hook.start": _hook_began,
    "hook.end": _hook_ended,
    "abort": _abort,
}
