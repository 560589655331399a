"""Seed D's registry, whole: every key of a running, an ended and a bare session."""

from __future__ import annotations

import pytest

from leftoff.core.registry import _title, minutes, objects, onto, registry
from leftoff.core.session import Event, Outcome, Session
from leftoff.core.stats import Stats, Task, Tokens
from leftoff.core.thresholds import DEFAULTS
from leftoff.core.when import HOUR, stamp

NOW = 1_794_700_000.0
AUTH = "outcomes/in-progress/005-auth-api/outcome_track.json"
STATS = Stats(
    tokens=Tokens(100, 20, 3000, 400),
    files=("src/a.py", "src/b.py"),
    tasks=(Task("a", "completed"), Task("b", "pending")),
    failed=3,
    commits=2,
    tools={"Bash": 2},
    subagents=4,
)
EVENTS = (
    Event(NOW - 90, "start", about="resume"),
    Event(NOW - 80, "start", about="startup"),
    Event(NOW - 70, "prompt"),
    Event(NOW - 60, "stop"),
    Event(NOW - 50, "stop", failed="rate_limit"),
    Event(NOW - 40, "note", about=AUTH),
    Event(NOW - 30, "note", about="half of it"),
    Event(NOW - 20, "other"),
)
RUNNING = Session(
    "claude-code",
    "run",
    started=NOW - 150,
    seen=NOW - 30,
    source="resume",
    cwd="/repo/sub",
    root="/repo",
    branch="main",
    commit="abc",
    mode="plan",
    transcript="/t.jsonl",
    outcomes=(Outcome("Docs", "write", NOW - 60), Outcome(AUTH, "tokens", NOW - 50)),
    events=EVENTS,
    stats=STATS,
)
BARE = Session("claude-code", "bare", seen=NOW - 3.005 * HOUR, root="/repo")
ENDED = RUNNING._replace(
    id="end",
    started=NOW - 700,
    seen=NOW - 100,
    ended=NOW - 100,
    closed=NOW - 100,
    reason="clear",
    dirty=0,
    outcomes=(Outcome("Docs", "write", NOW - 60),),
)
SHORT = Session(
    "codex", "short", started=NOW - 999, seen=NOW - 900, ended=NOW - 900, closed=NOW - 900, dirty=2
)


@pytest.fixture
def whole():
    return registry([SHORT, BARE, ENDED, RUNNING], NOW, DEFAULTS)


def test_the_summary_counts_what_runs_and_what_ended(whole):
    assert whole["summary"] == {
        "activeSessionsCount": 2,
        "totalSessionsCompletedLast72Hours": 2,
        "currentFocusedOutcome": "auth-api",
        "totalTokensConsumedLast72Hours": 3520,
        "totalDurationMinutesLast72Hours": 11,
        "multiOutcomeSessionsCount": 1,
        "lastUpdated": stamp(NOW),
    }
    nothing = registry([], NOW, DEFAULTS)
    assert nothing["summary"]["currentFocusedOutcome"] == "No Focus Set"
    assert nothing["lastWorked"] is None


def test_a_running_session_is_told_in_full(whole):
    first, second = whole["activeSessions"]
    said = [
        *(("session_resume", "start: resume"), ("session_start", "start: startup")),
        *(("task_started", "prompt"), ("task_completed", "stop"), ("task_failed", "stop")),
        *(("focus_outcome", f"note: {AUTH}"), ("milestone_reached", "note: half of it")),
        ("milestone_reached", "other"),
    ]
    assert [(one["eventType"], one["description"]) for one in first.pop("events")] == said
    assert first == {
        "sessionId": "run",
        "sessionSource": "resume",
        "startedAt": stamp(NOW - 150),
        "lastActivityAt": stamp(NOW - 30),
        "environment": {
            "workingDirectory": "/repo/sub",
            "gitBranch": "main",
            "gitCommitHash": "abc",
            "permissionMode": "plan",
            "transcriptPath": "/t.jsonl",
        },
        "focusedOutcomes": [
            {
                "outcomeId": 1,
                "outcomeName": "Docs",
                "currentTask": "write",
                "focusedAt": stamp(NOW - 60),
            },
            {
                "outcomeId": 5,
                "outcomeName": "auth-api",
                "trackingFile": AUTH,
                "currentTask": "tokens",
                "focusedAt": stamp(NOW - 50),
            },
        ],
        "statistics": {
            "eventsLogged": 8,
            "filesModified": 2,
            "tasksCompleted": 1,
            "tasksFailed": 3,
            "gitCommits": 2,
            "tokensConsumed": 3520,
            "durationMinutes": 2.5,
        },
        "isStale": False,
        "subagentsLaunched": 4,
        "toolUsageCounts": {"Bash": 2},
    }
    assert (second["sessionSource"], second["isStale"]) == ("startup", True)
    assert second["statistics"]["durationMinutes"] == 0
    assert second["environment"] == {
        "workingDirectory": "/repo",
        "gitBranch": None,
        "gitCommitHash": None,
        "permissionMode": "default",
        "transcriptPath": "",
    }


def test_a_session_that_begins_after_now_has_lasted_nothing():
    one = RUNNING._replace(started=NOW + 600)
    [told] = registry([one], NOW, DEFAULTS)["activeSessions"]
    assert told["statistics"]["durationMinutes"] == 0


def test_an_ended_session_is_told_in_full(whole):
    first, second = whole["recentHistory"]
    first.pop("accomplishments")
    assert first == {
        "sessionId": "end",
        "startedAt": stamp(NOW - 700),
        "completedAt": stamp(NOW - 100),
        "sessionSource": "resume",
        "outcomes": [{"outcomeId": 1, "outcomeName": "Docs"}],
        "tokensConsumed": 3520,
        "tasksCompleted": 1,
        "tasksFailed": 3,
        "durationMinutes": 10,
        "gitBranch": "main",
        "gitCommits": 2,
        "filesModifiedCount": 2,
        "sessionEndReason": "clear",
        "subagentsLaunched": 4,
        "toolUsageSummary": {"Bash": 2},
        "gitStatusClean": True,
        "uncommittedFiles": 0,
    }
    assert (second["gitBranch"], second["sessionSource"]) == (None, "startup")
    assert (second["gitStatusClean"], second["uncommittedFiles"]) == (False, 2)
    assert second["durationMinutes"] == 1.65


def test_what_was_last_worked_on_is_the_newest_that_ended(whole):
    last = whole["lastWorked"]
    assert last["sessionId"] == "end"
    [outcome] = last["outcomes"]
    assert (outcome["outcomeId"], outcome["lastTask"]) == (1, "write")
    assert last["sessionSummary"] == {
        "durationMinutes": 10,
        "tokensConsumed": 3520,
        "permissionMode": "plan",
        "tasksCompletedTotal": 1,
        "gitCommitsTotal": 2,
    }
    bare = registry([SHORT], NOW, DEFAULTS)["lastWorked"]
    assert (bare["sessionSummary"]["permissionMode"], bare["context"]["gitBranch"]) == (
        "default",
        None,
    )


def test_indexes_and_the_stale_list_name_sessions_once(whole):
    assert whole["indexByOutcome"] == {"Docs": ["run", "end"], AUTH: ["run"]}
    assert whole["indexByBranch"] == {"main": ["run", "end"]}
    [stale] = whole["staleSessionsDetected"]
    assert (stale["sessionId"], stale["hoursSinceActivity"]) == ("bare", 3.0)
    both = RUNNING._replace(seen=NOW - 2.125 * HOUR)
    [stale] = registry([both], NOW, DEFAULTS)["staleSessionsDetected"]
    assert (stale["hoursSinceActivity"], stale["outcomes"]) == (2.12, [1, 5])


@pytest.mark.parametrize(
    ("name", "title"),
    [
        (AUTH, "auth-api"),
        ("outcomes/x/plain/outcome_track.json", "plain"),
        ("outcomes/005-auth", "outcomes/005-auth"),
        ("x/005-auth/outcome_track.json", "x/005-auth/outcome_track.json"),
    ],
)
def test_a_tracked_outcome_is_named_after_its_folder(name, title):
    assert _title(name) == title


@pytest.mark.parametrize("digits", ["9" * 5000, "000", "²"])
def test_an_outcome_with_no_number_that_anybody_counts_to_has_that_of_its_place(digits):
    outcome = Outcome(f"outcomes/queued/{digits}-x/outcome_track.json")
    [active] = registry([RUNNING._replace(outcomes=(outcome,))], NOW, DEFAULTS)["activeSessions"]
    assert [one["outcomeId"] for one in active["focusedOutcomes"]] == [1]


def test_minutes_are_whole_or_have_two_digits():
    assert [minutes(60), minutes(90), minutes(100), minutes(0)] == [1, 1.5, 1.67, 0]
    assert isinstance(minutes(120), int)


def test_what_others_wrote_stays_as_long_as_it_is_recent():
    new = registry([ENDED], NOW, DEFAULTS)
    oldest = NOW - DEFAULTS["history.recent"]
    others = [
        {"sessionId": "at", "completedAt": stamp(oldest)},
        {"sessionId": "before", "completedAt": stamp(oldest - 1)},
        {"sessionId": "silent"},
        {"sessionId": "end", "theirs": 1},
        "no object",
    ]
    made = onto({"recentHistory": others, "theirs": 2, "lastWorked": "?"}, new, NOW, DEFAULTS)
    assert [one["sessionId"] for one in made["recentHistory"]] == ["end", "at", "silent"]
    assert (made["recentHistory"][0]["theirs"], made["theirs"]) == (1, 2)
    assert made["lastWorked"] == new["lastWorked"]
    assert objects([1, {}]) == [{}]
    assert objects({}) == []


@pytest.mark.parametrize(
    ("completed", "theirs"),
    [(NOW - 99, True), (NOW - 100, False), (NOW - 101, False), (None, False)],
)
def test_the_later_of_two_that_were_last_worked_on_stays(completed, theirs):
    new = registry([ENDED], NOW, DEFAULTS)
    old = {"sessionId": "x", "completedAt": stamp(completed) if completed else "?"}
    assert (onto({"lastWorked": old}, new, NOW, DEFAULTS)["lastWorked"] == old) is theirs
    assert (
        onto({"lastWorked": old}, registry([], NOW, DEFAULTS), NOW, DEFAULTS)["lastWorked"] is None
    )


def test_a_last_session_without_a_readable_time_gives_way_and_takes_part():
    new = registry([ENDED], NOW, DEFAULTS)
    new["lastWorked"]["completedAt"] = "?"
    old = {"sessionId": "x", "completedAt": stamp(0.5)}
    assert onto({"lastWorked": old}, new, NOW, DEFAULTS)["lastWorked"]["sessionId"] == "end"
    old["completedAt"] = stamp(1)
    assert onto({"lastWorked": old}, new, NOW, DEFAULTS)["lastWorked"] == old
