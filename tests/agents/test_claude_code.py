"""Claude Code's contract: captured payloads in our words, replies as it takes them."""

from __future__ import annotations

import json

import pytest

from agents.captured import hooks, payload, transcript
from leftoff.agents import claude_code as agent
from leftoff.core import event as e

OURS = {hook.event: hook.ours for hook in agent.HOOKS}


def event_of(name: str) -> str:
    return OURS.get(name.partition("-")[0], "")


def told(name: str, event: str = ""):
    return agent.parse(event or event_of(name), payload("claude", name))


@pytest.mark.parametrize("name", hooks("claude"))
def test_a_captured_payload_is_an_event_of_its_session_or_none(name):
    given = payload("claude", name)
    said = agent.parse(event_of(name) or e.STOP, given)
    if given.get("agent_id") and name != "SubagentStop-compaction":
        assert said is None
    else:
        assert said is not None
        assert said.session == given["session_id"]
        assert said.transcript.endswith(f"{said.session}.jsonl")
        assert said.cwd == "/repo"


@pytest.mark.parametrize("name", [name for name in hooks("copilot") if "Pascal" in name])
def test_a_session_of_copilot_that_runs_a_projects_claude_hooks_is_none_of_ours(name):
    for event in e.EVENTS:
        assert agent.parse(event, payload("copilot", name)) is None


def test_a_time_in_a_payload_alone_does_not_make_it_a_strangers():
    later = {**payload("claude", "Stop"), "timestamp": "2027-01-01T00:00:00Z"}
    assert agent.parse(e.STOP, later) is not None


@pytest.mark.req("D.start.identity")
@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork"])
def test_a_start_says_why(source):
    said = told(f"SessionStart-{source}")
    assert said.source == source


def test_a_resume_says_how_full_the_context_is():
    assert told("SessionStart-resume").context == 1050


def test_the_summary_of_a_compaction_comes_with_the_nameless_subagent_only():
    summary = told("SubagentStop-compaction")
    assert summary.answer.startswith("<analysis>")
    assert summary.key == "a74e2c3c13971d0c4"
    assert told("SubagentStop-subagent") is None


def test_a_failed_turn_is_told():
    assert told("StopFailure").failed == "unknown"


def test_the_turn_ends_of_one_prompt_are_different_events():
    first, second = told("Stop"), told("Stop-active")
    assert not first.again
    assert second.again
    prompt = payload("claude", "Stop")["prompt_id"]
    assert first.key.startswith(prompt)
    same = {**payload("claude", "Stop"), "last_assistant_message": "Another end."}
    assert agent.parse(e.STOP, same).key != first.key
    assert "All done" not in first.key


def test_a_compaction_is_not_known_by_its_prompt_which_may_see_several():
    assert told("PreCompact-auto").key == ""
    again = {**payload("claude", "PostCompact-auto"), "compact_summary": "other"}
    assert agent.parse(e.COMPACTED, again).key != told("PostCompact-auto").key


@pytest.mark.req("X.hook.one-json")
@pytest.mark.parametrize(
    ("event", "verb", "expected"),
    [
        (
            e.START,
            e.CONTEXT,
            {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "t"}},
        ),
        (
            e.PROMPT,
            e.CONTEXT,
            {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "t"}},
        ),
        (e.PROMPT, e.BLOCK, {"decision": "block", "reason": "t"}),
        (e.STOP, e.GO_ON, {"decision": "block", "reason": "t"}),
    ],
)
def test_replies_are_exactly_what_the_event_takes(event, verb, expected):
    assert json.loads(agent.reply(event, verb, "t")) == expected


def test_the_summariser_gets_plain_text_and_the_other_events_nothing():
    assert agent.reply(e.COMPACTING, e.CONTEXT, "keep this") == "keep this"
    for event in (e.STOP, e.SUMMARY, e.COMPACTED, e.END):
        assert agent.reply(event, e.CONTEXT, "t") == ""


@pytest.mark.req("X.context.measure")
def test_context_is_that_of_the_last_answer_with_what_came_from_the_cache():
    def line(**more):
        used = {"input_tokens": 10, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 5}
        said = {"message": {"model": "m", "usage": {**used, "output_tokens": 999}}}
        return json.dumps({"type": "assistant", **said, **more}).encode() + b"\n"

    aside = line(isSidechain=True) + line(isApiErrorMessage=True) + b'{"type":"assistant","mess'
    assert agent.usage(line() + aside) == (35, 0, "m")
    assert agent.usage(aside) is None


def test_a_real_transcript_says_how_full_it_is():
    assert agent.usage(transcript("claude", "transcript-auto-compact.jsonl")).context > 0


def test_limits_are_those_that_were_measured():
    assert agent.CONTEXT_BYTES < 9990
    assert agent.CONTINUES < 8
    assert {hook.event: hook.timeout for hook in agent.HOOKS}["SessionEnd"] <= 60
    (summary,) = [hook for hook in agent.HOOKS if hook.ours == e.SUMMARY]
    assert (summary.event, summary.matcher) == ("SubagentStop", "^$")
    costly = {"MessageDisplay", "PreToolUse", "PostToolUse", "WorktreeCreate", "WorktreeRemove"}
    assert not costly & set(OURS)
