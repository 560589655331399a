"""A stream as data, and an age and tickets in words."""

from __future__ import annotations

import pytest

from leftoff.commands import plainly
from leftoff.core import overview
from leftoff.core.overview import age_words, facts, pm_line, row
from leftoff.core.stream import Glance
from leftoff.core.thresholds import DEFAULTS
from leftoff.core.when import DAY, HOUR, instant

NOW = instant("2026-08-08T12:00:00Z")


def test_a_stream_as_data():
    stream = Glance(
        *("p.json", "skill", "x", "Name"),
        status="in_progress",
        word="current",
        phase="build",
        stage="two",
        updated="2026-08-08T11:59:57Z",
        touched=NOW - 2.5,
        summary="Half.",
        actions=("a", "b"),
        blockers=(("B", "why?", "user_decision", "ask"),),
        done=1,
        total=2,
        refs=(("X-1", "source"),),
        spent=2.0,
        budget=1.0,
        conflicts=3,
    )
    assert facts(stream, NOW, DEFAULTS) == {
        "id": "x",
        "name": "Name",
        "format": "skill",
        "path": "p.json",
        "status": "in_progress",
        "current": True,
        "phase": "build",
        "step": "two",
        "updated": "2026-08-08T11:59:57Z",
        "age_seconds": 2,
        "stale_days": 0,
        "rank": 1,
        "blockers": [
            {
                "id": "B",
                "description": "why?",
                "needs": "user_decision",
                "proposed_resolution": "ask",
            }
        ],
        "decisions_waiting": 1,
        "summary": "Half.",
        "next_actions": [{"n": 1, "text": "a"}, {"n": 2, "text": "b"}],
        "progress": {"done": 1, "total": 2},
        "pm": "X-1 (source)",
        "over_budget": True,
        "conflicts": 3,
    }
    broken = {"id": "x", "format": "skill", "path": "p", "status": "broken", "broken": "torn"}
    assert facts(Glance("p", "skill", "x", broken="torn"), NOW, DEFAULTS) == broken
    assert row(Glance("p", "skill", "x", broken="torn"), NOW, DEFAULTS) == broken


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("2026-08-08T12:00:00Z", "2026-08-08T12:00:00Z"),
        ("2026-08-08t12:00:00Z", "2026-08-08T12:00:00Z"),
        ("2026-08-08T12:00:00z", "2026-08-08T12:00:00Z"),
        ("2026-08-08T14:00+02:00", "2026-08-08T12:00:00Z"),
        ("2026-08-08T12:00:00.0Z", "2026-08-08T12:00:00Z"),
        ("soon", "soon"),
    ],
)
def test_a_time_is_told_in_utc(said, told):
    stream = Glance("p", "skill", "x", updated=said, touched=instant(said))
    assert row(stream, NOW, DEFAULTS)["updated"] == told
    assert (row(stream, NOW, DEFAULTS)["age_seconds"] is None) is (said == "soon")


@pytest.mark.parametrize(
    ("given", "thread", "current"),
    [
        ({"format": "thread"}, "x", True),
        ({"format": "thread"}, "y", False),
        ({"format": "thread", "id": ""}, "", False),
        ({"word": "current"}, "", True),
        ({"word": "current", "status": "archived"}, "", False),
        ({"word": "active"}, "x", False),
    ],
)
def test_a_stream_is_current_by_its_word_and_a_thread_by_the_pointer(given, thread, current):
    stream = Glance("p", "skill", "x", status="in_progress")._replace(**given)
    assert row(stream, NOW, DEFAULTS, thread)["current"] is current


@pytest.mark.parametrize(
    ("refs", "line"),
    [
        ((), ""),
        ((("X", "other"),), ""),
        ((("X", ""),), "X"),
        (
            (("X", "source"), ("X", "source"), ("Y", "child"), ("Y", "child")),
            "X (source) + 1 child",
        ),
        ((("X", "linked"), ("Y", "child"), ("Z", "child")), "X (linked) + 2 children"),
        ((("X", "child"),), "X (child)"),
        ((("X", "child"), ("Y", "child")), "X (child) + 1 child"),
        ((("X", "deploy"), ("Y", "source"), ("Z", "child")), "X (deploy) → Y"),
        ((("X", "deploy"), ("I", "incident"), ("S", "source")), "I (incident) → X"),
        ((("X", "deploy"), ("Z", "child")), "X (deploy) + 1 child"),
    ],
)
def test_tickets_in_one_line(refs, line):
    assert pm_line(refs) == line


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        *((-HOUR, "in the future"), (1 - HOUR, "now")),
        *((None, "-"), (0, "now"), (HOUR - 1, "now"), (HOUR, "1h"), (1.9 * HOUR, "1h")),
        *((DAY - 1, "23h"), (DAY, "1d"), (2.9 * DAY, "2d")),
    ],
)
def test_an_age_in_words(seconds, words):
    assert age_words(seconds, plainly) == words


def test_a_time_that_is_told_in_utc_already_needs_no_clock(monkeypatch):
    monkeypatch.setattr(overview, "stamp", None)
    said = "2026-08-08T11:59:57Z"
    assert (
        row(Glance("p", "skill", "x", updated=said, touched=NOW), NOW, DEFAULTS)["updated"] == said
    )
    assert row(Glance("p", "skill", "x", updated="soon"), NOW, DEFAULTS)["updated"] == "soon"
