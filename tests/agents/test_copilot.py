"""Copilot's contract: both spellings of its payloads, replies, and its one clock."""

from __future__ import annotations

import json

import pytest

from agents.captured import hooks, payload, transcript
from leftoff.agents import copilot as agent
from leftoff.core import event as e

OURS = {hook.event: hook.ours for hook in agent.HOOKS}
PASCAL = {"SessionStart": e.START, "UserPromptSubmit": e.PROMPT, "Stop": e.STOP}


@pytest.mark.parametrize("name", hooks("copilot"))
def test_a_captured_payload_is_an_event_of_its_session(name):
    given = payload("copilot", name)
    event = name.removeprefix("repo-").removeprefix("Pascal").partition("-")[0]
    said = agent.parse(OURS.get(event) or PASCAL.get(event, e.END), given)
    assert said.session == given.get("sessionId", given.get("session_id"))
    assert said.key == str(given["timestamp"])
    assert said.cwd == "/repo"


def test_one_event_told_to_two_hooks_is_one():
    first, second = (
        payload("copilot", "agentStop-active"),
        payload("copilot", "repo-agentStop-active"),
    )
    assert agent.parse(e.STOP, first).key == agent.parse(e.STOP, second).key
    assert agent.parse(e.STOP, first).transcript.endswith("/events.jsonl")
    assert agent.parse(e.STOP, first).again


def test_a_new_session_is_a_startup_in_our_words():
    assert agent.parse(e.START, payload("copilot", "sessionStart-new")).source == "startup"
    assert agent.parse(e.START, payload("copilot", "sessionStart-resume")).source == "resume"
    assert agent.parse(e.START, {"source": "of a later version"}).source == "of a later version"


def test_a_turn_that_ended_otherwise_than_well_is_told():
    assert agent.parse(e.STOP, payload("copilot", "agentStop")).failed == ""
    assert agent.parse(e.STOP, {"stopReason": "aborted"}).failed == "aborted"


@pytest.mark.req("X.hook.one-json")
def test_replies_stand_at_the_top():
    for event in (e.START, e.PROMPT):
        assert json.loads(agent.reply(event, e.CONTEXT, "t")) == {"additionalContext": "t"}
    block = {"decision": "block", "reason": "t"}
    assert json.loads(agent.reply(e.PROMPT, e.BLOCK, "t")) == block
    assert json.loads(agent.reply(e.STOP, e.GO_ON, "t")) == block
    assert agent.reply(e.COMPACTING, e.CONTEXT, "t") == ""


def test_tokens_and_window_are_those_of_the_last_request_of_the_conversation():
    tail = transcript("copilot", "events-basic-resume.jsonl")
    assert agent.usage(tail) == (1000, 64000, "gpt-4.1")
    other = {"usage": {"inputTokens": 7, "interactionType": "conversation-subagent"}}
    line = json.dumps({"type": "session.usage_record", "data": other}).encode()
    assert agent.usage(tail + line + b"\n") == (1000, 64000, "gpt-4.1")


def test_limits_are_those_that_were_measured():
    assert agent.CONTINUES == 7
    assert agent.SETTINGS.shape == "flat"
    assert all(hook.event[0].islower() for hook in agent.HOOKS)
