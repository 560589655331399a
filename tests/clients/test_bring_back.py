"""A client deleted a session: leftoff's copy is put back, and the client itself resumes it."""

from __future__ import annotations

import glob
import os

import pytest

from clients import work
from clients.box import Box, require
from clients.driver import Driver, install
from clients.drivers import CLAUDE, CODEX, COPILOT, GEMINI
from clients.fake_model import Step
from clients.wires import Reply

LOGS = {
    CLAUDE: ".claude/projects/*/*.jsonl",
    CODEX: ".codex/sessions/*/*/*/*.jsonl",
    GEMINI: ".gemini/tmp/*/chats/*.jsonl",
    COPILOT: ".copilot/session-state/*/events.jsonl",
}
SECRET = "ghp_" + "a1B2c3D4e5" * 4
ASKED = f"Remember the word albatross, and the token {SECRET}."
AGAIN = "Which word was it?"


def logs(box: Box, driver: Driver) -> list[str]:
    return glob.glob(os.path.join(box.home, LOGS[driver]))


@pytest.mark.parametrize("driver", LOGS, ids=lambda driver: driver.client)
def test_a_deleted_session_is_resumed_from_the_archive(box: Box, driver: Driver):
    require(driver.client, *driver.needs)
    install(box, driver)
    first = work.do(box, driver, prompt=ASKED)
    (path,) = logs(box, driver)
    copied = box.facts("session", "archive")
    assert [one["id"] for one in copied["copied"]] == [first.session]
    os.remove(path)
    back = box.facts("session", "archive", first.session, "--bring-back")
    assert back["back"] == [{"path": path, "new": True}]
    before = len(box.model.asked)
    box.model.script(Step(Reply("It was albatross."), prompt=AGAIN, times=9))
    again = driver.go_on(box, first, AGAIN, *work.trusting(driver))
    assert "albatross" in again.out
    asked = next(each for each in box.model.asked[before:] if each.offered and AGAIN in each.text)
    assert "Remember the word albatross, and the token [redacted:" in asked.text
    assert work.ANSWER in asked.text
    assert SECRET not in asked.text
