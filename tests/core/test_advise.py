"""The one queue that next and status --brief take their answer from."""

from __future__ import annotations

from itertools import permutations

import pytest

from leftoff.core.advise import queue, terms
from leftoff.core.facts import Facts, Repository
from leftoff.core.model import ARCHIVED, BLOCKED, COMPLETE, FAILED, IN_PROGRESS
from leftoff.core.rank import names_gate
from leftoff.core.stream import Glance

LANDED = Facts(Repository(head="a", landed=frozenset({"#1"})))


def stream(name: str, status: str = IN_PROGRESS, **fields: object) -> Glance:
    given = {"actions": (f"do {name}",), "summary": f"About {name}. More.", **fields}
    return Glance(f"{name}.json", "skill", name, status=status, **given)


def decision(proposal: str = "") -> tuple[tuple[str, str, str, str], ...]:
    return (("b", "Which colour?", "user_decision", proposal),)


SIX = (
    stream("decision", blockers=decision()),
    stream("failed", FAILED),
    stream("gate", at_gate=True),
    stream("work"),
    stream("queued", COMPLETE),
    stream("rest", "not_started"),
)


@pytest.mark.req("A.next.rank", "A.next.single")
def test_the_order_is_the_same_in_any_order_of_files():
    expected = [one.id for one in SIX]
    for order in permutations(SIX):
        ranked = [*queue(order, Facts())]
        assert [advice.stream.id for advice in ranked] == expected
        assert [advice.rank for advice in ranked] == [1, 2, 3, 4, 5, 6]  # no tie that names settle


@pytest.mark.req("A.next.rank")
def test_blocked_without_a_decision_ranks_with_failed():
    blocked = stream("z-blocked", BLOCKED, touched=9.0)
    assert [a.rank for a in queue([stream("failed", FAILED), blocked], Facts())] == [2, 2]


@pytest.mark.req("X.rank.fall-through")
def test_equals_are_ordered_by_budget_then_current_then_newest_then_name():
    streams = [
        stream("old", touched=1.0),
        stream("new", touched=9.0),
        stream("b-same", touched=5.0),
        stream("a-same", touched=5.0),
        stream("current", touched=0.0, word="current"),
        stream("dear", touched=0.0, spent=2.0, budget=1.0),
    ]
    order = [advice.stream.id for advice in queue(streams, Facts())]
    assert order == ["dear", "current", "new", "a-same", "b-same", "old"]


@pytest.mark.req("X.rank.fall-through")
def test_a_stream_whose_actions_have_all_landed_falls_through_and_says_so():
    over = stream("over", touched=9.0, actions=("Merge #1",), tokens=(("#1",),))
    over, after = queue([over, stream("next")], LANDED)
    assert (after.stream.id, after.reconcile) == ("next", False)
    assert (over.stream.id, over.reconcile, over.landed) == ("over", True, ("Merge #1",))
    assert over.action.startswith("The one queued action has already landed")
    twice = stream("over", actions=("Merge #1", "Ship #1"), tokens=(("#1",), ("#1",)))
    assert next(queue([twice], LANDED)).action.startswith(
        "All 2 queued actions have already landed"
    )


@pytest.mark.req("X.rank.landed")
def test_an_action_of_which_only_a_part_has_landed_is_none_that_has():
    half = stream("x", actions=("Merge #1 and #2", "Merge #1"), tokens=(("#1", "#2"), ("#1",)))
    (advice,) = queue([half], LANDED)
    assert (advice.action, advice.landed) == ("Merge #1 and #2", ("Merge #1",))


@pytest.mark.req("X.rank.landed")
@pytest.mark.parametrize("status", [IN_PROGRESS, FAILED, BLOCKED, COMPLETE])
def test_landed_actions_are_passed_over_at_every_rank(status):
    glance = stream("x", status, actions=("Merge #1", "Go on"), tokens=(("#1",), ()))
    (advice,) = queue([glance], LANDED)
    assert (advice.action, advice.at, advice.landed) == ("Go on", 1, ("Merge #1",))


@pytest.mark.req("X.rank.landed")
def test_a_proposal_about_landed_work_is_not_repeated():
    fresh = stream("x", blockers=decision("Take red"))
    stale = stream("x", blockers=decision("Merge #1"))
    assert next(queue([fresh], LANDED)).action == "Decide. Proposed: Take red"
    assert next(queue([fresh], LANDED)).why == "Blocked on your decision: Which colour?"
    assert next(queue([stale], LANDED)).action == "Decide, then resume."


def test_trouble_names_the_blocker_and_the_way_out():
    blocked = stream("x", BLOCKED, blockers=(("b", "No key", "external_dep", "Ask Ann"),))
    assert next(queue([blocked], Facts()))[2:4] == ("Blocked: No key", "Ask Ann")
    bare = stream("x", FAILED, actions=())
    assert next(queue([bare], Facts()))[2:4] == (
        "Failed: it needs recovery",
        "Find out why, and recover.",
    )


def test_what_others_took_is_not_offered():
    glance = stream("x", actions=("one", "two"), checks=("", "make two"))
    (advice,) = queue([glance], Facts(), {("x", "one")})
    assert (advice.action, advice.check) == ("two", "make two")
    assert list(queue([glance], Facts(), {("x", "one"), ("x", "two")})) == []


def test_recovery_names_the_first_action_that_is_left_with_its_check():
    glance = stream("x", FAILED, actions=("one", "two", "three"), checks=("", "make two", "make 3"))
    (advice,) = queue([glance], Facts(), {("x", "one")})
    assert (advice.action, advice.at, advice.check) == ("two", 1, "make two")


def test_archived_broken_and_finished_streams_and_sessions_are_no_work():
    streams = [
        stream("a", ARCHIVED),
        stream("b", broken="line 1"),
        stream("c", COMPLETE, actions=()),
        Glance("s.json", "session", "s", status=IN_PROGRESS, actions=("x",)),
    ]
    assert list(queue(streams, Facts())) == []


def test_work_in_progress_with_nothing_queued_asks_for_a_look():
    (advice,) = queue([stream("x", actions=())], Facts())
    assert (advice.at, advice.action[:14]) == (-1, "No next action")


def test_the_terms_say_what_decided():
    dear = stream("x", spent=2.0, budget=1.0, word="current", updated="2026-01-01T00:00:00Z")
    (advice,) = queue([dear], Facts())
    assert terms(advice) == [
        "rank 4: in progress",
        "over budget: 2 of 1",
        "it is the current checkpoint",
        "last touched 2026-01-01T00:00:00Z",
    ]
    assert advice.why == "Over budget (2 of 1). About x."


@pytest.mark.req("X.rank.gates")
@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("gate", True),
        ("Awaiting review", True),
        ("sign-off", True),
        ("needs approval", True),
        ("Approve it", True),
        ("Investigate crash", False),
        ("navigate", False),
        ("aggregate", False),
        ("delegate", False),
    ],
)
def test_a_gate_is_a_whole_word(text, gate):
    assert names_gate(text) is gate
