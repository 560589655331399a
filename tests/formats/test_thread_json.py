"""Format E, part one: thread.json as the schema has it and as people have it."""

from __future__ import annotations

import json
from glob import glob

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
    keeps_the_unknown,
    obeys,
    survives,
    texts,
)
from leftoff.core.model import Checkpoint, Item
from leftoff.errors import FormatError, Usage
from leftoff.formats import Change, named, thread_json
from leftoff.formats._json_text import dumps
from support import shared

PATH = ".checkpoints/threads/thread-1a2b3c4d/thread.json"
SESSION = {"seq": 1, "hapiSessionId": "local-1", "name": "first", "active": True}
VALID = {
    "threadId": "thread-1a2b3c4d",
    "name": "重构认证模块",
    "project": "site",
    "createdAt": "2026-02-09T14:00:00+08:00",
    "updatedAt": "2026-02-11T22:00:00Z",
    "config": {"checkpointEnabled": True, "autoSave": False, "thresholdPercent": 70},
    "sessions": [SESSION],
}


def found(**changes):
    return [(one.slug, one.level) for one in thread_json.check(dumps({**VALID, **changes}), PATH)]


# --- laws ----------------------------------------------------------------------------------------

SESSIONS = st.lists(
    VALUES
    | st.fixed_dictionaries(
        {},
        optional={
            "seq": st.integers(0, 9),
            "hapiSessionId": WORDS | st.none(),
            "id": WORDS,
            "name": WORDS,
            "active": st.booleans(),
            "contextSizeAtEnd": st.just("~95%") | st.integers(0, 9),
        },
    ),
    max_size=3,
)
SOME_SETTINGS = st.fixed_dictionaries({}, optional=dict.fromkeys(thread_json.SETTINGS, VALUES))
DOCUMENTS = documents(
    {
        **dict.fromkeys(("threadId", "id", "name", "project", "createdAt", "parent"), WORDS),
        "config": SOME_SETTINGS | OBJECTS,
        "sessions": SESSIONS,
        "conflicts": SESSIONS,
        "autoSave": st.booleans(),
        "maxSteps": st.integers(0, 9),
        "threadId": WORDS | st.none(),
    }
)


@given(st.data())
def test_the_laws_hold_for_any_document_and_any_checkpoint(data):
    text = data.draw(DOCUMENTS.flatmap(texts))
    other = data.draw(checkpoints(extra=OBJECTS | SOME_SETTINGS))
    near = changes_of(thread_json.read(text, PATH), other)
    obeys(thread_json, text, PATH, data.draw(near | st.just(other)))


@given(VALUES.flatmap(texts) | DOCUMENTS.flatmap(texts) | st.text(max_size=30))
def test_any_text_gives_a_checkpoint_or_one_finding(text):
    survives(thread_json, text, PATH)


@given(DOCUMENTS, DOCUMENTS)
def test_keys_beyond_the_model_are_still_there_after_any_change(one, other):
    keeps_the_unknown(thread_json, one, other, PATH)


@pytest.mark.shared
def test_the_laws_hold_for_every_real_file():
    paths = glob(f"{shared('samples', 'hapi-thread')}/**/thread.json", recursive=True)
    assert paths
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        c = thread_json.read(text, path)
        obeys(thread_json, text, path, c)
        obeys(thread_json, text, path, c._replace(name="x", sessions=c.sessions[1:]))
        assert thread_json.check(text, path) == []


# --- the mapping ---------------------------------------------------------------------------------


def test_the_schema_of_the_seed_is_read():
    c = thread_json.read(dumps(VALID), PATH)
    assert c == Checkpoint(
        id="thread-1a2b3c4d",
        name="重构认证模块",
        project="site",
        created="2026-02-09T14:00:00+08:00",
        updated="2026-02-11T22:00:00Z",
        sessions=(Item("first", "local-1", {"seq": 1, "active": True}),),
        private=VALID["config"],
    )


@pytest.mark.shared
def test_a_real_file_with_other_names_is_read_and_written_in_its_own_way():
    path = glob(f"{shared('samples', 'hapi-thread')}/**/thread.json", recursive=True)[0]
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    c = thread_json.read(text, path)
    assert c.id == "thread-cabae2b8"
    assert c.private == {"checkpointEnabled": True, "autoSave": False}
    assert c.sessions[0].id == "session-origin"
    assert c.sessions[0].attrs["contextSizeAtEnd"] == "~95%"
    new = thread_json.write(c._replace(private={**c.private, "autoSave": True}), text, path)
    assert new == text.replace('"autoSave": false', '"autoSave": true')


def test_a_null_id_gives_way_to_the_other_name_of_it():
    session = {"hapiSessionId": None, "id": "s1"}
    c = thread_json.read(dumps({"threadId": None, "id": "t1", "sessions": [session]}), PATH)
    assert (c.id, c.sessions) == ("t1", (Item("", "s1"),))


@pytest.mark.req("E.thread.config")
@pytest.mark.parametrize("changes", [{}, {"config": {}}])
def test_a_thread_without_settings_has_the_defaults_and_keeps_saying_nothing(changes):
    text = dumps({"threadId": "t1", "sessions": [], **changes})
    c = thread_json.read(text, PATH)
    assert c.private == {
        "checkpointEnabled": True,
        "autoSave": False,
        "thresholdPercent": 70,
        "modelMaxTokens": 200000,
        "maxSteps": 30,
    }
    assert json.loads(thread_json.write(c._replace(name="x"), text, PATH)).get("config", {}) == {}
    on = thread_json.write(c._replace(private={**c.private, "autoSave": True}), text, PATH)
    assert json.loads(on)["config"] == {**c.private, "autoSave": True}


def test_settings_that_are_written_are_all_that_is_read():
    assert thread_json.read(dumps({"config": {"maxSteps": 3}}), PATH).private == {"maxSteps": 3}
    both = {"autoSave": True, "config": {"autoSave": False, "mine": 1}}
    assert thread_json.read(dumps(both), PATH).private == {"autoSave": False, "mine": 1}


# --- writing -------------------------------------------------------------------------------------


@pytest.mark.req("E.thread.json", "E.thread.config")
def test_a_new_file_has_the_shape_of_the_seed():
    c = Checkpoint(
        id="thread-1a2b3c4d",
        name="重构认证模块",
        project="site",
        created="2026-02-09T14:00:00Z",
        updated="2026-02-09T14:00:00Z",
    )
    text = thread_json.write(c, "", thread_json.path(c))
    assert json.loads(text) == {
        "threadId": "thread-1a2b3c4d",
        "name": "重构认证模块",
        "project": "site",
        "createdAt": "2026-02-09T14:00:00Z",
        "updatedAt": "2026-02-09T14:00:00Z",
        "config": dict(thread_json.SETTINGS),
        "sessions": [],
    }
    assert '"重构认证模块"' in text
    assert thread_json.hold(c).private == thread_json.SETTINGS
    assert thread_json.path(c) == PATH
    assert thread_json.check(text, PATH) == []


def test_one_more_session_is_added_behind_the_others_which_stay_as_they_are():
    text = dumps(VALID)
    c = thread_json.read(text, PATH)
    new = Item("", "local-2", {"seq": 2, "file": None})
    whole = json.loads(thread_json.write(c._replace(sessions=(*c.sessions, new)), text, PATH))
    assert whole["sessions"] == [SESSION, {"seq": 2, "hapiSessionId": "local-2", "file": None}]
    assert list(whole["sessions"][1]) == ["seq", "hapiSessionId", "file"]


def test_a_name_that_is_no_path_never_becomes_one():
    assert thread_json.path(Checkpoint("../x")) == ".checkpoints/threads/x/thread.json"


# --- the rules -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"threadId": ""}, [("missing-id", "error")]),
        ({"threadId": None, "id": "thread-1a2b3c4d"}, []),
        ({"threadId": "other"}, [("thread-folder", "warning")]),
        ({"sessions": {}}, [("sessions-type", "error")]),
        ({"sessions": [None, SESSION]}, [("session", "error")]),
        ({"sessions": [SESSION, {"seq": 1}]}, [("repeated-seq", "warning")]),
        ({"sessions": [{}, {}]}, []),
        ({"config": {"checkpointEnabled": "false"}}, [("setting", "warning")]),
        ({"config": {"autoSave": 1, "maxSteps": "9"}}, [("setting", "warning")] * 2),
        (
            {"config": {"tokenBudgetSoft": "100", "tokenBudgetHard": -5}},
            [("setting", "warning")] * 2,
        ),
        ({"config": {"thresholdPercent": 70.5, "tokenBudgetSoft": None, "other": "x"}}, []),
        ({"config": {"thresholdPercent": 101}}, [("setting", "warning")]),
        ({"sessions": [{"active": True}, {"active": True}]}, [("several-active", "warning")]),
        ({"conflicts": [{"path": "name", "value": "x"}]}, [("unresolved-conflict", "error")]),
    ],
)
def test_each_rule_finds_what_breaks_it(changes, expected):
    assert found(**changes) == expected


def test_a_broken_file_is_one_finding_with_its_line():
    (one,) = thread_json.check('{\n  "threadId": "t"\n  "name": 1\n}', PATH)
    assert (one.slug, one.level, one.line) == ("broken", "error", 2)


def test_only_a_file_that_speaks_of_a_thread_is_one():
    assert thread_json.mine(dumps(VALID), PATH)
    assert thread_json.mine("{", PATH)
    assert thread_json.mine("{}", PATH)
    assert not thread_json.mine('{"messages": []}', PATH)
    assert not thread_json.mine(dumps(VALID), ".checkpoints/x.json")
    assert named("thread.json") is thread_json


# --- update --------------------------------------------------------------------------------------


def test_update_sets_known_fields_and_refuses_others():
    changes = [
        Change(("config", "autoSave"), "=", True),
        Change(("sessions", "0", "name"), "=", "x"),
    ]
    whole = json.loads(thread_json.assign(dumps(VALID), PATH, changes))
    assert whole["config"]["autoSave"] is True
    assert whole["sessions"][0]["name"] == "x"
    with pytest.raises(Usage, match="is not a field"):
        thread_json.assign(dumps(VALID), PATH, [Change(("nmae",), "=", "x")])
    with pytest.raises(FormatError):
        thread_json.assign("[]", PATH, changes)
