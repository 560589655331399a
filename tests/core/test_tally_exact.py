"""Counting a transcript: every figure of a small one, and each limit at its border."""

from __future__ import annotations

import pytest

from leftoff.core import tally as t
from leftoff.core.stats import Failure
from leftoff.core.tally_stats import stats
from leftoff.core.when import DAY


def test_the_tally_of_nothing_is_nothing():
    assert {name: value for name, value in t.begin().items() if value} == {
        "every": 1,
        "hooks": (0, 0, 0),
    }
    assert t.begin()["marked"] is False
    assert t.begin()["cost"] == t.begin()["first"] == t.begin()["last"] == 0.0


def test_times_are_the_least_the_greatest_and_the_first_that_was_later():
    tally = t.begin()
    for when in (0.0, 50.0, 30.0, 70.0, 70.0, 0.0):
        t.saw(tally, when)
    assert (tally["began"], tally["first"], tally["last"]) == (50.0, 30.0, 70.0)


@pytest.mark.parametrize(
    ("texts", "alike"),
    [
        (["2026-03-01T07:00:00.000Z"] * 3, True),
        (["2026-03-01T07:00:00.000Z", "2026-03-01T07:00:00Z"], False),
        (["2026-03-01T07:00:00.000+", "2026-03-01T07:00:00.000Z"], False),
        (["2026-03-01T07:\n0:00.000Z", "2026-03-01T07:00:00.000Z"], False),
        (["2026-03-01T07:00:00.000ZZ", "026-03-01T07:00:00.000Z"], False),
        ([], False),
    ],
)
def test_times_are_of_one_form_where_all_have_it(texts, alike):
    assert t._are_alike(texts) is alike


def test_answers_count_by_model_and_day_and_the_context_is_the_last_main_one_s():
    tally = t.begin()
    t.answer(tally, 0, "opus", (10, 1, 2, 3), DAY + 5)
    t.answer(tally, 7, "opus", (1, 1, 1, 1), 2 * DAY - 1, main=False)
    t.answer(tally, 0, "opus", (5, 1, 0, 0), 2 * DAY)
    t.answer(tally, 7, "opus", (1, 9, 1, 1), "2026-01-02T03", context=0)
    assert tally["answers"] == {-1: (10, 1, 2, 3, 0), 7: (1, 9, 1, 1, 2), -3: (5, 1, 0, 0, 1)}
    assert tally["models"] == {("opus", 1.0): 0, ("opus", 2.0): 1, ("opus", "2026-01-02"): 2}
    assert (tally["context"], tally["peak"]) == (0, 15)
    assert tally["point"] == (7, "2026-01-02T03", 0)
    assert tally["passed"] == [(-1, DAY + 5, 15), (-3, 2 * DAY, 5)]


def test_an_answer_that_is_told_again_keeps_its_time_and_takes_the_new_figures():
    tally = t.begin()
    t.answer(tally, 7, "opus", (1, 0, 0, 0), 5.0)
    t.answer(tally, 7, "opus", (2, 0, 0, 0), 9.0)
    assert (tally["point"], tally["passed"], tally["peak"]) == ((7, 5.0, 2), [], 2)


def test_a_subagent_between_two_answers_stops_none_of_them():
    tally = t.begin()
    used = (1, 0, 0, 0)
    t.answered(tally, [(1, "m", used, 1.0, False, -1), (2, "m", used, 2.0, True, -1)])
    assert (tally["context"], tally["point"]) == (1, (2, 2.0, 1))


def test_commands_and_their_commits_count_when_they_end_well():
    tally = t.begin()
    t.called(tally, "1", "Bash", command="git commit -m x && git commit -m y", changes=["a"])
    t.called(tally, "2", "Bash", command="make")
    t.called(tally, "3", "Edit", changes=["b", "c"])
    assert tally["commands"] == 2
    assert tally["tools"] == {"Bash": 2, "Edit": 1}
    assert tally["commits"] == 0
    assert tally["waiting"]["2"][3] == 0
    for call in "123":
        t.returned(tally, call)
    assert (tally["commits"], [*tally["files"]], tally["waiting"]) == (2, ["a", "b", "c"], {})


def test_calls_without_a_result_are_forgotten_from_the_oldest_on():
    tally = t.begin()
    for call in range(t._OPEN + 1):
        t.called(tally, str(call), "Read")
    assert len(tally["waiting"]) == t._OPEN
    assert "0" not in tally["waiting"]
    assert "1" in tally["waiting"]


def test_a_failure_is_told_until_the_same_call_goes_well_and_the_last_few_stay():
    tally = t.begin()
    for number in range(t.FEW):
        t.called(tally, "c", "Bash", 5.0, command=f"make {number}")
        t.returned(tally, "c", failed=True)
    assert len(tally["failures"]) == t.FEW
    t.called(tally, "c", "Bash", 6.0, command="make 3")
    t.returned(tally, "c")
    t.called(tally, "c", "Bash", command="make other")
    t.returned(tally, "c")
    t.returned(tally, "nobody", failed=True)
    told = t.stats(tally)
    assert told.failed == t.FEW + 1
    assert [failure.text for failure in told.failures] == [
        f"make {number}" for number in range(t.FEW) if number != 3
    ]
    assert told.failures[0] == Failure("Bash", "make 0", 5.0)
    for number in (8, 9):
        t.called(tally, "c", "Bash", command=f"make {number}")
        t.returned(tally, "c", failed=True)
    assert t.stats(tally).failures[0].text == "make 1"


def test_a_failure_that_was_kept_is_known_by_its_mark():
    tally = t.begin()
    t.called(tally, "c", "Bash", command="make")
    t.returned(tally, "c", failed=True)
    t.called(tally, "d", "Bash", command="test")
    t.returned(tally, "d", failed=True)
    t.settle(tally)
    assert tally["marked"] is True
    t.called(tally, "c", "Bash", command="make")
    t.returned(tally, "c")
    assert [failure.text for failure in t.stats(tally).failures] == ["test"]


@pytest.mark.parametrize("empty", ["", "  \n", "<leftoff id=x>\nnotes</leftoff>\n"])
def test_a_text_that_says_nothing_changes_nothing(empty):
    tally = t.begin()
    assert t.said(tally, empty) is False
    assert t.prompted(tally, empty) is False
    assert tally == t.begin()
    assert t.said(tally, " yes ") is True


def test_the_last_text_that_says_something_stays():
    tally = t.begin()
    t.said_last(tally, ["first", "second", " ", None, ""])
    assert tally["said"] == "second"
    t.said_last(tally, [None, ""])
    assert tally["said"] == "second"


def test_a_fork_that_counts_from_nothing_has_copied_nothing():
    tally = t.begin()
    tally["copied"] = 2.0
    t.charged(tally, 2.0)
    assert (tally["copied"], tally["cost"]) == (2.0, 2.0)
    t.charged(tally, 1.5)
    assert (tally["copied"], tally["cost"]) == (0.0, 1.5)


def test_hooks_are_counted_summed_and_the_worst_is_kept():
    tally = t.begin()
    for ms in (5, 9, 2):
        t.hook_ran(tally, ms)
    assert tally["hooks"] == (3, 16, 9)


def test_fifty_kinds_of_unknown_lines_have_names_and_the_rest_are_others():
    tally = t.begin()
    for number in range(52):
        t.unknown(tally, f"k{number}")
    t.unknown(tally, "k0")
    assert (len(tally["unknown"]), tally["unknown"]["others"], tally["unknown"]["k0"]) == (51, 2, 2)
    t.unknown(tally, "x" * 61)
    other = t.begin()
    t.unknown(other, "x" * 61)
    assert other["unknown"] == {"x" * 60: 1}


def test_a_context_shrinks_to_what_a_compaction_leaves():
    tally = t.begin()
    t.compacted(tally, 1.0, "auto", 100, 0)
    assert (tally["context"], tally["peak"]) == (0, 0)
    t.compacted(tally, 2.0, "auto", 100, 40)
    assert (tally["context"], tally["peak"]) == (40, 40)
    assert tally["compactions"] == [(1.0, "auto", 100, 0), (2.0, "auto", 100, 40)]


def test_answers_of_no_day_are_one_sum_however_their_times_are_spelt():
    tally = t.begin()
    t.answer(tally, 1, "opus", (1, 2, 3, 4), "yesterday")
    t.answer(tally, 2, "opus", (10, 20, 30, 40), "tomorrow")
    t.answer(tally, 3, "opus", (100, 200, 300, 400), 0.0)
    assert stats(tally).spent == {("", "opus", 0): (111, 222, 333, 444, 0)}


@pytest.mark.parametrize("wrong", [-1, 10**9 + 1])
def test_a_figure_that_nobody_can_have_told_counts_nothing(wrong):
    tally = t.begin()
    t.answer(tally, 1, "opus", (wrong, 2, 0, 4), DAY)
    t.answer(tally, 2, "opus", (10, 10**9, wrong, 1), DAY)
    assert stats(tally).tokens == (10, 10**9 + 2, 0, 5)
