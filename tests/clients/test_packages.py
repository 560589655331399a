"""The packages in the real clients, installed from a clone as their users do it, and taken back."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from html import unescape
from typing import Any

import pytest

from clients import work
from clients.box import Box, ClientFailed, program, require
from clients.driver import Driver, Run, install
from clients.drivers import CLAUDE, CODEX, COPILOT, GEMINI, HEADLESS, OPENCODE
from clients.fake_model import Step
from clients.wires import Reply
from support import ROOT

MARKETPLACES = (".claude-plugin", ".agents", os.path.join(".github", "plugin"))
ADD = {
    CLAUDE: (("plugin", "marketplace", "add", "{clone}"), ("plugin", "install", "leftoff")),
    CODEX: (("plugin", "marketplace", "add", "{clone}"), ("plugin", "add", "leftoff@leftoff")),
    GEMINI: (("extensions", "install", "{clone}/plugins/gemini-cli", "--consent"),),
    COPILOT: (
        ("plugin", "marketplace", "add", "{clone}"),
        ("plugin", "install", "leftoff@leftoff"),
    ),
}
REMOVE = {
    CLAUDE: (("plugin", "uninstall", "leftoff"), ("plugin", "marketplace", "remove", "leftoff")),
    CODEX: (
        ("plugin", "remove", "leftoff@leftoff"),
        ("plugin", "marketplace", "remove", "leftoff"),
    ),
    GEMINI: (("extensions", "uninstall", "leftoff"),),
    COPILOT: (
        ("plugin", "uninstall", "leftoff@leftoff"),
        ("plugin", "marketplace", "remove", "leftoff"),
    ),
}
SAVE = {
    CLAUDE: "leftoff:save",
    CODEX: "leftoff:save",
    GEMINI: "leftoff-save",
    COPILOT: "leftoff-save",
}
"""How the model hears of the skill that saves."""
OPENCODE_PLUGIN = "home/.config/opencode/plugins/leftoff.js"
TROUBLE = re.compile(r"error|fail|warn|denied|MCP issues", re.IGNORECASE)

every_client = pytest.mark.parametrize("driver", HEADLESS, ids=[d.client for d in HEADLESS])


def clone(box: Box) -> str:
    """What `git clone` gives, as far as the clients look at it."""
    place = os.path.join(box.base, "clone")
    for name in (*MARKETPLACES, "plugins"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(os.path.join(ROOT, name), os.path.join(place, name), ignore=ignored)
    return place


def add(box: Box, driver: Driver) -> str:
    """The client in the box, with our package installed by its own commands."""
    require(driver.client, *driver.needs)
    box.state_at_home()
    install(box, driver)
    place = clone(box)
    if driver is OPENCODE:
        with open(os.path.join(place, "plugins/opencode/leftoff.js"), encoding="utf-8") as file:
            box.write(OPENCODE_PLUGIN, file.read())
    else:
        call(box, driver, ADD[driver], place)
    return place


def remove(box: Box, driver: Driver, place: str) -> None:
    if driver is OPENCODE:
        os.remove(os.path.join(box.base, OPENCODE_PLUGIN))
    else:
        call(box, driver, REMOVE[driver], place)


def call(box: Box, driver: Driver, lines: Iterable[tuple[str, ...]], place: str) -> None:
    for words in lines:
        argv = [word.format(clone=place) for word in words]
        done = box.run(program(driver.client), *argv, env=driver.env(box))
        if done.returncode:
            raise ClientFailed(f"{argv}: {done.stdout[-1000:]}{done.stderr[-1000:]}")


def set_up(box: Box, driver: Driver, *more: str) -> str:
    """What `setup` says of the client."""
    (row,) = box.facts("setup", "--yes", "--agent", driver.agent, *more)["agents"]
    return str(row["state"])


def briefs(box: Box) -> int:
    """How often the first request that holds the next action has a text of ours in it."""
    told = box.model.given(work.NEXT)
    assert told, "no request held the next action"
    return unescape(told[0].text).count("<leftoff id=")


def undisturbed(box: Box, run: Run) -> None:
    """Neither person nor model was told of any trouble."""
    said = box.unplaced(run.out + run.err)
    lines = [line for line in said.splitlines() if "leftoff" in line or "MCP" in line]
    assert not [line for line in lines if TROUBLE.search(line)]
    assert not box.model.given("leftoff id=")


NAMES_TOOLS = (CLAUDE, GEMINI, COPILOT)
"""Clients that name every tool of a server to their model, and whose package has one."""


def knows(box: Box, tool: str) -> bool:
    """Whether the model was told of a tool, by its list or by a text."""
    listed = {name for one in box.model.asked for name in one.offered}
    return any(tool in name for name in listed) or bool(box.model.given(tool))


def offers_tools(box: Box, driver: Driver) -> None:
    """The client tells its model of our tools; Copilot CLI goes ahead after ten seconds."""
    if driver in NAMES_TOOLS and not knows(box, "get_next"):
        raise ClientFailed(f"{driver.client} did not wait for the server of its package")


@every_client
def test_a_package_works_is_silent_without_leftoff_and_leaves_nothing(box: Box, driver: Driver):
    place = add(box, driver)
    assert set_up(box, driver) == "plugin"
    work.leave_a_checkpoint(box)
    run = work.do(box, driver)
    work.check(box, driver, run)
    assert briefs(box) == 1
    if driver in SAVE:
        assert box.model.given(SAVE[driver])
        assert box.model.given("保存进度")
    offers_tools(box, driver)
    take_away(box)
    undisturbed(box, work.do(box, driver, prompt="Please work without it."))
    assert not knows(box, "get_next")
    assert not os.path.exists(box.state)
    box.state_at_home()
    remove(box, driver, place)
    assert box.facts("setup", "--dry-run", "--agent", driver.agent)["agents"][0]["state"] == "new"


def take_away(box: Box) -> None:
    """leftoff as if it had never been installed on this machine."""
    os.remove(os.path.join(box.bin, "leftoff"))
    shutil.rmtree(box.state)
    box.model.asked.clear()


@pytest.mark.parametrize("driver", [CLAUDE, GEMINI], ids=["claude", "gemini"])
def test_beside_the_hooks_of_setup_every_event_counts_once(box: Box, driver: Driver):
    require(driver.client, *driver.needs)
    box.state_at_home()
    install(box, driver)
    assert set_up(box, driver) == "new"
    call(box, driver, ADD[driver], clone(box))
    assert set_up(box, driver) == "plugin"
    work.leave_a_checkpoint(box)
    run = work.do(box, driver)
    work.check(box, driver, run)
    assert briefs(box) == 1
    found = box.leftoff("doctor").stdout
    assert "calls leftoff through its plugin and the hooks in" in found


def test_doctor_knows_hooks_of_a_plugin_by_the_names_that_codex_has_for_them(box: Box):
    add(box, CODEX)
    assert set_up(box, CODEX) == "plugin"
    ours = [each for each in codex_hooks(box) if each["pluginId"]]
    assert {each["trustStatus"] for each in ours} == {"untrusted"}
    config = os.path.join(box.home, ".codex", "config.toml")
    assert untrusted(box) == [config]
    with open(config, "a", encoding="utf-8") as file:
        for each in ours:
            own, _, content = each["currentHash"].partition("/")
            file.write(f'\n[hooks.state."{each["key"]}"]\ntrusted_hash = "{own}"\n')
            file.write(f'trusted_content_hash = "{content}"\n')
    ours = [each for each in codex_hooks(box) if each["pluginId"]]
    assert {each["trustStatus"] for each in ours} == {"trusted"}
    assert untrusted(box) == []


def test_doctor_sees_that_a_hook_changed_since_codex_was_told_to_trust_it(box: Box):
    require(CODEX.client, *CODEX.needs)
    install(box, CODEX)
    assert set_up(box, CODEX) == "new"
    config, file = (
        os.path.join(box.home, ".codex", name) for name in ("config.toml", "hooks.json")
    )
    marks = "".join(
        f'\n[hooks.state."{each["key"]}"]\ntrusted_hash = "{each["currentHash"]}"\n'
        for each in codex_hooks(box)
    )
    with open(config, "a", encoding="utf-8") as opened:
        opened.write(marks)
    assert {each["trustStatus"] for each in codex_hooks(box)} == {"trusted"}
    assert untrusted(box) == []
    with open(file, encoding="utf-8") as opened:
        text = opened.read()
    for old, new in (("codex start 2", "codex start  2"), ("codex end 2", "codex end 2>&1 2")):
        assert old in text
        text = text.replace(old, new)
    with open(file, "w", encoding="utf-8") as opened:
        opened.write(text)
    modified = [one["eventName"] for one in codex_hooks(box) if one["trustStatus"] == "modified"]
    assert sorted(modified) == ["sessionEnd", "sessionStart"]
    (found,) = (
        each
        for each in json.loads(box.leftoff("doctor", "--json").stdout)["findings"]
        if each["slug"] == "hook-untrusted"
    )
    assert found["text"].endswith("since it was trusted: SessionStart, SessionEnd")


def untrusted(box: Box) -> list[str]:
    found = json.loads(box.leftoff("doctor", "--json").stdout)["findings"]
    return [each["where"] for each in found if each["slug"] == "hook-untrusted"]


def codex_hooks(box: Box) -> list[dict[str, Any]]:
    """The hooks as the client itself lists them."""
    client = {"name": "leftoff-tests", "title": "tests", "version": "1"}
    asked = (
        {"id": 1, "method": "initialize", "params": {"clientInfo": client}},
        {"method": "initialized"},
        {"id": 2, "method": "hooks/list", "params": {"cwds": [box.repo]}},
    )
    process = box.start(program("codex"), "app-server", env=CODEX.env(box), stdin=subprocess.PIPE)
    with process:
        assert process.stdin
        assert process.stdout
        process.stdin.write("".join(json.dumps(each) + "\n" for each in asked))
        process.stdin.flush()
        answers = (json.loads(line) for line in process.stdout if line.startswith("{"))
        told = next(each for each in answers if each.get("id") == 2)
        process.kill()
    (here,) = told["result"]["data"]
    return list(here["hooks"])


@pytest.mark.req("A.dist.skill-file")
@pytest.mark.parametrize("driver", [CLAUDE, CODEX, OPENCODE], ids=["claude", "codex", "opencode"])
def test_the_skills_that_setup_writes_are_listed_once(box: Box, driver: Driver):
    require(driver.client, *driver.needs)
    install(box, driver)
    set_up(box, driver, "--skills")
    prompt = "Which skills are there?"
    box.model.script(Step(Reply("Those."), prompt=prompt))
    driver.run(box, prompt, *work.trusting(driver))
    (told,) = [asked for asked in box.model.given(prompt) if "leftoff-save" in asked.text]
    assert told.text.count("Save where the work stands") == 1
    assert box.leftoff("uninstall").returncode == 0
    assert not [path for path in box.files() if "leftoff-save" in path]
