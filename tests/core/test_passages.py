"""What a search finds in a conversation and in a page of history."""

from __future__ import annotations

from leftoff.core.passages import of_page, of_turns
from leftoff.core.redact import PLAIN
from leftoff.core.talk import AGENT, Turn


def test_every_turn_of_a_long_talk_is_a_passage_in_order():
    turns = [Turn(AGENT, f"turn {n}", line=n) for n in range(1, 201)]
    assert [(one.text, one.line) for one in of_turns(turns, PLAIN)] == [
        (turn.text, turn.line) for turn in turns
    ]


def test_a_page_that_begins_with_a_turn_has_no_empty_head():
    page = "\n\n## user (2026-01-02T03:04:05Z)\nhello\n"
    (one,) = of_page(page, 7.0, PLAIN)
    assert (one.text.split("\n")[1], one.line) == ("hello", 3)
