"""Streams as lists show them."""

from __future__ import annotations

import marshal

import pytest
from hypothesis import given

from laws.strategies import checkpoints
from leftoff.core.glance import glance
from leftoff.core.model import Checkpoint, Item
from leftoff.core.stream import Glance, Stream, broken, join


def test_of_several_files_each_field_comes_from_the_first_that_says_something():
    first = Checkpoint("thread-1", name="Login", private={"maxSteps": 3})
    second = Checkpoint("other", name="Other", summary="half done", status="complete")
    assert join([first, second]) == first._replace(summary="half done", status="complete")
    assert join([first]) == first


def test_a_glance_counts_rows_and_leaves_out_what_is_done_or_resolved():
    c = Checkpoint(
        "x",
        next_actions=(Item("shipped", attrs={"done": True}), Item("test")),
        blockers=(
            Item("which key?", "b1", {"needs": "user_decision", "proposed_resolution": "ask"}),
            Item("old", "b2", {"status": "resolved"}),
        ),
        progress=(
            Item("Plan", "1", {"status": "complete"}),
            Item("Build", "2", {"status": "in_progress"}),
        ),
        refs=(Item("", "OPS-1", {"provider": "linear", "role": "source"}), Item("a file")),
        conflicts=(Item("y", "problem"),),
    )
    seen = glance(c, "p.json", "skill")
    assert seen.actions == ("test",)
    assert seen.blockers == (("b1", "which key?", "user_decision", "ask"),)
    assert (seen.done, seen.total, seen.at_gate) == (1, 2, False)
    assert seen.refs == (("OPS-1", "source"),)
    assert seen.conflicts == 1


@pytest.mark.parametrize(
    ("cost", "spent"),
    [({"total_usd": 3}, 3.0), ({"total_usd": 2.5}, 2.5), ({}, 0.0), ({"total_usd": True}, 0.0)],
)
def test_only_a_number_is_an_amount(cost, spent):
    assert glance(Checkpoint("x", cost=cost), "p", "skill").spent == spent


@given(checkpoints())
def test_every_glance_can_be_kept_in_the_document_cache(c: Checkpoint):
    seen = glance(c, "p", "skill")
    assert Glance(*marshal.loads(marshal.dumps(tuple(seen)))) == seen


def test_every_broken_document_is_an_error():
    good, bad = Glance("a", "skill", "a"), Glance("b", "skill", "b", broken="no JSON")
    found = broken([Stream(good, ("a",)), Stream(bad, ("b",))])
    assert [(one.where, one.level, one.text) for one in found] == [("b", "error", "no JSON")]


@pytest.mark.parametrize("amount", [10**400, True, "7", None], ids=["huge", "true", "text", "none"])
def test_a_cost_that_is_no_amount_is_none(amount):
    assert glance(Checkpoint("x", cost={"total_usd": amount}), "p", "skill").spent == 0.0
