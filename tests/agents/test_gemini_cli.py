"""Gemini CLI's contract: captured payloads, replies, what it puts into prompts."""

from __future__ import annotations

import json

import pytest

from agents.captured import hooks, payload, transcript
from leftoff.agents import gemini_cli as agent
from leftoff.core import event as e

OURS = {hook.event: hook.ours for hook in agent.HOOKS}


@pytest.mark.parametrize("name", hooks("gemini"))
def test_a_captured_payload_is_an_event_of_its_session(name):
    given = payload("gemini", name)
    said = agent.parse(OURS.get(name.partition("-")[0], e.END), given)
    assert said.session == given["session_id"]
    assert said.key == given["timestamp"]
    assert said.transcript.endswith(".jsonl")


def test_the_text_of_hooks_is_cut_out_of_the_prompt():
    assert agent.parse(e.PROMPT, payload("gemini", "BeforeAgent")).prompt == "DO-THE-WORK please"
    only = {"prompt": "<hook_context>&lt;leftoff id=1>x&lt;/leftoff></hook_context>\n\n"}
    assert agent.parse(e.PROMPT, only) is None


def test_the_answer_comes_with_the_end_of_a_turn():
    said = agent.parse(e.STOP, payload("gemini", "AfterAgent-active"))
    assert said.answer.endswith("Continued after the hook.")
    assert said.again


@pytest.mark.req("X.hook.one-json")
def test_replies_are_exactly_what_the_event_takes():
    for event, name in ((e.START, "SessionStart"), (e.PROMPT, "BeforeAgent")):
        inside = {"hookEventName": name, "additionalContext": "t"}
        assert json.loads(agent.reply(event, e.CONTEXT, "t")) == {"hookSpecificOutput": inside}
    refusal = {"decision": "deny", "reason": "t"}
    assert json.loads(agent.reply(e.PROMPT, e.BLOCK, "t")) == refusal
    assert json.loads(agent.reply(e.STOP, e.GO_ON, "t")) == refusal
    assert agent.reply(e.END, e.CONTEXT, "t") == ""


def test_tokens_are_those_of_the_last_answer():
    used = agent.usage(transcript("gemini", "chat-basic-resume.jsonl"))
    assert used == (1000, 0, "gemini-2.5-flash")
    assert agent.usage(b'{"$set":{"messages":[{"tokens":{"input":5}}]}}\n') is None


def test_limits_are_those_that_were_measured():
    assert agent.SETTINGS.unit == 1000
    assert "PreCompress" not in OURS
    assert not {"BeforeModel", "AfterModel", "BeforeToolSelection"} & set(OURS)
