"""A real hub of Hapi: the next session and its hand-off, long conversations, ids that change."""

from __future__ import annotations

import glob
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from clients import hapi_cli, work
from clients.box import Box, ClientFailed, program, require, wait_for, wait_for_us
from clients.drivers import CLAUDE
from clients.fake_model import Step
from clients.hapi import TOKEN, Hapi, hapi, hub
from clients.loopback import inside
from clients.wires import Call, Reply
from leftoff import commands
from leftoff.commands._hapi import conversation
from leftoff.core.model import Item
from leftoff.world.hapi_hub import Hub
from leftoff.world.hapi_wire import Gone, HapiError, Wire
from leftoff.world.place import find_place
from leftoff.world.store import Store

CLIENT = "22222222-2222-4222-8222-222222222222"
MACHINE = "machine-of-the-test"
STEP = "Write the middleware"


class Play:
    """The program of Hapi, played: a machine and sessions without agents."""

    def __init__(self, box: Box, running: Hapi) -> None:
        argv = (sys.executable, hapi_cli.__file__, running.url, TOKEN)
        pipes: Any = {"stdin": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = box.start(*argv, **pipes)

    def __call__(self, wish: str, **given: Any) -> Any:
        talk = self._process
        assert talk.stdin
        assert talk.stdout
        talk.stdin.write(json.dumps([wish, given]) + "\n")
        talk.stdin.flush()
        return json.loads(talk.stdout.readline())

    def close(self) -> None:
        if self._process.stdin:
            self._process.stdin.close()


def about(**more: str) -> dict[str, str]:
    return {"path": "/repo", "machineId": MACHINE, "claudeSessionId": CLIENT, **more}


def user(text: str) -> Any:
    return {"role": "user", "content": {"type": "text", "text": text}, "meta": {"sentFrom": "cli"}}


def agent(text: str) -> Any:
    message = {
        "role": "assistant",
        "id": f"msg_{text}",
        "content": [{"type": "text", "text": text}],
    }
    line = {"type": "assistant", "uuid": text, "isSidechain": False, "message": message}
    return {"role": "agent", "content": {"type": "output", "data": line}}


def ours(running: Hapi, sleep: Callable[[float], None] | None = None) -> Hub:
    line = Wire(running.url, TOKEN)
    return Hub(line, sleep=sleep) if sleep else Hub(line)


def call(box: Box, running: Hapi) -> commands.Call:
    """A command that a client under Hapi runs."""
    store = Store(find_place(box.repo, box.home), box.state)
    args = SimpleNamespace(tools="mcp__hapi__change_title")
    return commands.Call(args, store, 1_786_000_000.0, running.env, box.repo)


def heard(box: Box, running: Hapi, entry: Item) -> list[str]:
    """The texts of a conversation, as leftoff gets them."""
    return inside(lambda: [turn.text for turn in conversation(call(box, running), entry)])


def texts(count: int) -> list[str]:
    return [f"{'asked' if at % 2 else 'said'}-{at}" for at in range(1, count + 1)]


def seeded(play: Play, running: Hapi, count: int, tag: str = "one") -> str:
    """A session with so many messages, all of which the hub has."""
    name = play("session", tag=tag, metadata=about())
    play(
        "say",
        name=name,
        messages=[(user if "asked" in one else agent)(one) for one in texts(count)],
    )
    wait_for("the messages", lambda: stored(running, name) == count)
    return str(name)


def stored(running: Hapi, name: str) -> int:
    """How many messages the hub has counted."""
    page = running.ask("GET", f"/api/sessions/{name}/messages?limit=1")["page"]
    return int(page["snapshotHeadSeq"] or 0)


@pytest.fixture
def stage(box: Box):
    require("hapi")
    with hub(box, box.env()) as running:
        play = Play(box, running)
        yield running, play
        play.close()


@pytest.mark.req("E.archive.file", "E.hapi.paging")
def test_a_conversation_of_several_pages_comes_whole_and_in_order(box: Box, stage):
    running, play = stage
    name = seeded(play, running, 250)
    assert heard(box, running, Item("", name)) == texts(250)
    entry = {"seq": 1, "hapiSessionId": name, "name": "first", "active": True}
    known = {"threadId": "thread-1", "name": "Tokens", "sessions": [entry]}
    box.write("project/.checkpoints/threads/thread-1/thread.json", known)
    argv = (os.path.join(box.bin, "leftoff"), "thread", "archive", "#1", "thread-1")
    done = box.run(*argv, "--tools", "mcp__hapi__change_title", "--json", env=running.env)
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)["data"]
    with open(os.path.join(box.repo, told["file"]), encoding="utf-8") as file:
        page = file.read().splitlines()
    assert [line for line in page if line in texts(250)] == texts(250)


@pytest.mark.req("E.archive.gone")
def test_a_session_that_was_resumed_under_another_id_is_followed(box: Box, stage):
    running, play = stage
    play("machine", name=MACHINE)
    wait_for("the machine", running.machine)
    before = seeded(play, running, 120)
    wait_for("the session", lambda: running.session(before)["active"])
    play("end", name=before)
    wait_for("its end", lambda: not running.session(before)["active"])
    play("starts", tag="two", metadata=about())
    answer = running.ask("POST", f"/api/sessions/{before}/resume", {})
    assert answer["type"] == "success"
    after = answer["sessionId"]
    assert after != before
    wait_for("the messages", lambda: stored(running, after) >= 120)
    with pytest.raises(Gone):
        inside(ours(running).session, before)
    assert heard(box, running, Item("", before, {"agentSessionId": CLIENT}))[:120] == texts(120)
    with pytest.raises(Gone):
        heard(box, running, Item("", before, {"agentSessionId": "of-nobody"}))


@pytest.mark.req("E.hapi.spawn", "E.hapi.idempotent", "E.hapi.auth")
def test_a_started_session_gets_a_message_once_however_often_it_is_sent(stage):
    running, play = stage
    play("machine", name=MACHINE)
    wait_for("the machine", running.machine)
    play("starts", tag="new", metadata=about())
    there = ours(running)
    assert inside(there.has, MACHINE, "/repo")
    name = inside(there.spawn, MACHINE, "/repo", "claude")
    assert inside(there.wait_active, name).client == (CLIENT,)
    for _ in range(3):
        inside(there.send, name, "the hand-off", "leftoff-1")
    there._line._login = "no-longer-valid"
    inside(there.send, name, "the hand-off", "leftoff-1")
    found = inside(there.messages, name)
    assert [one["content"]["content"]["text"] for one in found] == ["the hand-off"]


@pytest.mark.req("E.hapi.spawn")
def test_a_message_to_a_session_that_is_not_active_yet_arrives(stage):
    running, play = stage
    name = play("session", tag="late", metadata=about(), open=False)
    opened: list[str] = []

    def open_it(_: float) -> None:
        if not opened:
            opened.append(name)
            play("open", name=name)
        time.sleep(0.02)

    inside(ours(running, open_it).send, name, "hello", "leftoff-1")
    assert opened
    assert '"hello"' in running.messages(name)


@pytest.mark.req("E.hapi.spawn", "E.hapi.down")
def test_what_a_real_hub_refuses_is_one_kind_of_error(stage):
    running, _ = stage
    with pytest.raises(HapiError, match="does not accept the token"):
        inside(Hub(Wire(running.url, "wrong")).machines)
    for ask in (ours(running).session, ours(running).messages):
        with pytest.raises(Gone):
            inside(ask, "nobody")
    with pytest.raises(HapiError):
        inside(ours(running).spawn, "no-machine", "/repo", "claude")


@pytest.mark.req("E.save.handoff", "E.hapi.swap", "E.env.rule")
def test_a_session_under_hapi_saves_and_the_next_one_gets_the_hand_off(box: Box):
    require("hapi")
    box.install("hapi")
    work.prepare(box, CLAUDE)
    command = f"leftoff save 'Tokens are signed.' --next '{STEP}' --new-session y --json"
    save = Call("Bash", {"command": command, "description": "save", "timeout": 600_000})
    box.model.script(
        Step(Reply("Saving.", (save,)), prompt="PLEASE-SAVE"),
        Step(Reply("Saved it."), after=save.tool, text="PLEASE-SAVE"),
        Step(Reply("I go on."), prompt=f"First step: [P1] {STEP}"),
    )
    env = CLAUDE.env(box) | {"HAPI_CLAUDE_PATH": program("claude"), "IS_SANDBOX": "1"}
    with hapi(box, env) as running:
        machine = wait_for("the runner", running.machine)
        old = running.spawn(machine, box.repo, "claude")
        wait_for("the session", lambda: running.session(old)["active"])
        running.send(old, "PLEASE-SAVE")
        wait_for("the answer", lambda: "Saved it." in running.messages(old))
        if "did not start the session" in running.messages(old):
            raise ClientFailed("Hapi's runner did not start the session")
        (new,) = wait_for_us("the new session", lambda: _active(box, old))
        wait_for("its answer", lambda: "I go on." in running.messages(new))
        told = running.messages(new)
        assert heard(box, running, Item("", old))[0] == "PLEASE-SAVE"
        for name in (new, old):
            running.archive(name)
    assert told.count("<leftoff id=handoff>") == 1
    for part in (".checkpoints/current", "CHECKPOINT.md", "git status", "CHECKPOINT_COMPLETE"):
        assert part in told
    assert box.model.given(f"First step: [P1] {STEP}")
    assert TOKEN.encode() not in b"".join(
        content for path, content in box.files().items() if "/.hapi/" not in path
    )


def _active(box: Box, old: str) -> list[str]:
    """The sessions that thread.json has as active, once that is no longer the old one."""
    (path,) = glob.glob(os.path.join(box.repo, ".checkpoints", "threads", "*", "thread.json"))
    with open(path, encoding="utf-8") as file:
        found = [one["hapiSessionId"] for one in json.load(file)["sessions"] if one.get("active")]
    assert len(found) <= 1
    return found if found != [old] else []
