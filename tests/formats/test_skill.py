"""Format A: a skill's checkpoint as JSON. The mapping, writing, and the laws."""

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
from formats.skill_documents import GONE, PATH, VALID, content, document, found
from leftoff.core.model import Checkpoint, Item
from leftoff.errors import FormatError
from leftoff.formats import named
from leftoff.formats import skill as skill_json
from support import shared

NEW = Checkpoint(
    id="git-ops",
    project="site",
    project_dir="/home/me/site",
    created="2026-05-01T10:00:00Z",
    updated="2026-05-01T10:00:00Z",
    phase="init",
    stage="begin",
    summary="It begins.",
    next_actions=(Item("Do it"),),
)


def real_files():
    root = shared("samples", "opchain")
    names = [*glob(f"{root}/head/*.json"), *glob(f"{root}/historic/*/*.json")]
    merges = [f"{root}/merges/*/{name}.json" for name in ("base", "ours", "theirs", "oracle*")]
    return sorted([*names, *(path for pattern in merges for path in glob(pattern))])


# laws


LISTS = st.lists(
    VALUES
    | st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            (
                *("id", "label", "status", "text", "description", "provider"),
                *("action", "at", "path", "value", "side", "done_when"),
            ),
            WORDS,
        ),
    ),
    max_size=3,
)
TEXT_KEYS = (
    *("protocol_version", "skill", "project", "project_dir", "created_at", "updated_at"),
    *("phase", "step", "status", "progress_summary", "depends_on", "telemetry_handle"),
)
LIST_KEYS = (
    *("progress_table", "next_actions", "blockers", "pm_refs", "recently_done"),
    *("conflicts", "eval_scores"),
)
PRIMER = documents(dict.fromkeys(("key_decisions", "generated_files", "user_preferences"), LISTS))
DOCUMENTS = documents(
    {
        **dict.fromkeys(TEXT_KEYS, WORDS),
        **dict.fromkeys(LIST_KEYS, LISTS),
        "status": st.sampled_from(["in_progress", "complete", "ready", ""]),
        "context_primer": PRIMER,
        "cost": OBJECTS,
        "skill_state": OBJECTS,
    }
)


@given(st.data())
def test_the_laws_hold_for_any_document_and_any_checkpoint(data):
    text = data.draw(DOCUMENTS.flatmap(texts))
    other = data.draw(checkpoints())
    near = changes_of(skill_json.read(text, PATH), other)
    obeys(skill_json, text, PATH, data.draw(near | st.just(other)))


@given(VALUES.flatmap(texts) | DOCUMENTS.flatmap(texts) | st.text(max_size=30))
def test_any_text_gives_a_checkpoint_or_one_finding(text):
    survives(skill_json, text, PATH)


@given(DOCUMENTS, DOCUMENTS)
def test_keys_beyond_the_model_are_still_there_after_any_change(one, other):
    keeps_the_unknown(skill_json, one, other, PATH)


@pytest.mark.shared
def test_the_laws_hold_for_every_real_file():
    for path in real_files():
        text = content(path)
        c = skill_json.read(text, path)
        obeys(skill_json, text, path, c)
        obeys(skill_json, text, path, c._replace(stage="elsewhere", blockers=(Item("x", "b9"),)))


# the mapping


def test_every_key_of_the_seed_has_its_field():
    c = skill_json.read(document(depends_on="other", cost={"total_usd": 1}), PATH)
    assert c == Checkpoint(
        id="git-ops",
        project="site",
        project_dir="/home/me/site",
        created="2026-05-01T10:00:00Z",
        updated="2026-05-02T10:00:00.250Z",
        status="in_progress",
        word="in_progress",
        phase="build",
        stage="sprint-2",
        summary="Sprint 1 passed.",
        decisions=(Item("Squash merges only"),),
        next_actions=(
            Item("Read the report"),
            Item("Run it again", attrs={"done_when": "make test"}),
        ),
        blockers=(Item("Which host?", "b1", {"blocking": "s2", "needs": "user_decision"}),),
        rules=(Item("Short answers"),),
        progress=(
            Item("Sprint 1", "s1", {"status": "complete"}),
            Item("Sprint 2", "s2", {"status": "not_started"}),
        ),
        artifacts=(Item("src/a.py"),),
        parent="other",
        cost={"total_usd": 1},
        private={"iteration": 1, "scores": {"s1": 8.2}},
    )


def test_history_is_oldest_first_in_the_model_and_newest_first_in_the_file():
    done = [
        {"at": "2026-05-02T00:00:00Z", "action": "b"},
        {"at": "2026-05-01T00:00:00Z", "action": "a"},
    ]
    text = document(recently_done=done)
    c = skill_json.read(text, PATH)
    assert [item.text for item in c.history] == ["a", "b"]
    more = c._replace(history=(*c.history, Item("c", attrs={"at": "now", "evidence": {"exit": 0}})))
    listed = json.loads(skill_json.write(more, text, PATH))["recently_done"]
    assert listed == [{"at": "now", "action": "c", "evidence": {"exit": 0}}, *done]


def test_tickets_and_conflicts_have_their_own_shapes():
    ref = {"provider": "linear", "id": "X-1", "url": "", "role": "source"}
    records = [{"path": "phase", "value": "ship", "side": "theirs"}, {"path": "cost", "value": 1}]
    c = skill_json.read(document(pm_refs=[ref], conflicts=records), PATH)
    assert c.refs == (Item("", "X-1", {"provider": "linear", "url": "", "role": "source"}),)
    assert c.conflicts == (
        Item("ship", "phase", {"side": "theirs"}),
        Item("", "cost", {"value": 1}),
    )
    made = json.loads(skill_json.write(NEW._replace(refs=c.refs, conflicts=c.conflicts), "", PATH))
    assert made["pm_refs"] == [ref]
    assert made["conflicts"] == records


def test_what_is_of_the_wrong_type_stays_beside_the_model():
    text = document(phase=7, blockers=None, context_primer={"key_decisions": "x", "note": 1})
    c = skill_json.read(text, PATH)
    assert (c.phase, c.blockers, c.decisions) == ("", (), ())
    assert c.extra == {
        "phase": 7,
        "blockers": None,
        "context_primer": {"key_decisions": "x", "note": 1},
    }
    fixed = json.loads(skill_json.write(c._replace(phase="x", decisions=(Item("d"),)), text, PATH))
    assert fixed["phase"] == "x"
    assert fixed["context_primer"] == {"key_decisions": ["d"], "note": 1}


@pytest.mark.parametrize(
    ("word", "status", "new_status", "written"),
    [
        ("ready-to-deploy", "in_progress", "in_progress", "ready-to-deploy"),
        ("ready-to-deploy", "in_progress", "complete", "complete"),
        ("blocked", "blocked", "blocked", "blocked"),
        ("blocked", "blocked", "archived", "complete"),
        ("complete", "complete", "in_progress", "in_progress"),
    ],
)
def test_a_status_word_is_kept_while_it_means_the_status(word, status, new_status, written):
    text = document(status=word)
    c = skill_json.read(text, PATH)
    assert (c.status, c.word) == (status, word)
    new = skill_json.write(c._replace(status=new_status, phase="other"), text, PATH)
    assert json.loads(new)["status"] == written


def test_the_word_of_another_format_never_gets_into_a_new_file():
    made = skill_json.write(NEW._replace(word="current"), "", PATH)
    assert json.loads(made)["status"] == "in_progress"


# writing


@pytest.mark.req("A.proto.any-skill", "A.layout.reviewable")
def test_a_new_file_validates_and_has_the_order_of_the_seed():
    text = skill_json.write(NEW, "", skill_json.path(NEW))
    assert found(text) == [
        *found(document(progress_table=GONE)),
        *found(document(context_primer=GONE)),
    ]
    assert list(json.loads(text)) == [
        *("protocol_version", "skill", "project", "project_dir", "created_at", "updated_at"),
        *("phase", "step", "status", "progress_summary", "next_actions"),
    ]
    assert text == json.dumps(json.loads(text), indent=2) + "\n"
    assert skill_json.path(NEW) == ".checkpoints/git-ops.checkpoint.json"


@given(checkpoints(item_attrs=st.just({}), extra=st.just({})))
def test_rows_and_tickets_of_other_formats_never_make_a_new_file_invalid(c):
    full = NEW._replace(progress=c.progress, refs=c.refs, decisions=c.decisions, rules=c.rules)
    text = skill_json.write(full, "", PATH)
    assert [one for one in skill_json.check(text, PATH) if one.level == "error"] == []


def test_one_changed_field_is_one_changed_line():
    text = json.dumps(VALID, indent=4, ensure_ascii=False) + "\n"
    c = skill_json.read(text, PATH)
    new = skill_json.write(c._replace(stage="sprint-3"), text, PATH)
    assert new == text.replace('"step": "sprint-2"', '"step": "sprint-3"')


def test_a_change_to_one_item_leaves_the_form_of_the_others():
    text = document(next_actions=[{"text": "a"}, "b"], blockers=["as a text"])
    c = skill_json.read(text, PATH)
    new = skill_json.write(c._replace(next_actions=(*c.next_actions, Item("c"))), text, PATH)
    whole = json.loads(new)
    assert whole["next_actions"] == [{"text": "a"}, "b", "c"]
    assert whole["blockers"] == ["as a text"]


def test_taking_the_last_item_out_leaves_an_empty_list():
    c = skill_json.read(document(), PATH)
    whole = json.loads(skill_json.write(c._replace(blockers=(), decisions=()), document(), PATH))
    assert whole["blockers"] == []
    assert whole["context_primer"] == {**VALID["context_primer"], "key_decisions": []}


@pytest.mark.req("A.proto.wire-version", "A.proto.additive")
def test_the_wire_version_moves_only_for_a_field_that_came_with_it():
    c = skill_json.read(document(), PATH)
    refs = (Item("", "X-1", {"provider": "linear"}),)

    def version(checkpoint, old=None):
        return json.loads(skill_json.write(checkpoint, old or document(), PATH))["protocol_version"]

    assert version(c._replace(refs=refs, phase="x")) == "1.0"
    assert version(c._replace(cost={"total_usd": 1})) == "1.1"
    assert version(c._replace(extra={"eval_scores": []})) == "1.1"
    assert version(c._replace(phase="x"), document(protocol_version="1.1")) == "1.1"
    assert version(c._replace(phase="x", cost={}), document(cost={"total_usd": 1})) == "1.0"
    assert json.loads(skill_json.write(NEW, "", PATH))["protocol_version"] == "1.0"
    made = skill_json.write(NEW._replace(cost={"total_usd": 1}), "", PATH)
    assert json.loads(made)["protocol_version"] == "1.1"


def test_a_broken_file_is_never_written_over():
    with pytest.raises(FormatError):
        skill_json.write(NEW, '{"skill": ', PATH)


def test_the_file_name_decides_whose_it_is():
    assert skill_json.mine("", PATH)
    assert skill_json.mine("{}", PATH)
    assert not skill_json.mine("{}", ".checkpoints/history/x.json")
    assert named("skill") is skill_json
    assert skill_json.path(NEW._replace(id="../evil")) == ".checkpoints/evil.checkpoint.json"
