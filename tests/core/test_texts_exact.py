"""Texts made to fit, at the very character where they begin not to."""

from __future__ import annotations

import pytest

from leftoff.core.texts import CUT, DIGITS, bytes_words, cut, first_sentence, flat, number, short


@pytest.mark.parametrize(
    ("size", "told"),
    [
        *((0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (1049, "1.0 KB"), (999_900, "999.9 KB")),
        *(
            (999_949, "999.9 KB"),
            (999_950, "1.0 MB"),
            (1_500_000, "1.5 MB"),
            (2_000_000_000, "2.0 GB"),
        ),
        *((3 * 10**12, "3.0 TB"), (4 * 10**15, "4000.0 TB")),
    ],
)
def test_a_size_is_told_in_the_unit_that_needs_the_fewest_digits(size, told):
    assert bytes_words(size) == told


def test_a_number_has_at_most_nine_digits():
    assert number("9" * DIGITS) == 999_999_999
    assert [*map(number, ("1" * (DIGITS + 1), "", "-1", "1.0", "x"))] == [-1] * 5
    assert number("\uff11\uff12") == 12


def test_a_short_line_is_as_long_as_it_may_be():
    assert short("a  b\nc", 5) == "a b c"
    assert short("abcdef", 6) == "abcdef"
    assert short("abcdef", 5) == "abcd…"


def test_a_short_line_ends_with_a_whole_word_unless_that_would_take_half_of_it():
    assert short("abcd efgh ijkl", 12) == "abcd efgh…"
    assert short("abcd efgh ijkl", 10) == "abcd efgh…"
    assert short("abcd efgh ijkl", 9) == "abcd efg…"
    assert short("abcde efgh ijkl", 9) == "abcde…"


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("abcdef", 6, "abcdef"),
        ("One two. Three four.", 12, "One two." + CUT),
        ("One two. Three four.", 11, "One" + CUT),
        ("One. Two three four five six.", 24, "One. Two three four" + CUT),
        ("One two three four", 11, "One two" + CUT),
        ("One two three four", 10, "One" + CUT),
        ("abcdefghijklmnop", 10, "abcdef" + CUT),
        (" bcdefghijklmnop", 6, " b" + CUT),
        ("a bcdefgh", 7, "a" + CUT),
        ("abc", 2, "a" + CUT),
        # of 30 characters a sentence takes more than a third, a word at least half
        ("One two t. " + "x" * 40, 34, "One two t. " + "x" * 19 + CUT),
        ("One two th. " + "x" * 40, 34, "One two th. " + "x" * 18 + CUT),
        ("One two thr. " + "x" * 40, 34, "One two thr." + CUT),
        ("One two three " + "x" * 40, 34, "One two three " + "x" * 16 + CUT),
        ("One two three f " + "x" * 40, 34, "One two three f" + CUT),
        ("ab", 0, "a" + CUT),
        ("甲乙丙。丁戊己庚辛壬", 9, "甲乙丙。" + CUT),
    ],
)
def test_a_cut_falls_behind_a_sentence_else_behind_a_word_else_anywhere(text, most, shown):
    assert cut(text, most) == shown


def test_the_first_sentence_ends_at_its_mark():
    assert first_sentence("v1.2 is out!  Next") == "v1.2 is out!"
    assert first_sentence("no end") == "no end"
    assert first_sentence("一。二") == "一。"
    assert flat(" a \n b ") == "a b"
