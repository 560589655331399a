"""Work is handed over to a real client: leftoff starts it, and the brief reaches its model."""

from __future__ import annotations

import os

import pytest

from clients import work
from clients.box import Box, ClientFailed, require, wait_for
from clients.driver import Driver, install
from clients.drivers import CLAUDE, HEADLESS
from clients.fake_model import Step
from clients.terminal import terminal
from clients.wires import Reply

every_client = pytest.mark.parametrize("driver", HEADLESS, ids=[d.client for d in HEADLESS])
FIRST = "Continue chk-tokens of the project"


def prepared(box: Box, driver: Driver) -> None:
    require(driver.client, *driver.needs)
    install(box, driver)
    work.leave_a_checkpoint(box)
    box.model.script(Step(Reply(work.ANSWER), prompt=FIRST, times=9))


@every_client
def test_a_client_is_started_with_the_brief_and_works_to_the_end(box: Box, driver: Driver):
    prepared(box, driver)
    words = ("handoff", "chk-tokens", "--to", driver.agent, "--headless", "--yes")
    done = box.run(os.path.join(box.bin, "leftoff"), *words, env=driver.env(box))
    if done.returncode:
        raise ClientFailed(f"{driver.client} ended with {done.returncode}: {done.stderr[-3000:]}")
    assert work.ANSWER in done.stdout
    (told, *_) = box.model.given(FIRST)
    for said in (work.NEXT, "checkpoints/active/chk-tokens.md", "How to continue:", "branch main"):
        assert said in told.text


def test_a_person_hands_over_at_a_terminal(box: Box):
    prepared(box, CLAUDE)
    argv = (os.path.join(box.bin, "leftoff"), "handoff", "chk-tokens", "--to", "claude-code")
    with terminal(box, *argv, "--yes", env=CLAUDE.env(box)) as screen:
        wait_for("the brief", lambda: box.model.given(FIRST))
        wait_for("the answer", lambda: "isdone" in screen.drawn.replace(" ", ""))
    assert work.NEXT in box.model.given(FIRST)[0].text
