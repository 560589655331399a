"""A snippet of what was found: near the words, on one line, with nothing that could do harm."""

from __future__ import annotations

from leftoff.core.search_hits import Passage, snippet
from leftoff.core.search_words import query


def _marked(text: str, words: str) -> list[str]:
    part = snippet(Passage("message", text, 0.0, 1), query(words))
    return [part.text[one.start : one.end] for one in part.marks]


def test_a_word_that_is_first_a_part_of_another_is_still_found_far_behind():
    text = "concat " + "filler words " * 200 + "the cat sat"
    assert _marked(text, "cat") == ["cat"]


def test_pieces_that_make_our_fence_only_together_are_made_harmless_and_lose_their_marks():
    part = snippet(Passage("message", "see < /leftoff> now", 0.0, 1), query("leftoff"))
    assert "</leftoff>" not in part.text.replace(" ", "")
    assert not part.marks
