"""The MCP server as clients start it: added in the client's own way, called by its model."""

from __future__ import annotations

import itertools
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


def ran(box: Box, driver: Driver, *calls: Call) -> str:
    """A session in which the model makes these calls, one after the other; its id."""
    steps = [Step(Reply(calls=(calls[0],)), prompt=work.PROMPT)]
    for before, after in itertools.pairwise(calls):
        steps.append(Step(Reply(calls=(after,)), after=before.tool))
    box.model.script(*steps, Step(Reply(work.ANSWER), after=calls[-1].tool))
    run = driver.run(box, work.PROMPT, *allowed(driver))
    assert work.ANSWER in run.out, [asked.offered for asked in box.model.asked]
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
        call(driver, "get_status"),
        call(driver, "resume_work", name=thread),
        call(driver, "save_checkpoint", note=NOTE, next=[STEP]),
        call(driver, "get_status", nmae="x"),
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
    ran(box, driver, call(driver, "get_next"))
    assert box.model.given("leftoff.next/1") or box.model.given(f"Next: {work.NEXT}")
