"""What makes an event one, and a text without what leftoff gave."""

from __future__ import annotations

import pytest

from leftoff.core.event import ParsedPayload, key_of, without, without_own


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("<leftoff id=a>x</leftoff>", ""),
        ("ask <leftoff id=a>x</leftoff>this", "ask this"),
        ("<leftoff id=a>x</leftoff>1<leftoff id=b>y</leftoff>2<leftoff id=c>z</leftoff>3", "123"),
        ("1<leftoff id=a>x</leftoff>2<leftoff id=b>y", "12<leftoff id=b>y"),
        ("plain </leftoff>", "plain </leftoff>"),
    ],
)
def test_what_leftoff_gave_is_no_word_of_the_user(said, left):
    assert without_own(said) == left


def test_marks_that_stand_in_each_other_end_with_the_first_end():
    assert without("a(b(c)d)e(f)g", "(", ")") == "ad)eg"
    assert without("a(1)(2(3)", "(", ")") == "a"
    assert without("a<o<op>x</op>p>b</op>c", "<op>", "</op>") == "ac"


@pytest.mark.parametrize(("depth", "left"), [(7, ""), (8, "<op>y</op>")])
def test_marks_that_others_leave_are_looked_for_so_often_and_no_more(depth, left):
    assert without("<o" * depth + "<op>x</op>" + "p>y</op>" * depth, "<op>", "</op>") == left


@pytest.mark.parametrize(
    ("event", "told", "key"),
    [
        ("prompt", ParsedPayload("s", key="k", again=True), "k"),
        ("prompt", ParsedPayload("s"), "7"),
        ("stop", ParsedPayload("s", key="k", source="auto"), "k:7"),
        ("end", ParsedPayload("s", source="exit", again=True), "exit:7:again"),
    ],
)
def test_an_end_counts_its_transcript_and_whether_the_turn_had_gone_on(event, told, key):
    assert key_of(event, told, 7) == key
    assert key_of("stop", told._replace(key="k", again=False, answer="four"), 0) == "k:4"
