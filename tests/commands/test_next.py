"""next as a person and as several agents use it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from callers import as_caller
from leftoff.core.caller import Caller, Process
from leftoff.world import taken_work
from leftoff.world.state import state_dir
from projects import NOW, put, put_markdown, put_skill
from support import git, leftoff, run, shared


def said(root: str, *words: str) -> dict:
    done = run("next", *words, "--json", "--now", NOW, cwd=root)
    return json.loads(done.stdout)["data"]


def land(root: str, subject: str) -> None:
    put(root, "landed.py", f"{subject}\n")
    git("add", "--all", cwd=root)
    git("commit", "--quiet", "--message", subject, cwd=root)


@pytest.mark.req("A.next.single")
def test_one_action_is_printed_even_with_many_documents(root):
    for number in range(10):
        put_skill(root, f"oc-{number}", next_actions=[f"Do {number}"])
    data = said(root)
    assert data["next"]["id"] == "oc-0"
    assert data["queue"] == []
    assert data["more"] is True
    shown = run("next", "--now", NOW, cwd=root).stdout
    assert shown.count("▶") == 1
    assert "Do 0" in shown
    assert run("next", "--all", "--now", NOW, cwd=root).stdout.count("▶") == 10


@pytest.mark.req("A.next.standalone")
def test_it_needs_no_git(tmp_path):
    place = str(tmp_path / "bare")
    put_skill(place, next_actions=["Merge #12"])
    done = leftoff("next", "--now", NOW, cwd=place)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Merge #12" in done.stdout


@pytest.mark.req("X.rank.landed")
def test_actions_that_have_landed_are_passed_over_and_said(root):
    put_skill(root, next_actions=["Merge #12", "Ship UTF-8 handling", "Then rest"])
    assert said(root)["next"]["action"] == "Merge #12"
    land(root, "Add login (#12)")
    first = said(root)["next"]
    assert first["action"] == "Ship UTF-8 handling"
    assert (first["n"], first["landed"]) == (2, ["Merge #12"])
    assert "Skipped, already landed: 1" in run("next", "--now", NOW, cwd=root).stdout


@pytest.mark.req("X.rank.fall-through")
def test_a_stream_that_is_done_falls_through_with_a_note(root):
    put_skill(root, "oc-a", next_actions=["Merge #12"], updated_at="2026-08-05T00:00:00Z")
    put_skill(root, "oc-b", next_actions=["Write docs"], updated_at="2026-08-01T00:00:00Z")
    land(root, "Add login (#12)")
    data = said(root)
    assert (data["next"]["id"], data["reconcile"]) == ("oc-b", ["oc-a"])
    shown = run("next", "--now", NOW, cwd=root).stdout
    assert "Everything queued in oc-a has landed" in shown


@pytest.mark.req("A.status.brief")
def test_status_brief_gives_the_same_answer_landed_or_taken(root):
    put_skill(root, "oc-a", next_actions=["Merge #12"])
    put_markdown(root)
    land(root, "Add login (#12)")
    brief = json.loads(run("status", "--brief", "--json", "--now", NOW, cwd=root).stdout)["data"]
    assert brief["next"] == said(root)["next"]
    assert brief["next"]["id"] == "chk-auth"


def test_explain_prints_the_terms(root):
    put_skill(root)
    assert "· rank 4: in progress" in run("next", "--explain", "--now", NOW, cwd=root).stdout
    assert "· rank" not in run("next", "--now", NOW, cwd=root).stdout


@pytest.mark.req("X.read.broken-reported", "A.schema.action-forms")
def test_broken_documents_are_reported_and_hide_nothing(root):
    put_skill(root, next_actions=[{"text": "As an object"}])
    assert said(root)["next"]["action"] == "As an object"
    put(root, ".checkpoints/bad.checkpoint.json", "{")
    done = run("next", "--now", NOW, cwd=root)
    assert done.returncode == 1
    assert "oc-demo" in done.stdout
    assert "bad.checkpoint.json" in done.stderr


@pytest.mark.req("X.read.broken-reported")
def test_what_cannot_be_read_is_not_taken_for_nothing_to_do(root):
    put(root, ".checkpoints/bad.checkpoint.json", "{")
    unknown = "What to do here is not known: 1 checkpoint cannot be read."
    assert run("next", cwd=root).stdout == f"{unknown}\n"
    assert unknown in run("status", "--brief", cwd=root).stdout
    assert said(root)["unread"] == [".checkpoints/bad.checkpoint.json"]


def test_the_reason_of_a_summary_that_is_a_list_is_its_first_item(root):
    put_markdown(root, state="- The timer is found\n- It is covered by a test")
    assert said(root)["next"]["why"] == "The timer is found"


def test_with_nothing_to_do_it_says_so(root):
    assert "There is nothing to do here" in run("next", cwd=root).stdout
    put_skill(root, status="complete", next_actions=[])
    data = said(root)
    assert data["next"] is None


def agent(pid: int) -> Caller:
    with open(f"/proc/{pid}/stat", "rb") as file:
        started = file.read().rpartition(b")")[2].split()[19].decode()
    return Caller(False, (Process(pid, "claude", ("claude",), started=started),))


@pytest.fixture
def agents():
    """Two processes that live as long as the test: two agents."""
    words = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    running = [subprocess.Popen(words, stdin=subprocess.PIPE) for _ in range(2)]
    yield running
    for process in running:
        process.kill()
        process.wait()
        process.stdin.close()


def claim(root: str, pid: int) -> dict:
    return as_caller(agent(pid), "next", "--claim", cwd=root)[1]["data"]


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc to name a process")
def test_a_decision_is_for_a_person_and_cannot_be_taken(root, agents):
    blocker = {"id": "b", "description": "Which?", "needs": "user_decision"}
    put_skill(root, "oc-a", blockers=[blocker], next_actions=["One"])
    put_skill(root, "oc-b", next_actions=["Two"])
    assert said(root)["next"]["id"] == "oc-a"
    assert claim(root, agents[0].pid)["next"]["action"] == "Two"


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc to name a process")
def test_two_agents_never_get_the_same_item_and_a_dead_ones_is_free_again(root, agents):
    put_skill(root, "oc-a", next_actions=["One", "Two"])
    one, two = agents
    assert claim(root, one.pid)["next"]["action"] == "One"
    assert claim(root, one.pid)["next"]["action"] == "One"
    assert claim(root, two.pid)["next"]["action"] == "Two"
    others = as_caller(agent(two.pid), "next", cwd=root)[1]["data"]["taken"]
    assert [item["action"] for item in others] == ["One"]
    one.kill()
    one.wait()
    assert said(root)["next"]["action"] == "One"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"id": "oc-a"}', "[" * 200_000])
def test_a_file_that_says_nothing_of_who_took_what_takes_nothing(root, agents, text):
    put_skill(root, "oc-a", next_actions=["One"])
    claim(root, agents[0].pid)
    folder = os.path.join(state_dir(os.environ), "claims")
    (path,) = (os.path.join(top, name) for top, _, names in os.walk(folder) for name in names)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    assert claim(root, agents[1].pid)["next"]["action"] == "One"


def test_a_look_at_what_is_taken_removes_nothing(root, agents):
    put_skill(root, "oc-a", next_actions=["One", "Two"])
    assert claim(root, agents[0].pid)["next"]["action"] == "One"
    folder = os.path.join(state_dir(os.environ), "claims")
    (path,) = (os.path.join(top, name) for top, _, names in os.walk(folder) for name in names)
    os.utime(path, (0, 0))
    agents[0].kill()
    agents[0].wait()
    assert said(root)["taken"] == []
    assert os.path.exists(path)  # it may be another's by now: only who takes something looks alone
    assert claim(root, agents[1].pid)["next"]["action"] == "One"


def test_a_dead_owners_file_goes_when_somebody_else_takes_something(root, agents):
    put_skill(root, "oc-a", next_actions=["One", "Two"])
    assert claim(root, agents[0].pid)["next"]["action"] == "One"
    assert claim(root, agents[1].pid)["next"]["action"] == "Two"
    folder = os.path.join(state_dir(os.environ), "claims")
    paths = [os.path.join(top, name) for top, _, names in os.walk(folder) for name in names]
    for path in paths:
        os.utime(path, (0, 0))
    for one in agents:
        one.kill()
        one.wait()
    assert claim(root, os.getpid())["next"]["action"] == "One"
    assert [os.path.exists(path) for path in paths].count(True) == 1


def test_what_was_taken_under_another_host_name_is_not_ours_and_ends_no_call(
    root, agents, monkeypatch
):
    put_skill(root, "oc-a", next_actions=["One"])
    assert claim(root, agents[0].pid)["next"]["action"] == "One"
    renamed = os.uname_result(("Linux", "renamed", *os.uname()[2:]))
    monkeypatch.setattr(os, "uname", lambda: renamed)
    assert claim(root, agents[0].pid)["next"] is None


def test_where_the_system_does_not_tell_when_a_process_began_its_id_alone_counts(
    root, agents, monkeypatch
):
    put_skill(root, "oc-a", next_actions=["One", "Two"])
    monkeypatch.setattr(taken_work, "started", lambda pid: "-")
    assert claim(root, agents[0].pid)["next"]["action"] == "One"
    assert claim(root, agents[1].pid)["next"]["action"] == "Two"


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc to name a process")
def test_an_item_is_free_when_it_is_done_and_worktrees_share_what_is_taken(root, agents, tmp_path):
    put_skill(root, "oc-a", next_actions=["One", "Two", "Three"])
    git("add", "--all", cwd=root)
    git("commit", "--quiet", "--message", "Save", cwd=root)
    other = str(tmp_path / "other")
    git("worktree", "add", "--quiet", "-b", "side", other, cwd=root)
    one, two = agents
    assert claim(root, one.pid)["next"]["action"] == "One"
    assert claim(other, two.pid)["next"]["action"] == "Two"
    assert run("done", "oc-a", "--now", NOW, cwd=root).returncode == 0
    assert claim(other, two.pid)["next"]["action"] == "One"


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc to name a process")
def test_sixteen_claims_at_once_give_sixteen_items(root):
    put_skill(root, "oc-a", next_actions=[f"Item {n}" for n in range(16)])
    told, tell = os.pipe()
    wait, go = os.pipe()
    pids = [_claimer(root, tell, wait, go) for _ in range(16)]
    os.close(tell)
    got: list[str] = []
    while len(got) < 16 and (part := os.read(told, 1024).decode()):
        got += part.splitlines()
    os.close(go)  # nobody may end before all have claimed: a dead owner's item is free
    for pid in pids:
        os.waitpid(pid, 0)
    os.close(told)
    os.close(wait)
    assert sorted(got) == sorted(f"Item {n}" for n in range(16))


def _claimer(root: str, tell: int, wait: int, go: int) -> int:
    """An agent of its own that claims, tells what it got, and lives until the pipe is closed."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.close(go)
        os.write(tell, f"{claim(root, os.getpid())['next']['action']}\n".encode())
        os.read(wait, 1)
    finally:
        os._exit(0)


@pytest.mark.req("A.next.rank")
def test_the_samples_give_the_stream_that_the_original_gave(tmp_path):
    head = shared("samples", "opchain", "head")
    root = str(tmp_path / "project")
    for name in os.listdir(head):
        with open(os.path.join(head, name), encoding="utf-8") as file:
            put(root, f".checkpoints/{name}", file.read())
    with open(
        shared("samples", "opchain", "ORACLE", "cli-head", "next.out"), encoding="utf-8"
    ) as f:
        original = f.read()
    first = said(root)["next"]
    assert f"Skill:  {first['id']} " in original
    assert first["action"] in original


def test_a_checkpoint_that_somebody_else_committed_is_marked_wherever_it_is_shown(root):
    put_skill(root)
    git("add", "--all", cwd=root)
    words = ("-c", "user.name=Ann", "-c", "user.email=ann@example.invalid")
    git(*words, "commit", "--quiet", "--message", "Save", cwd=root)
    put_skill(root, "oc-two", next_actions=[{"text": "Go", "done_when": "true"}])
    git("add", "--all", cwd=root)
    git(*words, "commit", "--quiet", "--message", "Save more", cwd=root)
    whole = run("next", "--all", "--now", NOW, cwd=root).stdout
    assert whole.count("last committed by Ann") == 2
    assert "last committed by Ann" in run("trust", cwd=root).stdout
    assert run("tree", cwd=root).stdout.count("last committed by Ann") == 2
    assert "last committed by Ann (and 1 more)" in run("doctor", "--now", NOW, cwd=root).stdout
    for argv in (["next"], ["status"], ["status", "oc-demo"], ["status", "--brief"], ["list"]):
        assert "last committed by Ann" in run(*argv, "--now", NOW, cwd=root).stdout
    shown = run("show", "oc-demo", cwd=root)
    assert "last committed by Ann" in shown.stderr
    assert json.loads(shown.stdout)["skill"] == "oc-demo"


def test_a_summary_as_long_as_a_book_is_not_the_reason_that_people_read(root):
    put_skill(root, progress_summary="s" * 50_000, next_actions=["a" * 9_000])
    for words in (("next",), ("status",)):
        assert len(run(*words, "--now", NOW, cwd=root).stdout) < 11_000
    for words in (("next", "--explain"), ("status", "oc-demo")):
        assert len(run(*words, "--now", NOW, cwd=root).stdout) > 20_000


@pytest.mark.parametrize(("limit", "shown"), [("1", 1), ("3", 3), ("10", 10), ("99", 10)])
def test_a_part_of_the_queue_is_shown_and_whether_there_is_more(root, limit, shown):
    for number in range(10):
        put_skill(root, f"oc-{number}", next_actions=[f"Do {number}"])
    for words in (["--limit", limit], ["--all", "--limit", limit]):
        data = said(root, *words)
        assert len([data["next"], *data["queue"]]) == shown
        assert data["more"] == (shown < 10)
    assert run("next", "--limit", "0", cwd=root).returncode == 2
