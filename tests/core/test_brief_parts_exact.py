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


def test_every_field_that_the_head_cuts_is_told():
    long = source(name="n" * 11, summary="s" * 11, next_actions=(Item("go on"),))
    assert cut_in_head(long, SAY, 10) == ["name", "status", "summary"]
    assert cut_in_head(long, SAY, 11) == []


def test_ids_times_and_paths_are_longer_than_other_texts_may_be():
    def line(at, most, path=PATH, **given):
        return head(source(path, **given), NOW, SAY, most)[at]

    for size in (80, 200):
        assert line(0, max(10, size - 80), id="i" * 80) == f"RESUMING: {'i' * 80}"
    assert line(0, 100, id="i" * 100) == f"RESUMING: {'i' * 100}"
    assert line(0, 10, id="i" * 81).endswith(" […]")
    assert line(1, 10, updated="t" * 30).endswith(f"({'t' * 30})")
    assert line(1, 10, updated="t" * 31).endswith(" […])")
    assert line(1, 40, updated="t" * 40).endswith(f"({'t' * 40})")
    assert line(4, 10, "p" * 160) == f"From: {'p' * 160} (skill)"
    assert " […] (skill)" in line(4, 10, "p" * 161)
    assert line(4, 200, "p" * 200) == f"From: {'p' * 200} (skill)"


def test_who_wrote_it_is_told_by_where_it_lies():
    def origin(path):
        return head(source(path, more={"author": "Mallory"}), NOW, SAY, 500)[4]

    assert origin("/s/x.json") == "From: /s/x.json (skill), pushed by Mallory"
    assert origin("s/x/") == "From: s/x/ (skill), last committed by Mallory"


def test_the_year_of_two_days_is_told_once_where_it_is_one():
    assert age(NOW, created=" 2026-08-01T10:00:00Z", updated="2026-08-07").endswith(
        " (2026-08-01 … 08-07)"
    )
    assert age(NOW, created="2025-08-01", updated="2026-08-07").endswith(
        " (2025-08-01 … 2026-08-07)"
    )
    assert age(NOW, created="2026-08-07", updated="2026-08-07").endswith(" (2026-08-07)")
    assert age(NOW, created="2026-ish", updated="2026-08-07").endswith(" (2026-ish … 2026-08-07)")


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


def test_landed_actions_stand_in_their_order_and_other_verdicts_are_none():
    actions = tuple(Item(f"Merge #{n}. And so on.") for n in range(20))
    verdicts = [against("action", "", f"next_actions[{n}]") for n in (17, 9, 1)]
    verdicts.append(Verdict("action", "next_actions[3]", "", CONFIRMED, ""))
    given = source(next_actions=actions, verdicts=verdicts)
    (part,) = [one for one in parts(given, SAY) if one.label == "Already landed"]
    assert part.entries == ("✗ 2. Merge #1.", "✗ 10. Merge #9.", "✗ 18. Merge #17.")
    assert part.shortened
    assert brief_parts.first_action(given) == 0
    assert brief_parts.first_action(source()) == -1
    done = source(next_actions=actions[:2], verdicts=[against("action", "", "next_actions[0]")])
    assert brief_parts.first_action(done) == 1


def test_a_commit_is_short_for_its_digits_only():
    assert shown("commit", commit="a" * 12) == ("a" * 12,)
    assert shown("commit", commit="a" * 13) == ("a" * 12,)
    assert shown("commit", commit="0badcafe: the fix") == ("0badcafe: the fix",)
    assert shown("commit", commit="abc merged") == ("abc merged",)


def test_decisions_that_others_replaced_stand_apart():
    items = (Item("new"), Item("old", attrs={"superseded": "D2"}))
    assert shown("decisions", "must", decisions=items) == ("new",)
    assert shown("decisions", "may", decisions=items)[0].startswith("old")


def test_files_that_a_drafted_status_names_are_not_listed_again():
    files = tuple(map(Item, ("a.py", "b.py", "c.py")))
    drafted = "Changed a.py, b.py. [draft]"
    assert shown("artifacts", artifacts=files, summary=drafted) == ("c.py",)
    assert shown("artifacts", artifacts=files, summary="Changed a.py, b.py.") == (
        "a.py, b.py, c.py",
    )


def test_branches_that_are_contradicted_are_one_line_each():
    verdicts = [against("branch", "a"), against("branch", "b")]
    (part, *_) = parts(source(verdicts=verdicts), SAY)
    assert part.entries == ("✗ branch a: no", "✗ branch b: no")
    assert part.counts == (1, 1)


def test_files_with_notes_count_one_each():
    files = (Item("a.py"), Item("b.py (new)"), Item("the {x,y} ones"))
    (part, *_) = [one for one in parts(source(artifacts=files), SAY) if one.field == "artifacts"]
    assert part.entries == ("a.py", "b.py (new)", "the {x,y} ones")
    assert part.counts == (1, 1, 1)
    assert part.bare == (("a.py, b.py", 2),)


def test_rows_without_an_id_say_nothing_about_other_steps():
    rows = (Item("Plan"), Item("Build", "build"))
    c = Checkpoint("x", progress=rows, artifacts=(Item("/etc/x"), Item("build/y")))
    assert brief_parts.relevant_files(c) == ([Item("/etc/x")], [Item("build/y")])
