"""A session with its subagents."""

from __future__ import annotations

from leftoff.core.stats import Stats, Tokens, together


def test_counts_of_all_are_added_by_name_and_alone_it_stays_as_it_is():
    main = Stats(tokens=Tokens(1, 2), models={"opus": 1}, tools={"Bash": 2}, last=1.0)
    other = Stats(tokens=Tokens(3, 4), models={"opus": 2, "haiku": 1}, last=5.0)
    found = together(main, [other])
    assert (found.models, found.tools) == ({"opus": 3, "haiku": 1}, {"Bash": 2})
    assert (found.tokens, found.last) == (Tokens(4, 6), 5.0)
    assert together(main, []) is main
