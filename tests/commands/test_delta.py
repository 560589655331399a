"""delta: a dated change inside the checkpoint's own file."""

from __future__ import annotations

import json
import os

import pytest

from projects import NOW, get, markdown, put, put_markdown, put_skill
from support import ROOT, git, repo, run

PATH = "checkpoints/active/chk-auth.md"
HEAD = f"\n---\n\n## Delta: {NOW}\n\n### What Changed\n\nThe timer is new.\n\n### Artifacts\n\n"
TABLE = "| File | Action | Description |\n| ---- | ------ | ----------- |\n"


@pytest.fixture
def root(tmp_path):
    root = repo(tmp_path)
    put_markdown(root)
    return root


def do(root, *words):
    return run("delta", *words, "--now", NOW, cwd=root)


def body(text):
    return text.split("---\n", 2)[2]


def files(root):
    return sorted(
        name for _, _, names in os.walk(os.path.join(root, "checkpoints")) for name in names
    )


@pytest.mark.req("B.delta.inline", "B.delta.heading", "B.delta.stamp", "B.delta.transitions")
def test_a_delta_is_appended_in_the_file_and_stamps_the_header(root):
    before, known = get(root, PATH), files(root)
    words = ("--artifact", "src/a.py:modified:new timer", "--transition", "Phase 1:open:done")
    assert do(root, "chk-auth", "--what", "The timer is new.", *words).returncode == 0
    after = get(root, PATH)
    assert files(root) == known
    assert f"last_delta: {NOW}\n" in after
    assert body(after) == (
        body(before)
        + HEAD
        + TABLE
        + "| `src/a.py` | modified | new timer |\n\n### Status Transitions\n\n"
        + "| Item | Before | After |\n| ---- | ------ | ----- |\n| Phase 1 | open | done |\n"
    )


@pytest.mark.req("B.delta.artifacts", "B.delta.transitions")
def test_without_artifacts_the_table_is_what_git_saw_change_since_the_last_stamp(
    tmp_path, monkeypatch
):
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-08-01T00:00:00Z")
    root = repo(tmp_path)
    put_markdown(root)
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-08-06T00:00:00Z")
    put(root, "src/new.py", "x\n")
    git("add", "src", cwd=root)
    git("commit", "--quiet", "--message", "Add a | timer", cwd=root)
    put(root, "app.py", "changed\n")
    put(root, "note.txt", "new\n")
    assert do(root, "chk-auth", "--what", "x").returncode == 0
    after = get(root, PATH)
    assert after.endswith(
        TABLE
        + "| `app.py` | modified | not committed |\n"
        + "| `note.txt` | created | not committed |\n"
        + "| `src/new.py` | created | Add a \\| timer |\n"
    )
    assert "Status Transitions" not in after


def test_a_second_delta_stands_below_the_first_with_a_time_of_its_own(root):
    do(root, "chk-auth", "--what", "One.")
    first = body(get(root, PATH))
    do(root, "chk-auth", "--what", "Two.")
    after = get(root, PATH)
    assert body(after).startswith(first)
    assert "last_delta: 2026-08-08T12:00:01Z\n" in after
    assert "## Delta: 2026-08-08T12:00:01Z\n" in after


def test_a_delta_follows_sections_of_ones_own_and_any_line_ends(root):
    put(root, PATH, (markdown() + "\n## Notes\n\nmine").replace("\n", "\r\n"))
    before = body(get(root, PATH).replace("\r\n", "\n"))
    do(root, "chk-auth", "--what", "The timer is new.", "--artifact", "a:created:b")
    after = get(root, PATH)
    assert after.count("\r\n") == after.count("\n")
    assert body(after.replace("\r\n", "\n")).startswith(f"{before}\n{HEAD}")


def test_a_delta_stands_before_a_completion(root):
    put(root, PATH, markdown() + "\n## Completion\n\n- **Outcome**: x\n")
    do(root, "chk-auth", "--what", "x")
    after = get(root, PATH)
    assert after.index("## Delta") < after.index("## Completion")


@pytest.mark.req("B.delta.what")
def test_a_delta_without_a_word_is_refused_and_so_is_a_wrong_row(root):
    before = get(root, PATH)
    for words in ((), ("--what", "  "), ("--what", "x", "--artifact", "a.py:moved:x")):
        assert do(root, "chk-auth", *words).returncode == 2
    assert do(root, "chk-auth", "--what", "x", "--dry-run").stdout.startswith("---\n\n## Delta: ")
    assert get(root, PATH) == before


@pytest.mark.req("B.delta.what", "B.delta.artifacts")
def test_validate_flags_an_empty_sentence_and_wrong_columns(root):
    do(root, "chk-auth", "--what", "The timer is new.", "--artifact", "a:created:b")
    good = get(root, PATH)
    assert run("validate", "--strict", cwd=root, env={}).returncode == 0
    put(root, PATH, good.replace("The timer is new.", ""))
    answer = run("validate", cwd=root)
    assert answer.returncode == 1
    assert "What Changed" in answer.stdout
    put(root, PATH, good.replace("| Action |", "| Deed |"))
    assert "no column Action" in run("validate", "--strict", cwd=root).stdout


def test_only_an_active_markdown_checkpoint_takes_a_delta(root):
    put_skill(root)
    put_markdown(root, "chk-old", "archive")
    for name in ("oc-demo", "chk-old"):
        assert do(root, name, "--what", "x").returncode == 2
    assert do(root, "nobody", "--what", "x").returncode == 3


def test_without_git_the_table_is_empty_and_the_delta_valid(tmp_path):
    put_markdown(str(tmp_path))
    assert do(tmp_path, "chk-auth", "--what", "x").returncode == 0
    assert get(str(tmp_path), PATH).endswith(TABLE)
    assert run("validate", "--strict", cwd=tmp_path).returncode == 0


@pytest.mark.req("B.delta.example")
def test_the_example_that_ships_has_a_delta_and_is_valid():
    example = os.path.join(ROOT, "docs", "example")
    assert "\n## Delta: " in get(example, "checkpoints/active/chk-search.md")
    words = ("--strict", "--json", "--now", "2026-05-07T09:00:00Z", "--project", example)
    answer = run("validate", *words, cwd=ROOT)
    assert answer.returncode == 0
    assert "checkpoints/active/chk-search.md" in [
        each["path"] for each in json.loads(answer.stdout)["data"]["documents"]
    ]
