"""Our lines of `.gitattributes`, put in and taken out."""

from __future__ import annotations

import pytest

from leftoff.core.starter_texts import with_attributes, without_attributes


@pytest.mark.parametrize("text", [None, "", "*.png binary\n", "*.png binary", "a\nb\n"])
def test_what_was_put_in_comes_out_and_leaves_the_file_as_it_was(text):
    made = with_attributes(text)
    assert with_attributes(made) == made
    assert without_attributes(made) == text


def test_a_file_without_our_lines_stays():
    assert without_attributes("*.png binary") == "*.png binary"
