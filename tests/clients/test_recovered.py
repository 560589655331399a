"""Whole sessions as people have them, killed and saved by nobody: `recover` knows what matters.

The benchmark of what a new session knows plays them in all clients (`make bench-resume`); here some.
"""

from __future__ import annotations

import os

import pytest

from clients.box import Box, require
from clients.driver import Driver
from clients.drivers import CLAUDE, COPILOT, GEMINI
from leftoff.core.quality import score
from support import ROOT

PLAYED = {"alerts": CLAUDE, "export": GEMINI, "importer": COPILOT}


@pytest.mark.parametrize(("name", "driver"), PLAYED.items(), ids=PLAYED)
def test_a_killed_session_leaves_every_fact_and_nothing_stale(
    box: Box, name: str, driver: Driver, monkeypatch: pytest.MonkeyPatch
):
    require(driver.client)
    monkeypatch.syspath_prepend(os.path.join(ROOT, "bench"))
    import resume_live

    work = resume_live.Played(box, driver, resume_live.script(name))
    work.play()
    left = work.unsaved()
    told = left.told(work.call(), 1000)
    found = score(work.script.facts, told["leftoff"])
    assert (found.kept, found.stale) == (found.of, 0), told["leftoff"]
    assert found.tokens <= 1000
    assert score(work.script.facts, told["summary"]).stale == 1, "the client's summary cannot know"
