"""The merge driver under real git: what merges is merged, what does not is recorded and settled."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from projects import NOW, get, put, put_skill, skill
from support import SOURCE, git, repo, run

PATH = ".checkpoints/oc-demo.checkpoint.json"


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A repository with the driver installed, and `leftoff` on the PATH for git to call."""
    bin_folder = os.path.join(tmp_path, "bin")
    put(
        "/",
        os.path.join(bin_folder, "leftoff"),
        f'#!/bin/sh\nexec {sys.executable} -m leftoff "$@"\n',
    )
    os.chmod(os.path.join(bin_folder, "leftoff"), 0o755)
    monkeypatch.setenv("PATH", f"{bin_folder}:{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", SOURCE)
    place = repo(tmp_path)
    put_skill(place)
    assert run("init", "--merge-driver", cwd=place).returncode == 0
    git("add", "-A", cwd=place)
    git("commit", "-qm", "base", cwd=place)
    return place


def branches(root, ours, theirs):
    """Two branches from one base, each with its own update; then a merge of theirs into ours."""
    git("checkout", "-qb", "theirs", cwd=root)
    _commit(root, theirs, "2026-08-08T10:00:00Z")
    git("checkout", "-q", "main", cwd=root)
    _commit(root, ours, "2026-08-08T11:00:00Z")
    return subprocess.run(
        ["git", "merge", "-q", "theirs", "-m", "merge"],
        cwd=root,
        capture_output=True,
        encoding="utf-8",
    )


def _commit(root, words, now):
    done = run("update", "oc-demo", *words, "--now", now, cwd=root)
    assert done.returncode == 0, done.stderr
    git("commit", "-qam", "change", cwd=root)


@pytest.mark.req("X.round.lossless")
def test_both_sides_changes_are_kept_and_newer_wins_where_only_one_can(root):
    merged = branches(
        root,
        ["--step=ours", "--context_primer.key_decisions+=Ours"],
        ["--step=theirs", "--context_primer.key_decisions+=Theirs", "--next_actions+=More"],
    )
    assert merged.returncode == 0, merged.stderr
    document = json.loads(get(root, PATH))
    assert document["step"] == "ours"
    assert set(document["context_primer"]["key_decisions"]) == {"Stack: Hono", "Ours", "Theirs"}
    assert "More" in document["next_actions"]
    assert run("validate", "--now", NOW, cwd=root).returncode == 0


def test_a_real_conflict_is_recorded_in_valid_json_and_settled_by_name(root):
    merged = branches(root, ["--status=blocked", "--step=a"], ["--status=failed", "--phase=b"])
    assert merged.returncode == 1
    document = json.loads(get(root, PATH))
    assert (document["status"], document["step"], document["phase"]) == ("blocked", "a", "b")
    assert [record["path"] for record in document["conflicts"]] == ["status"]
    checked = run("validate", "--now", NOW, cwd=root)
    assert checked.returncode == 1
    assert "conflict" in checked.stdout
    assert "unresolved conflict" in run("status", "--now", NOW, cwd=root).stdout
    settled = run("update", "oc-demo", "--resolve", "status=theirs", "--now", NOW, cwd=root)
    assert settled.returncode == 0, settled.stderr
    after = json.loads(get(root, PATH))
    assert after["status"] == "failed"
    assert not after.get("conflicts")
    assert run("validate", "--now", NOW, cwd=root).returncode == 0
    assert run("update", "oc-demo", "--resolve", "status=ours", cwd=root).returncode == 3


def test_losers_of_newer_wins_can_be_found(root, home):
    branches(root, ["--step=kept"], ["--step=gave way"])
    log = get("/", os.path.join(home, "state", "leftoff", "merges.jsonl"))
    assert json.loads(log.splitlines()[-1])["value"] == "gave way"


def test_a_side_that_is_no_json_is_left_for_a_person(root, tmp_path):
    for name, text in (("o", skill()), ("a", skill(step="x")), ("b", "{")):
        put(str(tmp_path), name, text)
    paths = [os.path.join(tmp_path, name) for name in "oab"]
    done = run("merge-driver", *paths, PATH, cwd=root)
    assert done.returncode != 0
    assert get(str(tmp_path), "a") == skill(step="x")
