"""The MCP server as clients start it: added in the client's own way, called by its model."""

from __future__ import annotations

import json
import os

import pytest

from clients import work
from clients.box import Box, program
from clients.driver import Driver
from clients.drivers import CLAUDE, CODEX, COPILOT, GEMINI, OPENCODE
from clients.fake_model import Step
from clients.wires import Call, Reply
from support import ROOT

NOTE, STEP = "The tokens are signed now.", "Let the old ones expire"
MANY = 300
SHOWN = "▶ chk-tokens"
"""What get_next says: these clients give their model the text."""
BY_COMMAND = {
    CLAUDE.agent: "claude mcp add leftoff -- leftoff mcp",
    CODEX.agent: "codex mcp add leftoff -- leftoff mcp",
    GEMINI.agent: "gemini mcp add --scope user leftoff leftoff mcp",
}
"""How docs/mcp.md says that it is added, where the client has a command for that."""
BY_FILE = {
    OPENCODE.agent: "home/.config/opencode/opencode.json",
    COPILOT.agent: "home/.copilot/mcp-config.json",
}
"""The settings that docs/mcp.md shows for the others."""
NAMED = {
    CLAUDE.agent: "mcp__leftoff__{}",
    CODEX.agent: "{}",
    GEMINI.agent: "mcp_leftoff_{}",
    OPENCODE.agent: "leftoff_{}",
    COPILOT.agent: "leftoff-{}",
}
"""What each client calls a tool before its model."""


def call(driver: Driver, tool: str, **given: object) -> Call:
    space = "mcp__leftoff" if driver is CODEX else ""
    listed = driver not in (CLAUDE, CODEX)  # these two let their model search for it
    return Call(NAMED[driver.agent].format(tool), given, listed=listed, namespace=space)


def allowed(driver: Driver) -> tuple[str, ...]:
    return ("--allowedTools", "mcp__leftoff") if driver is CLAUDE else work.trusting(driver)


def page() -> str:
    with open(os.path.join(ROOT, "docs", "mcp.md"), encoding="utf-8") as file:
        return file.read()


def add(box: Box, driver: Driver) -> None:
    """As the page says."""
    if line := BY_COMMAND.get(driver.agent):
        assert f"\n{line}\n" in page()
        done = box.run(program(driver.client), *line.split()[1:], env=driver.env(box))
        assert done.returncode == 0, done.stdout + done.stderr
        return
    path = BY_FILE[driver.agent]
    shown = page().partition(f"`~/{path.removeprefix('home/')}`")[2]
    told = json.loads(shown.partition("```json\n")[2].partition("```")[0])
    found = box.files().get(os.path.join(box.base, path), b"{}")
    box.write(path, json.loads(found) | told)


def ran(box: Box, driver: Driver, sign: str, *calls: Call) -> str:
    """A session in which the model makes these calls, one after the other; its id.

    Clients talk to their model while a server is still starting, so the first one is tried until
    its reply, which has the sign, is there.
    """
    first, pause = calls[0], driver.shell("sleep 0.2")
    follow = [Reply(calls=(one,)) for one in calls[1:]] + [Reply(work.ANSWER)]
    steps = [Step(follow[0], after=first.tool, text=sign)]
    steps += [Step(reply, after=one.tool) for one, reply in zip(calls[1:], follow[1:], strict=True)]
    for call_ in (first, pause):  # whichever is offered
        steps.append(Step(Reply(calls=(call_,)), prompt=work.PROMPT))
        steps.append(Step(Reply(calls=(call_,)), after=pause.tool, times=MANY))
    box.model.script(*steps, Step(Reply(calls=(pause,)), after=first.tool, times=MANY))
    run = driver.run(box, work.PROMPT, *allowed(driver))
    assert work.ANSWER in run.out, box.model.asked[-1].text[-2000:]
    return run.session


@pytest.mark.req("A.dist.mcp")
@pytest.mark.parametrize("driver", [CLAUDE, CODEX], ids=lambda one: one.agent)
def test_a_model_reads_resumes_and_saves_over_mcp(box: Box, driver: Driver):
    work.prepare(box, driver)
    work.leave_a_checkpoint(box, "thread")
    add(box, driver)
    thread = box.facts("thread", "list")["threads"][0]["id"]
    session = ran(
        box,
        driver,
        "leftoff.status/1",
        call(driver, "get_status"),
        call(driver, "resume_work", name=thread),
        call(driver, "save_checkpoint", note=NOTE, next=[STEP]),
        call(driver, "get_next", al=True),
    )
    for reply in ("leftoff.status/1", "leftoff.resume/1", "leftoff.save/1"):
        assert box.model.given(reply), reply
    assert box.model.given("RESUMING: ")
    assert box.model.given("did you mean")
    path = os.path.join(box.repo, ".checkpoints", "threads", thread, "CHECKPOINT.md")
    saved = box.files()[path].decode()
    assert NOTE in saved
    assert STEP in saved
    assert work.info(box, driver, session)["thread"] == thread


@pytest.mark.parametrize("driver", [GEMINI, OPENCODE, COPILOT], ids=lambda one: one.agent)
def test_every_client_calls_the_server_that_is_added_as_the_page_says(box: Box, driver: Driver):
    work.prepare(box, driver)
    work.leave_a_checkpoint(box)
    add(box, driver)
    ran(box, driver, SHOWN, call(driver, "get_next"))
    assert box.model.given(SHOWN)
