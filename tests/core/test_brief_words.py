"""How a brief says a thing once: word for word, and at the borders."""

from __future__ import annotations

import pytest

from leftoff.core.brief_words import (
    IN_STATUS,
    LONGEST,
    MARK,
    TOGETHER,
    asked_apart,
    in_status,
    is_all_drafted,
    on_one_line,
    together,
    told_once,
    unbold,
)
from leftoff.core.model import Checkpoint, Item

SESSION = "claude-code/0badcafe"
DRAFT = {"draft": SESSION}


def test_paths_stand_four_in_a_line_and_each_line_says_how_many():
    paths = [f"{n}.py" for n in range(2 * TOGETHER + 1)]
    assert [*together(paths)] == [
        ("0.py, 1.py, 2.py, 3.py", 4),
        ("4.py, 5.py, 6.py, 7.py", 4),
        ("8.py", 1),
    ]
    assert [*together([])] == []


def test_a_folder_is_named_once_for_files_that_stand_together():
    assert [*together(["a/x.py", "b.py", "a/y.py", "c/z.py"])] == [
        ("a/{x.py, y.py}, b.py, c/z.py", 4)
    ]
    assert [*together(["x.py", "y.py"])] == [("x.py, y.py", 2)]
    assert [*together(["a/b/x.py", "a/y.py"])] == [("a/b/x.py, a/y.py", 2)]
    assert [*together(["/x", "/y"])] == [("/{x, y}", 2)]


def test_a_path_is_harmless_and_not_longer_than_one_reads():
    assert [*together(["a\nb"])] == [("a b", 1)]
    assert [*together(["x" * LONGEST])] == [("x" * LONGEST, 1)]
    ((name, _),) = together(["x" * (LONGEST + 1)])
    assert name.endswith(" […]")
    assert len(name) <= LONGEST


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- 6,000 of 12,000 are copied.", "6,000 of 12,000 are copied."),
        (
            "Half:\n\n- the **first**\n* the second\n  of both",
            "Half: the first · the second of both",
        ),
        ("## Now\nIt works", "Now It works"),
        ("-1 is no list, and 2 - 1 is none", "-1 is no list, and 2 - 1 is none"),
        ("", ""),
    ],
)
def test_markdown_on_one_line_has_no_marks(text, said):
    assert on_one_line(text) == said


@pytest.mark.parametrize(
    ("summary", "said"),
    [
        ("", ""),
        ("Half works.", "Half works."),
        ("  Half\n\n works.  ", "Half works."),
        ("- Half\n- works", "Half - works"),
        ("* Half", "Half"),
        ("-Half", "-Half"),
        ("## Half works", "Half works"),
        ("##Half", "##Half"),
        ("**Half** works", "Half works"),
        ("x" * IN_STATUS, "x" * IN_STATUS),
    ],
)
def test_a_short_summary_is_the_status_and_stands_nowhere_else(summary, said):
    assert in_status(summary) == (said, ())


REST = "It was a long day. " * 20


def test_a_summary_that_just_fits_is_all_of_the_status():
    just = f"One. {'x' * (IN_STATUS - 5)}"
    assert in_status(just) == (just, ())
    assert in_status(f"{just}x")[0] == "One."


def test_of_a_long_summary_the_status_says_the_first_sentence_and_the_rest_is_left():
    assert in_status(f"Half works. {REST}") == ("Half works.", (REST.strip(),))
    assert in_status(f"Half\nworks. {REST}") == ("Half works.", (REST.strip(),))
    assert in_status(f"# Half works\n{REST}") == ("Half works", (REST.strip(),))
    assert in_status(f"Half works.\n\n{REST}\nEnd") == ("Half works.", (REST.strip(), "End"))


def test_of_a_summary_without_an_end_the_status_says_the_beginning_and_all_is_left():
    text = "word " * 100
    said, left = in_status(text)
    assert said.endswith("word […]")
    assert IN_STATUS - 10 < len(said) <= IN_STATUS
    assert left == (text.strip(),)
    whole = "x" * (IN_STATUS - 1)
    assert in_status(f"{whole}. {REST}") == (f"{whole}.", (REST.strip(),))
    assert in_status(f"x{whole}. {REST}")[1] == (f"x{whole}. {REST.strip()}",)


def test_a_drafted_summary_says_so_in_the_status_and_not_again():
    said, left = in_status(f"Half works. {REST}{MARK.strip()}")
    assert said == f"Half works.{MARK}"
    assert left == (f"{REST}{MARK.strip()}",)
    long = "word " * 100
    said, left = in_status(f"{long}{MARK.strip()}")
    assert said.endswith(f" […]{MARK}")
    assert in_status(f"{'Half works, ' * 30}\n{MARK.strip()}")[0].endswith(MARK)
    drafted = f"Half works{MARK}\n- {REST}{MARK.strip()}"
    assert in_status(drafted)[0] == f"Half works{MARK}"
    alone = "w" * 200
    assert in_status(f"{alone}.\n\n{MARK.strip()}\n\n{'x' * 50}") == (
        f"{alone}.",
        (f"{'x' * 50}",),
    )


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("**Bold**", "Bold"),
        ("**Bold**: it is", "Bold: it is"),
        ("it is **bold**, (**so**) and **so**.", "it is bold, (so) and so."),
        ("**a** **b**", "a b"),
        ("**a**!", "a!"),
        ("**a**?", "a?"),
        ("**a**; b", "a; b"),
        # none
        ("2**3 and 3**2", "2**3 and 3**2"),
        ("a/**/b", "a/**/b"),
        ("** a **", "** a **"),
        ("**a **", "**a **"),
        ("**a**b", "**a**b"),
        ("****", "****"),
        ("**", "**"),
        ("**a", "**a"),
        ("**`a`** and `f(**k)`", "**`a`** and `f(**k)`"),
        ("a ** b **c**", "a ** b c"),
        ("2**3 **c**", "2**3 c"),
    ],
)
def test_bold_type_goes_and_other_stars_stay(text, bare):
    assert unbold(text) == bare


def test_the_session_of_all_drafts_is_taken_out_of_each():
    c = Checkpoint(
        "x",
        summary=f"Half. [draft: {SESSION}]",
        problem="[draft: nothing of the kind",
        decisions=(Item("stated"), Item("heard", "D1", {**DRAFT, "rationale": "so"})),
        rules=(Item("be kind"),),
    )
    told, session = told_once(c)
    assert session == SESSION
    assert told.summary == f"Half.{MARK}"
    assert told.decisions == (
        Item("stated"),
        Item("heard", "D1", {"draft": True, "rationale": "so"}),
    )
    assert told.rules == c.rules
    assert told.problem == c.problem


def test_only_the_mark_at_the_end_tells_the_session():
    c = Checkpoint("x", summary=f"Half [draft: x/1] works [draft: {SESSION}]")
    assert told_once(c) == (c._replace(summary=f"Half [draft: x/1] works{MARK}"), SESSION)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"decisions": (Item("a", attrs=DRAFT), Item("b", attrs={"draft": "codex/1"}))},
        {"decisions": (Item("a", attrs=DRAFT),), "summary": "Half. [draft: codex/1]"},
        {"decisions": (Item("a", attrs={"draft": True}),)},
        {"summary": "Half. [draft: here] and on"},
    ],
)
def test_where_there_is_no_one_session_nothing_changes(given):
    c = Checkpoint("x", **given)
    assert told_once(c) == (c, "")


def test_a_drafted_intent_is_what_was_asked_last_and_what_first():
    text = f"Go on (with it) (first asked: Move the login (all of it)){MARK}"
    assert asked_apart(text) == ("Go on (with it)", "first asked: Move the login (all of it)")


def test_of_two_such_marks_the_last_is_the_one_of_the_draft():
    text = f"Why (first asked: it)? (first asked: Move it){MARK}"
    assert asked_apart(text) == ("Why (first asked: it)?", "first asked: Move it")


@pytest.mark.parametrize(
    "text",
    [
        "Go on (first asked: Move it)",
        f"Go on{MARK}",
        f"Go on (first asked: Move it{MARK}",
        f"Go on (first asked: Move it) now{MARK}",
    ],
)
def test_any_other_intent_is_one(text):
    assert asked_apart(text) == ()


def test_what_an_intent_goes_on_with_stands_elsewhere():
    text = f"Go on. […] (first asked: Move it. […]){MARK}"
    assert asked_apart(text) == ("Go on.", "first asked: Move it.")


@pytest.mark.parametrize(
    ("given", "unstated"),
    [
        ({}, True),
        ({"intent": f"Move it{MARK}", "rules": (Item("a", attrs=DRAFT),)}, True),
        ({"intent": f"Move it{MARK}", "rules": (Item("a", attrs=DRAFT), Item("b"))}, False),
        ({"rules": (Item("a", attrs=DRAFT),), "blockers": (Item("b"),)}, False),
        *(
            ({"rules": (Item("a", attrs=DRAFT),), field: "Said"}, False)
            for field in ("problem", "intent", "summary", "phase", "stage")
        ),
        *(
            ({"rules": (Item("a", attrs=DRAFT),), field: "Said"}, False)
            for field in ("context", "tests", "completion")
        ),
        ({"branch": "main", "commit": "abc", "name": "login"}, True),
    ],
)
def test_all_is_drafted_where_nobody_stated_anything(given, unstated):
    assert is_all_drafted(Checkpoint("x", **given)) is unstated
