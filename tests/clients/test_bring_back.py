"""A client deleted a session: leftoff has a copy, and the client itself resumes from it."""

from __future__ import annotations

import glob
import json
import os

import pytest

from clients import work
from clients.box import Box, require, wait_for_us
from clients.driver import Driver, install
from clients.drivers import CLAUDE, CODEX, COPILOT, GEMINI
from clients.fake_model import Step
from clients.wires import Reply
from leftoff.world import archive

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


def test_a_session_that_nobody_archived_outlives_its_transcript(box: Box):
    work.prepare(box, CLAUDE)
    asked = "Write down what the quokka does."
    done = work.do(box, CLAUDE, prompt=asked, LEFTOFF_ARCHIVE="on")
    (path,) = logs(box, CLAUDE)
    before = work.info(box, CLAUDE, done.session)

    def copied() -> bool:
        copies = archive.copies(box.state, CLAUDE.agent, done.session)
        return any(work.ANSWER.encode() in line for one in copies for line in archive.lines(one))

    wait_for_us("the copy of the session", copied)
    os.remove(path)
    told = work.info(box, CLAUDE, done.session)
    assert told["tokensConsumed"] == before["tokensConsumed"]
    assert told["filesModified"] == before["filesModified"]
    found = box.facts("search", "quokka")["hits"]
    assert done.session in json.dumps(found)
    drafted = box.facts("recover", done.session, "--dry-run")
    assert asked in json.dumps(drafted)


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
