"""An agent cannot give the trust that only a person can, whatever it calls."""

from __future__ import annotations

import re

import pytest

from clients import work
from clients.box import Box
from clients.driver import Driver
from clients.drivers import CLAUDE, CODEX
from clients.fake_model import Step
from clients.wires import Reply
from projects import put_skill

# By its own hand, without a terminal, and at a terminal that the agent itself has made.
TRIES = (
    "leftoff trust --grant $id </dev/null",
    "setsid leftoff trust --grant $id </dev/null",
    "script --quiet --return --command 'leftoff trust --grant '$id /dev/null </dev/null",
)
FIND = """id=$(leftoff trust --json | sed -n 's/.*"key": "\\(.*\\)".*/\\1/p')"""


@pytest.mark.parametrize("driver", [CLAUDE, CODEX], ids=["claude", "codex"])
def test_trust_is_refused_to_an_agent(box: Box, driver: Driver):
    work.prepare(box, driver)
    put_skill(box.repo, next_actions=[{"text": "Build it", "done_when": "touch pwned"}, "Rest"])
    tries = "; ".join(f"{one}; echo ended=$?" for one in TRIES)
    # Codex runs a login shell, which has a PATH of its own.
    call = driver.shell(f"PATH={box.bin}:$PATH; {FIND}; echo found=${{#id}}; {tries}")
    box.model.script(Step(Reply(calls=(call,)), prompt=work.PROMPT))
    driver.run(box, work.PROMPT, *work.trusting(driver))
    (seen,) = [asked.text for asked in box.model.asked if asked.results_of]
    assert "found=12" in seen
    assert len(re.findall(r"ended=[1-9]", seen)) == len(TRIES)
    assert "only a person may approve" in seen
    (command,) = box.facts("trust")["commands"]
    assert command["trusted"] is False
