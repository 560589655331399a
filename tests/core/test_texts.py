"""Sizes as people say them."""

from __future__ import annotations

import pytest

from leftoff.core.texts import bytes_words, opening


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (999, "999 B"),
        (1000, "1.0 KB"),
        (999_949, "999.9 KB"),
        (999_950, "1.0 MB"),
        (10**9, "1.0 GB"),
        (10**16, "10000.0 TB"),
    ],
)
def test_a_size_is_told_in_the_unit_in_which_it_is_short(size, words):
    assert bytes_words(size) == words


def test_a_sentence_goes_on_over_the_lines_of_its_paragraph():
    assert opening("It began\nhere and\n went on") == "It began here and went on"
    assert opening("It began\nhere\n\nAnother") == "It began here"
    assert opening("# A heading\nand its text") == "# A heading"
    assert opening("A word#\nand its text ") == "A word# and its text"
    for item in ("- item", "* item", "1. item", "| cell |", "# Title"):
        assert opening(f"It began\n{item}\nmore") == "It began"
