"""The parts of a brief, word for word and at their borders."""

from __future__ import annotations

import pytest

from leftoff.core import brief_parts
from leftoff.core.brief_head import MINUTE, cut_in_head, head
from leftoff.core.brief_parts import Source, command, parts
from leftoff.core.claims import CONFIRMED, CONTRADICTED, Verdict
from leftoff.core.glance import glance
from leftoff.core.model import Checkpoint, Item
from leftoff.core.when import HOUR, instant
from leftoff.entry.lang import say_in

SAY = say_in("en", {})
NOW = instant("2026-08-08T12:00:00Z") or 0.0
PATH = ".checkpoints/x.checkpoint.json"


def source(path=PATH, verdicts=(), more=None, **fields):
    c = Checkpoint(fields.pop("id", "x"), **fields)
    return Source(c, glance(c, path, "skill"), verdicts, **(more or {}))


def against(kind, about, where=""):
    return Verdict(kind, where, about, CONTRADICTED, "no")


def shown(field, keep="", **given):
    """The entries of a field's part; of the one with this rank, where it has several."""
    found = [part for part in parts(source(**given), SAY) if part.field == field]
    return next(part.entries for part in found if keep in {"", part.keep})


def age(touched, **given):
    given = source(**given)
    given = given._replace(glance=given.glance._replace(touched=touched))
    return head(given, NOW, SAY, 500)[1]


def test_a_command_names_the_checkpoint_where_it_can_and_its_place_decides_the_verb():
    assert command(source(id="x y"), "show", SAY) == "see leftoff list"
    assert command(source(), "show", SAY) == "leftoff show x"
    assert command(source("/s/x.json"), "show", SAY) == "leftoff resume x --raw"
    assert command(source("/s/x.json"), "resume", SAY) == "leftoff resume x"
    assert command(source("s/x.json/"), "show", SAY) == "leftoff show x"


def test_a_field_is_cut_in_the_head_when_it_is_longer_than_may_be():
    given = source(status="blocked", name="n" * 9, project="p" * 10, phase="h" * 10, stage="s" * 11)
    given = given._replace(checkpoint=given.checkpoint._replace(parent="q" * 11, id="i" * 99))
    assert cut_in_head(given, SAY, 10) == ["stage", "parent", "next_actions"]


def test_the_title_names_the_project_and_a_name_of_its_own_only():
    assert head(source(), NOW, SAY, 500)[0] == "RESUMING: x"
    assert head(source(name="x", project="shop"), NOW, SAY, 500)[0] == "RESUMING: x on shop"
    assert head(source(name="Login"), NOW, SAY, 500)[0] == "RESUMING: x (Login)"


@pytest.mark.parametrize(
    ("ago", "said"),
    [
        (0, "just now"),
        (MINUTE, "just now"),
        (2.9 * MINUTE, "2 min ago"),
        (2 * HOUR, "2h ago"),
        (-HOUR, "just now"),
        (-HOUR - 1, "at a time still to come, so some clock is wrong"),
    ],
)
def test_an_age_is_told_in_words_and_the_future_is_a_wrong_clock(ago, said):
    assert age(NOW - ago) == f"Last session: {said}"
    assert age(NOW - ago, updated="then") == f"Last session: {said} (then)"


def test_times_are_told_once_each_and_none_where_there_is_none():
    assert age(None) == "Last session: at an unknown time"
    assert age(None, created="a", updated="a") == "Last session: at an unknown time (a)"
    assert age(None, created="a", updated="b") == "Last session: at an unknown time (a … b)"


def test_the_status_names_phase_and_stage_where_there_are_some():
    assert head(source(status="blocked"), NOW, SAY, 500)[2] == "Status: blocked"
    assert head(source(stage="s"), NOW, SAY, 500)[2] == "Status: in_progress (s)"
    given = source(phase="p", stage="s", summary="- Half.")
    assert head(given, NOW, SAY, 500)[2] == "Status: in_progress (p / s): Half."


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (
            [against("branch", "main"), Verdict("file", "", "a", CONFIRMED, "")],
            ("main ✗", "second"),
        ),
        ([against("file", "a")], ("main", "second")),
        ([Verdict("branch", "", "main", CONFIRMED, "")], ("main", "second")),
        ([], ("main", "second")),
    ],
)
def test_a_branch_is_marked_where_the_world_speaks_against_the_branch(verdicts, said):
    assert shown("branch", branch="main\nsecond", verdicts=verdicts) == said


def test_why_not_everything_was_checked_is_cut_at_two_hundred():
    lines = head(source(more={"degraded": "w" * 200}), NOW, SAY, 10)
    assert lines[-1] == f"not everything was checked: {'w' * 200}"
    lines = head(source(more={"degraded": "w" * 201}), NOW, SAY, 10)
    assert len(lines[-1]) <= len("not everything was checked: ") + 200


def test_names_of_one_verdict_are_cut_at_a_hundred_each():
    found = shown("verdicts", verdicts=[against("file", "f" * 100), against("file", "g" * 101)])
    assert found[0].startswith(f"✗ file {'f' * 100}, g")
    assert "g" * 101 not in found[0]


def test_a_blocker_that_waits_for_a_person_stands_apart_from_the_others():
    waits = Item("who?", "B1", {"needs": "user_decision"})
    entries = [
        part.entries
        for part in parts(source(blockers=(waits, Item("no key", "B2"))), SAY)
        if part.field == "blockers"
    ]
    assert entries[0][0].startswith("[B1] who?")
    assert entries[1][0].startswith("[B2] no key")
    assert (len(entries[0]), len(entries[1])) == (1, 1)


def test_an_id_is_told_unless_the_text_has_it():
    found = shown("questions", questions=(Item("why B1?", "B1"), Item("how?", "B2"), Item("so?")))
    assert found == ("why B1?", "[B2] how?", "so?")


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        (" one  line ", "one line"),
        ("# alone", "# alone"),
        ("\n# alone\n", "# alone"),
        (
            "## A head\n  #tag stays \n| a | b |\n| - | :-: |\n| 1 | 2 |",
            "A head #tag stays | a | b | | 1 | 2 |",
        ),
        ("first\n- item #\n", "first - item #"),
    ],
)
def test_many_lines_are_folded_into_one_without_marks_of_headings_and_tables(text, folded):
    assert brief_parts._folded(text) == folded


def test_a_time_says_something_where_it_has_a_digit():
    assert brief_parts._says("at", "on 3 May")
    assert not brief_parts._says("at", "no")
    assert brief_parts._says("status", "no")
    assert not brief_parts._says("status", "")


def test_lists_that_grow_at_their_end_keep_the_newest():
    newest = {part.field for part in parts(source(), SAY) if part.newest_last}
    assert {"decisions", "artifacts", "history", "blockers"} <= newest
    assert "next_actions" not in newest
    may = [part for part in parts(source(), SAY) if part.keep == "may"]
    assert all(part.newest_last for part in may)


def test_rows_without_an_id_say_nothing_about_other_steps():
    rows = (Item("Plan"), Item("Build", "build"))
    c = Checkpoint("x", progress=rows, artifacts=(Item("/etc/x"), Item("build/y")))
    assert brief_parts.relevant_files(c) == ([Item("/etc/x")], [Item("build/y")])
