"""Format A: `update` sets and appends at dotted paths."""

from __future__ import annotations

import json

import pytest

from formats.skill_documents import PATH, content, document
from leftoff.errors import Usage
from leftoff.formats import Change
from leftoff.formats import skill as skill_json
from support import shared


def assign(*changes, text=None):
    return skill_json.assign(text or document(), PATH, [Change(*change) for change in changes])


@pytest.mark.req("A.update.replace", "A.update.append", "A.update.many")
@pytest.mark.parametrize(
    ("change", "place", "value"),
    [
        ((("step",), "=", "x"), ("step",), "x"),
        ((("context_primer", "note"), "=", "x"), ("context_primer", "note"), "x"),
        ((("cost", "total_usd"), "=", 5), ("cost", "total_usd"), 5),
        (
            (("progress_table", "s2", "status"), "=", "failed"),
            ("progress_table", 1, "status"),
            "failed",
        ),
        ((("progress_table", "0", "label"), "=", "x"), ("progress_table", 0, "label"), "x"),
        ((("next_actions", "1", "text"), "=", "x"), ("next_actions", 1, "text"), "x"),
        ((("next_actions",), "+=", "x"), ("next_actions", 2), "x"),
        ((("pm_refs",), "+=", {"id": "X-1"}), ("pm_refs",), [{"id": "X-1"}]),
        ((("skill_state", "runs", "all"), "+=", 1), ("skill_state", "runs", "all"), [1]),
        ((("mine",), "=", "x", True), ("mine",), "x"),
        ((("handoffs",), "=", []), ("handoffs",), []),
    ],
)
def test_update_sets_or_appends_at_a_dotted_path(change, place, value):
    whole = json.loads(assign(change))
    for step in place:
        whole = whole[step]
    assert whole == value


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ((("phase", "x"), "=", 1), "below a plain value"),
        ((("phase",), "+=", 1), '"phase" is not a list'),
        ((("progress_table", "s9", "status"), "=", "x"), 'no element "s9"'),
        ((("progress_table", "9"), "=", "x"), 'no element "9"'),
        ((("phse",), "=", "x"), '"phse" is not a field'),
        ((("field",), "=", "x"), '"field" is not a field'),
        ((("key",), "=", "x", True), '"key" is not a field'),
        ((("value",), "=", "x", True), '"value" is not a field'),
        (((), "=", "x"), "no field is named"),
    ],
)
def test_update_refuses_what_it_cannot_mean(change, message):
    with pytest.raises(Usage, match=message):
        assign(change)


def test_a_typing_error_gets_a_suggestion_and_a_copied_word_an_explanation():
    with pytest.raises(Usage) as typo:
        assign((("phse",), "=", "x"))
    assert 'did you mean "phase"?' in typo.value.hint
    assert "--new-key" in typo.value.hint
    with pytest.raises(Usage) as copied:
        assign((("field",), "=", "x"))
    assert "usage text" in copied.value.hint


def test_a_key_that_the_document_already_has_needs_no_permission():
    assert json.loads(assign((("mine",), "=", 2), text=document(mine=1)))["mine"] == 2


@pytest.mark.req("A.update.many")
def test_one_change_that_cannot_be_made_stops_them_all():
    with pytest.raises(Usage):
        assign((("step",), "=", "x"), (("phase", "x"), "=", 1))


def test_a_generated_file_is_noted_once_and_a_decision_as_often_as_it_is_given():
    place = ("context_primer", "generated_files")
    assert assign((place, "+=", "src/a.py")) == document()
    decisions = ("context_primer", "key_decisions")
    whole = json.loads(assign((decisions, "+=", "Squash merges only")))
    assert len(whole["context_primer"]["key_decisions"]) == 2


@pytest.mark.req("A.proto.additive")
def test_update_moves_the_wire_version_for_a_field_that_came_with_it():
    assert json.loads(assign((("cost", "total_usd"), "=", 5)))["protocol_version"] == "1.1"
    assert json.loads(assign((("pm_refs",), "+=", {})))["protocol_version"] == "1.0"


@pytest.mark.req("A.layout.reviewable")
@pytest.mark.shared
def test_update_of_a_hand_aligned_file_touches_one_line():
    path = shared("samples", "opchain", "merges", "1a3293a5-orchestrator", "ours.json")
    text = content(path)
    new = skill_json.assign(text, path, [Change(("phase",), "=", "another")])
    lines = [
        (old, now)
        for old, now in zip(text.splitlines(), new.splitlines(), strict=True)
        if old != now
    ]
    assert len(lines) == 1
