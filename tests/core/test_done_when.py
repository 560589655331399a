"""Commands that a write brings in: only what its author said."""

from __future__ import annotations

from leftoff.core.done_when import actions, brought
from leftoff.core.model import Checkpoint, Item


def _with(*commands: str) -> Checkpoint:
    return Checkpoint("x", next_actions=tuple(Item(c, attrs={"done_when": c}) for c in commands))


def test_a_command_is_brought_in_by_who_said_it_in_a_text_a_list_or_an_object():
    for said in ("make", ["make"], {"done_when": "make"}, [{"a": ["make"]}]):
        assert brought(_with("old"), _with("old", "make"), [said]) == ["make"]


def test_numbers_and_nothing_say_no_command_and_what_was_there_is_not_brought():
    assert brought(None, _with("7"), [7, None, True]) == []
    assert brought(_with("make"), _with("make"), ["make"]) == []


def test_an_action_that_names_no_command_is_none_that_can_be_checked():
    c = Checkpoint("x", next_actions=(Item("a"), Item("b", attrs={"done_when": "make"})))
    assert [item.text for item in actions(c)] == ["b"]
