"""What a hostile reviewer did to the commands of judgement, and what must come of it."""

from __future__ import annotations

import json
import os
import shutil

import pytest

from callers import as_caller
from leftoff.core.caller import Caller, Process
from leftoff.world import launcher
from projects import NOW, put, put_markdown, put_skill, skill
from support import git, run

DOCUMENT = ".checkpoints/oc-demo.checkpoint.json"


def data(root, *argv):
    return json.loads(run(*argv, "--json", "--now", NOW, cwd=root).stdout)["data"]


def commit_as(root, name, email, message, monkeypatch):
    monkeypatch.setenv("GIT_AUTHOR_NAME", name)
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", email)
    git("add", "--all", cwd=root)
    git("commit", "--quiet", "--message", message, cwd=root)


@pytest.mark.parametrize(
    ("name", "message"),
    [("Mallory", "hello \x01 world"), ("A\x01B", "hello"), ("Mallory", "\x01" * 3)],
)
def test_no_commit_can_hide_who_wrote_it(root, monkeypatch, name, message):
    put_skill(root)
    commit_as(root, name, "m@evil.invalid", message, monkeypatch)
    assert data(root, "next")["next"]["verdicts"]["author"] == name
    assert "last committed by" in run("status", "--now", NOW, cwd=root).stdout


def test_an_author_without_a_name_is_somebody_else_all_the_same(root, monkeypatch):
    put_skill(root)
    git("add", "--all", cwd=root)
    tree = git("write-tree", cwd=root).strip()
    head = git("rev-parse", "HEAD", cwd=root).strip()
    who = "<m@evil.invalid> 1700000000 +0000"
    body = f"tree {tree}\nparent {head}\nauthor  {who}\ncommitter  {who}\n\nSave\n"
    put(root, "commit.txt", body)
    made = git("hash-object", "-t", "commit", "-w", "commit.txt", cwd=root).strip()
    os.unlink(os.path.join(root, "commit.txt"))
    git("reset", "--quiet", "--hard", made, cwd=root)
    assert data(root, "next")["next"]["verdicts"]["author"] == "m@evil.invalid"


@pytest.mark.parametrize("head", [b"\0\xffgarbage", b"", b"ref: nowhere", b"zz" * 20])
def test_a_damaged_head_is_a_reason_never_a_crash(root, head):
    put_skill(root, next_actions=["Merge #12"])
    with open(os.path.join(root, ".git", "HEAD"), "wb") as file:
        file.write(head)
    for argv in (["status"], ["next"], ["doctor"], ["resume"], ["list"], ["tree"]):
        assert run(*argv, "--now", NOW, cwd=root).returncode in {0, 1}, argv


def test_damaged_refs_are_said_to_be_so(root):
    put_skill(root, next_actions=["Merge #12"])
    git("pack-refs", "--all", cwd=root)
    put(root, ".git/packed-refs", "garbage\n")
    assert "packed-refs cannot be read" in run("next", "--now", NOW, cwd=root).stdout


def test_packed_refs_that_cannot_be_opened_are_not_taken_for_none(root):
    put_skill(root, next_actions=["Merge #12"])
    os.mkdir(os.path.join(root, ".git", "packed-refs"))
    assert "packed-refs cannot be read" in run("next", "--now", NOW, cwd=root).stdout


def test_a_branch_may_have_any_letter_in_its_name(root):
    put_skill(root, next_actions=["Merge #12"])
    git("branch", "line\u2028separator", cwd=root)
    git("pack-refs", "--all", cwd=root)
    assert "not everything was checked" not in run("next", "--now", NOW, cwd=root).stdout


def test_a_pipe_in_the_place_of_a_small_file_of_git_is_not_waited_for(root):
    put_skill(root)
    tree = os.path.join(root, ".git", "worktrees", "other")
    os.makedirs(tree)
    os.mkfifo(os.path.join(tree, "gitdir"))
    os.mkfifo(os.path.join(root, ".git", "refs", "heads", "pipe"))
    for argv in (["status"], ["session", "list"]):
        assert run(*argv, "--now", NOW, cwd=root).returncode == 0, argv


def test_a_pipe_in_the_place_of_the_launcher_is_not_waited_for(root):
    path = os.path.join(os.environ["LEFTOFF_STATE"], launcher.LAUNCHER)
    os.makedirs(os.path.dirname(path))
    os.mkfifo(path)
    assert run("status", cwd=root).returncode == 0
    assert not launcher.refresh(os.environ["LEFTOFF_STATE"])


def test_a_bare_repository_that_came_with_a_clone_runs_nothing(root, tmp_path):
    """Git finds it before the real one; its settings name a program for every file."""
    mark = str(tmp_path / "ran")
    evil = os.path.join(root, "evil")
    git("init", "--quiet", "--bare", evil, cwd=root)
    git("config", "core.bare", "false", cwd=evil)
    git("config", "core.worktree", "..", cwd=evil)
    git("config", "filter.e.clean", f"touch {mark}; cat", cwd=evil)
    put(evil, "objects/info/alternates", f"{root}/.git/objects\n")
    put(evil, "refs/heads/main", git("rev-parse", "HEAD", cwd=root))
    put(evil, "HEAD", "ref: refs/heads/main\n")
    shutil.copy(os.path.join(root, ".git", "index"), os.path.join(evil, "index"))
    put(root, ".gitattributes", "* filter=e\n")
    put(root, "app.py", "print('hullo')\n")
    put_markdown(os.path.join(evil, "p"))
    for argv in (["doctor"], ["delta", "chk-auth", "--what", "x"], ["status"], ["next"]):
        run(*argv, "--now", NOW, cwd=os.path.join(evil, "p"))
    assert not os.path.exists(mark)


def shell(pid, *words):
    return Process(pid, "bash", ("bash", *words), started="1")


def test_a_shell_that_ends_with_its_command_holds_no_item(root):
    put_skill(root, "oc-a", next_actions=["One"])
    alone = Caller(False, (shell(os.getpid(), "-c", "leftoff next"), Process(1, "init")))
    code, said = as_caller(alone, "next", "--claim", cwd=root)
    assert code == 2
    assert "it would have no owner" in said["error"]["message"]


def test_streams_that_nobody_works_on_come_before_the_next_step_of_one_that_somebody_does(root):
    put_skill(root, "oc-a", next_actions=["A1", "A2"], updated_at="2026-08-05T00:00:00Z")
    put_skill(root, "oc-b", next_actions=["B1"], updated_at="2026-08-01T00:00:00Z")
    one = Caller(False, (Process(os.getpid(), "claude", ("claude",), started=_started()),))
    other = Caller(False, (Process(os.getppid(), "codex", ("codex",), started="1"),))
    assert as_caller(one, "next", "--claim", cwd=root)[1]["data"]["next"]["action"] == "A1"
    assert as_caller(other, "next", cwd=root)[1]["data"]["next"]["action"] == "B1"


def _started():
    from leftoff.world.locks import started

    return started(os.getpid())


def test_an_action_without_words_hides_no_stream(root):
    put_skill(root, next_actions=[{"text": "", "done_when": "true"}, "Fix"])
    assert data(root, "next")["next"]["action"] == "Fix"


def test_restart_needs_a_name_and_excludes_going_on(root):
    put_skill(root)
    assert run("resume", "--restart", cwd=root).returncode == 2
    assert run("resume", "oc-demo", "--restart", "--continue", cwd=root).returncode == 2
    assert os.path.exists(os.path.join(root, DOCUMENT))


def test_a_slip_of_the_pen_is_no_fresh_start(root):
    put_skill(root)
    slipped = run("resume", "oc-dmo", cwd=root)
    assert slipped.returncode == 3
    assert 'did you mean "oc-demo"' in slipped.stderr
    assert run("resume", "--pick", "nope", cwd=root).returncode == 3
    assert run("resume", "something-else", cwd=root).returncode == 0


def test_of_two_with_one_id_a_path_says_which(root):
    put_markdown(root, "chk-d")
    put(root, "checkpoints/active/other.md", _text(root, "checkpoints/active/chk-d.md"))
    said = json.loads(run("show", "chk-d", "--json", cwd=root).stdout)["error"]
    assert "checkpoints/active/other.md" in said["choices"]
    assert run("show", "checkpoints/active/other.md", cwd=root).returncode == 0


def test_an_archived_namesake_gives_way_to_the_one_that_is_worked_on(root):
    put_markdown(root, "chk-d", folder="archive")
    put_markdown(root, "chk-d")
    assert data(root, "show", "chk-d")["documents"][0]["path"] == "checkpoints/active/chk-d.md"


def _text(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def test_half_a_character_in_one_command_leaves_trust_to_the_others(root):
    actions = [{"text": "A", "done_when": "true X"}, {"text": "B", "done_when": "true"}]
    put(root, DOCUMENT, skill(next_actions=actions).replace("true X", "true \\ud800"))
    listed = data(root, "trust")["commands"]
    assert [one["trusted"] for one in listed] == [False, False]


def test_a_file_called_like_a_revision_confuses_nobody(root):
    put_markdown(root)
    put(root, "HEAD", "x")
    put(root, "src.py", "new\n")
    git("add", "src.py", cwd=root)
    run("delta", "chk-auth", "--what", "x", cwd=root)
    assert "src.py" in _text(root, "checkpoints/active/chk-auth.md")


@pytest.mark.parametrize("revision", ["HEAD~99", "nope", "b@c"])
def test_a_revision_that_is_none_is_said_to_be_none(root, revision):
    put_markdown(root)
    done = run("tree", "--compare", f"chk-auth@{revision}", "chk-auth", cwd=root)
    assert done.returncode == 3
    assert "there is no commit" in done.stderr


def test_a_version_of_a_document_without_git_is_an_error_of_git(tmp_path):
    place = str(tmp_path / "bare")
    put_markdown(place)
    assert run("tree", "--compare", "chk-auth@HEAD", "chk-auth", cwd=place).returncode == 8


@pytest.mark.parametrize("unseen", ["\u202e", "\u2066", "\u200b", "\U000e0041", "\u3164", "\u2800"])
def test_what_nobody_sees_is_shown_to_be_there(root, unseen):
    put_skill(root, next_actions=[f"Delete {unseen}nothing"], progress_summary=f"All {unseen}well")
    for argv in (["status"], ["next"], ["status", "--brief"], ["resume"]):
        shown = run(*argv, "--now", NOW, cwd=root).stdout
        assert unseen not in shown, argv
    assert "Delete \ufffdnothing" in run("next", "--now", NOW, cwd=root).stdout


def test_emoji_that_are_joined_stay_joined(root):
    put_skill(root, next_actions=["Ship it \U0001f468\u200d\U0001f469"])
    assert "\U0001f468\u200d\U0001f469" in run("next", "--now", NOW, cwd=root).stdout


def test_only_markdown_can_be_current_and_the_reason_is_said(root):
    put_skill(root)
    done = run("current", "oc-demo", cwd=root)
    assert done.returncode == 2
    assert "is a skill document" in done.stderr


def test_that_git_left_something_open_is_said_once(root):
    for number in range(4):
        put_skill(root, f"oc-{number}", next_actions=["Merge #12"])
    git("pack-refs", "--all", cwd=root)
    put(root, ".git/packed-refs", "garbage\n")
    for argv in (["status"], ["next"], ["status", "oc-1"]):
        shown = run(*argv, "--now", NOW, cwd=root).stdout
        assert shown.count("not everything was checked") == 1, argv


def test_a_summary_as_long_as_a_book_hides_nobody(root):
    put_skill(root, progress_summary="A long story. " * 100_000)
    put_skill(root, "oc-two")
    assert len(run("status", "--now", NOW, cwd=root).stdout) < 10_000
    assert len(run("status", "oc-demo", "--now", NOW, cwd=root).stdout) > 1_000_000
