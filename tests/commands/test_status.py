"""status: one table over all formats, what waits for a person first, stale marks, the named view."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from projects import NOW, get, put, put_all, put_markdown, put_skill
from support import run

DECISION = {"id": "b1", "description": "Which cloud?", "needs": "user_decision"}


def status(root, *words):
    return run("status", *words, "--now", NOW, cwd=root)


def streams(root, *words):
    return json.loads(status(root, "--json", *words).stdout)["data"]["streams"]


@pytest.mark.req("A.status.full", "A.write.two-audiences", "E.thread.many")
def test_every_format_is_in_one_table_with_its_facts(root):
    put_all(root)
    shown = status(root).stdout
    facts = {stream["id"]: stream for stream in streams(root)}
    assert {"oc-demo", "chk-auth", "thread-1a2b3c4d", "2026-08-06-auth-fix"} == set(facts)
    for stream in facts.values():
        assert stream["id"] in shown
        assert stream["next_actions"][0]["text"] in shown
    demo = facts["oc-demo"]
    assert (demo["phase"], demo["step"], demo["status"]) == ("build", "sprint-2", "in_progress")
    assert demo["progress"] == {"done": 1, "total": 3}
    assert demo["summary"] in shown


@pytest.mark.req("A.cmd.bare")
def test_leftoff_alone_is_status(root):
    put_all(root)
    assert run("--now", NOW, cwd=root).stdout == status(root).stdout


@pytest.mark.req("A.status.full")
def test_a_name_limits_it_and_shows_the_plan(root):
    put_all(root)
    shown = status(root, "oc-demo").stdout
    assert "chk-auth" not in shown
    assert "[x] sprint-1: Sprint 1: Auth" in shown
    assert "[>] sprint-2: Sprint 2: CRUD" in shown
    assert status(root, "oc-nobody").returncode == 3


@pytest.mark.req("A.status.banner")
def test_the_banner_leads_and_is_absent_without_a_decision(root):
    put_skill(root)
    assert "waiting" not in status(root).stdout
    put_skill(root, "oc-a", blockers=[DECISION])
    put_skill(root, "oc-b", blockers=[DECISION, {**DECISION, "id": "b2", "needs": "code_fix"}])
    lines = status(root).stdout.splitlines()
    assert lines[0] == "⛔ 2 decisions waiting on you:"
    assert lines[1] == "- [oc-a] Which cloud?"


@pytest.mark.req("A.status.stale", "X.time.one-table")
@pytest.mark.parametrize(
    ("updated", "state", "mark"),
    [
        ("2026-08-01T12:00:00Z", "in_progress", ""),
        ("2026-08-01T11:59:59Z", "in_progress", "stale (7d)"),
        ("2026-07-31T12:00:00Z", "in_progress", "stale (8d)"),
        ("2026-07-01T12:00:00Z", "complete", ""),
    ],
)
def test_work_in_progress_is_stale_past_seven_days(root, updated, state, mark):
    put_skill(root, created_at="2026-06-01T00:00:00Z", updated_at=updated, status=state)
    shown = status(root).stdout
    assert ("stale" in shown) == bool(mark)
    assert mark in shown


@pytest.mark.req("X.time.one-table")
def test_the_project_may_move_a_threshold(root):
    put_skill(root, updated_at="2026-08-04T12:00:00Z")
    assert "stale" not in status(root).stdout
    put(root, ".checkpoints/config.toml", '[thresholds]\n"stale.checkpoint" = "3d"\n')
    assert "stale (4d)" in status(root).stdout
    put(root, ".checkpoints/config.toml", '[thresholds.stale]\ncheckpoint = "5d"\n')
    assert "stale" not in status(root).stdout
    put(root, ".checkpoints/config.toml", "[thresholds]\nnonsense = 1\n")
    assert "nonsense" in status(root).stderr
    put(root, ".checkpoints/config.toml", "[thresholds\n")
    broken = status(root)
    assert (broken.returncode, "config.toml" in broken.stderr) == (0, True)


@pytest.mark.req("A.status.since")
def test_since_hides_older_detail_and_refuses_what_is_no_time(root):
    put_skill(root, "oc-old", updated_at="2026-08-02T00:00:00Z", progress_summary="OLD")
    put_skill(root, "oc-new", updated_at="2026-08-07T00:00:00Z", progress_summary="NEW")
    for since in ("2026-08-05T00:00:00Z", "2026-08-05", "3d"):
        shown = status(root, "--since", since).stdout
        assert "NEW" in shown
        assert "OLD" not in shown
        assert "oc-old" in shown
    assert status(root, "--since=x").returncode == 2


@pytest.mark.parametrize("verb", ["status", "doctor", "thread list"])
def test_a_page_of_no_rows_is_refused(root, verb):
    assert run(*verb.split(), "--limit", "0", cwd=root).returncode == 2


@pytest.mark.req("A.status.brief", "A.schema.action-forms")
def test_brief_shows_the_top_item_its_action_and_the_blockers(root):
    put_skill(root, "oc-done", status="complete", next_actions=[])
    put_skill(root, "oc-top", status="failed", next_actions=[{"text": "Repair it"}])
    put_skill(root, "oc-work", blockers=[{**DECISION, "needs": "code_fix"}])
    shown = status(root, "--brief").stdout
    assert shown.startswith("▶ oc-top  (failed, build/sprint-2)\n  Next: Repair it\n")
    assert "- [oc-work] b1: Which cloud? (needs: code_fix)" in shown
    assert "oc-done" not in shown


@pytest.mark.req("A.pm.status-line", "A.pm.roles")
@pytest.mark.parametrize(
    ("tickets", "line"),
    [
        (
            [("X-1", "source"), ("X-2", "child"), ("X-3", "child"), ("X-4", "child")],
            "X-1 (source) + 3 children",
        ),
        ([("X-1", "linked")], "X-1 (linked)"),
        ([("X-9", "deploy"), ("X-1", "linked")], "X-9 (deploy) → X-1"),
        ([("X-7", "incident"), ("X-9", "deploy")], "X-7 (incident) → X-9"),
        ([("X-1", "source"), ("X-1", "source"), ("X-2", "child")], "X-1 (source) + 1 child"),
    ],
)
def test_tickets_are_one_line(root, tickets, line):
    refs = [{"provider": "linear", "id": ticket, "role": role} for ticket, role in tickets]
    put_skill(root, pm_refs=refs)
    assert f"\nPM: {line}\n" in status(root).stdout


@pytest.mark.req("A.schema.project-dir")
def test_a_project_dir_of_another_machine_is_no_obstacle(root):
    put_skill(root, project_dir="/nowhere/at/all")
    assert status(root).returncode == 0
    assert run("validate", "--now", NOW, cwd=root).returncode == 0


@pytest.mark.req("X.root.search", "A.cmd.same-everywhere")
def test_it_is_the_same_from_a_subfolder_and_through_a_link(root, tmp_path):
    put_all(root)
    deep = os.path.join(root, "src", "a", "b")
    os.makedirs(deep)
    link = os.path.join(tmp_path, "link")
    os.symlink(root, link)
    expected = streams(root)
    assert streams(deep) == streams(link) == expected
    assert (
        run("status", "--now", NOW, "--project", deep, cwd=tmp_path).stdout == status(root).stdout
    )


def test_one_in_full_names_no_part_that_is_not_there(root):
    put_markdown(root, header="status: active\nanchor: timer\n")
    line = run("status", "chk-auth", "--now", NOW, cwd=root).stdout.splitlines()[1]
    assert line.endswith(" · md, in_progress, timer, 2026-08-05 10:00, 3d")


def test_an_empty_project_says_how_to_begin_and_writes_nothing(root):
    before = sorted(os.listdir(root))
    assert "leftoff save" in status(root).stdout
    assert sorted(os.listdir(root)) == before


@pytest.mark.req("X.index.disposable")
def test_deleting_the_cache_changes_no_answer(root, home):
    put_all(root)
    first, second = status(root).stdout, status(root).stdout
    shutil.rmtree(os.path.join(home, "state", "leftoff"))
    assert first == second == status(root).stdout


@pytest.mark.req("B.status.archived", "B.status.default")
def test_archived_checkpoints_stay_out_unless_asked_for(root):
    put_markdown(root, "chk-old", "archive", header="status: current\n")
    path = put_markdown(root, "chk-new", header="")
    before = get(root, path)
    assert [stream["id"] for stream in streams(root)] == ["chk-new"]
    assert {stream["id"] for stream in streams(root, "--all")} == {"chk-new", "chk-old"}
    assert streams(root)[0]["status"] == "in_progress"
    assert get(root, path) == before


def test_past_twenty_streams_the_most_urgent_are_shown_in_detail(root):
    for at in range(23):
        put_skill(root, f"oc-{at:03}", progress_summary=f"Summary {at}")
    put_skill(root, "oc-urgent", status="failed", progress_summary="URGENT")
    shown = status(root).stdout
    assert shown.count("\n## ") == 20
    assert "URGENT" in shown
    assert "details of the 20 most urgent" in shown
    assert all(f"oc-{at:03} " in shown for at in range(23))
    assert status(root, "--all").stdout.count("\n## ") == 24
    assert len(streams(root)) == 24


@pytest.mark.req("E.thread.current")
def test_the_thread_that_current_names_is_marked(root):
    put_all(root)
    put(root, ".checkpoints/current", "thread-1a2b3c4d\n")
    marked = [stream["id"] for stream in streams(root) if stream["current"]]
    assert marked == ["thread-1a2b3c4d"]
    row = next(x for x in status(root).stdout.splitlines() if x.startswith("thread-1a2b3c4d"))
    assert "current" in row.split()
    for junk in ("../../etc/passwd\n", "", "no-such-thread", "a\nb\n"):
        put(root, ".checkpoints/current", junk)
        assert not [stream for stream in streams(root) if stream["current"]]


def test_brief_lists_only_what_is_in_the_way(root):
    put_skill(root, "oc-plain")
    put_skill(root, "oc-stuck", status="blocked", blockers=[DECISION])
    put(root, ".checkpoints/oc-torn.checkpoint.json", "{")
    assert {stream["id"] for stream in streams(root, "--brief")} == {"oc-stuck", "oc-torn"}


def test_brief_shows_the_next_action_where_nothing_is_in_the_way(root):
    assert status(root, "--brief").stdout == "No checkpoints here yet.\n"
    put_skill(root, "oc-done", status="complete", next_actions=[])
    assert status(root, "--brief").stdout == "There is nothing to do here.\n"
    put_skill(root, "oc-plain", next_actions=["Write the report"])
    assert "  Next: Write the report\n" in status(root, "--brief").stdout
