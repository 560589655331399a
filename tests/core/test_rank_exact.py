"""Which stream comes first, at every border between two ranks."""

from __future__ import annotations

import pytest

from leftoff.core.model import ARCHIVED, BLOCKED, COMPLETE, FAILED, IN_PROGRESS
from leftoff.core.rank import in_order, last_touched, names_gate, over_budget, rank, waiting
from leftoff.core.stream import Glance

DECISION = ("b1", "which key?", "user_decision", "")
OTHER = ("b2", "no network", "", "")


def stream(name="x", **given):
    return Glance(f"{name}.json", "skill", name, **given)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"status": IN_PROGRESS, "blockers": (OTHER, DECISION)}, 1),
        ({"status": COMPLETE, "blockers": (DECISION,)}, 1),
        ({"status": FAILED}, 2),
        ({"status": BLOCKED, "blockers": (OTHER,)}, 2),
        ({"status": IN_PROGRESS, "at_gate": True}, 3),
        ({"status": IN_PROGRESS}, 4),
        ({"status": COMPLETE, "actions": ("tidy",)}, 5),
        ({"status": COMPLETE}, 6),
        ({"status": ARCHIVED, "actions": ("tidy",), "blockers": (DECISION,)}, 6),
        ({"status": "", "actions": ("tidy",)}, 6),
    ],
)
def test_a_rank_is_decided_by_what_waits_then_by_status_then_by_what_is_queued(given, expected):
    assert rank(stream(**given)) == expected


def test_only_blockers_that_need_a_decision_wait_and_none_of_an_archived_stream():
    assert waiting(stream(blockers=(OTHER, DECISION))) == [DECISION]
    assert waiting(stream(status=ARCHIVED, blockers=(DECISION,))) == []
    assert waiting(stream()) == []


@pytest.mark.parametrize(
    ("spent", "budget", "over"),
    [(2.0, 1.0, True), (1.0, 1.0, False), (0.5, 1.0, False), (1.0, 0.0, False), (1.0, -1.0, False)],
)
def test_a_budget_is_exceeded_by_more_than_itself_and_no_budget_never(spent, budget, over):
    assert over_budget(stream(spent=spent, budget=budget)) is over


def test_a_stream_was_touched_when_it_was_updated_else_when_it_was_created():
    assert last_touched(stream(created="2026-01-01", updated="2026-02-02")) == "2026-02-02"
    assert last_touched(stream(created="2026-01-01")) == "2026-01-01"


def test_broken_ones_lead_and_equals_go_by_budget_current_newest_and_name():
    expected = [
        stream("broken", broken="no JSON"),
        stream("waits", blockers=(DECISION,)),
        stream("dear", status=IN_PROGRESS, spent=2.0, budget=1.0, touched=1.0),
        stream("current", status=IN_PROGRESS, word="current", touched=1.0),
        stream("newer", status=IN_PROGRESS, touched=0.5),
        stream("older", status=IN_PROGRESS, touched=0.25),
        stream("a-name", status=IN_PROGRESS),
        stream("b-name", status=IN_PROGRESS),
    ]
    assert in_order(reversed(expected)) == expected


@pytest.mark.parametrize("text", ["Approval", "wait for SIGN-OFF", "sign off: Ann", "gate 2"])
def test_a_gate_is_named_by_a_whole_word(text):
    assert names_gate("", text)
    assert not names_gate(f"navi{text}ion".replace(" ", "_"))
