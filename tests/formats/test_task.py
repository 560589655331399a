"""Task saves and session notes (format C): sections, placeholders, file names; the laws under fire."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.md_strategies import checkpoints, documents, keeps, obeys
from leftoff.core.model import Checkpoint, Item
from leftoff.errors import FormatError, Usage
from leftoff.formats import Change
from leftoff.formats import task as lens
from support import shared

FOLDER = ".workflow_artifacts/memory"
PATH = f"{FOLDER}/checkpoints/2026-05-05T1030-auth-fix.md"
FULL = """\
## Status
checkpoint save (voluntary)

## Current stage
implement

## Active task
auth-fix

## Branch
feat/auth

## Last user intent
Mend the login.

## In-flight artifacts
- current-plan.md: .workflow_artifacts/auth-fix/current-plan.md
- architecture.md: (none found)
- src/a.py

## Open questions
(none)

## Decisions made
1. Use RS256

## Unfinished work
- T-10: write the test
  - in two files

## Session ID
s1

## Restore hint
Run /checkpoint --restore, or `leftoff restore`, in a fresh session to resume task 'auth-fix' from branch 'feat/auth'.
"""


def test_every_field_is_read_from_its_place():
    c = lens.read(FULL, PATH)
    assert (c.id, c.updated) == ("2026-05-05T1030-auth-fix", "2026-05-05T10:30")
    assert (c.word, c.stage, c.name) == ("checkpoint save (voluntary)", "implement", "auth-fix")
    assert (c.branch, c.intent, c.questions) == ("feat/auth", "Mend the login.", ())
    assert c.artifacts == (
        Item(".workflow_artifacts/auth-fix/current-plan.md", attrs={"label": "current-plan.md"}),
        Item("src/a.py"),
    )
    assert c.decisions == (Item("Use RS256"),)
    assert c.next_actions == (Item("T-10: write the test\n- in two files"),)
    assert c.extra == {"Session ID": "s1"}


@pytest.mark.req("C.save.task-name")
@pytest.mark.parametrize(
    ("name", "updated", "task"),
    [
        ("2026-05-05-auth-fix", "2026-05-05", "auth-fix"),
        ("2026-05-05T1030-auth-fix", "2026-05-05T10:30", "auth-fix"),
        ("2026-05-05", "2026-05-05", "2026-05-05"),
        ("0F8FAD5B-D9CB", "", "0F8FAD5B-D9CB"),
    ],
)
def test_the_file_name_says_the_date_and_what_the_task_is_called(name, updated, task):
    c = lens.read("## Unfinished work\n- x\n", f"{FOLDER}/sessions/{name}.md")
    assert (c.id, c.updated, c.name) == (name, updated, task)


@pytest.mark.req("C.save.location")
@pytest.mark.parametrize(
    ("c", "name"),
    [
        (Checkpoint("2026-05-05-x", updated="2026-06-06"), "2026-05-05-x"),
        (Checkpoint("x", updated="2026-06-06T10:00:00Z"), "2026-06-06-x"),
        (Checkpoint("x", created="2026-06-07"), "2026-06-07-x"),
        (Checkpoint("x", updated="today"), "x"),
        (Checkpoint("a/b"), "a-b"),
    ],
)
def test_a_save_goes_to_a_file_with_its_date(c, name):
    assert lens.path(c) == f"{FOLDER}/checkpoints/{name}.md"
    assert lens.hold(c).id == name


@pytest.mark.parametrize("said", ["(none)", "(none found)", "None", "none", "- (none)", "- None"])
def test_a_placeholder_says_nothing(said):
    text = f"## Active task\n{said}\n\n## Open questions\n{said}\n"
    c = lens.read(text, f"{FOLDER}/sessions/2026-05-05-x.md")
    assert c.questions == ()
    assert (c.name == "x") is not said.startswith("-")


@pytest.mark.req("C.save.sections", "C.save.plain", "C.save.hint", "C.save.best-effort")
def test_a_new_save_has_the_sections_of_the_seed_in_order_and_says_what_is_missing():
    c = Checkpoint("auth-fix", updated="2026-05-05", word="checkpoint save (voluntary)")
    text = lens.write(c, "", lens.path(c))
    assert [line for line in text.split("\n") if line.startswith("#")] == [
        f"## {name}"
        for name in (
            *("Status", "Current stage", "Active task", "Branch", "Last user intent"),
            *("In-flight artifacts", "Open questions", "Decisions made", "Unfinished work"),
            "Restore hint",
        )
    ]
    assert "## Status\ncheckpoint save (voluntary)\n" in text
    assert "## Active task\nauth-fix\n" in text
    assert "## In-flight artifacts\n(none found)\n" in text
    assert "## Open questions\n(none)\n" in text
    assert "to resume task 'auth-fix' from branch 'unknown'." in text
    assert lens.check(text, lens.path(c)) == []


@pytest.mark.req("C.save.artifacts")
def test_items_take_the_place_of_a_placeholder_and_leave_it_when_they_go():
    c = Checkpoint("2026-05-05-x", questions=(Item("why?"),))
    text = lens.write(c, "", lens.path(c))
    assert "## Open questions\n- why?\n" in text
    c = c._replace(questions=(), artifacts=(Item("a.md", attrs={"label": "latest review"}),))
    text = lens.write(c, text, lens.path(c))
    assert "## Open questions\n(none)\n" in text
    assert "## In-flight artifacts\n- latest review: a.md\n" in text


@pytest.mark.req("X.round.lossless")
@pytest.mark.parametrize(
    ("field", "value", "old", "new"),
    [
        ("stage", "review", "implement", "review"),
        ("stage", "", "implement", "(none)"),
        ("next_actions", (), "- T-10: write the test\n  - in two files", "(none)"),
        ("decisions", (Item("Use RS256"), Item("b")), "1. Use RS256", "1. Use RS256\n2. b"),
    ],
)
def test_a_change_touches_its_own_lines(field, value, old, new):
    c = lens.read(FULL, PATH)._replace(**{field: value})
    assert lens.write(c, FULL, PATH) == FULL.replace(old, new, 1)


def test_the_restore_hint_follows_task_and_branch_unless_somebody_wrote_his_own():
    c = lens.read(FULL, PATH)._replace(branch="main")
    written = lens.write(c, FULL, PATH)
    assert written == FULL.replace("feat/auth", "main")
    own = FULL.partition("Run /checkpoint")[0] + "Ask Ann.\n"
    assert lens.write(lens.read(own, PATH)._replace(branch="main"), own, PATH).endswith(
        "Ask Ann.\n"
    )


@pytest.mark.parametrize(
    ("text", "is_mine"),
    [
        (FULL, True),
        ("## Unfinished work\n", True),
        ("## decisions made\n", True),
        ("## Status\nx\n", False),
        ("```\n## Active task\n```\n", False),
        ("# Cost Ledger — x\nuuid | 2026-05-05 | plan\n", False),
        ("\ufeff\r\n", True),
    ],
)
def test_content_decides_whose_a_text_is(text, is_mine):
    assert lens.mine(text, PATH) is is_mine


@pytest.mark.req("C.save.size-cap")
def test_a_save_above_the_soft_cap_warns_with_path_and_bytes():
    fill = 4096 - len(FULL.encode())
    assert lens.check(FULL + "x" * fill, PATH) == []
    (finding,) = lens.check(FULL + "x" * (fill + 1), PATH)
    assert finding.level == "warning"
    assert PATH in finding.text
    assert "4097 bytes" in finding.text


def test_a_conflict_that_waits_is_told_once():
    waiting = f"{FULL}\n## Conflicts\n- other [id: stage] [side: theirs]\n"
    (finding,) = lens.check(waiting, PATH)
    assert (finding.slug, finding.level) == ("unresolved-conflict", "error")
    assert "stage" in finding.text


def test_missing_sections_matter_more_in_a_save_than_in_a_session_note():
    text = "## Unfinished work\n- x\n"
    both = [("warning", "Active task"), ("warning", "Current stage")]
    for folder, told in (("checkpoints", both), ("sessions", [("advice", "Current stage")])):
        found = lens.check(text, f"{FOLDER}/{folder}/2026-05-05-x.md")
        assert [(finding.level, finding.where) for finding in found] == told


def test_a_session_note_may_be_as_long_as_it_likes():
    path = f"{FOLDER}/sessions/2026-05-05-x.md"
    assert lens.check(FULL + "x" * 9000, path) == []


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("COMPLETED — Stage 3 finalized. Branch: main.", "complete"),
        ("completed", "complete"),
        ("**Done.**", "complete"),
        ("in_progress", "in_progress"),
        ("not completed", "in_progress"),
        ("checkpoint save (voluntary)", "in_progress"),
        ("", "in_progress"),
    ],
)
def test_a_status_that_says_the_work_is_over_is_believed(said, status):
    text = f"## Status\n{said}\n\n## Current stage\nreview\n"
    assert lens.read(text, f"{FOLDER}/sessions/2026-05-05-x.md").status == status


def test_a_damaged_text_names_the_line():
    with pytest.raises(FormatError) as raised:
        lens.read("## Status\n\n>>>>>>> theirs\n", PATH)
    assert raised.value.line == 3


@pytest.mark.shared
@pytest.mark.req("X.import.tolerant")
def test_real_session_notes_are_read_whole():
    folder = shared("samples/quoin/memory/sessions")
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
            found[name] = lens.read(file.read(), f"{FOLDER}/sessions/{name}")
    smoke = found["2026-04-25-v3-stage-4-smoke.md"]
    assert (smoke.name, smoke.word, len(smoke.history)) == ("v3-stage-4-smoke", "in_progress", 15)
    assert (len(smoke.decisions), len(smoke.next_actions)) == (6, 3)
    assert smoke.extra["front"]["updated_by"] == "/review"
    stage = found["2026-05-04-workflow-isolation-and-hooks-stage-3.md"]
    assert stage.next_actions == ()  # it says: None — Stage 3 complete.
    assert stage.questions == (Item("None blocking T-05..T-06"),)
    assert "- ✓ T-10" in stage.history[-1].text


@pytest.mark.shared
def test_a_hooks_own_save_is_read():
    path = shared("samples/quoin/ORACLE-hooks-2026-05-05/pre-auto.checkpoint.md")
    with open(path, encoding="utf-8", newline="") as file:
        c = lens.read(file.read(), f"{FOLDER}/checkpoints/2026-05-05-unknown-task-precompact.md")
    assert (c.name, c.branch) == ("unknown-task", "")
    assert c.artifacts == (Item("<TRANSCRIPTS>/t840000.jsonl", attrs={"label": "transcript"}),)
    assert c.extra["Session ID"] == "s1"
    assert "Restore hint" not in c.extra


def test_update_sets_fields_by_either_name_but_not_the_file_name():
    written = lens.assign(FULL, PATH, [Change(("current_stage",), "=", "review")])
    assert written == FULL.replace("implement", "review")
    for path in (("id",), ("updated",), ("current_stge",)):
        with pytest.raises(Usage):
            lens.assign(FULL, PATH, [Change(path, "=", "x")])


@given(documents())
def test_any_text_is_kept_as_it_is(text):
    keeps(lens, text, PATH)


@given(checkpoints, st.just("") | st.just(FULL) | documents())
def test_any_checkpoint_comes_back_from_any_text(c, text):
    obeys(lens, c, text)
