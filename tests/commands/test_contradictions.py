"""What the world speaks against is the same three things, whichever command is asked."""

from __future__ import annotations

import json
import os

import pytest

from projects import NOW, put, put_thread
from support import git, repo, run

# A command that shows verdicts: its words, and where in its data they stand.
COMMANDS = [
    (("resume", "--preview"), lambda data: data["verdicts"]),
    (("resume", "thread-1a2b3c4d"), lambda data: data["verdicts"]),
    (("next",), lambda data: data["next"]["verdicts"]),
    (("status",), lambda data: data["verdicts"][f"{FOLDER}/CHECKPOINT.md"]),
    (("status", "--brief"), lambda data: data["next"]["verdicts"]),
    (("status", "thread-1a2b3c4d"), lambda data: data["verdicts"]),
]
FOLDER = ".checkpoints/threads/thread-1a2b3c4d"
CONTRADICTIONS = [
    ("action", "Merge #12", "#12 has already landed"),
    ("file", "src/gone.py", "there is no such file"),
    ("branch", "feature/auth", "it moved: 1 commit came after {commit}"),
]


THREAD = """# Checkpoint: auth

**Thread ID**: thread-1a2b3c4d
**Saved**: 2026-08-06T10:00:00Z
**Branch**: feature/auth
**Last Commit**: `{commit}` - Begin the middleware

## Current Task

auth

## Key Files

- `app.py`
- `src/gone.py`

## Next Steps (Priority Order)

1. [P1] Merge #12
2. [P2] Write the docs
"""


@pytest.fixture
def world(tmp_path):
    """A pull request was merged, a file deleted, a branch moved; the checkpoint knows none of it."""
    root = repo(tmp_path)
    _commit(root, "src/gone.py", "Begin the middleware")
    commit = git("rev-parse", "HEAD", cwd=root).strip()
    put_thread(root)
    put(root, f"{FOLDER}/CHECKPOINT.md", THREAD.format(commit=commit[:9]))
    git("checkout", "-q", "-b", "feature/auth", cwd=root)
    _commit(root, "src/new.py", "Go on")
    git("checkout", "-q", "main", cwd=root)
    _commit(root, "src/timer.py", "Change the timer (#12)")
    git("rm", "-q", "src/gone.py", cwd=root)
    git("commit", "-q", "-m", "Remove what is not needed", cwd=root)
    return root, commit


def _commit(root, path, subject):
    os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
    with open(os.path.join(root, path), "w", encoding="utf-8") as file:
        file.write(subject)
    git("add", path, cwd=root)
    git("commit", "-q", "-m", subject, cwd=root)


@pytest.mark.parametrize(("words", "verdicts"), COMMANDS, ids=[" ".join(c[0]) for c in COMMANDS])
def test_the_same_three_contradictions_everywhere(world, words, verdicts):
    root, commit = world
    said = json.loads(run(*words, "--json", "--now", NOW, cwd=root).stdout)["data"]
    against = [v for v in verdicts(said)["open"] if v["word"] == "contradicted"]
    expected = [(k, a, r.format(commit=commit[:9])) for k, a, r in CONTRADICTIONS]
    assert [(v["kind"], v["about"], v["reason"]) for v in against] == expected


@pytest.mark.parametrize("words", [c[0] for c in COMMANDS], ids=" ".join)
def test_people_see_them_too(world, words):
    root, commit = world
    shown = run(*words, "--now", NOW, cwd=root).stdout
    for kind, about, reason in CONTRADICTIONS:
        said = f"✗ {kind} {about}: {reason.format(commit=commit[:9])}"
        if words[0] == "resume" and kind == "action":  # a brief has a list of its own for these
            said = f"Already landed:\n- ✗ 1. {about}\n"
        assert said in shown


@pytest.mark.parametrize("below", ["", "service"])
def test_a_save_that_is_committed_with_its_work_is_not_contradicted_by_that_commit(tmp_path, below):
    top = repo(tmp_path)
    root = os.path.join(top, below) if below else top
    put_thread(root)
    put(root, ".checkpoints/current", "thread-1a2b3c4d\n")
    put(root, "auth.py", "x = 1\n")
    assert run("save", "The middleware is there.", cwd=root).returncode == 0
    git("add", "--all", cwd=top)
    git("commit", "--quiet", "--message", "The middleware", cwd=top)
    told = _branch(root)
    assert told["word"] == "confirmed", told
    assert told["reason"].endswith("came with the checkpoint")
    _commit(root, "other.py", "Something else")
    told = _branch(root)
    assert told["word"] == "contradicted"
    assert "1 commit came after" in told["reason"]


def _branch(root: str) -> dict[str, str]:
    shown = run("status", "thread-1a2b3c4d", "--json", cwd=root)
    found = json.loads(shown.stdout)["data"]["verdicts"]
    return next(one for one in found["open"] + found["held"] if one["kind"] == "branch")
