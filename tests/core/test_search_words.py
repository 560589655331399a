"""What a search means, word by word."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.core import search_words as f
from leftoff.errors import Usage

T = TypeVar("T")
TEXTS = st.text(st.sampled_from("abAB12 _-.,\n断点续传缓，。éßİＡ１ŉ"), max_size=30)


def fits(asked: str, text: str) -> bool:
    return f.matcher(f.query(asked)).fits(f.whole(text))


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("retry", "Please RETRY the upload."),
        ("app.py", "in src/app.py:12"),
        ("snake_case", "the snake case of it"),
        ('"two words"', "just two\nwords here"),
        ("check*", "three checkpoints"),
        ("--force", "git push --force"),
        ("断点", "我们需要断点续传"),
        ("续", "我们需要断点续传"),
        ("传", "我们需要断点续传"),
        ("点续传", "我们需要断点续传"),
        ("用Redis", "可以用Redis缓存"),
        ("Redis缓", "可以用Redis缓存"),
        ("“断点 续传”", "断点，续传"),
        ("abc1", "ＡＢＣ１ in full width"),
        ("straße", "STRASSE"),
        ("istanbul", "istanbul"),
        ("café", "cafe\u0301"),
        ("カタ", "カタカナ"),
        ("검색", "전체검색어"),
    ],
)
def test_a_term_is_found(asked, text):
    assert fits(asked, text)


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("retry", "retrying"),
        ("try", "retry"),
        ('"two words"', "words two"),
        ("one two", "one"),
        ("one -two", "one two"),
        ('one -"two three"', "one, two three"),
        ("断点", "断，点"),
        ("断点", "点断"),
        ("一 -断点", "一断点"),
    ],
)
def test_a_text_that_was_not_asked_for_is_left_out(asked, text):
    assert not fits(asked, text)


def test_an_unwanted_phrase_spares_the_words_apart():
    assert fits('one -"two three"', "one three two")


@pytest.mark.parametrize("asked", ["", "  ", "-word", "→ !", '""', "-"])
def test_a_search_without_a_word_is_refused(asked):
    with pytest.raises(Usage, match="no word"):
        f.query(asked)


def test_a_search_of_a_whole_page_is_refused():
    with pytest.raises(Usage, match="at most"):
        f.query("x " * 600)


def without_patterns(made_by: Callable[[], T]) -> T:
    """As in a new process, which has not loaded regular expressions."""
    made = [*f._made]
    f._made.clear()
    try:
        return made_by()
    finally:
        f._made.extend(made)


def by_loop(text: str) -> list[str]:
    """The row of words without regular expressions, as of a short text in a new process."""
    assert len(text) <= f._SHORT
    return without_patterns(lambda: f.row(text).split())


def by_patterns(text: str) -> list[str]:
    """With them, as of a long text."""
    f._patterns()
    return f.row(text).split()


def parted(text: str) -> list[str]:
    """The words of a store that parts at ASCII only, as SQLite's `ascii` does."""
    return "".join(map(_kept, text)).split()


def _kept(ch: str) -> str:
    if not ch.isascii():
        return ch
    return ch.lower() if ch.isalnum() else " "


@given(TEXTS)
def test_the_fast_row_is_the_row(text):
    text = f.whole(text)
    assert parted(f.spaced(text)) == by_loop(text) == by_patterns(text)


def test_every_character_is_the_same_in_the_fast_row_and_where_it_stands():
    for code in (*range(0x20000), 0x2F800, 0x30000, 0x3FFFF, 0x40000, 0xE0041, sys.maxunicode):
        if 0xD800 <= code < 0xE000:
            continue
        text = normalize("NFC", f"a{chr(code)}b")
        words = by_patterns(text)
        assert by_loop(text) == words, hex(code)
        assert parted(f.spaced(text)) == words, hex(code)
        assert f._spelt(text).words == words, hex(code)


def test_every_character_is_known_for_a_full_width_one_in_both_ways():
    for code in (*range(0x20000), 0x2F800, 0x3FFFF, sys.maxunicode):
        text = f"，{chr(code)}。"  # of full width, too, but neither letter nor digit
        by_look = any(first <= chr(code) <= last for first, last in f._WIDE)
        assert without_patterns(lambda: f._has_wide(text)) == by_look, hex(code)  # noqa: B023


def test_no_character_of_a_script_in_pairs_has_another_case():
    for first, last in f._PAIRED:
        assert all(f.fold(chr(code)) == chr(code) for code in range(first, last + 1))


def test_a_phrase_is_marked_over_white_space():
    assert f.spots("just two\nwords here", f.query('"two words"')) == [(5, 14)]
    assert f.spots("two, words", f.query('"two words" two')) == [(0, 10)]


@given(st.lists(st.text(st.sampled_from("abéß断"), min_size=1, max_size=2)), TEXTS, TEXTS)
def test_where_a_word_stands_is_found_without_taking_the_whole_text_apart(words, before, behind):
    terms = [f.query(word).terms[0] for word in ("a*", *words)]
    single = f.Query(tuple(term for term in terms if len(term.words) == 1))
    text = f.whole(f"{before}{'b'.join(words)}{behind}")
    short = f.spots(text, single)
    long = f"{text} {'.' * f._SHORT}"  # all of it is taken apart
    assert f.spots(long, single) == short


@given(TEXTS, TEXTS)
def test_a_text_that_fits_has_a_spot_for_each_term_and_another_has_none_for_one(asked, text):
    try:
        made = f.query(asked)
    except Usage:
        return
    text = f.whole(text)
    alone = [f.Query((term,)) for term in made.wanted]
    found = all(f.spots(text, one) for one in alone)
    shut = any(f.spots(text, f.Query((term._replace(unwanted=False),))) for term in made.unwanted)
    assert f.matcher(made).fits(text) == (found and not shut)


@given(TEXTS)
def test_any_part_of_a_chinese_run_is_found_where_it_stands(text):
    text = f.whole(text)
    for start in range(len(text)):
        for end in range(start + 1, min(start + 5, len(text)) + 1):
            part = text[start:end]
            if all("\u4e00" <= ch <= "\u9fff" for ch in part):
                spots = f.spots(text, f.query(part))
                assert any(one.start <= start and end <= one.end for one in spots)


def test_marks_stand_on_the_words_that_were_asked_for():
    text = "The Retry, and the 断点续传 of it; retry."
    marked = [text[one.start : one.end] for one in f.spots(text, f.query("retry 点续"))]
    assert marked == ["Retry", "点续", "retry"]


def test_a_query_is_spelt_as_the_index_takes_it_and_its_longest_word_is_looked_for_first():
    asked = f.query('wash "two words" -dry pre*')
    assert f.for_fts5(asked) == '("wash" AND "two words" AND "pre" *) NOT ("dry")'
    assert f.matcher(asked).parts == ("words", "wash", "pre", "two")
