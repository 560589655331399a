"""Tickets in one line."""

from __future__ import annotations

import pytest

from leftoff.core.overview import pm_line


@pytest.mark.parametrize(
    ("refs", "line"),
    [
        ((), ""),
        ((("X-1", "source"), ("X-2", "child"), ("X-2", "child")), "X-1 (source) + 1 child"),
        ((("X-1", "source"), ("X-2", "child"), ("X-3", "child")), "X-1 (source) + 2 children"),
        ((("X-9", "deploy"), ("X-1", "source")), "X-9 (deploy) → X-1"),
        ((("X-1", "of-no-role-we-know"),), ""),
    ],
)
def test_the_ticket_that_leads_stands_first_and_an_unknown_role_leads_nothing(refs, line):
    assert pm_line(refs) == line
