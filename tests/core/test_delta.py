"""Deltas as values: rows of the command line, what git says, when one is due."""

from __future__ import annotations

import pytest

from leftoff.core.delta import (
    MANY,
    Artifact,
    artifact,
    body,
    changes,
    free_time,
    suggestion,
    transition,
)
from leftoff.core.stream import Glance
from leftoff.errors import Usage


def test_a_path_or_an_item_may_hold_colons():
    assert artifact("a:b.py:modified:why: so") == Artifact("a:b.py", "modified", "why: so")
    assert artifact("a.py:deleted") == Artifact("a.py", "deleted", "")
    assert artifact(" a.py :created: a:created:b ") == Artifact("a.py", "created", "a:created:b")
    assert transition(" auth : open : done ") == ("auth", "open", "done")
    assert transition("Phase 2: auth:open:done") == ("Phase 2: auth", "open", "done")


@pytest.mark.parametrize("text", ["a.py", "a.py:moved:x", ":created:x", ""])
def test_what_is_no_artifact_is_refused(text):
    with pytest.raises(Usage):
        artifact(text)


@pytest.mark.parametrize("text", ["x", "a:b", "a::b", ""])
def test_what_is_no_transition_is_refused(text):
    with pytest.raises(Usage):
        transition(text)


def test_what_git_says_becomes_one_row_for_each_file():
    log = "\1first\0\nA\0new.py\0M\0old.py\0\1second\0\nD\0gone.py\0M\0new.py\0A\0short.py\0"
    diff, untracked = "D\0short.py\0M\0old.py\0", "note\n.txt\0checkpoints/active/chk-a.md\0"
    assert changes(log, diff, untracked) == [
        ("gone.py", "deleted", "second"),
        ("new.py", "created", "second"),
        ("note\n.txt", "created", "not committed"),
        ("old.py", "modified", "not committed"),
    ]
    assert changes("", "", "") == []


def test_a_cell_cannot_break_its_table_nor_a_sentence_its_section():
    text = body("```\nx", [Artifact("a|b", "created", "one\ntwo")], ())
    assert "\\``` x" in text
    assert "| `a\\|b` | created | one two |" in text
    assert "Status Transitions" not in text


def test_two_deltas_never_share_a_time():
    assert free_time(0.0, ()) == "1970-01-01T00:00:00Z"
    assert free_time(0.0, ("1970-01-01T00:00:00Z",)) == "1970-01-01T00:00:01Z"


def test_a_delta_is_suggested_once_when_much_changed_since_the_last():
    one = Glance("p.md", "md", "chk-a", created="2026-01-01", status="in_progress")
    much = [Artifact(f"{at}.py", "modified") for at in range(MANY)]
    found = suggestion(one, much)
    assert found
    assert "leftoff delta chk-a" in found.fix
    assert "since 2026-01-01, but" in found.text
    assert suggestion(one, much[1:]) is None
    assert suggestion(one._replace(status="archived"), much) is None


@pytest.mark.parametrize(
    ("first", "second", "whole"),
    [
        *(("A", "M", "created"), ("A", "D", None), ("A", "A", "created")),
        *(("D", "A", "modified"), ("D", "M", "modified"), ("D", "D", "deleted")),
        *(("M", "A", "created"), ("M", "M", "modified"), ("M", "D", "deleted")),
        *(("T", "T", "modified"), ("M", "D", "deleted")),
    ],
)
def test_two_changes_of_a_file_are_one(first, second, whole):
    log = f"\1first\0\n{first}\0a.py\0\1second\0\n{second}\0a.py\0"
    assert changes(log, "", "") == ([("a.py", whole, "second")] if whole else [])


@pytest.mark.parametrize(
    ("created", "updated", "since"),
    [
        ("2026-01-01T10:00:00Z", "2026-02-02T10:00:00Z", "2026-02-02"),
        ("2026-01-01T10:00:00Z", "", "2026-01-01"),
        ("", "", "it began"),
    ],
)
def test_advice_says_since_which_day_no_delta_tells_of_changes(created, updated, since):
    one = Glance("p.md", "md", "chk-a", created=created, updated=updated)
    found = suggestion(one, [Artifact(f"{at}.py", "modified") for at in range(MANY)])
    assert found
    assert found.text == f"{MANY} files changed since {since}, but no delta records it"
