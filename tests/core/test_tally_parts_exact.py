"""Times, ids and texts of a transcript, the quick way and the slow one."""

from __future__ import annotations

import pytest

from leftoff.core import tally as t
from leftoff.core import tally_parts, tally_stats
from leftoff.core.stats import LONGEST, STEPS, Tokens
from leftoff.core.tally_parts import POINTS, cut, key_of, marked, seconds, settle, thin
from leftoff.core.when import DAY, instant


@pytest.mark.parametrize(
    "text",
    [
        *("2026-03-01T00:00:00.000Z", "2026-03-01T07:08:09.250Z", "2026-03-01T23:59:60.000Z"),
        *("2026-03-01T23:59:60.999Z", "2026-03-01T07:08:09.250+", "2026-03-01T07:08:09Z"),
        "2026-03-01T07:08:09.250+01:00",
    ],
)
def test_a_time_is_the_same_the_quick_way_and_the_slow_one(text):
    tally_parts._days.clear()
    slow = seconds(text)
    seconds("2026-03-01T01:00:00.000Z")
    assert [*tally_parts._days] == ["2026-03-01T"]
    assert seconds(text) == slow == (instant(text) or 0.0)


@pytest.mark.parametrize("clock", ["-1:00:00.000", "24:00:01.000", "24:00:02.000", "xx:00:00.000"])
def test_a_clock_that_cannot_be_is_no_time(clock):
    seconds("2026-03-01T01:00:00.000Z")
    assert seconds(f"2026-03-01T{clock}Z") == 0.0


@pytest.mark.parametrize(
    "clock",
    [
        "05:\n0:00.000",
        "05:75:00.000",
        "24:00:00.000",
        "05:00: 1.000",
        "05:00:1_.000",
        "0５:00:00.000",
    ],
)
def test_what_is_no_clock_is_none_whichever_day_was_read_before(clock):
    tally_parts._days.clear()
    for _ in range(2):
        assert seconds(f"2026-03-01T{clock}Z") == 0.0
        seconds("2026-03-01T01:00:00.000Z")


def test_days_are_remembered_up_to_a_limit_and_only_those_of_that_form():
    tally_parts._days.clear()
    for number in range(1025):
        tally_parts._days[str(number)] = 0.0
    seconds("2026-03-01T01:00:00.000Z")
    assert [*tally_parts._days] == ["2026-03-01T"]
    tally_parts._days.clear()
    for number in range(1024):
        tally_parts._days[str(number)] = 0.0
    seconds("2026-03-01T01:00:00.000Z")
    assert len(tally_parts._days) == 1025
    tally_parts._days.clear()
    seconds("2026-03-01T01:00:00Z")
    seconds("2026-03-01T01:00:00.00+1")
    seconds("no time at all, 24 long Z")
    assert tally_parts._days == {}
    seconds("1970-01-01T01:00:00.000Z")
    assert tally_parts._days == {"1970-01-01T": 0.0}


def test_ids_have_numbers_of_both_their_parts():
    assert key_of("a", "b") != key_of("b", "a")
    assert key_of("ab") == key_of("ab", "ba")
    assert key_of("a", "b") >> 32 == key_of("a", "c") >> 32
    assert key_of("a", "b") & 0xFFFFFFFF == key_of("c", "b") & 0xFFFFFFFF
    assert key_of("\ud800") == key_of("?", "")
    assert marked(("Bash", "make")) == ("Bash", key_of("make", "Bash"))
    assert marked(("Bash", 7)) == ("Bash", 7)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("x" * LONGEST, "x" * LONGEST),
        ("x" * (LONGEST + 1), "x" * (LONGEST - 1) + "…"),
        ("x" * 250 + "  " + "y" * 200, "x" * 250 + "…"),
        ("x" * 200 + " " + "y" * 250, "x" * 200 + " " + "y" * (LONGEST - 202) + "…"),
        ("x" * 201 + " " + "y" * 250, "x" * 201 + "…"),
        ("x" * 300 + " " + "y" * 98 + " more", "x" * 300 + " " + "y" * 98 + "…"),
        ("x" * 300 + " " + "y" * 97 + " more", "x" * 300 + " " + "y" * 97 + "…"),
        ("a b " + "x" * 296 + " " + "y" * 99 + "zz", "a b " + "x" * 296 + "…"),
    ],
)
def test_a_long_text_is_cut_in_whole_words_unless_half_of_it_went(text, kept):
    assert cut(text) == kept


def test_a_curve_is_thinned_when_it_is_full():
    tally = t.begin()
    tally["curve"] = [(float(at), at) for at in range(POINTS - 1)]
    thin(tally)
    assert (len(tally["curve"]), tally["every"]) == (POINTS - 1, 1)
    tally["passed"] = [(0, 1.0, 1)]
    thin(tally)
    assert (len(tally["curve"]), tally["every"], tally["points"], tally["passed"]) == (
        128,
        2,
        1,
        [],
    )


def test_what_is_settled_holds_no_more_than_is_shown():
    tally = t.begin()
    t.answer(tally, 1, "m", (1, 0, 0, 0), 1.0)
    t.answer(tally, 2, "m", (2, 0, 0, 0), 2.0)
    t.said(tally, " said \n")
    t.prompted(tally, " asked \n")
    t.called(tally, "c", "Bash", "1970-01-01T00:01:00.000Z", command="x" * 500)
    settle(tally)
    assert (tally["said"], tally["last_asked"], tally["passed"]) == ("said", "asked", [])
    assert tally["curve"] == [(1.0, 1)]
    assert tally["waiting"]["c"] == (
        ("Bash", key_of("x" * 500, "Bash")),
        "x" * 399 + "…",
        (),
        0,
        60.0,
    )
    settle(tally)
    assert tally["waiting"]["c"][1] == "x" * 399 + "…"


def spent(*answers, hour=None):
    tally = t.begin()
    for key, used in enumerate(answers, 1):
        t.answer(tally, key, "opus", used, 20_000 * DAY)
    tally["hour"] = hour or {}
    return t.stats(tally)


@pytest.mark.parametrize(
    ("used", "step"),
    [
        ((STEPS[0], 0, 0, 0), 0),
        ((STEPS[0], 0, 0, 1), 1),
        ((0, 0, STEPS[0], 1), 1),
        ((STEPS[1], 0, 0, 0), 1),
        ((STEPS[1] + 1, 0, 0, 0), 2),
        ((STEPS[2] + 1, 9, 0, 0), 3),
        ((0, STEPS[2] + 1, 0, 0), 0),
    ],
)
def test_what_was_spent_is_counted_by_how_long_the_prompt_was(used, step):
    assert spent(used).spent == {("2024-10-04", "opus", step): (*used, 0)}


def test_what_is_kept_for_an_hour_is_part_of_what_was_written():
    told = spent((1, 2, 3, 40), (1, 2, 3, 5), hour={1: 10, 2: 99, 7: 5})
    assert told.spent == {("2024-10-04", "opus", 0): (2, 4, 6, 45, 15)}
    assert (told.models, told.tokens) == ({"opus": 2}, Tokens(2, 4, 6, 45))


def test_a_figure_that_cannot_be_is_left_out_of_what_was_spent_alone():
    told = spent((1, 2, 3, 4), (-5, 2, 0, 10**9), (10**9 + 1, 0, 0, 0))
    sums = [sum(column) for column in zip(*told.spent.values(), strict=True)]
    assert sums[:4] == [1, 4, 3, 10**9 + 4]
    assert told.tokens == Tokens(1, 4, 3, 10**9 + 4)


@pytest.mark.parametrize(
    ("cost", "told"),
    [
        *(({"cost": 3.0, "copied": 1.0}, 2.0), ({"cost": 1.0, "copied": 1.0}, 0.0)),
        *(({"costs": {1: 0.5, 2: 0.25}}, 0.75), ({"cost": 10.0**9}, 0.0), ({"cost": -1.0}, 0.0)),
    ],
)
def test_a_session_costs_what_its_client_says_without_what_a_fork_copied(cost, told):
    assert t.stats({**t.begin(), **cost}).cost == told


@pytest.mark.parametrize(
    ("day", "date"),
    [
        *(
            (0.0, ""),
            (1.0, "1970-01-02"),
            (0.5, "1970-01-01"),
            ("2026-01-02", "2026-01-02"),
            ("?", ""),
        ),
        *((2_932_896.0, ""), (2_932_895.0, "9999-12-30"), (-1.0, "")),
    ],
)
def test_the_day_of_an_answer_is_a_date_or_nothing(day, date):
    assert tally_stats._date(day) == date


def test_dates_are_remembered_up_to_a_limit():
    tally_stats._dates.clear()
    tally_stats._dates.update({f"x{number}": "" for number in range(1024)})
    assert tally_stats._day(1.0) == "1970-01-02"
    assert len(tally_stats._dates) == 1025
    assert tally_stats._day(2.0) == "1970-01-03"
    assert tally_stats._dates == {2.0: "1970-01-03"}


def test_a_context_of_as_many_tokens_as_can_be_counts():
    for tokens, told in ((10**9, 10**9), (10**9 + 1, 0), (0, 0), (-1, 0), (1, 1)):
        assert t.stats({**t.begin(), "context": tokens}).context == told


def test_texts_are_shown_without_the_spaces_around_them():
    tally = {**t.begin(), "said": " a \n", "last_asked": "\tb "}
    assert (t.stats(tally).said, t.stats(tally).last_asked) == ("a", "b")


def test_a_model_that_no_answer_is_left_of_is_not_told():
    tally = t.begin()
    t.answer(tally, 1, "haiku", (1, 0, 1, 1))
    t.answer(tally, 1, "opus", (1, 1, 1, 1))
    assert t.stats(tally).models == {"opus": 1}
