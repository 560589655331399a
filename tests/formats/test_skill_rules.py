"""Format A: the rules of its check, in the words of the first validator."""

from __future__ import annotations

import json
import os

import pytest

from formats.skill_documents import GONE, PATH, VALID, content, document, found
from leftoff.errors import FormatError
from leftoff.formats import skill as skill_json
from leftoff.formats._json_text import dumps
from support import shared


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
    ({"context_primer": GONE, "status": "complete"}, []),
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
    one = skill_json.check(document(pm_refs=[ref, {**ref, "id": "X-2"}]), PATH)
    assert [(finding.slug, finding.level) for finding in one] == [("several-sources", "advice")]
    assert skill_json.check(document(pm_refs=[ref, ref]), PATH) == [], "two sessions touched it"


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
    assert found(text) == ['"phase" appears twice in one object; the last one counts']


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
