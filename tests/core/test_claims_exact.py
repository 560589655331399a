"""The words of every verdict: the reason is what a person acts on."""

from __future__ import annotations

import pytest

from leftoff.core.claims import CONFIRMED, CONTRADICTED, UNKNOWN, judge
from leftoff.core.facts import Facts, Repository
from leftoff.core.model import IN_PROGRESS
from leftoff.core.stream import Glance

SHA = "a1b2c3d4e5f6"
GIT = Repository(head=SHA + "0" * 28, branch="main", branches={"main": SHA, "work": SHA})


def told(facts=None, git=None, **fields):
    stream = Glance("x.json", "skill", "x", **{"status": IN_PROGRESS, **fields})
    facts = (facts or Facts())._replace(repository=GIT._replace(**(git or {})))
    return [(verdict.about, verdict.word, verdict.reason) for verdict in judge(stream, facts)]


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        (Facts(), (CONFIRMED, "it is there")),
        (Facts(changed={("x.json", "a"): False}), (CONFIRMED, "it is as the checkpoint left it")),
        (Facts(changed={("x.json", "a"): True}), (UNKNOWN, "it changed after the checkpoint")),
        (Facts(missing=frozenset("a")), (CONTRADICTED, "there is no such file")),
    ],
)
def test_a_file(facts, said):
    assert told(facts, files=("a",)) == [("a", *said)]


@pytest.mark.parametrize(
    ("since", "said"),
    [
        ({}, (UNKNOWN, "git could not say what came after a1b2c3d4e")),
        ({("work", SHA): 0}, (CONFIRMED, "it is where the checkpoint left it (a1b2c3d4e)")),
        ({("work", SHA): 1}, (CONTRADICTED, "it moved: 1 commit came after a1b2c3d4e")),
        ({("work", SHA): 2}, (CONTRADICTED, "it moved: 2 commits came after a1b2c3d4e")),
        ({("work", SHA): -1}, (CONTRADICTED, "it moved: a1b2c3d4e is not on it")),
    ],
)
def test_a_branch_and_what_came_after_the_commit(since, said):
    verdicts = told(git={"since": since, "reachable": {SHA: True}}, branch="work", commit=SHA)
    assert verdicts == [("work", *said), ("a1b2c3d4e", CONFIRMED, "it is in the history")]


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (
            {("work", SHA, "x.json"): 2},
            (CONFIRMED, "what came after a1b2c3d4e came with the checkpoint"),
        ),
        ({("work", SHA, "x.json"): 1}, (CONTRADICTED, "it moved: 1 commit came after a1b2c3d4e")),
        ({("work", SHA, "y.json"): 2}, (CONTRADICTED, "it moved: 2 commits came after a1b2c3d4e")),
        ({("main", SHA, "x.json"): 2}, (CONTRADICTED, "it moved: 2 commits came after a1b2c3d4e")),
    ],
)
def test_what_was_committed_with_the_checkpoint_does_not_move_its_branch(held, said):
    git = {"since": {("work", SHA): 2}, "held": held, "reachable": {SHA: True}}
    assert told(git=git, branch="work", commit=SHA)[0] == ("work", *said)


@pytest.mark.parametrize(
    ("git", "facts", "said"),
    [
        ({}, Facts(), (UNKNOWN, "git could not say")),
        ({}, Facts(degraded="git was slow"), (UNKNOWN, "git was slow")),
        ({"why": "no git"}, Facts(degraded="git was slow"), (UNKNOWN, "no git")),
        ({"reachable": {SHA: None}}, Facts(), (CONTRADICTED, "git does not have it")),
        (
            {"reachable": {SHA: None}, "shallow": True},
            Facts(),
            (UNKNOWN, "this is a shallow clone, which may lack it"),
        ),
        (
            {"reachable": {SHA: False}, "shallow": True},
            Facts(),
            (CONTRADICTED, "it is not in the history of HEAD"),
        ),
    ],
)
def test_a_commit(git, facts, said):
    assert told(facts, git, commit=SHA) == [("a1b2c3d4e", *said)]


@pytest.mark.parametrize(
    ("named", "git", "said"),
    [
        (("#1",), {"landed": frozenset({"#1"})}, (CONTRADICTED, "#1 has already landed")),
        (
            ("#1", "1.2.0"),
            {"landed": frozenset({"#1"}), "versions": frozenset({"1.2.0"})},
            (CONTRADICTED, "#1, 1.2.0 have already landed"),
        ),
        (("#1",), {}, (CONFIRMED, "#1 has not landed")),
        (("#1", "#2"), {}, (CONFIRMED, "#1, #2 have not landed")),
        (("#1",), {"why": "no git"}, (UNKNOWN, "no git")),
        (("#1",), {"unheard": "too long"}, (UNKNOWN, "too long")),
        (("1.2.0",), {"unheard": "too long"}, (CONFIRMED, "1.2.0 has not landed")),
        (("#1", "1.2.0"), {"unheard": "too long"}, (UNKNOWN, "too long")),
        (("1.2.0",), {"why": "no git", "unheard": "too long"}, (UNKNOWN, "no git")),
    ],
)
def test_an_action(named, git, said):
    assert told(git=git, actions=("Do",), tokens=(named,)) == [("Do", *said)]


@pytest.mark.parametrize(
    ("git", "commit", "said"),
    [
        ({"why": "no git"}, SHA, (UNKNOWN, "no git")),
        ({}, "", (UNKNOWN, "it names no commit")),
        ({}, SHA, (CONFIRMED, "no code was committed since")),
        (
            {"since": {("main", "1234567890ab"): 0}},
            "1234567890ab",
            (CONFIRMED, "no code was committed since"),
        ),
        (
            {},
            "1234567890ab",
            (UNKNOWN, "they are from 123456789, which is older than HEAD (a1b2c3d4e)"),
        ),
        ({}, "0" * 10, (UNKNOWN, "they are from 000000000, which is older than HEAD (a1b2c3d4e)")),
    ],
)
def test_tests(git, commit, said):
    verdicts = told(git=git, tests="12 passed\nof 12", commit=commit)
    assert ("12 passed", *said) in verdicts


def test_a_folder_of_a_project():
    assert told(project_dir="/p") == [
        ("/p", UNKNOWN, "written on another machine, or the project moved")
    ]
    assert told(Facts(folders=frozenset({"/p"})), project_dir="/p") == [
        ("/p", CONFIRMED, "it is here")
    ]


def test_tickets():
    refs = (("", ""), ("", "source"), ("OPS-1", "source"), ("OPS-2", ""), ("OPS-3", "boss"))
    assert [verdict[:2] for verdict in told(refs=refs)] == [
        ("(none)", CONTRADICTED),
        ("source", CONTRADICTED),
        ("OPS-1", CONFIRMED),
        ("OPS-2", CONFIRMED),
        ("OPS-3", CONTRADICTED),
    ]
