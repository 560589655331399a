"""Texts of views in English: a count decides the plural of the word behind it."""

from __future__ import annotations

import pytest

from leftoff.commands import plainly


@pytest.mark.parametrize(
    ("text", "values", "said"),
    [
        ("{n} claim(s)", {"n": 1}, "1 claim"),
        ("{n} claim(s)", {"n": 0}, "0 claims"),
        ("{n} claim(s)", {"n": "1"}, "1 claim"),
        ("{n} claim(s)", {"n": "1,001"}, "1,001 claims"),
        ("{a} file(s), {b} open task(s).", {"a": 1, "b": 2}, "1 file, 2 open tasks."),
        ("{a} file(s), {b} open task(s).", {"a": 2, "b": 1}, "2 files, 1 open task."),
        ("{bad} of {all} document(s) failed", {"bad": 1, "all": 4}, "1 of 4 documents failed"),
        ("{path}: {n} line(s)", {"path": "a(s){b}", "n": 1}, "a(s){b}: 1 line"),
        ("prompt(s)", {}, "prompt(s)"),
        ("{n} prompt{s}", {"n": 1, "s": "(s)"}, "1 prompt(s)"),
    ],
)
def test_a_count_decides_the_plural_and_values_stay_as_they_are(text, values, said):
    assert plainly(text, **values) == said
