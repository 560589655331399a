"""done: which action, where it goes, and what happens with the last one."""

from __future__ import annotations

import json

import pytest

from projects import NOW, files, get, put_markdown, put_skill, put_thread
from support import run, snapshot

PATH = ".checkpoints/oc-demo.checkpoint.json"


def done(root, *words):
    return run("done", *words, "--now", NOW, cwd=root)


@pytest.mark.req("A.done.pop", "A.schema.actions-order")
def test_the_first_action_moves_to_the_front_of_recently_done(root):
    put_skill(root, recently_done=[{"at": "2026-08-01T00:00:00Z", "action": "Older"}])
    answer = done(root, "oc-demo")
    assert answer.stdout == '✓ oc-demo: completed "Read the report"\n  Up next: Run the tests\n'
    after = json.loads(get(root, PATH))
    assert after["recently_done"][0] == {"at": NOW, "action": "Read the report"}
    assert after["recently_done"][1]["action"] == "Older"
    assert after["next_actions"] == [{"text": "Run the tests", "done_when": "true"}]
    assert after["updated_at"] == NOW


@pytest.mark.req("A.done.pop")
def test_recently_done_keeps_the_last_ten(root):
    old = [{"at": f"2026-08-01T00:00:{s:02}Z", "action": f"a{s}"} for s in range(10, 0, -1)]
    put_skill(root, recently_done=old)
    done(root, "oc-demo")
    kept = json.loads(get(root, PATH))["recently_done"]
    assert [entry["action"] for entry in kept] == [
        "Read the report",
        *(f"a{s}" for s in range(10, 1, -1)),
    ]


@pytest.mark.req("X.cli.done-last")
@pytest.mark.parametrize("which", ["2", "Run the"])
def test_another_action_is_chosen_by_number_or_text(root, which):
    put_skill(root)
    assert 'completed "Run the tests"' in done(root, "oc-demo", which).stdout
    assert json.loads(get(root, PATH))["next_actions"] == ["Read the report"]


@pytest.mark.req("X.cli.done-last", "X.cli.parity")
def test_the_last_action_asks_and_changes_nothing_until_answered(root):
    put_skill(root, next_actions=["Last"])
    before = get(root, PATH)
    answer = run("done", "oc-demo", "--json", "--now", NOW, cwd=root)
    asked = json.loads(answer.stdout)
    assert answer.returncode == 0
    assert asked["ask"]["flag"] == "--next TEXT"
    assert [choice["value"] for choice in asked["ask"]["choices"]] == ["--complete"]
    assert get(root, PATH) == before


@pytest.mark.req("X.cli.done-last")
def test_next_and_complete_answer_it(root):
    put_skill(root, next_actions=["Last"])
    assert done(root, "oc-demo", "--next", "Tag it").returncode == 0
    assert json.loads(get(root, PATH))["next_actions"] == ["Tag it"]
    assert done(root, "oc-demo", "--complete").returncode == 0
    after = json.loads(get(root, PATH))
    assert (after["status"], after["next_actions"]) == ("complete", [])
    assert run("validate", "--now", NOW, cwd=root).returncode == 0


def test_a_wrong_number_or_nothing_open_is_said_and_nothing_moves(root):
    put_skill(root)
    before = get(root, PATH)
    assert done(root, "oc-demo", "9").returncode == 3
    assert done(root, "oc-demo", "--next", "x", "--complete").returncode == 2
    assert get(root, PATH) == before


def test_a_threads_step_is_ticked_off_where_it_stands(root):
    path = put_thread(root)
    assert done(root, "thread-1a2b3c4d").returncode == 0
    assert "1. [x] [P1] Write the middleware\n2. [P2] Write the docs\n" in get(root, path)
    assert done(root, "thread-1a2b3c4d").returncode == 0
    assert "complete" in run("status", "--now", NOW, cwd=root).stdout


def test_a_markdown_action_becomes_a_step_of_the_story(root):
    path = put_markdown(root, header="status: active\nanchor: phase 2\n")
    assert done(root, "chk-auth").returncode == 0
    after = get(root, path)
    assert "found the timer\n- phase 2 → Change the timer → done\n" in after
    assert "- Change the timer\n" not in after


def test_the_last_markdown_action_leaves_a_valid_checkpoint(root):
    put_markdown(root, next="- Write the docs")
    assert done(root, "chk-auth").stderr.startswith('"Write the docs" is the last action')
    assert done(root, "chk-auth", "--complete").returncode == 0
    assert run("validate", "--now", NOW, cwd=root).returncode == 0
    before = snapshot(root)
    again = done(root, "chk-auth", "--complete")
    assert again.returncode == 2
    assert "hint: leftoff archive chk-auth --outcome TEXT" in again.stderr
    assert snapshot(root) == before


def test_without_a_name_the_only_busy_checkpoint_is_meant(root):
    put_skill(root)
    assert done(root).returncode == 0
    put_markdown(root)
    answer = done(root)
    assert answer.returncode == 5
    assert "leftoff done NAME" in answer.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("done", "chk-old"),
        ("delta", "chk-old", "--what", "More"),
        ("save", "More", "--as", "md", "--name", "chk-old", "--no-draft"),
    ],
    ids=lambda words: words[0],
)
def test_work_is_not_put_into_what_is_archived_where_nobody_would_find_it(root, words):
    put_markdown(root, "chk-old", "archive")
    before = files(root)
    refused = run(*words, cwd=root)
    assert refused.returncode == 2
    assert 'chk-old is archived; nothing was changed\nhint: continue from it: "leftoff fork' in (
        refused.stderr
    )
    assert files(root) == before
