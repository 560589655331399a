"""What holds for every adapter: its shape, its imports' lightness, and that no payload harms it."""

from __future__ import annotations

import ast
import json
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.captured import hostile, json_values
from leftoff import agents
from leftoff.core import event as e
from leftoff.core.caller import CLIENTS
from leftoff.core.event import ParsedPayload, Usage
from support import ROOT

ADAPTERS = [agents.load(name) for name in agents.names()]
NAMES = [one.NAME for one in ADAPTERS]
HOOKED = [one for one in ADAPTERS if one.HOOKS]
VERBS = (e.CONTEXT, e.BLOCK, e.GO_ON)

by_name = pytest.mark.parametrize("agent", ADAPTERS, ids=NAMES)


def test_a_client_is_found_by_its_file_and_called_like_it():
    assert {"claude-code", "gemini-cli"} <= set(NAMES)
    assert agents.names() == NAMES


def protocol() -> set[str]:
    """The names of `agents.Agent`, which exists for type checkers alone."""
    with open(agents.__file__, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    (whole,) = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and n.name == "Agent"]
    fields = [n.target.id for n in whole.body if isinstance(n, ast.AnnAssign)]
    return {*fields, *(n.name for n in whole.body if isinstance(n, ast.FunctionDef))}


@by_name
def test_an_adapter_defines_every_name_of_the_protocol(agent):
    wanted = protocol()
    assert {"NAME", "EXPORT_VARIABLE", "parse"} <= wanted <= set(vars(agent))
    assert agent.NAME in NAMES
    assert all(hook.ours in e.EVENTS for hook in agent.HOOKS)


@by_name
def test_a_client_is_known_by_its_processes_as_its_adapter_says(agent):
    known = next((one for one in CLIENTS if one.agent == agent.NAME), None)
    assert known, "core/caller.py has no row for it"
    assert agent.PROGRAM in known.programs
    told = {agent.SESSION_VARIABLE, agent.PID_VARIABLE, agent.ENTRY_VARIABLE} - {""}
    assert told <= set(known.markers)


@by_name
def test_a_client_is_begun_by_its_own_program_with_the_prompt_last(agent):
    for words in (agent.BEGIN, agent.BEGIN_HEADLESS):
        assert bool(words) == bool(agent.HOOKS)
        assert words[:1] in {(), (agent.PROGRAM,)}
        assert words[-1:] in {(), ("{prompt}",)}
    assert agent.BEGIN != agent.BEGIN_HEADLESS or not agent.BEGIN


def texts(record):
    return [field for field in record if isinstance(field, str)]


@by_name
@given(payload=hostile, event=st.sampled_from(e.EVENTS))
def test_no_payload_raises_and_every_field_has_its_type(agent, payload, event):
    told = agent.parse(event, payload)
    if told is None:
        return
    plain = ParsedPayload("")
    assert [type(field) for field in told] == [type(field) for field in plain]
    assert "\0" not in told.cwd + told.transcript
    (told.cwd + told.transcript).encode()
    assert told.context >= 0
    assert told.window >= 0


@by_name
@given(lines=st.lists(json_values, max_size=4), torn=st.binary(max_size=30))
def test_no_transcript_raises(agent, lines, torn):
    marks = b'"assistant" "token_count" "tokens" "session.usage_record"'
    tail = torn + marks + b"\n" + b"\n".join(json.dumps(one).encode() for one in lines) + marks
    assert agent.usage(tail) is None or isinstance(agent.usage(tail), Usage)


@by_name
def test_a_reply_is_one_json_object_or_nothing(agent):
    for event in e.EVENTS:
        for verb in VERBS:
            said = agent.reply(event, verb, 'a "text"\nof two lines, 中文')
            plain = (agent.NAME, event) == ("claude-code", e.COMPACTING)
            assert said == "" or plain or isinstance(json.loads(said), dict)


@by_name
def test_only_a_prompt_is_refused_and_only_a_turn_goes_on(agent):
    for event in e.EVENTS:
        assert event == e.PROMPT or agent.reply(event, e.BLOCK, "no") == ""
        assert event == e.STOP or agent.reply(event, e.GO_ON, "go") == ""


OURS = "<leftoff id=x1>\nthe brief\n</leftoff>"


@pytest.mark.parametrize("agent", HOOKED, ids=[one.NAME for one in HOOKED])
def test_our_own_text_is_cut_out_of_a_prompt(agent):
    told = agent.parse(e.PROMPT, {"prompt": f"{OURS}\n\nplease go on {OURS}", "session_id": "s"})
    assert told is not None
    assert told.prompt == "please go on"
    odd = agent.parse(e.PROMPT, {"prompt": "what does <leftoff id= mean?"})
    assert odd is not None
    assert odd.prompt == "what does <leftoff id= mean?"


RETURNS_TEXT = [one for one in HOOKED if one.NAME != "opencode"]


@pytest.mark.parametrize("agent", RETURNS_TEXT, ids=[one.NAME for one in RETURNS_TEXT])
def test_a_prompt_that_is_only_our_own_is_none(agent):
    assert agent.parse(e.PROMPT, {"prompt": OURS}) is None
    assert agent.parse(e.STOP, {"prompt": OURS}) is not None


@by_name
def test_the_page_on_clients_says_what_the_adapter_says(agent):
    with open(os.path.join(ROOT, "docs", "agents.md"), encoding="utf-8") as file:
        page = file.read()
    own = agent.SETTINGS
    names = [hook.event for hook in agent.HOOKS] + [own.variable] * bool(agent.HOOKS)
    assert not [name for name in names if f"`{name}`" not in page]
    assert f"`{agent.NAME}`" in page
    part = page.partition(f"### {agent.TITLE}\n\n")[2].partition("\n\n")[0]
    assert part.splitlines() == [f"- {sentence}" for sentence in agent.CANNOT]
    assert own.file in page
    assert own.project in page
