"""What the fuzzer found, each by its name; `fuzz/readers.py` looks for more."""

from __future__ import annotations

import pytest

from leftoff.core.texts import first_sentence
from leftoff.formats import named


@pytest.mark.parametrize("key", ["checkpoi\x13\x13nt", "no\x7fte", "a\x9fb", "<<<<<<< x"])
def test_a_key_of_a_header_that_no_file_can_show_stays_as_it_is(key):
    lens, path = named("md"), "checkpoints/active/chk.md"
    text = f"---\ncheckpoint: chk\n{key}: x\n---\n\n## Problem\n\nWords.\n"
    if "<" in key:
        assert any(one.level == "error" for one in lens.check(text, path))
        return
    c = lens.read(text, path)
    assert lens.write(c, text, path) == text
    changed = lens.write(c._replace(problem="Other words."), text, path)
    assert changed == text.replace("Words", "Other words")


def test_the_word_checkpoint_in_the_middle_of_a_title_is_part_of_the_name():
    lens, path = named("thread"), ".checkpoints/threads/x/CHECKPOINT.md"
    text = "# About a # Checkpoint: of others\n\n**Thread ID**: x\n\n## Current Task\n\nWords\n"
    c = lens.read(text, path)
    assert c.name == "About a # Checkpoint: of others"
    assert lens.write(c, text, path) == text


def test_a_text_without_an_end_has_a_first_sentence_all_the_same():
    assert len(first_sentence("x" * 13_000_000)) <= 20_000
    assert first_sentence("One. Two.") == "One."
