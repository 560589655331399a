"""What a tally amounts to, where a transcript says what cannot be."""

from __future__ import annotations

import pytest

from leftoff.core import tally as t
from leftoff.core.stats import Tokens


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
