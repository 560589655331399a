"""Every client that runs from a command line: set up, work, account, clean up."""

from __future__ import annotations

import json
import os
import shutil
from html import unescape

import pytest

from clients import work
from clients.box import Box
from clients.driver import Driver
from clients.drivers import CLAUDE, CODEX, COPILOT, GEMINI, HEADLESS

every_client = pytest.mark.parametrize("driver", HEADLESS, ids=[d.client for d in HEADLESS])


@every_client
def test_a_session_is_accounted_for_without_anybody_telling(box: Box, driver: Driver):
    work.prepare(box, driver)
    run = work.do(box, driver)
    work.check(box, driver, run)


@every_client
def test_uninstall_gives_back_the_settings_byte_for_byte(box: Box, driver: Driver):
    before = work.prepare(box, driver)
    after = box.files()
    written = {path for path in {*before, *after} if before.get(path) != after.get(path)}
    assert written, "setup wrote nothing"
    work.do(box, driver)
    done = box.leftoff("uninstall")
    assert done.returncode == 0, done.stdout + done.stderr
    now = box.files()
    assert {path: now.get(path) for path in written} == {path: before.get(path) for path in written}
    again = work.do(box, driver, prompt="Please work without it.")
    assert "leftoff" not in box.unplaced(again.out + again.err)


@every_client
def test_the_next_action_reaches_the_model_when_a_session_starts(box: Box, driver: Driver):
    work.prepare(box, driver)
    work.leave_a_checkpoint(box)
    work.do(box, driver)
    told = box.model.given(work.NEXT)
    assert told, "no request held the next action"
    # Gemini gives its model what hooks say with the marks escaped.
    before, _, rest = unescape(told[0].text).partition("<leftoff id=")
    inside, end, _ = rest.partition("</leftoff>")
    assert end
    assert work.NEXT in inside
    assert work.NEXT not in before


@every_client
def test_a_session_that_goes_on_stays_one_session(box: Box, driver: Driver):
    work.prepare(box, driver)
    first = work.do(box, driver)
    again = driver.go_on(box, first, "And now?", *work.trusting(driver))
    assert again.session == first.session
    facts = work.info(box, driver, first.session)
    assert facts["prompts"] == 2
    assert [each["id"] for each in work.listed(box)] == [first.session]


@every_client
def test_a_client_goes_on_when_leftoff_is_broken_or_gone(box: Box, driver: Driver):
    package = box.own_package()
    work.prepare(box, driver)
    shutil.rmtree(package)
    undisturbed(box, driver, "the package is gone")
    os.remove(os.path.join(box.state, "hook", "launch.py"))
    undisturbed(box, driver, "the launcher is gone")
    shutil.rmtree(box.state)
    box.write("state", "a file where the state folder was")
    undisturbed(box, driver, "the state folder is a file")


def undisturbed(box: Box, driver: Driver, why: str) -> None:
    """The session does its work, and neither person nor model hears of leftoff."""
    box.model.asked.clear()
    run = work.do(box, driver, prompt=f"Please work although {why}.")
    said = run.out + run.err + "".join(asked.text for asked in box.model.asked)
    assert "leftoff" not in box.unplaced(said), why


def no_hooks(box: Box, driver: Driver) -> None:
    """The client's own switch for all hooks, which is off."""
    if driver is CODEX:
        path = os.path.join(box.home, ".codex", "config.toml")
        with open(path, "a", encoding="utf-8") as file:
            file.write("\n[features]\nhooks = false\n")
    elif driver is GEMINI:
        box.write("project/.gemini/settings.json", {"hooksConfig": {"enabled": False}})
    elif driver is COPILOT:
        path = os.path.join(box.home, ".copilot", "hooks", "leftoff.json")
        with open(path, encoding="utf-8") as file:
            box.write(
                "home/.copilot/hooks/leftoff.json", json.load(file) | {"disableAllHooks": True}
            )
    else:
        box.write("project/.claude/settings.json", {"disableAllHooks": True})


@pytest.mark.parametrize("driver", [CLAUDE, CODEX, GEMINI, COPILOT], ids=lambda each: each.client)
def test_a_client_that_runs_no_hooks_at_all_is_not_taken_for_one_that_calls(
    box: Box, driver: Driver
):
    work.prepare(box, driver)
    work.leave_a_checkpoint(box)
    no_hooks(box, driver)
    work.do(box, driver)
    assert not box.model.given("leftoff id=")
    found = json.loads(box.leftoff("doctor", "--json").stdout)["findings"]
    slugs = [each["slug"] for each in found]
    assert "hook-off" in slugs
    assert "hook-active" not in slugs


@every_client
def test_switched_off_leftoff_hears_and_says_nothing(box: Box, driver: Driver):
    work.prepare(box, driver)
    work.leave_a_checkpoint(box)
    work.do(box, driver, LEFTOFF="off")
    assert not box.model.given("leftoff id=")
    assert not os.path.exists(os.path.join(box.state, "sessions", driver.agent))
