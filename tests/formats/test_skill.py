"""Format A: a skill's checkpoint as JSON. The rules, the mapping, `update`, and the laws."""

from __future__ import annotations

import json
import os
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
    obeys,
    survives,
    texts,
)
from leftoff.core.model import Checkpoint, Item
from leftoff.errors import FormatError, Usage
from leftoff.formats import Change, named
from leftoff.formats import skill as skill_json
from leftoff.formats._json_text import dumps
from support import shared

PATH = ".checkpoints/git-ops.checkpoint.json"
VALID = {
    "protocol_version": "1.0",
    "skill": "git-ops",
    "project": "site",
    "project_dir": "/home/me/site",
    "created_at": "2026-05-01T10:00:00Z",
    "updated_at": "2026-05-02T10:00:00.250Z",
    "phase": "build",
    "step": "sprint-2",
    "status": "in_progress",
    "progress_summary": "Sprint 1 passed.",
    "progress_table": [
        {"id": "s1", "label": "Sprint 1", "status": "complete"},
        {"id": "s2", "label": "Sprint 2", "status": "not_started"},
    ],
    "context_primer": {
        "key_decisions": ["Squash merges only"],
        "generated_files": ["src/a.py"],
        "user_preferences": ["Short answers"],
    },
    "blockers": [
        {"id": "b1", "description": "Which host?", "blocking": "s2", "needs": "user_decision"}
    ],
    "next_actions": ["Read the report", {"text": "Run it again", "done_when": "make test"}],
    "skill_state": {"iteration": 1, "scores": {"s1": 8.2}},
}
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

GONE = object()


def document(**changes):
    """The valid document as text, with some keys changed or gone."""
    whole = {**VALID, **changes}
    return dumps({key: value for key, value in whole.items() if value is not GONE})


def found(text, path=PATH, levels=("error", "warning")):
    return [one.text for one in skill_json.check(text, path) if one.level in levels]


def content(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def real_files():
    root = shared("samples", "opchain")
    names = [*glob(f"{root}/head/*.json"), *glob(f"{root}/historic/*/*.json")]
    merges = [f"{root}/merges/*/{name}.json" for name in ("base", "ours", "theirs", "oracle*")]
    return sorted([*names, *(path for pattern in merges for path in glob(pattern))])


# --- laws ----------------------------------------------------------------------------------------

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
    c = skill_json.read(dumps(one), PATH)
    changed = skill_json.read(dumps(other), PATH)._replace(extra=c.extra)
    whole = json.loads(skill_json.write(changed, dumps(one), PATH))
    for key in one.keys() - set(skill_json.KNOWN):
        assert whole[key] == one[key]


@pytest.mark.shared
def test_the_laws_hold_for_every_real_file():
    for path in real_files():
        text = content(path)
        c = skill_json.read(text, path)
        obeys(skill_json, text, path, c)
        obeys(skill_json, text, path, c._replace(stage="elsewhere", blockers=(Item("x", "b9"),)))


# --- the rules -----------------------------------------------------------------------------------


@pytest.mark.shared
def test_every_real_file_has_exactly_the_errors_and_warnings_of_the_first_validator():
    oracle = json.loads(
        content(shared("samples", "opchain", "ORACLE", "validate-head-version.json"))
    )
    root = shared("samples", "opchain")
    assert len(oracle) == 17
    for name, expected in oracle.items():
        path = os.path.join(root, name)
        findings = skill_json.check(content(path), path)
        assert [one.text for one in findings if one.level == "error"] == expected["errors"], name
        assert [one.text for one in findings if one.level == "warning"] == expected["warnings"], (
            name
        )


def test_the_document_that_all_rule_tests_begin_with_is_clean():
    assert skill_json.check(document(), PATH) == []


@pytest.mark.req("A.validate.required-fields")
def test_an_empty_object_misses_all_ten_required_fields_at_once():
    fields = (
        *("protocol_version", "skill", "project", "project_dir", "created_at", "updated_at"),
        *("phase", "step", "status", "progress_summary"),
    )
    assert found("{}") == [f'missing required field "{field}"' for field in fields]
    empty = dict.fromkeys(fields[:5], "") | dict.fromkeys(fields[5:])
    assert found(dumps(empty)) == found("{}")


RULES = [
    *(
        (
            {"protocol_version": version},
            [
                (
                    'protocol_version must be a supported on-disk schema version ("1.0" or "1.1"); got '
                    f'"{version}". This is the wire-format version, not the checkpoint-protocol skill '
                    "release version."
                )
            ],
        )
        for version in ("2.0", "1.2", "1")
    ),
    ({"protocol_version": "1.1"}, []),
    (
        {"status": "not_started"},
        ['status must be one of in_progress|blocked|complete|failed (got "not_started")'],
    ),
    ({"created_at": "yesterday"}, ["created_at must be ISO-8601 UTC"]),
    ({"updated_at": "2026-05-02T10:00:00+02:00"}, ["updated_at must be ISO-8601 UTC"]),
    ({"updated_at": "2026-05-02T10:00Z"}, ["updated_at must be ISO-8601 UTC"]),
    ({"updated_at": " 2026-05-02T10:00:00Z"}, ["updated_at must be ISO-8601 UTC"]),
    ({"updated_at": 5}, ["updated_at must be ISO-8601 UTC"]),
    (
        {"updated_at": "2026-04-30T10:00:00Z"},
        ["updated_at (2026-04-30T10:00:00Z) is before created_at (2026-05-01T10:00:00Z)"],
    ),
    ({"updated_at": "2026-05-01T10:00:00Z"}, []),
    (
        {"skill": "other"},
        [
            (
                'filename git-ops.checkpoint.json does not match skill="other" '
                "(expected other.checkpoint.json)"
            )
        ],
    ),
    (
        {"progress_table": [{"id": "s2", "status": "ready"}, "row"]},
        [
            "progress_table[0].label required",
            "progress_table[0].status must be one of complete|in_progress|not_started|blocked|failed",
            "progress_table[1] must be an object",
        ],
    ),
    (
        {"progress_table": [{"id": "s2", "label": "l", "status": "skipped"}]},
        ["progress_table[0].status must be one of complete|in_progress|not_started|blocked|failed"],
    ),
    (
        {"progress_table": GONE},
        ["no progress_table — recommended for in_progress checkpoints so resume can show position"],
    ),
    (
        {"next_actions": []},
        [
            (
                'next_actions must be a non-empty array when status is "in_progress" '
                "(the next session reads next_actions[0] first)"
            )
        ],
    ),
    ({"next_actions": [], "status": "complete"}, []),
    ({"next_actions": "x", "status": "complete"}, ["next_actions must be an array"]),
    (
        {"next_actions": ["", {"text": 1}, {"text": "x", "done_when": None}, 5]},
        [
            "next_actions[1] must be a string or { text, done_when? }",
            "next_actions[2].done_when must be a string (a shell command to self-verify completion)",
            "next_actions[3] must be a string or { text, done_when? }",
        ],
    ),
    (
        {"context_primer": GONE},
        [
            (
                "no context_primer — resume will have to re-read the project; "
                "add key_decisions + generated_files"
            )
        ],
    ),
    ({"context_primer": None}, []),
    (
        {"blockers": [{"description": "x", "needs": "luck"}]},
        [
            "blockers[0] needs at least id + description",
            (
                "blockers[0].needs must be one of user_decision|code_fix|external_dep "
                '(got "luck") — the priority engine routes on this'
            ),
        ],
    ),
    (
        {"blockers": [{"id": "b", "description": "x", "blocking": "s9"}]},
        ['blockers[0].blocking="s9" does not match any progress_table.id — dangling reference?'],
    ),
    ({"blockers": "none"}, ["blockers must be an array"]),
    ({"pm_refs": {}}, ["pm_refs must be an array"]),
    (
        {"pm_refs": [{"provider": "linear"}, {"id": "X-1", "role": "x"}, 1]},
        [
            "pm_refs[0].id required",
            "pm_refs[1].provider required",
            'pm_refs[1].role must be one of source|child|deploy|incident|linked (got "x")',
            "pm_refs[2] must be an object",
        ],
    ),
    ({"pm_refs": [{"provider": "jira", "id": "X-1"}]}, []),
    ({"cost": None}, ["cost must be an object (oc-cost-ops spend attribution)"]),
    (
        {"cost": {"total_usd": -1, "budget_usd": "5", "by_phase": [], "by_model": {"m": True}}},
        [
            "cost.total_usd must be a non-negative number",
            "cost.budget_usd must be a non-negative number",
            "cost.by_phase must be an object mapping name → number",
            'cost.by_model["m"] must be a non-negative number',
        ],
    ),
    (
        {"cost": {"total_usd": 5.5, "budget_usd": 5.0}},
        ["cost.total_usd (5.5) exceeds cost.budget_usd (5) — budget gate tripped"],
    ),
    ({"eval_scores": {}}, ["eval_scores must be an array"]),
    (
        {
            "eval_scores": [
                {"score": "8", "max": 0, "at": "today", "dimensions": {"d": "x"}},
                {"rubric": "r", "score": 11, "max": 10},
                {"rubric": "r", "score": 1, "dimensions": []},
                None,
            ]
        },
        [
            "eval_scores[0].rubric required (string — which rubric produced the score)",
            "eval_scores[0].score must be a number",
            "eval_scores[0].max must be a positive number",
            "eval_scores[0].at must be ISO-8601 UTC",
            'eval_scores[0].dimensions["d"] must be a number',
            "eval_scores[1].score (11) exceeds max (10)",
            "eval_scores[2].dimensions must be an object mapping name → number",
            "eval_scores[3] must be an object",
        ],
    ),
    ({"telemetry_handle": " "}, ["telemetry_handle string must be non-empty"]),
    (
        {"telemetry_handle": {"enabled": 1, "id": 2, "sink": 3, "since": "now"}},
        [
            "telemetry_handle.enabled must be a boolean (opt-in state)",
            "telemetry_handle.id must be a string (anonymous handle)",
            "telemetry_handle.sink must be a string (local sink path)",
            "telemetry_handle.since must be ISO-8601 UTC",
        ],
    ),
    (
        {"telemetry_handle": []},
        ["telemetry_handle must be a string handle or an object { enabled, id?, sink?, since? }"],
    ),
    ({"telemetry_handle": None}, []),
    ({"skill_state": {"any": [{"nesting": None}]}}, []),
]


@pytest.mark.req(
    "A.proto.wire-enforced",
    "A.schema.status-enum",
    "A.schema.row-enum",
    "A.schema.table",
    "A.schema.primer",
    "A.schema.blockers",
    "A.schema.blocker-needs",
    "A.schema.actions-required",
    "A.schema.skill-state",
    "A.layout.path",
    "A.pm.validate",
    "A.pm.optional",
)
@pytest.mark.parametrize(("changes", "expected"), RULES)
def test_a_rule_speaks_in_the_words_and_order_of_the_first_validator(changes, expected):
    assert found(document(**changes)) == expected


@pytest.mark.req("A.schema.timestamps")
@pytest.mark.parametrize(
    "time", ["2026-13-45T99:99:99Z", "2026-02-30T10:00:00Z", "2026-05-02T24:10:00Z"]
)
def test_a_time_that_does_not_exist_is_an_error(time):
    assert "updated_at must be ISO-8601 UTC" in found(document(updated_at=time))


@pytest.mark.parametrize("text", ["null", "[]", '"x"', "5"])
def test_a_document_that_is_no_object_is_one_error_and_cannot_be_read(text):
    assert [(one.slug, one.level) for one in skill_json.check(text, PATH)] == [("broken", "error")]
    with pytest.raises(FormatError, match="expected an object"):
        skill_json.read(text, PATH)


@pytest.mark.parametrize("key", ["blockers", "progress_table", "next_actions", "pm_refs"])
def test_a_null_in_a_list_is_an_error_and_hides_nothing(key):
    listed = [None, *VALID.get(key, [{"provider": "p", "id": "X-1"}])]
    text = document(**{key: listed})
    assert any(line.startswith(f"{key}[0] must be") for line in found(text))
    assert skill_json.write(skill_json.read(text, PATH), text, PATH) == text
    names = {"progress_table": "progress", "pm_refs": "refs"}
    assert len(getattr(skill_json.read(text, PATH), names.get(key, key))) == len(listed)


@pytest.mark.req("A.schema.table")
def test_an_id_that_stands_twice_is_a_warning():
    row = {"id": "s1", "label": "l", "status": "complete"}
    blocker = {"id": "b", "description": "d"}
    text = document(progress_table=[row, row], blockers=[blocker, blocker])
    assert found(text) == [
        'progress_table[1].id "s1" is already the id of progress_table[0]',
        'blockers[1].id "b" is already the id of blockers[0]',
    ]


@pytest.mark.req("A.pm.no-bodies")
def test_a_ticket_with_its_text_is_a_warning():
    ref = {"provider": "linear", "id": "X-1", "body": "secret", "description": "more"}
    assert [one.where for one in skill_json.check(document(pm_refs=[ref]), PATH)] == [
        "pm_refs[0].body",
        "pm_refs[0].description",
    ]


@pytest.mark.req("A.pm.roles")
def test_a_second_source_ticket_is_advice_only():
    ref = {"provider": "linear", "id": "X-1", "role": "source"}
    one = skill_json.check(document(pm_refs=[ref, ref]), PATH)
    assert [(finding.slug, finding.level) for finding in one] == [("several-sources", "advice")]


@pytest.mark.req("A.size.decisions")
def test_more_than_twenty_decisions_are_advice_that_names_prune():
    primer = {"key_decisions": [f"d{at}" for at in range(21)]}
    (one,) = skill_json.check(document(context_primer=primer), PATH)
    assert one.level == "advice"
    assert "leftoff prune" in one.text
    primer["key_decisions"].pop()
    assert skill_json.check(document(context_primer=primer), PATH) == []


def test_a_conflict_that_nobody_settled_is_an_error_that_names_its_path():
    records = [{"path": "phase", "value": "ship", "side": "theirs"}, "odd"]
    findings = skill_json.check(document(conflicts=records), PATH)
    assert [one.level for one in findings] == ["error", "error"]
    assert findings[0].text.startswith("unresolved conflict at phase: ")
    assert "--resolve phase=" in findings[0].fix


@pytest.mark.parametrize("key", ["field", "key"])
def test_a_key_copied_from_a_usage_text_is_advice(key):
    (one,) = skill_json.check(document(**{key: "progress_summary=x"}), PATH)
    assert (one.slug, one.level, one.where) == ("copied-key", "advice", key)


def test_a_name_that_stands_twice_in_one_object_is_a_warning():
    text = document().replace('"phase": "build",', '"phase": "plan",\n  "phase": "build",')
    assert found(text) == ['"phase" stands twice in one object; the last one counts']


@pytest.mark.req("A.size.summary")
def test_a_summary_is_measured_as_the_first_validator_does():
    assert found(document(progress_summary="x" * 1200)) == []
    said = (
        "progress_summary is {} chars (> 1200) — keep it scannable; push detail into progress_table"
    )
    assert found(document(progress_summary="x" * 1201)) == [said.format(1201)]
    assert found(document(progress_summary="😀" * 601)) == [said.format(1202)]


@pytest.mark.req("A.size.file-32k", "A.size.no-cap")
def test_a_file_is_measured_in_bytes_and_only_warned_about():
    def sized(size):
        text = document(skill_state={"x": ""})
        return text.replace(
            '"x": ""', '"x": "' + "é" * 9 + "y" * (size - len(text.encode()) - 18) + '"'
        )

    assert len(sized(32768).encode()) == 32768
    assert found(sized(32768)) == []
    (line,) = found(sized(32769))
    assert line.startswith("checkpoint is 32.0KB (> 32KB) — rotate old skill_state telemetry")
    assert found(sized(33024))[0].startswith("checkpoint is 32.3KB ")
    assert found(sized(16000)) == []


@pytest.mark.req("A.validate.after-merge")
def test_a_file_with_conflict_markers_is_one_error_with_its_line():
    text = document().replace('  "phase"', '<<<<<<< ours\n  "phase"')
    (one,) = skill_json.check(text, PATH)
    assert (one.slug, one.level, one.line) == ("broken", "error", 8)
    assert "merge conflict marker" in one.text


# --- the mapping ---------------------------------------------------------------------------------


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


# --- writing -------------------------------------------------------------------------------------


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


# --- update --------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"skill_state": []}, "skill_state must be an object"),
        (
            {"context_primer": {"key_decisions": "x"}},
            "context_primer.key_decisions must be an array",
        ),
    ],
)
def test_an_object_or_list_that_is_something_else_is_an_error(changes, text):
    assert found(document(**changes)) == [text]


@pytest.mark.parametrize(
    ("status", "shown"), [(["a", None, 2.0], "a,,2"), ({"a": 1}, "[object Object]"), (True, "true")]
)
def test_a_wrong_value_is_shown_as_the_first_validator_shows_it(status, shown):
    assert any(one.endswith(f'(got "{shown}")') for one in found(document(status=status)))
