"""What a search finds in a conversation and in a page of history."""

from __future__ import annotations

import pytest

from leftoff.core import passages
from leftoff.core.model import Checkpoint, Item
from leftoff.core.passages import of_document, of_learnings, of_page, of_turns, unescaped
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


def test_decisions_that_are_told_in_another_order_have_their_lines():
    page = "# Decided\n\n- First\n- Second\n- Third\n- Fourth\n"
    read = Checkpoint("x", decisions=tuple(map(Item, ("Third", "First", "Fourth", "Second", ""))))
    found = [*of_document(page, read, 7.0, PLAIN)][1:]
    assert [one.line for one in found] == [5, 3, 6, 4, 0]


def test_decisions_that_are_spelt_alike_have_a_line_each():
    twice = "Use RS256\nUse RS256\nUse RS256 again\n"
    for count, lines in ((1, [1]), (2, [1, 2])):
        read = Checkpoint("x", decisions=(Item("Use RS256"),) * count)
        assert [one.line for one in of_document(twice, read, 7.0, PLAIN)][1:] == lines


def test_a_page_that_begins_with_a_turn_has_no_empty_head():
    page = "\n\n## user (2026-01-02T03:04:05Z)\nhello\n"
    (one,) = of_page(page, 7.0, PLAIN)
    assert (one.text.split("\n")[1], one.line) == ("hello", 3)


def test_many_turns_are_redacted_together(monkeypatch):
    sizes = []
    redacted = passages.redacted_texts
    monkeypatch.setattr(
        passages, "redacted_texts", lambda some, by: sizes.append(len(some)) or redacted(some, by)
    )
    turns = [Turn(AGENT, f"turn {n}", line=n) for n in range(130)]
    assert len([*of_turns(turns, PLAIN)]) == 130
    assert sizes == [64, 64, 2]


@pytest.mark.parametrize(
    ("text", "wanted", "line"),
    [
        ("Use RS256\nand more", "Use RS256", 1),
        ("# Title\n- Use RS256\n", " Use RS256 ", 2),
        ("\n\nUse RS256", "Use RS256", 3),
        ("# Title\n\n", "Use RS256", 0),
        ("# Title", "", 0),
    ],
)
def test_a_decision_is_on_the_line_on_which_it_begins(text, wanted, line):
    read = Checkpoint("x", decisions=(Item(wanted),))
    whole, decision = of_document(text, read, 1.0, PLAIN)
    assert (whole.line, decision.line) == (1, line)


def test_learnings_are_passages_from_the_first_on():
    text = "\ufeff## 2026-01-02 — thread-1\n\n- One\n\n## 2026-01-03 — thread-1\n\n- Two\n"
    found = [*of_learnings(text, 1.0, PLAIN)]
    assert [(one.line, one.text.split("\n")[-1]) for one in found] == [(1, "- One"), (5, "- Two")]
    assert found[0].text.startswith("## 2026-01-02")
    (words, one) = of_learnings("Words before\n\n## 2026-01-02 — x\n- One", 1.0, PLAIN)
    assert (words.line, words.text, one.line) == (1, "Words before", 3)


def test_escapes_of_json_are_read_as_what_they_mean():
    assert unescaped(r'"\u5bc6\ud83d\ude00 \u00e9\n\"x\" \u\\') == '"密😀 é "x" u\\'
