"""Closing an action: which one is meant, and what stays of it."""

from __future__ import annotations

import pytest

from leftoff.core.finish_action import Ending, choose, closed
from leftoff.core.model import Checkpoint, Item
from leftoff.errors import NotFound

C = Checkpoint("x", stage="build", next_actions=(Item("one", "a"), Item("two"), Item("twice")))


@pytest.mark.parametrize(
    ("which", "text"), [("", "one"), ("2", "two"), ("a", "one"), ("twi", "twice")]
)
def test_an_action_is_meant_by_number_id_or_the_beginning_of_its_text(which, text):
    assert choose(C, which).text == text


@pytest.mark.parametrize("which", ["tw", "4", "nothing"])
def test_what_fits_none_or_several_is_not_found(which):
    with pytest.raises(NotFound, match="open action"):
        choose(C, which)


def test_where_nothing_is_open_the_hint_says_how_to_add_something():
    with pytest.raises(NotFound, match="x has no open action") as raised:
        choose(Checkpoint("x", next_actions=(Item("one", attrs={"done": "x"}),)), "")
    assert "next_actions" in raised.value.hint


@pytest.mark.parametrize(
    ("keeps", "item"),
    [
        ("ticked", Item("do", attrs={"owner": "Ann", "done": "x"})),
        ("recent", Item("do", attrs={"owner": "Ann", "exit": 0})),
        ("story", Item("build → do (owner: Ann) → done")),
        ("text", Item("do (owner: Ann)")),
    ],
)
def test_what_stays_of_an_action_is_what_its_format_has_room_for(keeps, item):
    assert closed(C, Item("do", attrs={"owner": "Ann"}), Ending(keeps), {"exit": 0}) == item
