"""A part of `make torture`: no command takes a long transcript into memory whole."""

from __future__ import annotations

import importlib
import os
import shutil

import pytest

from support import ROOT

MEGABYTES, RESIDENT = 64, 60
"""of the transcript, and what no process may hold: an interpreter alone has about 15."""


@pytest.mark.skipif(not shutil.which("prlimit"), reason="prlimit absent")
@pytest.mark.parametrize("verb", ["stats", "archive", "--rebuild", "recover", "resume", "hook"])
def test_no_command_holds_a_long_transcript_in_memory(large, verb):
    memory, folder = large
    [asked] = [one for one in memory.asked(folder) if verb in one.words[:2]]
    held = memory.held(folder, asked, memory.LIMIT)
    assert held.broken == []
    assert held.resident < RESIDENT


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(os.path.join(ROOT, "torture"))
        memory = importlib.import_module("memory")
        folder = os.fspath(tmp_path_factory.mktemp("large"))
        memory.lay(folder, MEGABYTES)
        yield memory, folder
