"""Format D: the session registry, its schema, and what the schema has no room for."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.json_strategies import (
    OBJECTS,
    VALUES,
    WORDS,
    changes_of,
    checkpoints,
    documents,
    items,
    obeys,
    survives,
    texts,
)
from leftoff.core.model import Checkpoint, Item
from leftoff.errors import Usage
from leftoff.formats import Change, named
from leftoff.formats import session as registry_json
from leftoff.formats._json_schema import MARK, fitted, problems, unfitted
from leftoff.formats._json_text import dumps
from leftoff.formats._json_value import same
from leftoff.formats._registry_schema import REGISTRY
from support import shared

PATH = "status/sessions_summary.json"


def content(*parts):
    with open(shared("samples", "lucid", *parts), encoding="utf-8", newline="") as file:
        return file.read()


def schema():
    published = json.loads(content("session_summary_schema.v1.1.0.json"))
    return jsonschema.Draft7Validator(published)


# --- strategies: documents that satisfy the schema here and there ---------------------------------


def of(rule):
    """Values of the rule's kind, right or wrong inside."""
    kinds = {
        "integer": st.sampled_from([0, 1, -1, 2.0, 2.5, 7]),
        "number": st.sampled_from([0, 1, -1, 2.5]),
        "flag": st.booleans(),
    }
    if rule.kind in {"text", "time"}:
        words = ["abcdef0", "sess-a1", "sess-no-mode", "", "weird", *rule.words]
        return st.sampled_from([rule.default if isinstance(rule.default, str) else "x", *words])
    if rule.kind == "list":
        return st.lists(some(rule.of), max_size=2)
    if rule.kind == "map":
        return st.dictionaries(st.sampled_from("ab"), some(rule.of), max_size=2)
    if rule.kind == "object":
        known = {key: some(member) for key, member in rule.fields.items()}
        beside = st.dictionaries(st.sampled_from([*rule.fields, "x"]), VALUES, max_size=2)
        return st.fixed_dictionaries({}, optional={**known, "zz": VALUES, MARK: beside})
    return kinds[rule.kind]


def some(rule):
    return st.deferred(lambda: of(rule)) | st.deferred(lambda: of(rule)) | VALUES


OLD_SESSIONS = st.lists(
    VALUES
    | st.fixed_dictionaries(
        {}, optional={"sessionId": WORDS | st.none(), "startTime": WORDS, "status": WORDS}
    ),
    max_size=2,
)
DOCUMENTS = documents(
    {
        **{key: some(rule) for key, rule in REGISTRY.fields.items()},
        "completedSessions": OLD_SESSIONS,
        "staleSessions": OLD_SESSIONS,
        "conflicts": OLD_SESSIONS,
        MARK: OBJECTS,
    }
)
SESSIONS = items(
    st.fixed_dictionaries(
        {},
        optional={
            "state": st.sampled_from(["active", "stale", "recent", "odd"]),
            "list": st.sampled_from(["completedSessions", "staleSessions", "odd"]),
            "startedAt": WORDS,
            "branch": WORDS,
            "isStale": st.booleans() | WORDS,
            "active": st.booleans(),
            "environment": OBJECTS | WORDS,
            "tokensConsumed": st.integers() | WORDS,
        },
    )
)
ANY = st.builds(lambda c, sessions: c._replace(sessions=sessions), checkpoints(), SESSIONS)


# --- laws ----------------------------------------------------------------------------------------


@given(st.data())
def test_the_laws_hold_for_any_document_and_any_checkpoint(data):
    text = data.draw(DOCUMENTS.flatmap(texts))
    other = data.draw(ANY)
    near = changes_of(registry_json.read(text, PATH), other)
    obeys(registry_json, text, PATH, data.draw(near | st.just(other)))


@given(VALUES.flatmap(texts) | DOCUMENTS.flatmap(texts) | st.text(max_size=30))
def test_any_text_gives_a_checkpoint_or_one_finding(text):
    survives(registry_json, text, PATH)


@pytest.mark.shared
def test_the_published_document_is_kept_byte_for_byte():
    text = content("sessions_summary.example.json")
    c = registry_json.read(text, PATH)
    obeys(registry_json, text, PATH, c)
    obeys(registry_json, text, PATH, c._replace(intent="x", sessions=c.sessions[1:]))
    obeys(registry_json, text, PATH, Checkpoint("chk-auth"))


# --- the schema ----------------------------------------------------------------------------------


@pytest.mark.shared
def test_whatever_is_written_anew_satisfies_the_published_schema():
    validator = schema()

    @given(ANY)
    def satisfied(c):
        validator.validate(json.loads(registry_json.write(c, "", PATH)))

    satisfied()


@pytest.mark.shared
def test_our_rules_and_the_published_schema_find_fault_with_the_same_documents():
    validator = schema()

    @given(some(REGISTRY))
    def agreed(value):
        found = [one for one in problems(value, REGISTRY) if one.level == "error"]
        assert bool(found) == (not validator.is_valid(value)), found

    agreed()


@given(some(REGISTRY))
def test_a_fitted_value_breaks_no_rule_and_nothing_of_it_is_lost(value):
    bare = unfitted(value, REGISTRY)
    made = fitted(bare, REGISTRY)
    assert [one for one in problems(made, REGISTRY) if one.level == "error"] == []
    if isinstance(value, dict):
        assert same(unfitted(made, REGISTRY), bare)


@pytest.mark.shared
def test_the_published_document_has_exactly_its_one_violation():
    (one,) = registry_json.check(content("sessions_summary.example.json"), PATH)
    assert (one.slug, one.level) == ("wrong-type", "error")
    assert one.where == "activeSessions[0].events[1].metadata.taskFile"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"lastWorked": GONE} if (GONE := object()) else {}, [("missing-field", "lastWorked")]),
        ({"recentHistory": {}}, [("wrong-type", "recentHistory")]),
        (
            {"activeSessions": [{"sessionId": "sess-no-mode", "sessionSource": "compact"}]},
            [
                ("missing-field", "activeSessions[0].startedAt"),
                ("missing-field", "activeSessions[0].lastActivityAt"),
                ("missing-field", "activeSessions[0].environment"),
                ("missing-field", "activeSessions[0].focusedOutcomes"),
                ("missing-field", "activeSessions[0].events"),
                ("missing-field", "activeSessions[0].statistics"),
                ("wrong-form", "activeSessions[0].sessionId"),
                ("wrong-word", "activeSessions[0].sessionSource"),
            ],
        ),
        (
            {
                "staleSessionsDetected": [
                    {
                        "sessionId": "0f8fad5b-d9cb-469f-a165-70867728950e",
                        "lastActivityAt": "yesterday",
                        "hoursSinceActivity": -1,
                    }
                ]
            },
            [
                ("out-of-range", "staleSessionsDetected[0].hoursSinceActivity"),
                ("wrong-time", "staleSessionsDetected[0].lastActivityAt"),
            ],
        ),
        ({"conflicts": [{"path": "x"}]}, [("unresolved-conflict", "conflicts[0]")]),
    ],
)
def test_each_kind_of_rule_finds_what_breaks_it(changes, expected):
    whole = json.loads(registry_json.write(Checkpoint("sessions"), "", PATH)) | changes
    text = dumps({key: value for key, value in whole.items() if value is not GONE})
    assert [(one.slug, one.where) for one in registry_json.check(text, PATH)] == expected


def test_more_than_a_hundred_events_are_too_many():
    event = {"timestamp": "2026-01-01T00:00:00Z", "eventType": "git_commit", "description": "x"}
    session = Item("", "sess-a", {"state": "active", "events": [event] * 101})
    text = registry_json.write(Checkpoint("sess-b", sessions=(session,)), "", PATH)
    (made,) = json.loads(text)["activeSessions"]
    assert len(made["events"]) == 100
    assert registry_json.check(text, PATH) == []
    assert registry_json.read(text, PATH).sessions == (session,)


# --- the mapping ---------------------------------------------------------------------------------


@pytest.mark.shared
@pytest.mark.req("D.last.shape")
def test_what_was_last_worked_on_is_the_checkpoint():
    c = registry_json.read(content("sessions_summary.example.json"), PATH)
    assert c.id == "sess-previous789"
    assert c.updated == "2025-11-19T09:00:00Z"
    assert c.intent == "user-profile-service"
    assert c.stage == "03-A-deploy-to-staging.md"
    assert c.summary.startswith("Completed all tasks")
    assert (c.branch, c.commit) == ("feature/user-profiles", "d4e5f6a7b8c9")
    assert [len(c.decisions), len(c.next_actions), len(c.artifacts)] == [2, 2, 4]
    assert c.extra["lastWorked"]["sessionSummary"]["durationMinutes"] == 62


@pytest.mark.shared
def test_sessions_are_the_active_and_the_recent_ones():
    c = registry_json.read(content("sessions_summary.example.json"), PATH)
    assert [(item.id, item.get("state")) for item in c.sessions] == [
        ("sess-abc123def456", "active"),
        ("sess-xyz789ghi012", "active"),
        ("sess-previous789", "recent"),
        ("sess-older456", "recent"),
    ]
    first, _, ended, _ = c.sessions
    assert first.text == "02-B-write-unit-tests.md"
    assert first.get("branch") == "feature/authentication"
    assert first.get("lastActivityAt") == "2025-11-19T14:30:00Z"
    assert ended.text.startswith("Completed user profile service")
    assert ended.get("completedAt") == "2025-11-19T09:00:00Z"


@pytest.mark.req("D.last.paths")
@pytest.mark.parametrize("place", ["context", "lastWorked"])
def test_decisions_and_next_steps_are_read_and_written_in_either_place(place):
    said = {"keyDecisions": ["RS256"], "nextSteps": ["Add tests"]}
    last = {"sessionId": "sess-a"} | (said if place == "lastWorked" else {"context": said})
    text = dumps({"lastWorked": last})
    c = registry_json.read(text, PATH)
    assert (c.decisions, c.next_actions) == ((Item("RS256"),), (Item("Add tests"),))
    more = registry_json.write(c._replace(decisions=(*c.decisions, Item("x"))), text, PATH)
    assert more == text.replace(
        '"RS256"', f'"RS256",\n{" " * (6 if place == "lastWorked" else 8)}"x"'
    )


def test_the_document_of_the_second_generation_is_read_and_kept():
    whole = {
        "activeSessions": [
            {"sessionId": "sess-1", "startTime": "2026-01-01T00:00:00Z", "status": "active"}
        ],
        "completedSessions": [{"sessionId": None, "startTime": "x", "endTime": "y"}],
        "staleSessions": [{"sessionId": "sess-3", "startTime": "z"}],
    }
    c = registry_json.read(dumps(whole), PATH)
    assert c.id == "sessions"
    assert [(item.id, item.get("state")) for item in c.sessions] == [
        ("sess-1", "active"),
        ("", "recent"),
        ("sess-3", "stale"),
    ]
    fewer = registry_json.write(c._replace(sessions=c.sessions[:2]), dumps(whole), PATH)
    kept = json.loads(fewer)
    assert kept["activeSessions"] == whole["activeSessions"]
    assert kept["completedSessions"] == whole["completedSessions"]
    assert "staleSessions" not in kept
    slugs = [one.slug for one in registry_json.check(dumps(whole), PATH)]
    assert slugs == ["wrong-time"] * 3


@pytest.mark.req("D.stale.marks")
def test_a_stale_session_stays_listed_as_active_with_its_mark():
    session = Item("task", "sess-a", {"state": "stale", "lastActivityAt": "2026-01-01T00:00:00Z"})
    text = registry_json.write(Checkpoint("sess-b", sessions=(session,)), "", PATH)
    (made,) = json.loads(text)["activeSessions"]
    assert made["isStale"] is True
    assert made["lastActivityAt"] == "2026-01-01T00:00:00Z"
    back = session._replace(attrs={**session.attrs, "state": "active"})
    text = registry_json.write(Checkpoint("sess-b", sessions=(back,)), text, PATH)
    assert "isStale" not in json.loads(text)["activeSessions"][0]


# --- what the schema has no room for -------------------------------------------------------------


def test_names_and_attributes_beyond_the_schema_are_kept_beside_it():
    c = Checkpoint(
        "chk-auth",
        commit="abc1234 - a message",
        decisions=(Item("RS256", "d1", {"rationale": "speed"}),),
        sessions=(Item("did it", "local session 1", {"state": "recent"}),),
    )
    text = registry_json.write(c, "", PATH)
    whole = json.loads(text)
    last = whole["lastWorked"]
    assert last["sessionId"] == "sess-chkauth"
    assert last["context"]["gitCommitHash"] == "abc1234"
    assert last["context"]["keyDecisions"] == ["RS256"]
    assert whole["recentHistory"][0]["sessionId"] == "sess-localsession1"
    found = registry_json.read(text, PATH)
    assert (found.id, found.commit, found.decisions) == (c.id, c.commit, c.decisions)
    assert found.sessions == c.sessions
    assert registry_json.check(text, PATH) == []


def test_what_was_kept_beside_gives_way_when_somebody_changes_the_member_itself():
    text = registry_json.write(Checkpoint("chk-auth"), "", PATH)
    changed = text.replace("sess-chkauth", "sess-other")
    assert registry_json.read(changed, PATH).id == "sess-other"
    back = registry_json.write(Checkpoint("sess-chkauth"), changed, PATH)
    assert registry_json.read(back, PATH).id == "sess-chkauth"


def test_a_registry_without_work_has_a_name_all_the_same():
    text = registry_json.write(Checkpoint(""), "", PATH)
    assert json.loads(text)["lastWorked"] is None
    assert registry_json.read(text, PATH).id == "sessions"
    assert registry_json.hold(Checkpoint("")) == registry_json.hold(Checkpoint("sessions"))


# --- counts and indexes --------------------------------------------------------------------------


@pytest.mark.req("D.index.branch", "D.index.outcome")
def test_counts_and_indexes_are_computed_from_the_sessions():
    tracking = "outcomes/in-progress/005-auth/outcome_track.json"
    focused = {"outcomeId": 5, "outcomeName": "auth", "trackingFile": tracking, "focusedAt": "x"}
    running = Item(
        "t", "sess-1", {"state": "active", "branch": "main", "focusedOutcomes": [focused]}
    )
    ended = Item("d", "sess-2", {"state": "recent", "branch": "main", "tokensConsumed": 7})
    c = Checkpoint("sess-2", updated="2026-01-01T00:00:00Z", sessions=(running, ended))
    whole = json.loads(registry_json.write(c, "", PATH))
    assert whole["summary"] == {
        "activeSessionsCount": 1,
        "totalSessionsCompletedLast72Hours": 1,
        "currentFocusedOutcome": "auth",
        "totalTokensConsumedLast72Hours": 7,
        "totalDurationMinutesLast72Hours": 0,
        "lastUpdated": "2026-01-01T00:00:00Z",
    }
    assert whole["indexByBranch"] == {"main": ["sess-1", "sess-2"]}
    assert whole["indexByOutcome"] == {tracking: ["sess-1"]}


@pytest.mark.shared
def test_one_more_session_moves_its_counts_and_nothing_else():
    text = content("sessions_summary.example.json")
    c = registry_json.read(text, PATH)
    more = Item("done", "sess-new", {"state": "recent", "branch": "x", "tokensConsumed": 5})
    whole = json.loads(registry_json.write(c._replace(sessions=(*c.sessions, more)), text, PATH))
    old = json.loads(text)
    assert [one["sessionId"] for one in whole["recentHistory"]][-1] == "sess-new"
    assert whole["activeSessions"] == old["activeSessions"]
    assert whole["lastWorked"] == old["lastWorked"]
    assert whole["indexByBranch"] == {**old["indexByBranch"], "x": ["sess-new"]}
    moved = {"totalSessionsCompletedLast72Hours": 3, "totalTokensConsumedLast72Hours": 33505}
    assert whole["summary"] == {**old["summary"], **moved}


# --- the file ------------------------------------------------------------------------------------


def test_only_a_file_that_lists_sessions_is_a_registry():
    assert registry_json.mine('{"activeSessions": []}', PATH)
    assert registry_json.mine('{"lastWorked": null}', PATH)
    assert registry_json.mine("{", PATH)
    assert not registry_json.mine("{}", PATH)
    assert not registry_json.mine('{"activeSessions": []}', "status/other.json")
    assert named("session") is registry_json
    assert registry_json.path(Checkpoint("x")) == PATH


def test_update_sets_known_fields_and_refuses_others():
    text = registry_json.write(Checkpoint("sess-a"), "", PATH)
    change = Change(("lastWorked", "context", "gitBranch"), "=", "main")
    new = registry_json.assign(text, PATH, [change])
    assert new == text.replace('"gitBranch": null', '"gitBranch": "main"')
    with pytest.raises(Usage, match="is not a field"):
        registry_json.assign(text, PATH, [Change(("lastWork",), "=", "x")])


@pytest.mark.parametrize("figure", ["1e999", "1e308", "9" * 400])
def test_a_figure_beyond_any_sum_stands_in_its_place_and_counts_nothing(figure):
    lens = named("session")
    took = f'"durationMinutes": {figure}, "tokensConsumed": {figure}'
    old = f'{{"recentHistory": [{{"sessionId": "sess-a", {took}}}]}}'
    c = lens.read(old, PATH)
    assert lens.write(c, old, PATH) == old
    assert lens.hold(c) == c
    made = lens.write(c._replace(summary="new"), old, PATH)
    assert took in made
    assert json.loads(lens.write(c, "", PATH))["summary"]["totalDurationMinutesLast72Hours"] == 0
