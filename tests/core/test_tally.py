"""What a tally amounts to, where a transcript says what cannot be."""

from __future__ import annotations

from datetime import date

import pytest

from leftoff.core import tally as t
from leftoff.core.stats import LONGEST, Tokens
from leftoff.core.tally_parts import cut, seconds, settle


@pytest.mark.parametrize("odd", [-15, 10**12, 10**400])
def test_a_figure_that_cannot_be_counts_nothing_and_the_others_count(odd):
    tally = t.begin()
    t.answer(tally, 1, "opus", (odd, 5, 0, 0))
    t.answer(tally, 2, "opus", (10, odd, 3, 0))
    found = t.stats(tally)
    assert found.tokens == Tokens(10, 5, 3, 0)
    assert (found.answers, found.context) == (2, 13)
    assert found.peak in {0, 13}


def test_what_a_compaction_leaves_may_be_the_most_there_was():
    tally = t.begin()
    t.answer(tally, 1, "opus", (2000, 5, 0, 0))
    t.compacted(tally, 1.0, "manual", 2000, 2700)
    found = t.stats(tally)
    assert (found.context, found.peak) == (2700, 2700)


def test_only_what_leftoff_itself_said_is_left_out_of_a_prompt():
    tally = t.begin()
    assert not t.prompted(tally, "<leftoff id=x>\nnotes</leftoff>\n")
    assert t.prompted(tally, "Why does <leftoff id= stay?")
    assert t.stats(tally).asked == "Why does <leftoff id= stay?"


@pytest.mark.parametrize("at_once", [1, 7, 255, 256, 2000])
def test_which_points_the_curve_keeps_depends_on_their_number_alone(at_once):
    tally = t.begin()
    for number in range(1, 2001):
        t.answer(tally, number, "opus", (number, 0, 0, 0), float(number))
        if number % at_once == 0:
            t.thin(tally)
    kept = [tokens for _, tokens in t.stats(tally).curve]
    assert kept == [*range(1, 2000, 8), 2000]
    assert len(kept) <= t.POINTS


@pytest.mark.parametrize(
    "odd",
    [
        "2026-03-01T06:30:00+02:00",
        "2026-03-01T06:30:00+0200",
        "2026-03-01T05:00:00Z",
        "2026-03-01T05:00:00.000+",
        "yesterday, or so I think",
        "yesterday, or so I thinZ",
        "2026-03-01T05:\n0:00.000Z",
        "2026-03-01T05:00:00.000Z\n2026-03-01T04:00:00.000Z",
        "",
        None,
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_times_of_many_lines_count_as_each_by_itself(odd, place):
    times = ["2026-03-01T07:00:00.000Z", "2026-03-01T06:00:00.000Z"]
    times.insert(place, odd)
    together, apart = t.begin(), t.begin()
    t.saw_texts(together, times)
    for text in times:
        t.saw(apart, t.seconds(text or ""))
    names = ("began", "first", "last")
    assert [together[name] for name in names] == [apart[name] for name in names]


@pytest.mark.parametrize("shown", range(0, 41, 5))
def test_of_a_word_at_the_cut_nothing_stays_since_half_a_secret_is_not_known_for_one(shown):
    secret = "ghp_" + "a1B2" * 9
    text = "word " * ((LONGEST - shown) // 5) + secret + " more" * 50
    kept = cut(text)
    assert len(kept) <= LONGEST
    assert kept.endswith("…")
    assert secret in kept or "ghp_" not in kept


def test_a_text_without_words_is_cut_at_its_length():
    assert cut("x" * 900) == "x" * (LONGEST - 1) + "…"
    assert cut("a " + "x" * 900) == "a " + "x" * (LONGEST - 3) + "…"


def test_of_failures_the_newest_few_stay():
    tally = t.begin()
    for number in range(t.FEW + 2):
        t.ran(tally, f"c{number}", "Bash", 1.0, f"make {number}")
        t.returned(tally, f"c{number}", failed=True)
    texts = [one.text for one in t.stats(tally).failures]
    assert len(texts) == t.FEW
    assert "make 1" not in texts
    assert f"make {t.FEW + 1}" in texts


def test_a_call_that_ends_well_repairs_its_failure_from_before_the_tally_was_kept():
    tally = t.begin()
    for end in (True, False):
        t.ran(tally, "c", "Bash", 1.0, "make")
        t.returned(tally, "c", failed=end)
        settle(tally)
        assert bool(t.stats(tally).failures) is end


def test_kinds_of_lines_that_nobody_knows_are_counted_together_when_they_are_many():
    tally = t.begin()
    for number in range(60):
        t.unknown(tally, f"kind-{number}")
    unknown = t.stats(tally).unknown
    assert (len(unknown), unknown["others"], sum(unknown.values())) == (51, 10, 60)


def test_times_and_dates_stay_right_when_they_are_of_more_days_than_are_remembered():
    tally = t.begin()
    days = [date.fromordinal(date(2020, 1, 1).toordinal() + n).isoformat() for n in range(1100)]
    for number, day in enumerate(days):
        assert seconds(f"{day}T00:00:01.500Z") % 86400 == 1.5
        t.answer(tally, number, "opus", (1, 1, 0, 0), f"{day}T00:00:01.500Z")
    assert sorted({key[0] for key in t.stats(tally).spent}) == days
    assert seconds(f"{days[-1]}T0x:00:01.500Z") == 0.0
    # no time, whether its day was seen before or not
    assert seconds(f"{days[-1]}T00}}00:01.500Z") == 0.0
    assert seconds(f"{days[-1]}T00:00-01.500Z") == 0.0
