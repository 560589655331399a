"""done --verify: the command decides, and what came of it is kept."""

from __future__ import annotations

import json
import os

import pytest

from callers import PERSON, as_caller
from leftoff.core.evidence import from_json, grade
from leftoff.world import evidence, working_tree
from leftoff.world.place import find_place
from leftoff.world.state import state_dir
from projects import NOW, get, put_markdown, put_skill, put_thread
from support import git, run

PATH = ".checkpoints/oc-demo.checkpoint.json"


def trusted(root, command, name="oc-demo"):
    """A skill whose first action is checked by a command that a person approved."""
    put_skill(root, name, next_actions=[{"text": "Do it", "done_when": command}, "Rest"])
    return approve(root)


def approve(root):
    _, said = as_caller(PERSON, "trust", cwd=root)
    for choice in said["ask"]["choices"]:
        as_caller(PERSON, "trust", "--grant", choice["value"], cwd=root)


def verify(root, name="oc-demo", *words):
    answer = run("done", name, "--verify", *words, "--json", "--now", NOW, cwd=root)
    return answer.returncode, json.loads(answer.stdout)


@pytest.mark.req("A.schema.done-when")
def test_a_check_that_succeeds_completes_the_action_with_its_evidence(root):
    trusted(root, "echo fine")
    code, said = verify(root)
    assert (code, said["data"]["verified"]) == (0, True)
    head = git("rev-parse", "HEAD", cwd=root).strip()
    entry = json.loads(get(root, PATH))["recently_done"][0]
    proof = entry["evidence"]
    assert entry["action"] == "Do it"
    assert proof.pop("tree")
    assert proof == {
        "command": "echo fine",
        "exit_code": 0,
        "commit": head,
        "dirty": False,
        "at": NOW,
    }
    assert said["data"]["evidence"]["tail"] == "fine\n"
    assert "fine\\n" not in get(root, PATH)


@pytest.mark.req("A.schema.done-when")
def test_a_check_that_fails_keeps_the_action_and_shows_why(root):
    trusted(root, "echo because; false")
    before = get(root, PATH)
    answer = run("done", "oc-demo", "--verify", "--now", NOW, cwd=root)
    assert answer.returncode == 1
    assert 'oc-demo: "Do it" is not done' in answer.stdout
    assert "ended with exit code 1\nbecause\n" in answer.stdout
    assert get(root, PATH) == before
    recorded = evidence.recorded(state_dir(os.environ), find_place(root))[PATH]
    kept = recorded["do it", "echo because; false"]
    assert (kept.exit_code, kept.tail) == (1, "because\n")


def test_a_check_out_of_time_is_ended_and_keeps_the_action(root):
    trusted(root, "sleep 600")
    code, said = verify(root, "oc-demo", "--timeout", "0.2s")
    assert code == 1
    assert said["data"]["evidence"]["exit_code"] == 124
    assert said["findings"][0]["slug"] == "timeout"
    assert "Do it" in get(root, PATH)


def test_an_action_without_a_command_cannot_be_verified(root):
    put_skill(root)
    assert verify(root)[0] == 2
    assert run("done", "oc-demo", "--timeout", "1s", cwd=root).returncode == 2
    trusted(root, "true")
    assert verify(root, "oc-demo", "--timeout", "soon")[0] == 2


def test_done_without_verify_works_as_before_and_says_so(root):
    put_skill(root, next_actions=[{"text": "Do it", "done_when": "touch pwned"}, "Rest"])
    answer = run("done", "oc-demo", "--now", NOW, cwd=root)
    assert answer.returncode == 0
    assert "Not verified: its done_when was not run." in answer.stdout
    assert "evidence" not in json.loads(get(root, PATH))["recently_done"][0]
    assert not os.path.exists(os.path.join(root, "pwned"))


def test_the_last_action_asks_before_anything_runs(root):
    put_skill(root, next_actions=[{"text": "Do it", "done_when": "echo x >>ran"}])
    approve(root)
    code, said = verify(root)
    assert (code, bool(said["ask"])) == (0, True)
    assert not os.path.exists(os.path.join(root, "ran"))
    assert verify(root, "oc-demo", "--complete")[0] == 0
    assert get(root, "ran") == "x\n"


def test_an_action_that_changed_while_the_check_ran_is_not_completed(root):
    edit = f"sed -i s/Do.it/Undo.it/ {PATH}"
    trusted(root, edit)
    code, _ = verify(root)
    assert code == 3
    assert "recently_done" not in get(root, PATH)


def test_evidence_goes_stale_when_the_tree_moves_and_not_when_the_checkpoint_does(root):
    trusted(root, "true")
    verify(root)
    proof = from_json(json.loads(get(root, PATH))["recently_done"][0]["evidence"])

    def level():
        now = working_tree.look(find_place(root), os.environ)
        return grade(proof, "true", now.commit, now.dirty, now.digest).level

    assert level() == "fresh"
    git("add", "--all", cwd=root)
    git("commit", "--quiet", "--message", "Checkpoint", cwd=root)
    assert level() == "fresh"
    with open(os.path.join(root, "app.py"), "a", encoding="utf-8") as file:
        file.write("more\n")
    assert level() == "stale"


def test_a_check_that_changes_files_says_that_its_evidence_is_stale(root):
    trusted(root, "touch made")
    _, said = verify(root)
    assert [finding["slug"] for finding in said["findings"]] == ["tree-moved"]


@pytest.mark.parametrize("name", ["chk-auth", "thread-1a2b3c4d"])
def test_formats_without_a_place_for_evidence_have_theirs_in_the_state_folder(root, name):
    put_markdown(root, next="- Change the timer [done_when: true]\n- Write the docs")
    thread = put_thread(root)
    text = get(root, thread).replace("the middleware", "the middleware [done_when: true]")
    with open(os.path.join(root, thread), "w", encoding="utf-8") as file:
        file.write(text)
    approve(root)
    code, said = verify(root, name)
    assert code == 0, said
    local = evidence.recorded(state_dir(os.environ), find_place(root))[said["data"]["path"]]
    assert [(command, kept.exit_code) for (_, command), kept in local.items()] == [("true", 0)]
    shown = run("status", name, "--json", "--now", NOW, cwd=root).stdout
    opened = [one["kind"] for one in json.loads(shown)["data"]["verdicts"]["open"]]
    assert "done" not in opened, "the evidence is fresh"
    with open(os.path.join(root, "app.py"), "a", encoding="utf-8") as file:
        file.write("more\n")
    shown = run("status", name, "--json", "--now", NOW, cwd=root).stdout
    opened = [one["kind"] for one in json.loads(shown)["data"]["verdicts"]["open"]]
    assert "done" in opened, "and stale once a file changed"
