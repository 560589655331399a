"""The MCP server as clients start it: added by the client's own command, called by its model."""

from __future__ import annotations

import json
import os

import pytest

from clients import work
from clients.box import Box, program, require
from clients.driver import Driver, install
from clients.drivers import CLAUDE, CODEX
from clients.fake_model import Step
from clients.wires import Call, Reply

ADD = ("mcp", "add", "leftoff", "--", "leftoff", "mcp")
NOTE, STEP = "The tokens are signed now.", "Let the old ones expire"


def call(driver: Driver, tool: str, **given: object) -> Call:
    """As each client names it to its model."""
    if driver is CODEX:
        return Call(tool, given, listed=False, namespace="mcp__leftoff")
    return Call(f"mcp__leftoff__{tool}", given, listed=False)


def allowed(driver: Driver) -> tuple[str, ...]:
    return ("--allowedTools", "mcp__leftoff") if driver is CLAUDE else work.trusting(driver)


def add(box: Box, driver: Driver) -> None:
    done = box.run(program(driver.client), *ADD, env=driver.env(box))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.req("A.dist.mcp")
@pytest.mark.parametrize("driver", [CLAUDE, CODEX], ids=lambda one: one.agent)
def test_a_model_reads_and_saves_over_mcp(box: Box, driver: Driver):
    work.prepare(box, driver)
    work.leave_a_checkpoint(box)
    add(box, driver)
    look, resume = call(driver, "get_status"), call(driver, "resume_work", name="chk-tokens")
    save = call(driver, "save_checkpoint", note=NOTE, next=[STEP])
    box.model.script(
        Step(Reply(calls=(look,)), prompt=work.PROMPT),
        Step(Reply(calls=(resume,)), after=look.tool),
        Step(Reply(calls=(save,)), after=resume.tool),
        Step(Reply(work.ANSWER), after=save.tool),
    )
    run = driver.run(box, work.PROMPT, *allowed(driver))
    import sys
    print(box.model.asked[-1].text[-6000:], run.out, [a.offered for a in box.model.asked], file=sys.stderr)
    assert 0
