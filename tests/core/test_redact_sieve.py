"""The sieve: it lets no line through that holds something, and reads no line for nothing."""

from __future__ import annotations

import pytest

from leftoff.core import redact_sieve
from leftoff.core.redact import PLAIN, Redactor
from leftoff.core.redact_own import rules
from leftoff.core.redact_setting import Own
from leftoff.core.redact_sieve import holds_key, suspects, until
from redaction_texts import ALNUM

SECRET = "password: hunter2hunter2"


@pytest.fixture(autouse=True)
def _made_anew():
    """So that each test holds the tables too, not the first one alone."""
    redact_sieve._gates.cache_clear()
    redact_sieve._providers.cache_clear()


def test_what_ends_a_line_is_found_from_the_first_byte_on_else_the_end():
    assert until(b"\nab", b"\n", 0) == 0
    assert until(b"a\nb\n", b"\n", 1) == 1
    assert until(b"a\nb\n", b"\n", 2) == 3
    assert until(b"a\nb", b"\n", 2) == 3


@pytest.mark.parametrize(
    "odd", ["\\u0041", "\\/", "\\u00\\u0041", "\\\\/\\/", SECRET, "密码：hunter2hunter2"]
)
def test_each_of_many_lines_that_may_hold_something_is_told(odd):
    """Not the first and the last of them alone."""
    data = f"{odd}\nplain\n{odd}\n{odd} {odd}\n\n{odd}".encode()
    size = len(odd.encode())
    third = size + 7
    fourth = third + size + 1
    assert suspects(data, PLAIN) == [0, third, fourth, fourth + 2 * size + 3]


@pytest.mark.parametrize("word", ["@@@", "Orion", "aaa"])
def test_a_word_of_one_s_own_is_found_in_every_line_however_often(word):
    data = f"{word}{word}\n\n{word} {word}\n{word}".encode()
    size = len(word)
    by = Redactor(extra=rules(Own(words=(word,))))
    assert suspects(data, by) == [0, 2 * size + 2, 4 * size + 4]


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("whsec_" + ALNUM + "/" + ALNUM, True),
        ("whsec_ is how they begin", False),
        ("abc1Q~" + ALNUM + "abc", True),
        ("Q~ alone", False),
        # a key begins within what only begins like another
        ("csk-" + ALNUM, True),
        ("AKIA is how they begin, in a_long_Word_2026_of_code", False),
        ("a_long_Word_2026_of_code sk-proj-" + ALNUM, True),
        ("sk-proj-" + ALNUM + " a_long_Word_2026_of_code", True),
    ],
)
def test_a_text_may_hold_a_key_where_one_begins_and_goes_on(text, may):
    assert holds_key(text.encode()) is may
    assert suspects(b"x\n" + text.encode(), PLAIN) == ([2] if may else [])
