"""A part of `make torture`: each call of a command that writes is killed and refused, once."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
from tempfile import TemporaryDirectory

import pytest

from support import ROOT

_MEMORY = "/dev/shm"


def _may_trace() -> bool:
    if not (shutil.which("strace") and shutil.which("prlimit")):
        return False
    return not subprocess.run(
        ["strace", "-qq", "-o", os.devnull, "true"], capture_output=True
    ).returncode


@pytest.fixture
def work(tmp_path):
    """A folder in memory, where a flush takes no time."""
    if not _may_trace():
        pytest.skip("strace absent")
    base = _MEMORY if os.access(_MEMORY, os.W_OK) else tmp_path
    with TemporaryDirectory(dir=base, prefix="leftoff-test-") as folder:
        yield os.path.realpath(folder)


@pytest.mark.req("X.write.atomic", "X.write.lock")
@pytest.mark.parametrize("name", ["update", "claude-code UserPromptSubmit"])
def test_no_kill_and_no_refusal_at_any_write_breaks_a_promise(work, monkeypatch, name):
    monkeypatch.syspath_prepend(os.path.join(ROOT, "torture"))
    points, scenes = map(importlib.import_module, ("points", "scenes"))
    [scene] = [one for one in scenes.scenes() if one.name == name]
    found = points.torture(scene, work)
    assert found.broken == []
    assert found.points >= 4
    assert all(
        found.runs[harm] for harm in (points.KILL, *points.REFUSALS, points.NOTHING, points.FULL)
    )


def test_a_program_that_writes_in_place_is_found_out(work, monkeypatch):
    """What is checked can fail: a write that is not atomic does not come through."""
    monkeypatch.syspath_prepend(os.path.join(ROOT, "torture"))
    points, scenes = map(importlib.import_module, ("points", "scenes"))

    class Careless(scenes.Documents):
        def command(self, folder):
            path = os.path.join(folder, "project", scenes.CHECKOUT)
            text = f"text = open({path!r}).read(); open({path!r}, 'w').write(text.replace('Cards', 'All'))"
            words = (scenes.PROGRAM[0], "-I", "-S", "-c", text)
            return super().command(folder)._replace(words=words)

    found = points.torture(Careless("careless"), work)
    assert any("neither the old nor the new one" in problem for problem in found.broken)
