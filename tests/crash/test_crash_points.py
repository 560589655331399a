"""A part of `make torture`: each call of a command that writes is killed and refused, once."""

from __future__ import annotations

import argparse
import importlib
import os
import shutil
import subprocess
import threading
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest

from leftoff.world import store
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
    points, scenes = map(importlib.import_module, ("crash_points", "scenes"))
    [scene] = [one for one in scenes.scenes() if one.name == name]
    found = points.torture(scene, work)
    assert found.broken == []
    assert found.points >= 4
    assert all(
        found.runs[harm] for harm in (points.KILL, *points.REFUSALS, points.NOTHING, points.FULL)
    )


# What is checked can fail

_IN_PLACE = "open(path, 'w').write(text)"
_ASIDE = """
temp = f"{os.path.dirname(path)}/.leftoff-{os.getpid()}-careless.tmp"
with open(temp, "w") as file:
    file.write(text)
    file.flush()
    flush(file.fileno())
os.rename(temp, path)
folder = os.open(os.path.dirname(path), os.O_RDONLY)
"""
_HEEDLESS = """
def flush(fd):
    try:
        os.fsync(fd)
    except OSError:
        pass
"""


@pytest.fixture
def careless(work, monkeypatch):
    """What is found where another program than ours writes the document."""
    monkeypatch.syspath_prepend(os.path.join(ROOT, "torture"))
    points, scenes = map(importlib.import_module, ("crash_points", "scenes"))

    class Careless(scenes.Documents):
        def __init__(self, program):
            super().__init__("careless")
            self.program = program

        def command(self, folder):
            path = os.path.join(folder, "project", scenes.CHECKOUT)
            text = f"import os; path = {path!r}; text = open(path).read().replace('Cards', 'All')"
            words = (scenes.PROGRAM[0], "-I", "-S", "-c", f"{text}\n{self.program}")
            return super().command(folder)._replace(words=words)

    return lambda program: points.torture(Careless(program), work).broken


def test_a_program_that_writes_in_place_is_found_out(careless):
    assert any("neither the old nor the new one" in problem for problem in careless(_IN_PLACE))


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (f"flush = print\n{_ASIDE}os.fsync(folder)", "took its place before it was flushed"),
        (f"flush = os.fsync\n{_ASIDE}", "was not flushed"),
    ],
)
def test_a_document_that_only_memory_holds_is_found_out(careless, program, told):
    with pytest.raises(SystemExit, match=told):
        careless(program)


def test_a_program_that_does_not_heed_the_disk_is_found_out(careless):
    found = careless(f"{_HEEDLESS}{_ASIDE}flush(folder)")
    assert any("the disk has refused to keep it" in problem for problem in found)


def test_a_half_file_that_the_next_write_leaves_is_found_out(work, monkeypatch):
    monkeypatch.syspath_prepend(os.path.join(ROOT, "torture"))
    points, scenes = map(importlib.import_module, ("crash_points", "scenes"))
    monkeypatch.setattr(store, "sweep", lambda *_: None)
    [scene] = [one for one in scenes.scenes() if one.name == "update"]
    assert any("was not swept" in problem for problem in points.torture(scene, work).broken)


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("project/.checkpoints/a.checkpoint.json", True),
        ("home/.claude/settings.json", True),
        ("home/state/pending/pending-prompt-s.txt", True),
        ("home/state/archive/codex/s.zst", True),
        ("home/state/archive/totals", False),
        ("home/state/sessions/codex/s.now", False),
    ],
)
def test_whatever_cannot_be_made_again_has_to_be_flushed(monkeypatch, path, told):
    monkeypatch.syspath_prepend(os.path.join(ROOT, "torture"))
    points = importlib.import_module("crash_points")
    place = os.path.dirname(path)
    half = f"/w/{place}/.leftoff-1-aaaaaaaa.tmp"
    rename = f'rename("{half}", "/w/{path}") = 0\n'
    flushes = [f"fsync(3<{half}>) = 0\n", f"fsync(3</w/{place}>) = 0\n"]
    assert [*points._unflushed([flushes[0], rename, flushes[1]], "/w")] == []
    early, late = points._unflushed([rename], "/w") if told else ("", "")
    assert ("took its place before it was flushed" in early) is told
    assert ("was not flushed" in late) is told
    assert told or not [*points._unflushed([rename], "/w")]


def test_one_scene_at_a_time_runs_where_a_signal_to_end_is_heard(monkeypatch):
    monkeypatch.syspath_prepend(os.path.join(ROOT, "torture"))
    told = importlib.import_module("common")
    where = []
    monkeypatch.setattr(told, "_tortured", lambda *_: where.append(threading.current_thread()))
    options = argparse.Namespace(results="", scene=[], jobs=1)
    assert len([*told.tortured([SimpleNamespace(name="one")], options)]) == 1
    assert where == [threading.main_thread()]
