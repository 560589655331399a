"""A task save, before anything is read or written: which files count, what a line says."""

from __future__ import annotations

import pytest

from leftoff.core.model import Item
from leftoff.core.task_save import (
    File,
    in_flight,
    intended,
    is_in_flight,
    session_named,
    stated,
    task_named,
)

SID = "0f8fad5b-d9cb-469f-a165-70867728950e"


def paths(*files: File, task: str = "auth-fix") -> list[str]:
    return [path for _, path in in_flight(files, task, "")]


@pytest.mark.req("C.save.artifacts")
def test_five_labels_come_in_the_seeds_order_found_or_not():
    assert in_flight((), "x", "s.md") == (
        ("current-plan.md", ""),
        ("architecture.md", ""),
        ("latest critic-response", ""),
        ("latest review", ""),
        ("session-state", "s.md"),
    )


@pytest.mark.req("C.save.artifacts")
def test_of_two_plans_the_one_written_last_counts():
    old, new = File(".workflow_artifacts/b/current-plan.md", 1), File("x/current-plan.md", 2)
    assert paths(new, old)[0] == paths(old, new)[0] == new.path


@pytest.mark.req("C.save.highest-n")
@pytest.mark.parametrize("kind", ["review", "critic-response"])
def test_the_highest_number_counts_as_a_number_whatever_was_written_last(kind):
    files = [File(f"x/{kind}-{number}.md", at) for number, at in ((9, 7), (10, 3), (2, 9))]
    assert f"x/{kind}-10.md" in paths(*files)


def test_each_label_has_a_file_of_its_own_kind_in_whatever_folder_it_lies():
    names = ("zz.md", "architecture.md", "review-3.md", "current-plan.md", "critic-response-9.md")
    files = [File(f"x/deep/{name}", at) for at, name in enumerate(names)]
    assert paths(*files) == [
        *(f"x/deep/{names[at]}" for at in (3, 1, 4, 2)),
        "",
    ]


def test_what_the_task_has_of_its_own_goes_before_what_others_have():
    own, other = (File(f".workflow_artifacts/{one}/review-1.md", 1) for one in ("auth-fix", "ui"))
    more = File(".workflow_artifacts/ui/review-12.md", 2)
    assert paths(own, other, more)[3] == own.path
    assert paths(own, other, more, task="third")[3] == more.path
    assert paths(own, more, task="auth")[3] == more.path


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("current-plan.md", True),
        ("architecture.md", True),
        ("review-0.md", True),
        ("review-1.md", True),
        (f"review-{'9' * 9}.md", True),
        (f"review-{'9' * 10}.md", False),
        ("critic-response-12.md", True),
        ("review.md", False),
        ("review-x.md", False),
        ("review-1.txt", False),
        ("gate-review-1.md", False),
        ("review-²2.md", False),
        (f"review-{'9' * 40}.md", False),
    ],
)
def test_only_these_names_are_in_flight(name, expected):
    assert is_in_flight(name) is expected


@pytest.mark.req("C.save.phase")
@pytest.mark.parametrize(
    "block",
    [
        "- Phase: implement",
        "* Phase:implement",
        "Phase: implement",
        "```yaml\nuuid: x\nPhase: implement\n```",
        "- Session UUID: x\n- **Phase:** `implement`\n- Phase: later",
        "phase: 'implement'",
        "  - _Phase_ :  implement \r\n",
    ],
)
def test_a_value_is_found_bulleted_fenced_or_plain(block):
    assert stated(block, "Phase") == "implement"


def test_a_value_may_hold_colons():
    assert stated("- Started: 2026-05-05T10:00:00Z", "started") == "2026-05-05T10:00:00Z"


def test_a_value_that_is_not_stated_is_empty():
    assert stated("- Phases: 3\nthe Phase is over", "Phase") == ""


@pytest.mark.req("C.save.no-sid")
@pytest.mark.parametrize(
    "value", ["", "unknown", "None", "unknown-implement-20260505T100000Z", "../x", "a b", "<uuid>"]
)
def test_a_placeholder_or_a_path_is_no_session(value):
    assert session_named(value) == ""


def test_a_session_id_is_one():
    assert session_named(SID) == SID


def test_a_task_is_a_part_of_paths_whatever_it_is_called():
    assert task_named("认证-fix") == "认证-fix"
    assert task_named("../../etc/passwd") == "etc-passwd"
    assert task_named("auth fix") == "auth-fix"


@pytest.mark.req("C.save.intent")
@pytest.mark.parametrize(
    ("steps", "prose", "intent"),
    [
        ((Item("Write the test\n- in two files"), Item("b")), "", "Write the test"),
        ((Item("Write the test"),), "Not this.", "Write the test"),
        ((Item("Write\nthe\ntest"),), "", "Write"),
        ((), "Only the gate is left. Then merge.", "Only the gate is left."),
        ((), "None. Ready for the end.", ""),
        ((), "(none)", ""),
    ],
)
def test_without_a_word_of_the_user_the_first_unfinished_thing_is_what_he_wants(
    steps, prose, intent
):
    assert intended(steps, prose) == intent
