"""OpenCode's contract: the plugin, driven as OpenCode drives it, against the adapter that reads it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess

import pytest

from leftoff import agents
from leftoff.agents import opencode as agent
from leftoff.core import event as e
from leftoff.world import hook_registration
from support import ROOT

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is absent")

RUN = """\
#!/bin/sh
cat > "{folder}/$(date +%s%N)-$2.json"
[ "$2" = stop ] || printf '{{"context":"text of %s"}}' "$2"
"""


@pytest.fixture
def folder(tmp_path):
    place = tmp_path / "state" / "hook"
    place.mkdir(parents=True)
    return place


def plugin(tmp_path, run: str) -> str:
    path = tmp_path / "leftoff.mjs"
    path.write_text(
        hook_registration.registered(agents.load("opencode"), "", lambda _: run), "utf-8"
    )
    return str(path)


def driven(tmp_path, run: str):
    """What the plugin gave to OpenCode."""
    host = os.path.join(ROOT, "tests", "agents", "opencode_host.mjs")
    words = [NODE, host, plugin(tmp_path, run), str(tmp_path)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=300, check=True)
    return json.loads(done.stdout)


def called(folder):
    """(event, payload) of each call, in order."""
    names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    return [
        (
            name.partition("-")[2].removesuffix(".json"),
            json.loads((folder / name).read_text("utf-8")),
        )
        for name in names
    ]


@needs_node
def test_the_plugin_tells_of_sessions_in_payloads_that_the_adapter_reads(tmp_path, folder):
    run = folder / "run"
    run.write_text(RUN.format(folder=folder), "utf-8")
    run.chmod(0o700)
    given = driven(tmp_path, str(run))
    calls = called(folder)
    told = [(event, agent.parse(event, payload)) for event, payload in calls]
    assert [(event, one.session) for event, one in told] == [
        (e.START, "ses_1"),
        (e.PROMPT, "ses_1"),
        (e.STOP, "ses_1"),
        (e.START, "resumed"),
        (e.PROMPT, "resumed"),
        (e.COMPACTING, "ses_1"),
        (e.COMPACTED, "ses_1"),
    ]
    assert {one.cwd for _, one in told} == {str(tmp_path)}
    start, prompt, stop, resumed, _, compacting, compacted = (one for _, one in told)
    assert (start.source, resumed.source) == ("startup", "resume")
    assert (prompt.prompt, prompt.key, prompt.mode) == ("hello", "msg_1", "build")
    assert (stop.answer, stop.context, stop.window, stop.model) == ("the answer", 106, 1000, "m")
    assert stop.key.startswith("msg_2.")
    assert compacting.key == "msg_2"
    assert (compacted.key, compacted.context, compacted.answer) == ("msg_6", 0, "the summary")
    assert given["first"] == ["text of start", "text of prompt"]
    assert len(given["title"]) == 1, "nothing of ours"
    assert given["last"] == ["text of compacted", "text of prompt"]
    assert given["child"] == []
    assert given["compacting"] == ["text of compacting"]
    assert given["env"] == {"LEFTOFF_SESSION": "opencode/ses_1"}


@needs_node
@pytest.mark.parametrize("script", [None, "exit 3", "echo no JSON", "printf '{\"context\": 5}'"])
def test_a_hook_that_is_gone_or_broken_is_silence(tmp_path, folder, script):
    run = folder / "run"
    if script:
        run.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        run.chmod(0o700)
    given = driven(tmp_path, str(run))
    assert given["first"] == given["last"] == given["compacting"] == []


def test_replies_are_what_the_plugin_understands():
    for event in (e.START, e.PROMPT, e.COMPACTING, e.COMPACTED):
        assert json.loads(agent.reply(event, e.CONTEXT, "t")) == {"context": "t"}
    assert agent.reply(e.PROMPT, e.BLOCK, "t") == ""
    assert agent.reply(e.STOP, e.GO_ON, "t") == ""


def test_a_subagent_is_no_session():
    assert agent.parse(e.PROMPT, {"session": "s", "parent": "p"}) is None


def test_the_plugin_waits_as_long_as_the_adapter_says():
    with open(os.path.join(agents.__path__[0], agent.PLUGIN), encoding="utf-8") as file:
        (line,) = [line for line in file if line.startswith("const SECONDS")]
    said = dict(part.split(": ") for part in line.partition("{ ")[2].partition(" }")[0].split(", "))
    assert said == {hook.ours: str(hook.timeout) for hook in agent.HOOKS}
