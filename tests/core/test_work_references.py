"""What counts as a reference to work, and what a history says has landed."""

from __future__ import annotations

import pytest

from leftoff.core.work_references import (
    NO_TICKETS,
    Tickets,
    done_in,
    landed_by,
    tokens,
    version_of,
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Merge #12", ("#12",)),
        ("Merge #12 and #12 again, then ADEV-7", ("#12", "ADEV-7")),
        ("Tag v1.8.2, sync server.json 1.8.2", ("1.8.2",)),
        ("Ship 2.0.0-rc.1", ("2.0.0-rc.1",)),
        ("bind 127.0.0.1", ()),
        ("see a#12, x/#3 and &#39;", ()),
        ("F-16 A-1 are no tickets", ()),
        ("branch fix/ABC-12-login", ()),
        ("nothing here", ()),
        ("a.b-c", ()),
    ],
)
def test_references_are_whole_words(text, found):
    assert tokens(text) == found


@pytest.mark.req("X.rank.landed")
@pytest.mark.parametrize(
    ("row", "over"),
    [
        ("pr-12 PR #12: the install flow", ("#12",)),
        ("wave: 2 merged (#1, #2), 1 closed obsolete (#3), 1 held (#4)", ("#1", "#2", "#3")),
        ("#1 merged; #2 still open; OPS-3 done", ("#1", "OPS-3")),
        ("#1 merged, #2 built, not merged yet", ("#1",)),
        ("#1 built \u2014 Pending review", ()),
        ("not before noon, #1", ("#1",)),
        ("#1 opened the notes", ("#1",)),
        ("on hold, #2 and #2", ("#2",)),
    ],
)
def test_a_finished_row_does_not_land_what_it_says_is_still_to_come(row, over):
    assert done_in(row) == over


@pytest.mark.req("X.rank.landed")
def test_standards_and_hashes_are_no_tickets_and_prefixes_can_be_set():
    named = tokens("UTF-8 SHA-256 ISO-8601 RFC-9110 CVE-2026 HTTP-2 GPT-5 ADEV-3 OPS-4 #5 1.2.3")
    assert [t for t in named if Tickets().counts(t)] == ["#5", "ADEV-3", "OPS-4", "1.2.3"]
    only = Tickets(only=frozenset({"OPS"}))
    assert [t for t in named if only.counts(t)] == ["#5", "OPS-4", "1.2.3"]
    assert not only.counts("A1-5")
    assert only.counts("ß-5")
    more = Tickets(ignored=NO_TICKETS | {"ADEV"})
    assert [t for t in named if more.counts(t)] == ["#5", "OPS-4", "1.2.3"]


@pytest.mark.req("X.rank.landed")
@pytest.mark.parametrize(
    ("subjects", "landed"),
    [
        (["Add login (#12)"], {"#12"}),
        (["Merge pull request #7 from x/y"], {"#7"}),
        (["Fixes #3: crash", "closes #4"], {"#3", "#4"}),
        (["ADEV-9: add search"], {"ADEV-9"}),
        (["See #12 for the plan", "Refs #3"], set()),
        (["Add login (#12)", 'Revert "Add login (#12)"'], set()),
        (["Add login (#12)", 'Revert "Add login (#12)"', "Add login again (#12)"], {"#12"}),
    ],
)
def test_a_history_lands_what_it_merges_not_what_it_mentions(subjects, landed):
    assert landed_by(subjects) == landed


@pytest.mark.parametrize(
    ("tag", "version"),
    [
        ("v1.2.3", "1.2.3"),
        ("1.2.3", "1.2.3"),
        ("pkg-v1.2.3", "1.2.3"),
        ("pkg/1.2.3", "1.2.3"),
        ("pkg@1.2.3-rc.1", "1.2.3-rc.1"),
        ("v1.2", ""),
        ("nightly", ""),
    ],
)
def test_a_tag_names_a_version(tag, version):
    assert version_of(tag) == version
