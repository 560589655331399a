"""The messages of a hub as turns: Claude's lines, Codex's steps, and what is no part of the talk."""

from __future__ import annotations

import pytest

from hub import said
from leftoff.agents._hapi_talk import turns
from leftoff.core.talk import Turn


def agent(seq, kind, data):
    message = said(seq, "agent", "")
    message["content"]["content"] = {"type": kind, "data": data}
    return message


def claude(seq, role, *blocks, **more):
    return agent(seq, "output", {"type": role, "message": {"content": [*blocks]}, **more})


def codex(seq, kind, **data):
    return agent(seq, "codex", {"type": kind, **data})


def at(seq):
    return said(seq, "user", "")["createdAt"] / 1000


def test_lines_of_claude_are_read_as_in_its_transcripts():
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "make test"}}
    edit = {"type": "tool_use", "id": "t2", "name": "Write", "input": {"file_path": "/r/a.py"}}
    bad = {"type": "tool_result", "tool_use_id": "t1", "is_error": True, "content": "no"}
    good = {"type": "tool_result", "tool_use_id": "t2", "content": "ok"}
    found = turns(
        [
            said(1, "user", "fix it"),
            claude(2, "assistant", {"type": "text", "text": "Looking."}, call),
            claude(3, "user", bad),
            claude(4, "assistant", edit),
            claude(5, "user", good),
            agent(6, "event", {"type": "ready"}),
        ]
    )
    assert [*found] == [
        Turn("user", "fix it", at(1)),
        Turn("agent", "Looking.", at(2)),
        Turn("tool", "", at(2), "Bash", "make test", False, (), True),
        Turn("tool", "", at(4), "Write", "/r/a.py", True, ("/r/a.py",)),
    ]


def test_steps_of_codex_are_read_in_hapi_s_words():
    ids = {"thread_id": "01a1", "turn_id": "01a2", "type": "exec_command_begin"}
    changes = [{"path": "/r/notes.txt", "kind": {"type": "add"}, "diff": "one\n"}]
    asks = {**ids, "type": "x", "server": "docs"}
    found = turns(
        [
            codex(1, "thread_goal_cleared", thread_id="01a1"),
            said(2, "user", "look"),
            codex(3, "message", message="Looking."),
            codex(4, "tool-call", name="CodexBash", callId="c1", input={**ids, "command": "ls /x"}),
            codex(5, "tool-call-result", callId="c1", output={"exit_code": 2, "status": "failed"}),
            codex(6, "token_count", info={}),
            codex(7, "tool-call", name="CodexPatch", callId="c2", input={"changes": changes}),
            codex(8, "tool-call-result", callId="c2", output={"success": True}),
            codex(9, "tool-call", name="McpTool", callId="c3", input=asks),
        ]
    )
    assert [*found] == [
        Turn("user", "look", at(2)),
        Turn("agent", "Looking.", at(3)),
        Turn("tool", "", at(4), "CodexBash", "ls /x", False, (), True),
        Turn("tool", "", at(7), "CodexPatch", "/r/notes.txt", True, ("/r/notes.txt",)),
        Turn("tool", "", at(9), "McpTool", "docs"),
    ]


def test_our_own_hand_off_is_no_prompt_and_a_subagent_s_words_are_none_of_the_talk():
    own = said(1, "user", "<leftoff id=handoff>\nFirst step: x\n</leftoff>\n")
    aside = claude(2, "assistant", {"type": "text", "text": "aside"}, isSidechain=True)
    assert [*turns([own, aside, said(3, "agent", "Done.")])] == [Turn("agent", "Done.", at(3))]


ODD = [
    {},
    {"content": 7},
    {"content": {"role": "user"}},
    {"content": {"role": "agent", "content": []}},
]
ODD += [
    codex(1, "tool-call"),
    codex(1, "tool-call-result", callId=7, output="x"),
    codex(1, "message"),
]
ODD += [
    agent(1, "output", {"type": "assistant", "message": 7}),
    {"createdAt": "x", "content": None},
]


@pytest.mark.parametrize("message", ODD)
def test_an_odd_message_is_no_crash_and_hides_no_other(message):
    assert [*turns([message, said(2, "user", "go on")])][-1] == Turn("user", "go on", at(2))
