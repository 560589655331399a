"""What another process writes between a command's look at a document and its write of it."""

from __future__ import annotations

import os

import pytest

from leftoff.world.store import Store
from projects import put_skill
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
