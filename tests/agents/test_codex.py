"""Codex's contract: captured payloads, and replies held against the schemas of its own binary."""

from __future__ import annotations

import json

import jsonschema
import pytest

from agents.captured import hooks, payload, transcript
from leftoff.agents import codex as agent
from leftoff.core import event as e
from support import shared

OURS = {hook.event: hook.ours for hook in agent.HOOKS}
OUTPUTS = {
    (e.START, "session-start"),
    (e.PROMPT, "user-prompt-submit"),
    (e.STOP, "stop"),
    (e.STOP, "interrupt"),
    (e.COMPACTING, "pre-compact"),
    (e.COMPACTED, "post-compact"),
}


def schema(name: str):
    with open(
        shared("clients", "fixtures", "codex", "hook-schemas.json"), encoding="utf-8"
    ) as file:
        return json.load(file)[name]


def told(name: str):
    return agent.parse(OURS[name.partition("-")[0]], payload("codex", name))


@pytest.mark.parametrize("name", hooks("codex"))
def test_a_captured_payload_is_an_event_of_its_session_or_none(name):
    given = payload("codex", name)
    said = agent.parse(OURS.get(name.partition("-")[0], e.STOP), given)
    if "agent_id" in given:
        assert said is None
    else:
        assert said.session == given["session_id"]
        assert said.transcript.endswith(".jsonl")
        assert said.model == given.get("model", "")


@pytest.mark.req("X.hook.one-json")
@pytest.mark.parametrize(("event", "name"), sorted(OUTPUTS))
def test_every_reply_is_one_that_codex_takes(event, name):
    strict = jsonschema.Draft7Validator(schema(f"{name}.command.output"))
    for verb in (e.CONTEXT, e.BLOCK, e.GO_ON):
        said = agent.reply(event, verb, "text")
        if said and name != "interrupt":
            strict.validate(json.loads(said))
    with pytest.raises(jsonschema.ValidationError):
        strict.validate({"leftoff": 1})


def test_an_interrupted_turn_cannot_be_told_from_its_end_by_a_reply():
    """Codex takes no decision there: the event says `failed`, and nobody goes on then."""
    assert told("Interrupt").failed == "interrupted"
    assert told("Stop").failed == ""


def test_context_arrives_at_start_and_prompt_only():
    start = json.loads(agent.reply(e.START, e.CONTEXT, "t"))
    assert start == {
        "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "t"}
    }
    assert json.loads(agent.reply(e.PROMPT, e.BLOCK, "t")) == {"decision": "block", "reason": "t"}
    for event in (e.COMPACTING, e.COMPACTED, e.END, e.STOP):
        assert agent.reply(event, e.CONTEXT, "t") == ""


def test_two_ends_of_one_turn_are_two_events():
    first, second = told("Stop"), told("Stop-active")
    assert first.key != second.key
    assert first.key.startswith(payload("codex", "Stop")["turn_id"])
    assert second.again


def test_tokens_and_window_are_its_own_figures():
    assert agent.usage(transcript("codex", "rollout-basic-resume.jsonl")) == (1000, 258400, "")
    empty = b'{"type":"event_msg","payload":{"type":"token_count","info":null}}\n'
    counted = transcript("codex", "rollout-basic-resume.jsonl")
    assert agent.usage(counted + empty) == (1000, 258400, "")
    assert agent.usage(empty) is None


def test_limits_are_those_that_were_measured():
    timeouts = {hook.event: hook.timeout for hook in agent.HOOKS}
    assert timeouts["SessionEnd"] == 3
    assert agent.CONTEXT_BYTES < 10_000
    assert agent.TRUSTS_BY_PLACE
    assert "trust" in " ".join(agent.NEEDS)
