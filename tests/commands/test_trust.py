"""trust: nothing of a repository runs before a person said so, and only a person can."""

from __future__ import annotations

import json
import os

import pytest

from callers import AGENT, PERSON, as_caller, at_terminal
from leftoff import commands
from leftoff.core.caller import Caller
from projects import NOW, get, put, put_skill
from support import git, leftoff, repo, run

PWNED = [{"text": "Build it", "done_when": "touch pwned"}, "Then rest"]
PATH = ".checkpoints/oc-demo.checkpoint.json"


@pytest.fixture
def root(tmp_path):
    made = repo(tmp_path)
    put_skill(made, next_actions=PWNED)
    return made


def is_pwned(root):
    return any("pwned" in names for _, _, names in os.walk(root))


def grant_id(root):
    _, said = as_caller(PERSON, "trust", cwd=root)
    return said["ask"]["choices"][0]["value"]


WORDS = {
    "convert": ("oc-demo", "--to", "md"),
    "done": ("oc-demo", "--verify"),
    "merge-driver": (PATH, PATH, PATH, PATH),
    "reset": ("oc-demo",),
    "show": ("oc-demo",),
    "status": ("oc-demo",),
    "trust": ("oc-demo",),
    "update": ("oc-demo", "--phase=next"),
    "validate": (),
}


@pytest.mark.parametrize("verb", commands.names())
@pytest.mark.parametrize("words", ["known", "bare", "named"])
def test_no_command_runs_what_an_untrusted_repository_names(root, verb, words):
    argv = {"known": WORDS.get(verb, ()), "bare": (), "named": ("oc-demo",)}[words]
    answer = run(verb, *argv, "--now", NOW, cwd=root)
    assert answer.returncode != 70, answer.stderr
    assert not is_pwned(root)


def test_verifying_an_untrusted_command_is_refused_and_names_no_way_around(root):
    before = get(root, PATH)
    answer = run("done", "oc-demo", "--verify", "--now", NOW, cwd=root)
    assert answer.returncode == 1
    assert "a person has to approve the command on this machine first" in answer.stderr
    assert "trust" not in answer.stderr + answer.stdout
    assert get(root, PATH) == before
    assert not is_pwned(root)


def test_a_person_at_a_terminal_trusts_then_it_runs_and_after_an_edit_it_does_not(root):
    code, shown = at_terminal(PERSON, "1\n", "trust", cwd=root)
    assert code == 0
    assert "touch pwned" in shown
    assert "> trusted: touch pwned" in shown
    put_skill(root, next_actions=[{"text": "Build it", "done_when": "touch pwned "}, "Rest"])
    assert run("done", "oc-demo", "--verify", cwd=root).returncode == 1
    assert not is_pwned(root)
    put_skill(root, next_actions=PWNED)
    assert run("done", "oc-demo", "--verify", cwd=root).returncode == 0
    assert is_pwned(root)


def test_a_person_who_says_nothing_trusts_nothing(root):
    code, shown = at_terminal(PERSON, "\n", "trust", cwd=root)
    assert code == 0
    assert "not trusted: touch pwned" in shown
    assert run("done", "oc-demo", "--verify", cwd=root).returncode == 1


@pytest.mark.parametrize(
    ("who", "env"),
    [
        (AGENT, {}),
        (PERSON, {"CLAUDECODE": "1"}),
        (PERSON._replace(terminal=False), {}),
        (PERSON._replace(ancestors=None), {}),
        (Caller(), {}),
    ],
)
def test_nobody_but_a_person_can_grant_even_with_the_flag(root, who, env):
    flag = grant_id(root)
    code, said = as_caller(who, "trust", "--grant", flag, cwd=root, env=env)
    assert (code, said["error"]["kind"]) == (1, "untrusted")
    assert as_caller(who, "trust", cwd=root, env=env)[1]["ask"] is None
    assert run("done", "oc-demo", "--verify", cwd=root).returncode == 1
    assert not is_pwned(root)
    assert as_caller(PERSON, "trust", "--grant", flag, cwd=root)[0] == 0


def test_an_agents_shell_is_asked_nothing_at_a_terminal(root):
    code, shown = at_terminal(AGENT, "1\n", "trust", cwd=root)
    assert code == 0
    assert "not trusted: touch pwned" in shown
    assert run("done", "oc-demo", "--verify", cwd=root).returncode == 1


def test_the_real_program_in_a_pipe_refuses(root):
    answer = leftoff("trust", "--grant", grant_id(root), cwd=root)
    assert answer.returncode == 1
    assert "only a person may approve" in answer.stderr


def test_what_changed_since_it_was_shown_is_not_granted(root):
    flag = grant_id(root)
    put_skill(root, next_actions=[{"text": "Build it", "done_when": "touch pwned;true"}, "x"])
    assert as_caller(PERSON, "trust", "--grant", flag, cwd=root)[0] == 2


def test_all_are_granted_together_and_revoked_again(root):
    both = [*PWNED, {"text": "More", "done_when": "true"}]
    put_skill(root, next_actions=both)
    _, said = as_caller(PERSON, "trust", cwd=root)
    *_, every = said["ask"]["choices"]
    _, after = as_caller(PERSON, "trust", "--grant", every["value"], cwd=root)
    assert [one["trusted"] for one in after["data"]["commands"]] == [True, True]
    assert after["ask"] is None
    _, revoked = as_caller(AGENT, "trust", "--revoke", cwd=root)
    assert [one["trusted"] for one in revoked["data"]["commands"]] == [False, False]


def test_a_hidden_part_of_a_command_is_shown(root):
    put_skill(root, next_actions=[{"text": "a\u202eb", "done_when": "true\u202e\x1b[8m;evil"}])
    _, said = as_caller(PERSON, "trust", cwd=root)
    assert "true<U+202E><U+001B>[8m;evil" in said["ask"]["choices"][0]["means"]
    assert "true<U+202E><U+001B>[8m;evil" in run("trust", cwd=root).stdout


def test_a_command_written_here_is_trusted_and_what_stood_beside_it_is_not(root):
    given = '{"text": "Mine", "done_when": "touch mine"}'
    assert run("update", "oc-demo", f"--next_actions+:json={given}", cwd=root).returncode == 0
    _, said = as_caller(PERSON, "trust", cwd=root)
    trusted = {one["text"]: one["trusted"] for one in said["data"]["commands"]}
    assert trusted == {"touch pwned": False, "touch mine": True}


def test_writing_the_whole_list_again_does_not_trust_what_was_in_it(root):
    given = json.dumps([*PWNED, {"text": "Mine", "done_when": "touch mine"}])
    assert run("update", "oc-demo", f"--next_actions:json={given}", cwd=root).returncode == 0
    assert run("done", "oc-demo", "--verify", cwd=root).returncode == 1
    assert run("done", "oc-demo", "3", "--verify", cwd=root).returncode == 0
    assert not is_pwned(root)


def test_a_new_skills_first_command_is_trusted(root):
    given = '[{"text": "Mine", "done_when": "true"}, "x"]'
    assert run("update", "oc-new", f"--next_actions:json={given}", cwd=root).returncode == 0
    assert run("done", "oc-new", "--verify", cwd=root).returncode == 0


def test_a_carried_over_or_converted_command_stays_untrusted(root):
    run("init", "oc-two", "--as", "skill", "--from", "oc-demo", "--now", NOW, cwd=root)
    run("convert", "oc-demo", "--to", "md", cwd=root)
    _, said = as_caller(PERSON, "trust", cwd=root)
    assert {one["trusted"] for one in said["data"]["commands"]} == {False}


def test_a_clone_is_trusted_with_its_repository_and_a_stranger_is_not(root, tmp_path):
    git("add", "--all", cwd=root)
    git("commit", "--quiet", "--message", "Checkpoint", cwd=root)
    as_caller(PERSON, "trust", "--grant", grant_id(root), cwd=root)
    clone, stranger = os.path.join(tmp_path, "clone"), os.path.join(tmp_path, "other")
    git("clone", "--quiet", root, clone, cwd=root)
    assert run("done", "oc-demo", "--verify", cwd=clone).returncode == 0
    os.mkdir(stranger)
    put(stranger, PATH, get(root, PATH))
    assert run("done", "oc-demo", "--verify", cwd=stranger).returncode == 1
