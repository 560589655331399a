"""Completions and LEARNINGS.md as texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.core.learnings import appended, blocks, completed, field, learnings, newest_first

NOW = "2026-08-08T12:00:00Z"


@pytest.mark.req("B.learn.field")
@pytest.mark.parametrize(
    "text",
    [
        "- **Learnings**:\n  - one\n  - two\n    goes on\n  - three",
        "**Learnings**: one\n- two goes on\n- three",
        "- **Status**: Archived\n- **Learnings:**\n  1. one\n  2. two\n     goes on\n  3. three",
        "- **Learnings**: one\n  - two goes on\n  - three\n- **Date**: 2026-01-01",
    ],
)
def test_every_line_of_the_learnings_counts(text):
    assert learnings(text) == ["one", "two goes on", "three"]


@pytest.mark.req("B.learn.none")
@pytest.mark.parametrize("word", ["None noted", "none", "N/A", "-", "None noted.", "", "- none"])
def test_none_noted_and_its_kin_are_nothing(word):
    assert learnings(f"- **Outcome**: x\n- **Learnings**: {word}\n- **Date**: y") == []


def test_a_completion_keeps_what_it_says_and_gains_only_what_is_missing():
    old = "Ended well.\n\n- **Outcome**: shipped\n- **Date**: 2026-01-01"
    new = completed(old, "", ["Test first"], NOW)
    assert new.startswith(old)
    assert field(new, "Date") == "2026-01-01"
    assert learnings(new) == ["Test first"]
    assert completed(new, "shipped", ["Test first"], NOW) == new
    assert field(completed(new, "dropped", [], NOW), "Outcome") == "dropped"


@pytest.mark.req("B.learn.structure")
def test_a_block_has_the_date_the_id_and_a_bullet_each():
    text = appended("", "2026-08-08", "chk-a", ["one", "two"])
    assert text == "# Learnings\n\n## 2026-08-08 — chk-a\n- one\n- two\n"


@given(st.text(max_size=60), st.lists(st.sampled_from(["one", "two", "## three"]), max_size=4))
def test_appending_keeps_every_byte_before_it_and_a_repeat_adds_nothing(old, said):
    new = appended(old, "2026-08-08", "chk-a", said)
    assert new.startswith(old)
    assert appended(new, "2026-08-09", "chk-a", said) == new


def test_a_block_written_by_hand_is_shown_beside_its_neighbour():
    text = "# Learnings\nby hand\n\n## 2026-01-02 — b\n- 2\n## odd heading\n- x\n\n## 2026-01-01 — a\n- 1\n"
    found = newest_first(blocks(text))
    assert [one.id or one.lines[0] for one in found] == ["## odd heading", "b", "a", "by hand"]


def test_a_blank_line_between_bullets_says_nothing():
    assert learnings("**Learnings**:\n  - one\n\n    more\n  - two\n") == ["one more", "two"]


@pytest.mark.parametrize("given", ["x y", "- x y", " * x\n  y", "+ x y "])
def test_a_learning_is_kept_without_the_mark_of_a_list_that_it_is_given_with(given):
    new = completed("", "shipped", [given, "-5 degrees", "1. of May"], NOW)
    assert learnings(new) == ["x y", "-5 degrees", "1. of May"]
