"""doctor --fix: what it would put right, does, and can undo."""

from __future__ import annotations

import json
import os

import pytest

from examined import DEAD, doctor, told
from projects import get, put, put_markdown
from support import git, run


def plan(root):
    return told(root, "--fix")["data"]["plan"]


def steps(root):
    return [step["id"] for step in plan(root)["steps"]]


def apply(root, name):
    return doctor(root, "--apply", name, "--json")


@pytest.fixture
def untidy(root):
    """One fault of each kind that can be put right."""
    put_markdown(root, "chk-old", header="status: current\nlast_delta: 2026-08-06T00:00:00Z\n")
    put_markdown(root, "chk-new", header="status: current\nlast_delta: 2026-08-07T00:00:00Z\n")
    put(root, "checkpoints/active/INDEX.md", "# Active Checkpoints\n\nnothing\n")
    put(root, ".checkpoints/current", "thread-nobody\n")
    put(root, f"checkpoints/active/.leftoff-{DEAD}-0a1b2c3d.tmp", "half")
    put(root, f"checkpoints/active/.leftoff-{os.getpid()}-0a1b2c3d.tmp", "being written")
    run("init", "--merge-driver", cwd=root)
    git("config", "--local", "--remove-section", "merge.leftoff", cwd=root)
    return root


def test_fix_shows_its_plan_and_changes_nothing(untidy):
    before = get(untidy, "checkpoints/active/INDEX.md")
    assert steps(untidy) == [
        "pointer",
        f"temporary:checkpoints/active/.leftoff-{DEAD}-0a1b2c3d.tmp",
        "index:active",
        "current",
        "merge-driver",
    ]
    shown = doctor(untidy, "--fix").stdout
    assert f"leftoff doctor --apply {plan(untidy)['id']}" in shown
    assert shown.count("to undo: ") == 5
    assert get(untidy, "checkpoints/active/INDEX.md") == before
    assert os.path.exists(os.path.join(untidy, ".checkpoints/current"))
    ask = told(untidy, "--fix")["ask"]
    assert (ask["flag"], ask["choices"][0]["value"]) == ("--apply", plan(untidy)["id"])


def test_apply_puts_all_of_it_right_and_every_step_can_be_undone(untidy):
    before = {
        path: get(untidy, path)
        for path in ("checkpoints/active/INDEX.md", "checkpoints/active/chk-old.md")
    }
    data = json.loads(apply(untidy, plan(untidy)["id"]).stdout)["data"]
    assert not any(step["failed"] for step in data["applied"])
    assert all(step["undo"] for step in data["applied"])
    kept = [path for step in data["applied"] for path in step["kept"]]
    texts = [get("/", path) for path in kept]
    assert texts == ["thread-nobody\n", "half", *before.values()]
    assert "status: current" in get(untidy, "checkpoints/active/chk-new.md")
    assert "status: active" in get(untidy, "checkpoints/active/chk-old.md")
    assert git("config", "merge.leftoff.driver", cwd=untidy)
    assert steps(untidy) == []
    assert "None of this can be fixed automatically." in doctor(untidy, "--fix").stdout
    mine = f"checkpoints/active/.leftoff-{os.getpid()}-0a1b2c3d.tmp"
    assert get(untidy, mine) == "being written"


@pytest.mark.parametrize("place", ["", ".checkpoints/history", "checkpoints/archive"])
def test_what_a_killed_writer_left_where_no_document_lies_is_put_aside_too(root, place):
    name = os.path.join(place, f".leftoff-{DEAD}-0a1b2c3d.tmp")
    put(root, name, "half")
    assert steps(root) == [f"temporary:{name}"]
    assert apply(root, plan(root)["id"]).returncode == 0
    assert not os.path.exists(os.path.join(root, name))
    assert steps(root) == []


def test_what_a_killed_writer_left_in_the_state_folder_and_beside_settings_is_put_aside(root):
    state, home = os.environ["LEFTOFF_STATE"], os.environ["HOME"]
    temp = f".leftoff-{DEAD}-0a1b2c3d.tmp"
    paths = [os.path.join(state, "setup", temp), os.path.join(home, ".claude", temp)]
    for path in paths:
        put("/", path, "half")
    assert sorted(steps(root)) == sorted(f"temporary:{path}" for path in paths)
    done = json.loads(apply(root, plan(root)["id"]).stdout)["data"]["applied"]
    assert [get("/", path) for step in done for path in step["kept"]] == ["half", "half"]
    assert not any(map(os.path.exists, paths))
    assert steps(root) == []


def test_a_plan_is_refused_when_anything_it_is_about_changed(untidy):
    name = plan(untidy)["id"]
    assert plan(untidy)["id"] == name
    path = "checkpoints/active/chk-old.md"
    put(untidy, path, get(untidy, path) + "\nA line more.\n")
    done = apply(untidy, name)
    assert done.returncode == 4
    assert json.loads(done.stdout)["error"]["kind"] == "conflict"
    assert "nothing" in get(untidy, "checkpoints/active/INDEX.md")
    assert os.path.exists(os.path.join(untidy, ".checkpoints/current"))
    assert apply(untidy, plan(untidy)["id"]).returncode == 0
    assert apply(untidy, name).returncode == 4


def test_a_step_that_fails_is_named_and_the_last_one(untidy, monkeypatch):
    from leftoff.errors import Busy

    def busy(*_: object) -> str:
        raise Busy("somebody else holds the lock")

    name = plan(untidy)["id"]
    monkeypatch.setattr("leftoff.world.store.Store.trash", busy)
    done = doctor(untidy, "--apply", name)
    assert done.returncode == 1
    assert "names no thread, into the trash: somebody else holds the lock" in done.stdout
    assert steps(untidy)[0] == "pointer"
    assert "index:active" in steps(untidy)
