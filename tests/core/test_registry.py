"""Seed D's document, computed: its lists, indexes and marks agree, and its schema holds."""

from __future__ import annotations

import json

import pytest

from leftoff.core.registry import onto, registry
from leftoff.core.session import Event, Note, Outcome, Session
from leftoff.core.stats import Stats, Task, Tokens
from leftoff.core.thresholds import DEFAULTS
from leftoff.core.when import stamp
from leftoff.formats import session as registry_json
from leftoff.formats._json_schema import fitted
from leftoff.formats._registry_schema import REGISTRY

NOW = 1_794_700_000.0
HOUR = 3600.0
AUTH = "outcomes/in-progress/005-auth-api/outcome_track.json"


def ident(n: int) -> str:
    return f"{n:08x}-0000-4000-8000-000000000000"


def session(n: int, **fields: object) -> Session:
    given = {"started": NOW - HOUR, "seen": NOW, "branch": "main", **fields}
    return Session("claude-code", ident(n), **given)


def ended(n: int, ago: float, **fields: object) -> Session:
    at = NOW - ago
    return session(n, started=at - 600, seen=at, ended=at, closed=at, reason="clear", **fields)


def document(*sessions: Session) -> dict:
    return registry(sessions, NOW, DEFAULTS)


def errors(whole: dict) -> list:
    return registry_json.check(json.dumps(fitted(whole, REGISTRY)), "status/sessions_summary.json")


STATS = Stats(
    tokens=Tokens(100, 20, 3000, 400),
    files=("src/auth.py",),
    tasks=(Task("a", "completed"), Task("b", "pending")),
    failed=1,
    commits=2,
    tools={"Bash": 2, "Read": 1},
    subagents=2,
)


@pytest.mark.req("D.life.recent", "D.life.active")
def test_a_session_is_in_one_list_only():
    whole = document(session(1), ended(2, HOUR), ended(3, 73 * HOUR))
    active = [one["sessionId"] for one in whole["activeSessions"]]
    recent = [one["sessionId"] for one in whole["recentHistory"]]
    assert (active, recent) == ([ident(1)], [ident(2)])


@pytest.mark.req("D.stale.marks")
def test_the_three_marks_of_a_stale_session_agree():
    whole = document(session(1, seen=NOW - 2 * HOUR), session(2))
    active = {one["sessionId"]: one for one in whole["activeSessions"]}
    assert (active[ident(1)]["isStale"], active[ident(2)]["isStale"]) == (True, False)
    assert active[ident(1)]["lastActivityAt"] == stamp(NOW - 2 * HOUR)
    [stale] = whole["staleSessionsDetected"]
    assert (stale["sessionId"], stale["hoursSinceActivity"]) == (ident(1), 2)
    assert stale["lastActivityAt"] == active[ident(1)]["lastActivityAt"]


@pytest.mark.req("D.during.events-cap")
def test_the_newest_hundred_events_are_kept_and_the_true_total_with_them():
    events = tuple(Event(NOW - 1000 + at, "prompt") for at in range(150))
    [active] = document(session(1, events=events))["activeSessions"]
    assert (len(active["events"]), active["statistics"]["eventsLogged"]) == (100, 150)
    assert active["events"][0]["timestamp"] == stamp(NOW - 950)
    assert not errors(document(session(1, events=events)))


@pytest.mark.req("D.last.shape", "D.end.accomplishments")
def test_last_worked_has_exactly_the_keys_of_the_schema():
    notes = (Note(NOW, "Added refresh", ("Use RS256",), ("Add tests", "Update docs")),)
    worked = {"outcomes": (Outcome(AUTH, "Refresh tokens", NOW),), "notes": notes}
    whole = document(ended(1, HOUR, commit="a" * 40, stats=STATS, **worked), ended(2, 2 * HOUR))
    last = whole["lastWorked"]
    assert last.keys() == {"sessionId", "completedAt", "outcomes", "context", "sessionSummary"}
    assert last["outcomes"] == [
        {
            "outcomeId": 5,
            "outcomeName": "auth-api",
            "trackingFile": AUTH,
            "lastTask": "Refresh tokens",
            "workSummary": "Added refresh",
        }
    ]
    assert last["context"] == {
        "gitBranch": "main",
        "gitCommitHash": "a" * 40,
        "filesModified": ["src/auth.py"],
        "keyDecisions": ["Use RS256"],
        "nextSteps": ["Add tests", "Update docs"],
    }
    assert not errors(whole)


@pytest.mark.req("D.end.stats", "D.end.uncommitted")
def test_an_entry_of_the_history_has_all_its_figures():
    [one] = document(ended(1, HOUR, stats=STATS, dirty=2))["recentHistory"]
    assert (one["tokensConsumed"], one["gitCommits"], one["durationMinutes"]) == (3520, 2, 10)
    assert (one["tasksCompleted"], one["tasksFailed"]) == (1, STATS.failed)
    assert (one["accomplishments"].split("; ")[0], one["uncommittedFiles"]) == (
        "Completed 1 task",
        2,
    )
    assert one["toolUsageSummary"] == {"Bash": 2, "Read": 1}
    [outside_git] = document(ended(1, HOUR))["recentHistory"]
    assert "uncommittedFiles" not in outside_git


@pytest.mark.req("D.index.outcome", "D.index.branch")
def test_the_indexes_cover_active_and_recent_sessions_only():
    worked = {"outcomes": (Outcome(AUTH),)}
    whole = document(
        session(1, **worked),
        ended(2, HOUR, branch="side", **worked),
        ended(3, 73 * HOUR, **worked),
        session(4),
    )
    assert whole["indexByOutcome"] == {AUTH: [ident(1), ident(2)]}
    assert whole["indexByBranch"] == {"main": [ident(1), ident(4)], "side": [ident(2)]}


def test_whatever_a_session_says_the_schema_holds():
    odd = session(1, source="compact", mode="yolo", branch="", outcomes=(Outcome("free text"),))
    strange = Session("opencode", "ses_AbC", seen=NOW, started=NOW)
    events = tuple(Event(NOW, what, "x") for what in ("start", "stop", "note", "bind", "end"))
    assert not errors(document(odd._replace(events=events), strange, ended(2, 1)))
    assert not errors(document())


def test_the_focus_of_the_summary_is_the_newest_one():
    first = session(1, outcomes=(Outcome(AUTH, at=NOW - 5),))
    second = session(2, outcomes=(Outcome("docs", at=NOW - 1), Outcome("faq", at=NOW - 9)))
    assert document(first, second)["summary"]["currentFocusedOutcome"] == "auth-api"
    assert document()["summary"]["currentFocusedOutcome"] == "No Focus Set"


def test_updating_a_registry_keeps_what_others_wrote():
    new = document(session(1), ended(2, HOUR))
    old = {
        "ours_not": {"a": 1},
        "activeSessions": [{"sessionId": ident(1), "mood": "good"}, {"sessionId": ident(9)}],
        "recentHistory": [
            {"sessionId": ident(8), "completedAt": stamp(NOW - HOUR)},
            {"sessionId": ident(7), "completedAt": stamp(NOW - 73 * HOUR)},
        ],
        "lastWorked": {"sessionId": ident(8), "completedAt": stamp(NOW - 60), "x": 1},
    }
    made = onto(old, new, NOW, DEFAULTS)
    assert made["ours_not"] == {"a": 1}
    assert [one["sessionId"] for one in made["activeSessions"]] == [ident(1), ident(9)]
    assert made["activeSessions"][0]["mood"] == "good"
    assert [one["sessionId"] for one in made["recentHistory"]] == [ident(2), ident(8)]
    assert made["lastWorked"]["sessionId"] == ident(8)


def test_of_the_same_last_session_both_sides_are_kept():
    new = document(ended(2, HOUR))
    old = {"lastWorked": {"sessionId": ident(2), "x": 1}}
    assert onto(old, new, NOW, DEFAULTS)["lastWorked"]["x"] == 1
