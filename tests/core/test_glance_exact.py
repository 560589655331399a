"""A glance, whole."""

from __future__ import annotations

import pytest

from leftoff.core.glance import CHECKED_FILES, glance
from leftoff.core.model import Checkpoint, Evidence, Item
from leftoff.core.stream import Glance


def seen(**given):
    return glance(Checkpoint(given.pop("id", "x"), **given), "a/b/name.checkpoint.json", "skill", 9)


def test_a_glance_has_all_that_lists_ask_for():
    done, running = {"status": "complete"}, {"status": "in_progress"}
    given = seen(
        name="n",
        project="p",
        word="active",
        phase="build",
        stage="two",
        created="1970-01-01T00:00:05Z",
        updated="1970-01-01T00:00:09Z",
        summary="It 🚀.",
        next_actions=(Item("Merge #12", attrs={"done_when": "make"}), Item("rest")),
        blockers=(Item("why?", "B1", {"needs": "n", "proposed_resolution": "r"}),),
        progress=(
            Item("Plan PR #7", "s1", done),
            Item("for approval", "s2", running),
            Item("gate #9"),
        ),
        refs=(
            Item("", "OPS-1", {"provider": "linear", "role": "source"}),
            Item("docs/a.md", attrs={"type": "file"}),
            Item("docs/b.md", attrs={"type": "doc"}),
        ),
        artifacts=(
            Item("src/a.py"),
            Item("src/gone.py", attrs={"status": "deleted"}),
            Item("src/old.py", attrs={"status": "removed"}),
            Item("/etc/passwd"),
        ),
        cost={"total_usd": 2, "budget_usd": 1.5},
        parent="up",
        branch="main",
        commit="`A1B2C3D` Fix",
        tests="green",
        project_dir="/p",
        history=(
            Item(
                "did it",
                attrs={"done_when": "make", "evidence": {"command": "make", "exit_code": 0}},
            ),
            Item("did more", attrs={"done_when": "make more"}),
        ),
        conflicts=(Item("c"),),
        decisions=(Item("d"), Item("e")),
        private={"merged_prs": "#21 v1.2.3", "closed_unmerged_prs": "#22"},
    )
    assert given == Glance(
        path="a/b/name.checkpoint.json",
        format="skill",
        id="x",
        name="n",
        project="p",
        status="in_progress",
        word="active",
        phase="build",
        stage="two",
        created="1970-01-01T00:00:05Z",
        updated="1970-01-01T00:00:09Z",
        born=5.0,
        touched=9.0,
        summary="It 🚀.",
        actions=("Merge #12", "rest"),
        checks=("make", ""),
        tokens=(given.tokens[0], ()),
        landed=given.landed,
        blockers=(("B1", "why?", "n", "r"),),
        done=1,
        total=3,
        at_gate=True,
        refs=(("OPS-1", "source"),),
        spent=2.0,
        budget=1.5,
        parent="up",
        branch="main",
        commit="a1b2c3d",
        tests="green",
        project_dir="/p",
        files=("src/a.py", "docs/a.md"),
        finished=(
            ("did it", "did it", "make", tuple(Evidence("make", 0))),
            ("did more", "did more", "make more", ()),
        ),
        conflicts=1,
        bytes=9,
        summary_chars=6,
        decision_count=2,
    )
    assert given.tokens[0]
    assert [token for token in given.landed if "7" in token]
    assert [token for token in given.landed if "21" in token]
    assert not [token for token in given.landed if token in {"#9", "#22", "1.2.3"}]


def test_a_gate_counts_in_a_row_that_is_in_progress_only():
    assert not seen(progress=(Item("approval"),)).at_gate
    assert not seen(progress=(Item("approval", attrs={"status": "complete"}),)).at_gate


def test_a_checkpoint_without_an_id_is_named_after_its_file():
    assert seen(id="").id == "name"
    assert seen(created="1970-01-01T00:00:05Z").touched == 5.0
    assert (seen().checks, seen(next_actions=(Item("a"),)).checks) == ((), ())


@pytest.mark.parametrize(("count", "more"), [(CHECKED_FILES, 0), (CHECKED_FILES + 2, 2)])
def test_so_many_files_are_checked_and_the_others_counted(count, more):
    given = seen(artifacts=tuple(Item(f"src/{n}.py") for n in range(count)))
    assert (len(given.files), given.more_files) == (CHECKED_FILES, more)


@pytest.mark.parametrize(
    ("text", "commit"),
    [
        *((" a1b2c3d", "a1b2c3d"), ("` a1b2c3d`", "a1b2c3d")),
        *(("a1b2c3d", "a1b2c3d"), ("a1b2c3", ""), ("a" * 64, "a" * 64), ("a" * 65, "")),
        *(("(A1B2C3D): Fix it", "a1b2c3d"), ("`a1b2c3d`, x", "a1b2c3d"), ("a1b2c3dz", "")),
        *(("za1b2c3d", ""), ("Fix a1b2c3d", ""), ("a1b2c3d `", "a1b2c3d"), ("", "")),
    ],
)
def test_a_commit_is_the_hash_that_a_text_begins_with(text, commit):
    assert seen(commit=text).commit == commit


def test_an_amount_that_is_none_is_nothing():
    assert seen(cost={"total_usd": 10**400}).spent == 0.0
    assert seen(cost={"total_usd": "3"}).spent == 0.0
