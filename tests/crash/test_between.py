"""What another process writes between a command's look at a document and its write of it."""

from __future__ import annotations

import os
import time

import pytest

from leftoff.world import locks
from leftoff.world.store import Store
from projects import put, put_skill
from support import repo, run
from world.fake_lens import contents


@pytest.mark.req("X.write.stale-read")
def test_telemetry_that_comes_while_it_is_rotated_goes_to_history_too(tmp_path, monkeypatch):
    root = repo(tmp_path)
    put_skill(root, "oc-demo", skill_state={"runs": ["first"]})
    change, others = Store.change, ["--skill_state.runs+=second"]

    def after_another(store, path, edit, **options):
        if others:
            assert run("update", "oc-demo", others.pop(), cwd=root).returncode == 0
        return change(store, path, edit, **options)

    monkeypatch.setattr(Store, "change", after_another)
    assert run("prune", "oc-demo", "--rotate", "runs", cwd=root).returncode == 0
    history = os.path.join(root, ".checkpoints", "history")
    kept = [contents(history, name) for name in os.listdir(history)]
    assert [("first" in text, "second" in text) for text in kept] == [(True, True)]
    assert "second" not in contents(root, ".checkpoints/oc-demo.checkpoint.json")


def _locked_by_git(root: str, age: float) -> str:
    lock = os.path.join(root, ".git", "index.lock")
    put("/", lock, "")
    os.utime(lock, (time.time() - age,) * 2)
    return lock


FRESH, OLD = -3600.0, 3600.0
"""Of tomorrow, so to say: it stays fresh however slow the machine is."""


@pytest.mark.req("X.write.stale-read")
def test_a_write_waits_until_git_has_checked_out_and_goes_on_top_of_that(tmp_path, monkeypatch):
    root = repo(tmp_path)
    path = put_skill(root, "oc-demo")
    lock = _locked_by_git(root, FRESH)

    def checked_out(_):
        put_skill(root, "oc-demo", phase="of the other branch")
        os.remove(lock)

    monkeypatch.setattr(locks, "sleep", checked_out)
    assert run("update", "oc-demo", "--step=mine", cwd=root).returncode == 0
    text = contents(root, path)
    assert ("of the other branch" in text, '"mine"' in text) == (True, True)


@pytest.mark.parametrize("age", [FRESH, OLD])
def test_a_lock_that_git_keeps_holds_nobody_up_for_long(tmp_path, monkeypatch, age):
    root = repo(tmp_path)
    path = put_skill(root, "oc-demo")
    lock = _locked_by_git(root, age)
    clock = [0.0]
    monkeypatch.setattr(locks, "monotonic", lambda: clock[0])
    monkeypatch.setattr(locks, "sleep", lambda _: clock.__setitem__(0, clock[0] + 0.5))
    assert run("update", "oc-demo", "--step=mine", cwd=root).returncode == 0
    assert '"mine"' in contents(root, path)
    assert clock[0] == (0.0 if age == OLD else locks.GIT_PATIENCE)
    assert os.path.exists(lock)
