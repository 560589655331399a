"""Each kind of claim against each state of the world; the facts are given, nothing is read."""

from __future__ import annotations

import pytest

from leftoff.core.claims import CONFIRMED, CONTRADICTED, UNKNOWN, fresh_actions, judge
from leftoff.core.evidence import Tree
from leftoff.core.facts import Facts, Repository
from leftoff.core.model import ARCHIVED, IN_PROGRESS, Evidence
from leftoff.core.stream import Glance

SHA = "a1b2c3d4e5"
REPOSITORY = Repository(head=SHA + "0" * 30, branch="main", branches={"main": SHA, "feature": SHA})


def stream(**fields: object) -> Glance:
    return Glance("x.json", "skill", "x", **{"status": IN_PROGRESS, **fields})


def words(glance: Glance, facts: Facts) -> list[tuple[str, str]]:
    return [(verdict.about, verdict.word) for verdict in judge(glance, facts)]


def only(glance: Glance, **git: object) -> tuple[str, str]:
    (verdict,) = judge(glance, Facts(REPOSITORY._replace(**git)))
    return verdict.word, verdict.reason


def test_a_file_is_there_changed_or_gone():
    facts = Facts(missing=frozenset({"b"}), changed={("x.json", "a"): False, ("x.json", "c"): True})
    assert words(stream(files=("a", "b", "c", "d")), facts) == [
        ("a", CONFIRMED),
        ("b", CONTRADICTED),
        ("c", UNKNOWN),
        ("d", CONFIRMED),
    ]


def test_files_beyond_the_cap_are_named_as_unchecked():
    assert words(stream(more_files=7), Facts()) == [("7 more", UNKNOWN)]


@pytest.mark.parametrize(
    ("git", "word", "reason"),
    [
        ({}, CONFIRMED, "it exists"),
        ({"branches": {}}, CONTRADICTED, "no longer exists"),
        ({"branches": {}, "shallow": True}, UNKNOWN, "shallow"),
        ({"merged": frozenset({"feature"})}, CONTRADICTED, "merged into main"),
        ({"merged": frozenset({"feature"}), "branch": ""}, CONTRADICTED, "merged into HEAD"),
        ({"why": "this is not a git repository"}, UNKNOWN, "not a git"),
    ],
)
def test_a_branch_exists_is_merged_or_is_gone(git, word, reason):
    said = only(stream(branch="feature"), **git)
    assert said[0] == word
    assert reason in said[1]


@pytest.mark.parametrize(
    ("since", "word", "reason"),
    [
        (0, CONFIRMED, "where the checkpoint left it"),
        (1, CONTRADICTED, "1 commit came after"),
        (3, CONTRADICTED, "3 commits came after"),
        (-1, CONTRADICTED, "is not on it"),
        (None, UNKNOWN, "could not say"),
    ],
)
def test_a_branch_that_moved_contradicts_the_commit_beside_it(since, word, reason):
    known = {} if since is None else {("feature", SHA): since}
    git = REPOSITORY._replace(since=known, reachable={SHA: True})
    verdict = next(
        v for v in judge(stream(branch="feature", commit=SHA), Facts(git)) if v.kind == "branch"
    )
    assert verdict.word == word
    assert reason in verdict.reason


@pytest.mark.parametrize(
    ("git", "word"),
    [
        ({"reachable": {SHA: True}}, CONFIRMED),
        ({"reachable": {SHA: False}}, CONTRADICTED),
        ({"reachable": {SHA: None}}, CONTRADICTED),
        ({"reachable": {SHA: None}, "shallow": True}, UNKNOWN),
        ({"reachable": {SHA: False}, "shallow": True}, CONTRADICTED),
        ({}, UNKNOWN),
        ({"why": "there is no commit yet"}, UNKNOWN),
    ],
)
def test_a_commit_is_in_the_history_or_not(git, word):
    assert only(stream(commit=SHA), **git)[0] == word


@pytest.mark.req("X.rank.landed", "A.doctor.landed-work")
def test_an_action_has_landed_only_when_all_its_references_have():
    facts = Facts(REPOSITORY._replace(landed=frozenset({"#1"}), versions=frozenset({"1.2.3"})))
    actions = ("Merge #1", "Merge #1 and #2", "Tag v1.2.3", "Ship UTF-8", "Plain", "Close OPS-1")
    named = (("#1",), ("#1", "#2"), ("1.2.3",), ("UTF-8",), (), ("OPS-1",))
    glance = stream(actions=actions, tokens=named, landed=("OPS-1",))
    assert words(glance, facts) == [
        ("Merge #1", CONTRADICTED),
        ("Merge #1 and #2", CONFIRMED),
        ("Tag v1.2.3", CONTRADICTED),
        ("Close OPS-1", CONTRADICTED),
    ]
    assert fresh_actions(glance, facts) == [1, 3, 4]


def test_without_git_a_reference_is_unknown_unless_the_document_says_it_landed():
    facts = Facts(Repository(why="this is not a git repository"))
    glance = stream(actions=("a #1", "b #2"), tokens=(("#1",), ("#2",)), landed=("#2",))
    assert words(glance, facts) == [("a #1", UNKNOWN), ("b #2", CONTRADICTED)]


def test_what_only_the_checkpoint_says_has_landed_is_told_as_its_word():
    facts = Facts(REPOSITORY._replace(landed=frozenset({"#1"})))
    actions, named = ("a #1", "b #2", "c #1 #2"), (("#1",), ("#2",), ("#1", "#2"))
    glance = stream(actions=actions, tokens=named, landed=("#2",))
    assert [verdict.reason for verdict in judge(glance, facts)] == [
        "#1 has already landed",
        "the checkpoint itself counts #2 as done",
        "the checkpoint itself counts #1, #2 as done",
    ]


@pytest.mark.req("A.doctor.project-dir", "A.schema.project-dir")
def test_a_project_dir_of_another_machine_is_no_contradiction():
    assert words(stream(project_dir="/p"), Facts(folders=frozenset({"/p"}))) == [("/p", CONFIRMED)]
    assert words(stream(project_dir="/q"), Facts()) == [("/q", UNKNOWN)]


def test_tests_count_while_no_code_was_committed_since():
    git = REPOSITORY._replace(reachable={SHA: True})
    at_head = stream(tests="12 passed", commit=REPOSITORY.head)
    assert ("12 passed", CONFIRMED) in words(at_head, Facts(git))
    older = stream(tests="12 passed", commit="f" * 40)
    assert ("12 passed", UNKNOWN) in words(older, Facts(git))
    only_checkpoints = git._replace(since={("main", "f" * 40): 0})
    assert ("12 passed", CONFIRMED) in words(older, Facts(only_checkpoints))
    assert ("12 passed", UNKNOWN) in words(stream(tests="12 passed"), Facts(git))


def test_what_is_done_is_graded_by_its_evidence():
    tree = Tree("c" * 40, dirty=False, digest="d")
    good = tuple(Evidence("make", 0, "c" * 40, tree="d"))
    old = tuple(Evidence("make", 0, "b" * 40, tree="e"))
    bad = tuple(Evidence("make", 2, "c" * 40))
    items = (("k1", "A", "make", good), ("k2", "B", "make", old), ("k3", "C", "make", bad))
    glance = stream(finished=(*items, ("k4", "D", "make", ()), ("k5", "E", "make", ())))
    local = {"x.json": {("k5", "make"): Evidence("make", 0, "c" * 40, tree="d")}}
    facts = Facts(REPOSITORY, tree=tree, evidence=local)
    assert words(glance, facts) == [
        ("A", CONFIRMED),
        ("B", UNKNOWN),
        ("C", CONTRADICTED),
        ("D", UNKNOWN),
        ("E", CONFIRMED),
    ]
    unseen = facts._replace(tree=None)
    assert words(glance, unseen) == [("C", CONTRADICTED)]


def test_what_this_machine_verified_is_graded_where_the_document_has_no_place_for_it():
    local = {"x.json": {("fix the login", "make"): Evidence("make", 0, tree="d")}}
    failed = {"x.json": {("fix the login", "make"): Evidence("make", 1, tree="d")}}
    facts = Facts(REPOSITORY, tree=Tree("c", dirty=False, digest="d"), evidence=local)
    assert words(stream(), facts) == [("fix the login", CONFIRMED)]
    moved = facts._replace(tree=Tree("c", dirty=False, digest="e"))
    assert words(stream(), moved) == [("fix the login", UNKNOWN)]
    assert words(stream(), facts._replace(evidence=failed)) == []


def test_a_parent_exists_or_not_and_free_text_names_none():
    facts = Facts(ids=frozenset({"a"}))
    assert words(stream(parent="a"), facts) == [("a", CONFIRMED)]
    assert words(stream(parent="b"), facts) == [("b", CONTRADICTED)]
    assert words(stream(parent="the login work"), facts) == [("the login work", UNKNOWN)]


def test_a_ticket_is_well_formed_or_not():
    glance = stream(refs=(("X-1", "source"), ("X-2", ""), ("", "child"), ("X-3", "boss")))
    assert [word for _, word in words(glance, Facts())] == [
        CONFIRMED,
        CONFIRMED,
        CONTRADICTED,
        CONTRADICTED,
    ]


def test_a_broken_or_archived_stream_claims_nothing():
    facts = Facts(missing=frozenset({"a"}))
    assert judge(stream(files=("a",), broken="line 1"), facts) == []
    assert judge(stream(files=("a",), status=ARCHIVED), facts) == []
