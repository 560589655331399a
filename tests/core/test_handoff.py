"""The text that is handed over: what it says of the working tree."""

from __future__ import annotations

import pytest

from leftoff.commands import plainly
from leftoff.core.handoff import Git, Work, handoff

COMMIT = "a" * 40
WORK = Work("x", "shop", "brief", ("a.md",), commands=("check", "done", "save"))


@pytest.mark.parametrize(
    ("git", "said"),
    [
        (Git(), "Git: no repository here, or no commit yet."),
        (Git("main", COMMIT, ()), "Everything is committed."),
        (Git("main", COMMIT, None), "Which files are not committed is not known."),
        (Git("", COMMIT, ("a.py",)), "(no branch)"),
    ],
)
def test_it_says_how_the_working_tree_stands_and_what_git_did_not_say(git, said):
    assert said in handoff(WORK._replace(git=git), plainly)
