"""The token estimate: the measured formula, worked out by hand, and texts cut where they may be."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leftoff.core.texts import CUT, cut, first_sentence
from leftoff.core.token_estimate import estimate, weight

# 1.2 words + 0.75 digits + 0.5 punctuation + 0.7 newlines + 1.0 CJK + 2.0 other
VECTORS = [
    ("", 0.0),
    ("hello world", 2.4),
    ("hello, world!\n", 2.4 + 1.0 + 0.7),
    ("HTTP2 404", 1.2 + 4 * 0.75),
    ("snake_case = x1", 3 * 1.2 + 2 * 0.5 + 0.75),
    ("修复登录", 4.0),
    ("修复，登录。", 6.0),
    ("かな 한글", 4.0),
    ("𠀀", 1.0),
    ("naïve", 2 * 1.2 + 2.0),
    ("🚀", 2.0),
    ("\t  \t", 0.0),
]


@pytest.mark.parametrize(("text", "expected"), VECTORS)
def test_a_text_weighs_what_the_formula_says(text, expected):
    assert weight(text) == pytest.approx(expected)


@pytest.mark.req("B.principle.token-efficient")
def test_an_estimate_is_the_weight_with_a_margin_rounded_up():
    assert estimate("hello world") == 3  # 2.4 * 1.15 = 2.76
    assert estimate("word " * 1000) == 1380
    assert estimate("字" * 100) == 115
    assert estimate("") == 0


@given(st.lists(st.text(alphabet="ab1,字é \t"), max_size=6))
@settings(max_examples=40, deadline=None)
def test_lines_weigh_together_what_they_weigh_alone(lines):
    whole = "".join(f"{line}\n" for line in lines)
    assert weight(whole) == pytest.approx(sum(weight(f"{line}\n") for line in lines))


def test_a_text_is_cut_at_a_sentence_else_at_a_word_else_anywhere():
    assert cut("One is done. Two is under way. Three.", 30) == "One is done." + CUT
    assert cut("Release 1.2.3 of the big thing is out", 22) == "Release 1.2.3 of" + CUT
    assert cut("先写测试。再改代码。然后发布到生产环境。", 14) == "先写测试。再改代码。"[:10] + CUT
    assert cut("x" * 50, 20) == "x" * 16 + CUT
    assert cut("short", 5) == "short"


@given(st.text(max_size=80), st.integers(10, 60))
@settings(max_examples=60, deadline=None)
def test_what_was_cut_is_never_longer_than_allowed(text, most):
    assert len(cut(text, most)) <= most


def test_the_first_sentence_ends_where_a_space_follows():
    assert first_sentence("See app.py now.\nThen go on.") == "See app.py now."
    assert first_sentence("修好了。还要测试。") == "修好了。"
    assert first_sentence("no end") == "no end"
