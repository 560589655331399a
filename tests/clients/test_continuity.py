"""A session is killed in the middle of its work and nobody saved: the next one goes on, in any client."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Callable
from html import unescape
from threading import Event
from typing import Any

import pytest

from clients import work
from clients.box import Box, end, program, wait_for
from clients.driver import Driver
from clients.drivers import CLAUDE, CODEX, GEMINI
from clients.fake_model import Step
from clients.terminal import terminal
from clients.wires import Asked, Call, Reply

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
    box.git("add", "check-limits.sh")
    box.git("commit", "--quiet", "-m", "A check")
    never = Event()
    box.model.script(*plan(box), Step(Reply("Too late.", hold=never), after="Write"))
    process = CLAUDE.start(box, INTENT, "--allowedTools", "TaskCreate,TaskUpdate,Bash,Write")
    wait_for("the request after the edit", lambda: len(box.model.asked) == 5)
    wait_for("the edit in the transcript", lambda: "Write" in answered(box))
    end(process, signal.SIGKILL)
    never.set()
    assert os.path.isfile(os.path.join(box.repo, FILE))


def answered(box: Box, about: str = "") -> set[str]:
    """Tools whose results Claude Code has written down; it does so a little later than it acts.

    Where it is about something, those of the sessions that name it.
    """
    found = {path: log for path, log in box.files().items() if "/.claude/projects/" in path}
    logs = b"".join(log for log in found.values() if about.encode() in log)
    parts = [part for line in logs.split(b"\n")[:-1] for part in content(line)]
    names = {part["id"]: part["name"] for part in parts if part.get("type") == "tool_use"}
    return {names.get(part["tool_use_id"], "") for part in parts if "tool_use_id" in part}


def content(line: bytes) -> list[Any]:
    """The parts of a message in a transcript."""
    said = json.loads(line).get("message") or {}
    found = said.get("content")
    return found if isinstance(found, list) else []


def given(box: Box, driver: Driver) -> str:
    """What leftoff says in the first request of a fresh session."""
    before = len(box.model.asked)
    box.model.script()
    driver.run(box, FRESH, *work.trusting(driver))
    return said(requests(box, before, FRESH)[0])


@pytest.mark.parametrize("driver", [CLAUDE, CODEX, GEMINI], ids=lambda each: each.client)
def test_the_next_session_knows_what_a_killed_one_was_at(box: Box, driver: Driver):
    work.prepare(box, CLAUDE)
    if driver is not CLAUDE:
        work.prepare(box, driver)
    stop_in_the_middle(box)
    text = given(box, driver)
    check(text)


def test_a_thread_that_the_killed_session_was_on_comes_with_its_verdicts(box: Box):
    work.prepare(box, CLAUDE)
    work.leave_a_checkpoint(box, "thread")
    for path in ("app.py", "gone.py"):
        assert box.leftoff("update", "chk-tokens", f"--artifacts+={path}").returncode == 0
    stop_in_the_middle(box)
    text = given(box, CLAUDE)
    check(text)
    assert text.startswith("<leftoff id=chk-tokens>\n")
    assert work.NEXT in text
    assert re.search(r"\d+ claims? confirmed, 1 contradicted", text), text


def test_the_second_that_dies_hands_on_what_the_first_was_at(box: Box):
    work.prepare(box, CLAUDE)
    stop_in_the_middle(box)
    page, never = CLAUDE.edit(box, "page.md", "# Limits\n"), Event()
    box.model.script(
        Step(Reply("I write the page.", (page,)), prompt=FRESH),
        Step(Reply("Too late.", hold=never), after="Write", text=FRESH),
    )
    told = said_at_a_terminal(box, FRESH, lambda: answered(box, "page.md") >= {"Write"})
    never.set()
    assert f"What the user wants: {INTENT} [draft]\n" in told
    box.model.script()
    told = said_at_a_terminal(box, "And now?", lambda: True)
    assert f"What the user wants: {FRESH} (first asked: {INTENT}) [draft: claude-code/" in told
    assert f"Next: 1. {NEXT} [draft: claude-code/" in told
    assert f"failed: {CHECK} [draft: claude-code/" in told
    assert told.count(f"- {FILE} [draft") == told.count("- page.md [draft") == 1


def said_at_a_terminal(box: Box, prompt: str, is_done: Callable[[], bool]) -> str:
    """What leftoff says in a session that somebody watches, and that is killed once it is done."""
    before = len(box.model.asked)
    ask_first = ("--permission-mode", "manual")
    with terminal(box, program("claude"), *ask_first, env=CLAUDE.env(box)) as screen:
        wait_for("the prompt", lambda: "❯" in screen.drawn)
        screen.type(prompt)
        wait_for("the request", lambda: requests(box, before, prompt))
        wait_for("the work", is_done)
    return said(requests(box, before, prompt)[0])


def requests(box: Box, since: int, prompt: str) -> list[Asked]:
    """Those of the person, not what the client asks for itself."""
    return [each for each in box.model.asked[since:] if each.offered and prompt in each.text]


def said(asked: Asked) -> str:
    """All that leftoff says in a request; Gemini CLI escapes what hooks give."""
    return "".join(re.findall(r"<leftoff id=.*?</leftoff>\n", unescape(asked.text), re.DOTALL))


def check(text: str) -> None:
    """It names what was asked, what was changed and what became of it, what failed, what is next."""
    assert "now ago" not in text
    assert INTENT in text
    assert f"{FILE} (not committed)" in text or f"Not committed yet:\n- {FILE}\n" in text
    assert CHECK in text
    assert f"- {NEXT}\n" in text or f"Next: 1. {NEXT} [draft]\n" in text
    assert DONE not in text.partition(NEXT)[0], "what is done does not come before what is next"
    assert len(text.encode()) <= 9500
