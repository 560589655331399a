"""A session is killed in the middle of its work and nobody saved: the next one goes on, in any client."""

from __future__ import annotations

import os
import re
import signal
from threading import Event

import pytest

from clients import work
from clients.box import Box, end, wait_for
from clients.driver import Driver
from clients.drivers import CLAUDE, CODEX, GEMINI
from clients.fake_model import Step
from clients.wires import Call, Reply

INTENT = "Make the login limit configurable for every tenant"
FILE, CHECK = "limits.txt", "sh check-limits.sh"
DONE, NEXT = "Read how limits are stored", "Write the page about login limits"
FRESH = "Please go on where we stopped."


def plan(box: Box) -> list[Step]:
    """A to-do list, a command that fails, an edit; then the model thinks until the client is dead."""
    tools = Call("ToolSearch", {"query": "select:TaskCreate,TaskUpdate"})
    first = Call("TaskCreate", {"subject": DONE, "description": DONE})
    second = Call("TaskCreate", {"subject": NEXT, "description": NEXT})
    did = Call("TaskUpdate", {"taskId": "1", "status": "completed"})
    edit = CLAUDE.edit(box, FILE, "limit = 5\n")
    return [
        Step(Reply(calls=(tools,)), prompt=INTENT),
        Step(Reply("I make a list.", (first, second)), after="ToolSearch"),
        Step(Reply("Now the check.", (did, CLAUDE.shell(CHECK))), after="TaskCreate"),
        Step(Reply("It fails. I set the limit.", (edit,)), after="Bash"),
    ]


def stop_in_the_middle(box: Box) -> None:
    """Claude Code at work, killed with -9 after the edit."""
    box.write("project/check-limits.sh", "echo the limit is not set >&2\nexit 3\n")
    never = Event()
    box.model.script(*plan(box), Step(Reply("Too late.", hold=never), after="Write"))
    process = CLAUDE.start(box, INTENT, "--allowedTools", "TaskCreate,TaskUpdate,Bash,Write")
    wait_for("the request after the edit", lambda: len(box.model.asked) == 5)
    wait_for("the edit in the transcript", lambda: results(box) == 6)
    end(process, signal.SIGKILL)
    never.set()
    assert os.path.isfile(os.path.join(box.repo, FILE))


def results(box: Box) -> int:
    """Results of tools that Claude Code has written down; it does so a little later than it acts."""
    found = box.files()
    logs = [found[path] for path in found if "/.claude/projects/" in path]
    return b"".join(logs).count(b'"type":"tool_result"')


def given(box: Box, driver: Driver) -> str:
    """What leftoff says in the first request of a fresh session."""
    before = len(box.model.asked)
    box.model.script()
    driver.run(box, FRESH, *work.trusting(driver))
    asked = next(each for each in box.model.asked[before:] if each.offered and FRESH in each.text)
    return "".join(re.findall(r"<leftoff id=.*?</leftoff>\n", asked.text, re.DOTALL))


@pytest.mark.parametrize("driver", [CLAUDE, CODEX, GEMINI], ids=lambda each: each.client)
def test_the_next_session_knows_what_a_killed_one_was_at(box: Box, driver: Driver):
    work.prepare(box, CLAUDE)
    if driver is not CLAUDE:
        work.prepare(box, driver)
    stop_in_the_middle(box)
    text = given(box, driver)
    for known in (INTENT, FILE, CHECK, NEXT):
        assert known in text
    assert DONE not in text.partition(NEXT)[0], "what is done does not come before what is next"
    assert re.search(r"\d+ claims? confirmed", text)
    assert len(text.encode()) <= 9500
