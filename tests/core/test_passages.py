"""What a search finds in a conversation and in a page of history."""

from __future__ import annotations

from leftoff.core.model import Checkpoint, Item
from leftoff.core.passages import of_document, of_page, of_turns
from leftoff.core.redact import PLAIN
from leftoff.core.talk import AGENT, Turn


def test_every_turn_of_a_long_talk_is_a_passage_in_order():
    turns = [Turn(AGENT, f"turn {n}", line=n) for n in range(1, 201)]
    assert [(one.text, one.line) for one in of_turns(turns, PLAIN)] == [
        (turn.text, turn.line) for turn in turns
    ]


def test_each_decision_has_the_line_that_it_stands_on():
    texts = ("Use RS256 for keys", "Use RS256", "Rotate\nthem", "said in other words")
    read = Checkpoint(id="x", decisions=tuple(Item(text) for text in texts))
    page = "# Work\n\n- Use RS256 for keys\n- Use RS256\n\n- Rotate\n  them\n"
    found = [*of_document(page, read, 7.0, PLAIN)][1:]
    assert [one.line for one in found] == [3, 4, 6, 0]


def test_a_page_that_begins_with_a_turn_has_no_empty_head():
    page = "\n\n## user (2026-01-02T03:04:05Z)\nhello\n"
    (one,) = of_page(page, 7.0, PLAIN)
    assert (one.text.split("\n")[1], one.line) == ("hello", 3)
