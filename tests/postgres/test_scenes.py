"""The scenes of `team push` that `make torture` hits: what they check can fail."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess

import pytest

from support import ROOT


@pytest.fixture
def stopped(server, tmp_path, monkeypatch):
    """What the scene says after a push, and after whatever was done to the store or to the state."""
    monkeypatch.syspath_prepend(os.path.join(ROOT, "torture"))
    points, shared = map(importlib.import_module, ("crash_points", "scenes_team"))
    scene, folder = shared.team_scenes(server)[1], os.fspath(tmp_path / "scene")
    os.mkdir(folder)
    scene.lay(folder)
    shutil.copytree(folder, tmp_path / "laid", symlinks=True)

    def broken(query: str = "", *, pushed: bool = True) -> list[str]:
        shutil.rmtree(folder)
        shutil.copytree(tmp_path / "laid", folder, symlinks=True)
        command = scene.command(folder)
        if pushed:
            subprocess.run(command.words, cwd=command.cwd, env=command.env, check=True)
        if query:
            with server.admin("store") as link:
                link.execute(query)
        return list(scene.broken(folder, points.Ended(0, "", "", killed=False)))

    assert broken() == []
    return broken


def test_a_promise_that_a_push_breaks_is_found(stopped):
    assert stopped(pushed=False) == ["it was acknowledged and is not in the store"]
    lost = stopped("DELETE FROM leftoff.session_stats WHERE owner ~ '^ada'")
    assert any("the next push did not complete it" in each for each in lost)
    twice = "UPDATE leftoff.checkpoints SET path = path || '2' WHERE owner ~ '^ada'"
    assert "the store holds what is neither the old nor the new" in stopped(twice)
    assert "rows of a colleague changed" in stopped("DELETE FROM leftoff.checkpoints")
