"""A finding, as people read it: place and text, nothing twice."""

from __future__ import annotations

import pytest

from leftoff.core.model import Finding


@pytest.mark.parametrize(
    ("where", "text", "told"),
    [
        ("Current State", "Current State: not filled in", "Current State: not filled in"),
        (
            "a.md: Current State",
            "Current State: not filled in",
            "a.md: Current State: not filled in",
        ),
        ("a.md: status", "must be one of a, b", "a.md: status: must be one of a, b"),
        ("a.md", "is no checkpoint", "a.md: is no checkpoint"),
        ("a.md", "a.md is no checkpoint", "a.md is no checkpoint"),
        ("skill", "skills are many", "skill: skills are many"),
        ("", "nothing is here", "nothing is here"),
    ],
)
def test_what_the_text_names_is_not_named_before_it(where, text, told):
    assert Finding("slug", "warning", where, text).told == told
