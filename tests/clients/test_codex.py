"""Codex: hooks that nobody has approved yet, and compaction in its own order."""

from __future__ import annotations

import json
import os

from clients import work
from clients.box import Box
from clients.drivers import CODEX
from clients.fake_model import Step
from clients.wires import Reply, Use


def test_without_trust_the_session_goes_on_and_doctor_says_why_nothing_is_heard(box: Box):
    work.prepare(box, CODEX)
    box.model.script(*work.script(box, CODEX))
    run = CODEX.run(box, work.PROMPT)
    assert work.ANSWER in run.out
    findings = json.loads(box.leftoff("doctor", "--json").stdout)["findings"]
    assert [each["where"] for each in findings if each["slug"] == "hook-untrusted"] == [
        os.path.join(box.home, ".codex", "hooks.json")
    ]
    # What the client itself has written is read all the same.
    facts = work.info(box, CODEX, run.session)
    assert facts["origin"] == "transcript"
    assert facts["prompts"] == 1


def test_an_automatic_compaction_is_counted(box: Box):
    work.prepare(box, CODEX)
    work.leave_a_checkpoint(box)
    box.model.script(
        Step(Reply("THE-SUMMARY"), prompt="COMPACTION"),
        Step(Reply(calls=(CODEX.shell("echo one"),), use=Use(60_000)), prompt=work.PROMPT),
    )
    limit = ("-c", "model_auto_compact_token_limit=50000")
    run = CODEX.run(box, work.PROMPT, *work.trusting(CODEX), *limit)
    words = [line["event"] for line in work.journal(box, CODEX, run.session)]
    assert words.index("compacting") < words.index("compacted")
    assert len(work.info(box, CODEX, run.session)["compactions"]) == 1
