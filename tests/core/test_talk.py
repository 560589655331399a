"""Turns of a conversation: held until nothing is missing of them, and never without end."""

from __future__ import annotations

from leftoff.core import talk


def test_calls_that_nobody_answers_are_given_out_and_forgotten():
    heard, count = talk.begin(), talk.MOST_OPEN + 3
    for number in range(count):
        talk.called(heard, f"c{number}", "Read", f"file {number}", ())
        talk.line_read(heard, 1.0)
    given = talk.ready(heard)
    assert [turn.about for turn in given] == ["file 0", "file 1", "file 2"]
    assert len(heard["calls"]) == talk.MOST_OPEN
    assert len(talk.ready(heard, end=True)) == talk.MOST_OPEN
