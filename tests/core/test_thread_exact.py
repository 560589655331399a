"""A thread's numbers, levels and sessions; assignments; what `init` writes."""

from __future__ import annotations

import json

import pytest

from leftoff.core.assignments import Assignment, parse
from leftoff.core.guide import TOPICS, named, topic_of, without_hapi
from leftoff.core.model import Checkpoint, Item
from leftoff.core.starter_texts import ATTRIBUTES, driver, with_attributes, without_attributes
from leftoff.core.thread import (
    cited,
    counted,
    is_row_of,
    joined,
    level_of,
    next_number,
    token_limit,
    unarchived,
)
from leftoff.errors import Usage


@pytest.mark.parametrize(
    ("said", "level"),
    [(50, 50.0), (0.5, 0.5), (100, 100.0), (100.5, 70.0), (0, 70.0), (True, 70.0), ("50", 70.0)],
)
def test_a_level_is_a_percentage(said, level):
    assert level_of({"thresholdPercent": said}, 70.0) == level
    assert level_of({}, 70.0) == 70.0


def test_what_counts_is_a_whole_number_from_one_up():
    assert [counted(value) for value in (1, 7, 0, -1, True, 1.5, "1", None)] == [1, 7, *[0] * 6]
    assert (token_limit({"k": 5}, "k"), token_limit({"k": 0}, "k"), token_limit({}, "k")) == (
        5,
        None,
        None,
    )
    assert (cited(7), is_row_of(Item("", "#007"), 7), is_row_of(Item("", "#070"), 7)) == (
        "#007",
        True,
        False,
    )


def test_sessions_whose_conversation_is_not_kept_yet():
    def session(number, name="", **attrs):
        return Item("", name or f"s{number}", {"seq": number, **attrs})

    thread = Checkpoint(
        "t",
        sessions=(
            session(5),
            session(2),
            session(3, file="003-x.md"),
            session(4, archiveError="gone"),
            session(6, "own"),
            session(7, agentSessionId="own"),
            session(0),
        ),
    )
    assert unarchived(thread, "codex/own") == [2, 5]
    assert unarchived(thread, "a/b/own") == [2, 5]


def test_a_number_that_was_cited_is_never_used_again():
    assert next_number(()) == 1
    assert next_number([Item("", "a", {"seq": 4})]) == 5
    assert next_number([], ["007-x.md", "0099.md", "ab1-x", "12-x", "99"]) == 8
    assert next_number([], ["999-x.md", "1000-x.md", "01001-x.md", "²³¹²-x.md"]) == 1001


def test_numbers_that_only_the_work_tells_of_are_taken_too():
    rows = (Item("first", "001"), Item("last", "#014"), Item("odd", "x"), Item("", "1234567"))
    cited_ones = (Item("Cents", attrs={"session": "#016"}), Item("b", attrs={"session": "-"}))
    work = Checkpoint("t", history=rows, decisions=cited_ones)
    assert next_number((), (), work) == 17
    assert next_number((), (), work._replace(decisions=())) == 15
    assert joined(Checkpoint("t"), "c", {}, (), work).sessions[0].attrs["seq"] == 17
    assert next_number([Item("", "a"), Item("", "b")]) == 3, "unnumbered ones are two"
    assert cited(0) == ""


def test_a_session_that_joins_is_the_only_active_one():
    old = (Item("", "a", {"seq": 1, "active": True}), Item("", "b", {"seq": 2}))
    thread = Checkpoint("t", sessions=old)
    made = joined(thread, "c", {"name": "third", "agent": "codex"}, ["004-x.md"])
    assert made.sessions == (
        Item("", "a", {"seq": 1, "active": False}),
        old[1],
        Item("third", "c", {"seq": 5, "agent": "codex", "active": True}),
    )
    again = joined(thread, "b", {"name": "x"})
    assert again.sessions == (
        Item("", "a", {"seq": 1, "active": False}),
        Item("", "b", {"seq": 2, "active": True}),
    )
    assert joined(Checkpoint("t"), "c", {}).sessions[0].text == ""
    assert joined(thread, "a", {}) == thread


@pytest.mark.parametrize(
    ("word", "made"),
    [
        ("--a.b=x=y", Assignment(("a", "b"), "=", "x=y")),
        ("a+=x", Assignment(("a",), "+=", "x")),
        ("--a:json=[1]", Assignment(("a",), "=", [1])),
        ("--a:json+=[1]", Assignment(("a",), "+=", [1])),
        ("--a+:json=1", Assignment(("a",), "+=", 1)),
        ("--a=", Assignment(("a",), "=", "")),
    ],
)
def test_an_assignment_says_where_how_and_what(word, made):
    assert parse(word, json.loads) == made


@pytest.mark.parametrize(
    "word",
    ["--a", "--=x", "--a..b=x", "--a++=x", "--a:json:json=1", "--a:x=1", "--a b=1", "--+a=1"],
)
def test_any_other_word_is_no_assignment(word):
    with pytest.raises(Usage, match="is not an assignment"):
        parse(word, json.loads)


def test_a_long_word_is_shown_short():
    with pytest.raises(Usage) as found:
        parse("x" * 99, json.loads)
    assert str(found.value) == f'"{"x" * 80}" is not an assignment'


OURS = "\n".join(ATTRIBUTES)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, f"{OURS}\n"),
        ("", OURS),
        ("*.x y\n", f"*.x y\n{OURS}\n"),
        ("*.x y", f"*.x y\n{OURS}"),
    ],
)
def test_attributes_are_added_and_taken_away_to_the_byte(before, after):
    assert with_attributes(before) == after
    assert with_attributes(after) == after
    assert without_attributes(after) == before


def test_attributes_of_others_stay_wherever_they_stand():
    assert without_attributes("*.x y\n") == "*.x y\n"
    assert without_attributes(f"{ATTRIBUTES[1]}\r\n*.x y") == "*.x y"
    assert without_attributes(f"{OURS}\n*.x y\n") == "*.x y\n"
    assert with_attributes(f"{ATTRIBUTES[0]}\n") == f"{OURS}\n"


def test_a_driver_is_quoted_for_git_and_for_the_shell():
    made = driver("/a b/100%/it's")
    assert made.startswith("if '/a b/100%%/it'\\''s' -P -c 'import leftoff'")
    assert "then '/a b/100%%/it'\\''s' -P -m leftoff merge-driver %O %A %B %P; " in made
    assert made.endswith("git merge-file -L ours -L base -L theirs %A %O %B; fi")


def test_a_document_is_asked_for_by_its_name_its_mode_or_its_old_name():
    assert all(topic_of(topic) == topic for topic in TOPICS)
    words = ("switch", "threshold", "list", "restore", "schema", "thread switch", "what")
    assert [*map(topic_of, words)] == [
        "enable",
        "auto",
        "status",
        "resume",
        "thread-schema",
        "",
        "",
    ]


def test_steps_that_need_hapi_go_with_what_is_below_them_and_the_rest_is_numbered_anew():
    text = """# Head
1. (if Hapi available) Ask it
   how
2. Do
   this
3. (if Hapi available) Tell
   more

 not a part of it
4. End
v1. x. y
1. Again
9. More"""
    assert (
        without_hapi(text)
        == """# Head
1. Do
   this

 not a part of it
2. End
v1. x. y
1. Again
2. More"""
    )


def test_a_skill_is_named_anew_once():
    text = "---\nname: leftoff-save\nx\nname: leftoff-save\n"
    assert named("save", text, "keep") == "---\nname: keep\nx\nname: leftoff-save\n"
