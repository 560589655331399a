"""A Claude session that Hapi's runner started, with prompts from the web."""

from __future__ import annotations

import os

from clients import work
from clients.box import Box, program, require, wait_for
from clients.driver import Run
from clients.drivers import CLAUDE
from clients.hapi import hapi, wait_for_the_end


def test_a_session_under_hapi_is_accounted_for_under_both_ids(box: Box):
    require("hapi")
    box.install("hapi")
    before = work.prepare(box, CLAUDE)
    work.leave_a_checkpoint(box)
    box.model.script(*work.script(box, CLAUDE))
    env = CLAUDE.env(box) | {"HAPI_CLAUDE_PATH": program("claude"), "IS_SANDBOX": "1"}
    with hapi(box, env) as hub:
        machine = wait_for("the runner", hub.machine)
        there = hub.spawn(machine, box.repo, "claude")
        wait_for("the session", lambda: hub.session(there)["active"])
        hub.send(there, work.PROMPT)
        wait_for("the answer", lambda: work.ANSWER in hub.messages(there))
        here = hub.session(there)["metadata"]["claudeSessionId"]
        hub.archive(there)
        wait_for_the_end(box)
    assert box.model.given(work.NEXT)
    facts = work.check(box, CLAUDE, Run(here, "", ""))
    assert facts["hapi"] == there
    assert box.leftoff("uninstall").returncode == 0
    settings = os.path.join(box.home, ".claude", "settings.json")
    assert box.files()[settings] == before[settings]
