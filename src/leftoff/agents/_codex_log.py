"""Codex: what a rollout tells, by the lines of version 0.166 and those of older ones.

A rollout holds running totals, not answers: an answer is what a total grew by. A resume goes on
with the same totals, a fork starts with its parent's, and older forks begin with a copy of the
parent's whole history, which is nobody's usage but the parent's.
"""

from __future__ import annotations

from leftoff.agents._codex_calls import call, item, result
from leftoff.agents._log_parts import (
    Head,
    feed_lines,
    first_object,
    name_of,
    texts,
)
from leftoff.agents._payload import count, inner, text
from leftoff.core import tally as t
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from leftoff.agents._log_parts import Line
    from leftoff.core.stats import Stats
    from leftoff.core.tally import Tally

VERSION = 1

# Lines, items and events that say nothing which is counted.
_KNOWN = frozenset(
    (
        *("world_state", "inter_agent_communication", "reasoning", "web_search_call"),
        *("tool_search_call", "tool_search_output", "image_generation_call", "ghost_snapshot"),
        *("compaction", "compaction_summary", "context_compaction", "agent_message"),
        *("agent_reasoning", "agent_reasoning_raw_content", "warning", "context_compacted"),
        *("entered_review_mode", "exited_review_mode", "thread_rolled_back", "undo_completed"),
        *("web_search_end", "image_generation_end", "view_image_tool_call", "turn_diff"),
        *("plan_update", "item_started", "collab_agent_spawn_end", "collab_agent_interaction_end"),
        *("collab_waiting_end", "collab_close_end", "collab_resume_end", "sub_agent_activity"),
        *("guardian_assessment", "deprecation_notice"),
    )
)
_INJECTED = frozenset(("environment_context", "user_instructions"))
_PARTS = ("input_tokens", "output_tokens", "cached_input_tokens", "cache_write_input_tokens")


def begin() -> Tally:
    """The tally of nothing."""
    return t.begin() | {
        "model": "",
        "at": "",  # the folder the session is in now
        "total": None,
        "clock": 0.0,  # of the line before
        "copied": False,  # these lines are the parent's
        "heard": ("", ""),  # the kind of line that told the last prompt, and its key
        "summing": False,  # a summary is being written: its answer is no context of ours
        "shrunk": False,  # a compaction waits for its figure
        "erred": False,
    }


def feed(tally: Tally, block: bytes) -> None:
    """Count whole lines."""
    feed_lines(tally, block, _take)


def stats(tally: Tally) -> Stats:
    """What was counted."""
    return t.stats(tally)


def head(first: bytes) -> Head:
    """By the session_meta line, without the instructions that make it tens of kilobytes long."""
    start, found, _ = first.partition(b',"base_instructions":')
    meta = inner(first_object(start + b"}}" if found else first), "payload")
    spawned = inner(meta, "source", "subagent", "thread_spawn")
    parent = text(meta, "parent_thread_id") or text(spawned, "parent_thread_id")
    return Head(name_of(meta, "id"), name_of(meta, "cwd"), parent)


def _take(tally: Tally, line: Line) -> None:
    kind, payload = text(line, "type"), inner(line, "payload")
    when = t.seconds(text(line, "timestamp"))
    t.saw(tally, when)
    if kind in {"event_msg", "response_item"}:
        kind = text(payload, "type")
    own = not _is_copy(tally, kind, payload, when)
    step = _STEPS.get(kind)
    if step and (own or kind in _BASIS):
        step(tally, payload, when)
    elif kind == "message":
        _message(tally, payload, inner(line, "metadata"))
    elif not step and kind not in _KNOWN:
        t.unknown(tally, kind or "?")


def _is_copy(tally: Tally, kind: str, payload: Line, when: float) -> bool:
    """Whether a line is of the parent's history.

    A second session_meta begins the copy. What ends it is a line with our own id, or, where lines
    carry none, the first pause: a copy is written in one go.
    """
    pause, tally["clock"] = when - tally["clock"], when
    if kind == "session_meta":
        tally["copied"] = bool(tally["session"]) and name_of(payload, "id") != tally["session"]
    elif tally["copied"]:
        thread = text(payload, "thread_id")
        tally["copied"] = thread != tally["session"] if thread else pause < 1
    return bool(tally["copied"])


def _session(tally: Tally, meta: Line, _when: float) -> None:
    if tally["session"]:
        return
    tally["session"] = name_of(meta, "id")
    tally["cwd"] = tally["at"] = name_of(meta, "cwd")
    tally["version"] = name_of(meta, "cli_version")
    tally["branch"] = name_of(inner(meta, "git"), "branch")
    tally["parent"] = name_of(meta, "forked_from_id")


def _turn(tally: Tally, told: Line, _when: float) -> None:
    """A turn's settings, in the line of a turn or in the event of a change."""
    settings = inner(told, "thread_settings") or told
    tally["model"] = name_of(settings, "model") or tally["model"]
    tally["at"] = name_of(settings, "cwd") or tally["at"]


def _started(tally: Tally, told: Line, _when: float) -> None:
    tally["erred"] = False
    tally["window"] = count(told, "model_context_window") or tally["window"]


def _record(tally: Tally, told: Line, when: float) -> None:
    total, last = inner(told, "thread_token_usage"), inner(told, "usage")
    _used(tally, total, last, when, text(told, "response_id"))


def _token_count(tally: Tally, told: Line, when: float) -> None:
    info = inner(told, "info")
    total, last = inner(info, "total_token_usage"), inner(info, "last_token_usage")
    tally["window"] = count(info, "model_context_window") or tally["window"]
    if not total:
        return  # rate limits alone
    grew = _used(tally, total, last, when, "")
    if tally["shrunk"] and not grew:
        _settle(tally, count(last, "total_tokens"))


def _used(tally: Tally, total: Line, last: Line, when: float, response: str) -> bool:
    """An answer, where the total grew; the same total again is the same answer told twice."""
    now = tuple(count(total, part) for part in _PARTS)
    before, tally["total"] = tally["total"], now
    if tally["copied"]:
        return False
    grown = tuple(a - b for a, b in zip(now, before or now, strict=True))
    if before is None or min(grown) < 0:  # a fork goes on from its parent's total
        grown = tuple(count(last, part) for part in _PARTS) if last else now
    read, out, cached, written = grown
    if not any(grown):
        return False
    used = (max(0, read - cached - written), out, cached, written)
    context = count(last, "input_tokens") or read
    key = t.key_of(response) if response else 0
    t.answer(tally, key, tally["model"], used, when, main=not tally["summing"], context=context)
    return True


def _compacted(tally: Tally, _told: Line, when: float) -> None:
    t.compacted(tally, when, before=tally["context"])
    tally["summing"], tally["shrunk"] = False, True


def _settle(tally: Tally, after: int) -> None:
    """The first count after a compaction says what is left."""
    when, trigger, before, _ = tally["compactions"][-1]
    tally["compactions"][-1] = (when, trigger, before, after)
    tally["context"] = after or tally["context"]
    tally["shrunk"] = False


def _message(tally: Tally, told: Line, metadata: Line) -> None:
    """What the model said. Prompts are told by events: here they stand among injected texts."""
    if tally["copied"] or text(told, "role") != "assistant":
        return
    if metadata.get("compaction_output") is True:
        tally["summing"] = True
    else:
        t.said(tally, texts(told.get("content")))


def _item(tally: Tally, told: Line, _when: float) -> None:
    done = inner(told, "item")
    if text(done, "type") == "UserMessage":
        _prompt(tally, "item", texts(done.get("content")))
    else:
        item(tally, done)


def _user_message(tally: Tally, told: Line, _when: float) -> None:
    if text(told, "kind") not in _INJECTED:
        _prompt(tally, "event", text(told, "message"))


def _prompt(tally: Tally, kind: str, asked: str) -> None:
    """A prompt; some versions tell each twice, in two kinds of lines."""
    mark = str(t.key_of(asked))
    if tally["heard"][1] == mark and tally["heard"][0] != kind:
        tally["heard"] = ("", "")
    else:
        tally["heard"] = (kind, mark)
        t.prompted(tally, asked)


def _complete(tally: Tally, told: Line, _when: float) -> None:
    if inner(told, "error"):
        _error(tally, told, 0.0)


def _error(tally: Tally, _told: Line, _when: float) -> None:
    tally["errors"] += not tally["erred"]
    tally["erred"] = True


def _aborted(tally: Tally, told: Line, _when: float) -> None:
    tally["interrupted"] += text(told, "reason") == "interrupted"


def _named(tally: Tally, told: Line, _when: float) -> None:
    tally["title"] = t.cut(text(told, "thread_name")) or tally["title"]


_BASIS = frozenset(("session_meta", "turn_context", "token_count", "token_usage_record"))
"""The lines of a copied history that still matter: what the figures go on from."""
_STEPS = {
    "session_meta": _session,
    "turn_context": _turn,
    "thread_settings_applied": _turn,
    "task_started": _started,
    "turn_started": _started,
    "token_usage_record": _record,
    "token_count": _token_count,
    "compacted": _compacted,
    "item_completed": _item,
    "user_message": _user_message,
    "task_complete": _complete,
    "turn_complete": _complete,
    "error": _error,
    "stream_error": _error,
    "turn_aborted": _aborted,
    "thread_name_updated": _named,
    "function_call": call,
    "custom_tool_call": call,
    "local_shell_call": call,
    "function_call_output": result,
    "custom_tool_call_output": result,
    "exec_command_end": result,
    "patch_apply_end": result,
    "mcp_tool_call_end": result,
}
