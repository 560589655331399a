"""A conversation as turns, out of every client's transcript, by the reader that counts it."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents import captured
from agents import test_codex_log as rollout
from agents import test_copilot_log as events
from agents import test_gemini_log as chat
from agents import test_opencode_log as messages
from leftoff.agents import (
    _claude_log,
    _codex_log,
    _copilot_log,
    _gemini_log,
    _opencode_log,
    _transcript_turns,
)
from leftoff.core.talk import AGENT, TOOL, USER, Turn
from support import shared

READERS: list[Any] = [_claude_log, _codex_log, _gemini_log, _copilot_log, _opencode_log]
OWN = '<leftoff id="x">the brief</leftoff>'


def heard(reader: Any, *told: Any) -> list[Turn]:
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in told]
    return [*_transcript_turns.turns(reader, [b"\n".join(lines) + b"\n"])]


def shape(turns: list[Turn]) -> list[tuple[object, ...]]:
    """What stands in a turn, without its time."""
    return [
        (one.role, one.text) if one.role != TOOL else (one.tool, one.about, one.ok, one.changes)
        for one in turns
    ]


def claude(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, "id": f"m-{content}"[:40], "usage": {}}
    return {"type": kind, "timestamp": "2026-11-16T10:00:01.000Z", "message": message, **more}


def use(name: str, tool: str, **given: Any) -> dict[str, Any]:
    return claude("assistant", [{"type": "tool_use", "id": name, "name": tool, "input": given}])


def result(name: str, *, failed: bool = False) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": name, "is_error": failed, "content": "SECRET"}
    return claude("user", [block])


def test_claude_code_tells_prompts_answers_and_calls_with_how_they_ended():
    turns = heard(
        _claude_log,
        claude("user", f"repair the login {OWN}"),
        claude("assistant", [{"type": "text", "text": "I look."}]),
        use("a", "Bash", command="pytest -q"),
        use("b", "Edit", file_path="/repo/a.py", old_string="x", new_string="CONTENT"),
        result("b"),
        result("a", failed=True),
        claude("assistant", [{"type": "text", "text": "It fails."}]),
    )
    assert shape(turns) == [
        (USER, "repair the login"),
        (AGENT, "I look."),
        ("Bash", "pytest -q", False, ()),
        ("Edit", "/repo/a.py", True, ("/repo/a.py",)),
        (AGENT, "It fails."),
    ]
    assert [one.is_command for one in turns] == [False, False, True, False, False]
    assert turns[0].at == 1794823201.0
    assert "SECRET" not in repr(turns)
    assert "CONTENT" not in repr(turns)


def test_what_nobody_typed_is_no_turn_of_a_person():
    turns = heard(
        _claude_log,
        claude("user", "a subagent's task", isSidechain=True),
        claude("assistant", [{"type": "text", "text": "of a subagent"}], isSidechain=True),
        claude("user", "the summary", isCompactSummary=True),
        claude("user", "<local-command-caveat>Caveat", isMeta=True, promptId="p"),
        claude("user", "<command-name>/clear</command-name>", promptId="p"),
        claude("user", "<system-reminder>remember</system-reminder>"),
        claude("user", OWN),
        {"type": "attachment", "attachment": {"type": "hook_additional_context", "content": "c"}},
        claude("user", "Stop hook feedback:\n[check]: run the tests"),
        claude("user", "<system-reminder>a</system-reminder>\nthe one prompt"),
        claude("user", "another <system-reminder>b\nc</system-reminder>"),
    )
    assert shape(turns) == [(USER, "the one prompt"), (USER, "another")]


def test_a_call_of_a_subagent_in_the_same_file_is_no_turn():
    aside = {**use("s", "Bash", command="make"), "isSidechain": True}
    assert heard(_claude_log, aside, result("s")) == []
    own = events.event("tool.execution_start", toolCallId="x", toolName="bash", arguments={})
    other = {**own, "agentId": "sub-1"}
    assert heard(_copilot_log, other, events.done("x")) == []


def test_codex_tells_each_prompt_once_and_nothing_that_was_injected():
    turns = heard(
        _codex_log,
        rollout.meta(),
        rollout.item("message", role="user", content=[{"text": "<environment_context>"}]),
        rollout.event("user_message", message="do it"),
        rollout.event("item_completed", item={"type": "UserMessage", "content": "do it"}),
        rollout.called("c", "exec_command", '{"cmd": "make test"}'),
        rollout.output("c", "Exit code: 2\nOutput:\nSECRET"),
        rollout.patch("p", "*** Update File: a.py"),
        rollout.item("custom_tool_call_output", call_id="p", output='{"metadata":{"exit_code":0}}'),
        rollout.item("message", role="assistant", content=[{"text": "done"}]),
    )
    assert shape(turns) == [
        (USER, "do it"),
        ("exec_command", "make test", False, ()),
        ("apply_patch", "/repo/a.py", True, ("/repo/a.py",)),
        (AGENT, "done"),
    ]


def test_gemini_writes_a_message_again_with_each_step_and_it_is_one_turn():
    call = {"id": "c1", "name": "run_shell_command", "args": {"command": "make"}}
    done = [{"functionResponse": {"response": {"output": "x\nExit Code: 2"}}}]
    turns = heard(
        _gemini_log,
        chat.HEADER,
        chat.user("1", f"<hook_context>{OWN}</hook_context>build it"),
        chat.model("2", "I build.", toolCalls=[{**call, "status": "executing"}]),
        chat.model("2", "I build.", toolCalls=[{**call, "status": "success", "result": done}]),
        {"$set": {"messages": [chat.user("1", "build it"), chat.model("2", "I build.")]}},
        chat.model("3", "It fails."),
    )
    assert shape(turns) == [
        (USER, "build it"),
        (AGENT, "I build."),
        ("run_shell_command", "make", False, ()),
        (AGENT, "It fails."),
    ]


def test_opencode_tells_a_message_and_its_parts():
    turns = heard(
        _opencode_log,
        {**messages.SESSION, "time": {"updated": 9_000_000}},
        messages.user("write it", {"type": "text", "text": "added", "synthetic": True}),
        messages.model(
            "m1",
            "I write.",
            messages.call("c", "write", filePath="a.py", content="CONTENT"),
            messages.call("d", "bash", command="make", exit=1),
        ),
    )
    assert shape(turns) == [
        (USER, "write it"),
        (AGENT, "I write."),
        ("write", "a.py", True, ("/repo/a.py",)),
        ("bash", "make", False, ()),
    ]
    assert turns[0].at == 1.0


def test_copilot_tells_messages_and_calls():
    turns = heard(
        _copilot_log,
        events.START,
        events.event("user.message", content="run it"),
        events.event("assistant.message", content="I run.", messageId="m"),
        events.call("c", "bash", command="npm test"),
        events.done("c", shellExecution={"exitCode": 1}),
        events.event("user.message", content="of a skill", source="skill"),
    )
    assert shape(turns) == [(USER, "run it"), (AGENT, "I run."), ("bash", "npm test", False, ())]


def test_a_call_that_is_never_answered_holds_nothing_back_for_ever():
    told = [use("never", "Bash", command="sleep 9")]
    told += [claude("assistant", [{"type": "text", "text": f"{n}"}]) for n in range(600)]
    stream = _transcript_turns.turns(
        _claude_log, (json.dumps(each).encode() + b"\n" for each in told)
    )
    first = next(stream)
    assert (first.about, first.ok) == ("sleep 9", None)
    assert len([*stream]) == 600


def _captured() -> list[str]:
    try:
        base = shared("clients", "fixtures")
    except BaseException as skipped:  # pytest's own way to skip: a parameter list cannot
        if type(skipped).__name__ != "Skipped":
            raise
        return [captured.NOT_THERE]
    return sorted(
        f"{client}/{name}"
        for client in ("claude", "codex", "gemini", "copilot", "opencode")
        for name in os.listdir(os.path.join(base, client))
        if name.endswith(".jsonl") or name == "export.json"
    )


@pytest.mark.parametrize("name", _captured())
def test_a_real_transcript_gives_its_turns_whole_torn_and_line_by_line(name):
    client, _, file = name.partition("/")
    reader = dict(zip(("claude", "codex", "gemini", "copilot", "opencode"), READERS, strict=True))
    raw = captured.transcript(client, file or name)
    if file == "export.json":
        told = json.loads(raw)
        raw = _opencode_log.lines(told["info"], told["messages"])
    lines = raw.splitlines(keepends=True)
    whole = [*_transcript_turns.turns(reader[client], [raw])]
    assert whole == [*_transcript_turns.turns(reader[client], lines)]
    torn = [*_transcript_turns.turns(reader[client], [raw[: len(raw) * 2 // 3]])]
    assert [one.text for one in torn] == [one.text for one in whole[: len(torn)]]
    tally = _transcript_turns.begin(reader[client])
    again = [*_transcript_turns.turns(reader[client], [raw], tally)]
    stats = reader[client].stats(tally)
    assert sum(one.role == USER for one in again) == stats.prompts
    if file not in {"transcript-subagent.jsonl", "plugin-events.jsonl"}:
        assert USER in {one.role for one in again}
        assert [one.role for one in again].count(TOOL) == sum(stats.tools.values())
    assert all("<leftoff" not in one.text for one in again)


@pytest.mark.parametrize("reader", READERS, ids=lambda one: one.__name__.rpartition(".")[2])
@given(
    lines=st.lists(
        st.binary(max_size=60)
        | st.dictionaries(
            st.sampled_from(["type", "message", "payload", "data", "id", "info", "parts", "$set"]),
            captured.json_values,
        ).map(lambda told: json.dumps(told).encode()),
        max_size=6,
    )
)
def test_no_line_makes_a_reader_raise(reader, lines):
    for turn in _transcript_turns.turns(reader, [b"\n".join(lines)]):
        (turn.text + turn.about + turn.tool).encode()


def test_half_a_surrogate_pair_is_replaced():
    turns = heard(_claude_log, b'{"type":"user","message":{"content":"lone \\ud800 half"}}')
    assert [one.text.encode() for one in turns] == [b"lone ? half"]
