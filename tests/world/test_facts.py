"""What is asked of a real repository in each of its states, and what happens without an answer."""

from __future__ import annotations

import errno
import os
import time

import pytest

from leftoff.core.claims import landed
from leftoff.core.stream import Glance
from leftoff.errors import GitError
from leftoff.world import facts as facts_module
from leftoff.world import git as git_module
from leftoff.world import history, refs
from leftoff.world.facts import gather, landing
from leftoff.world.place import find_place
from leftoff.world.repository import QUESTIONS, Git
from leftoff.world.store import Store
from projects import put
from support import git, repo


def store_at(root: str, state: str) -> Store:
    return Store(find_place(root), state)


@pytest.fixture
def root(tmp_path):
    return repo(tmp_path)


@pytest.fixture
def store(root, tmp_path):
    return store_at(root, str(tmp_path / "state"))


def commit(root: str, path: str, message: str) -> str:
    put(root, path, f"{message}\n")
    git("add", "--all", cwd=root)
    git("commit", "--quiet", "--message", message, cwd=root)
    return git("rev-parse", "HEAD", cwd=root).strip()


def glance(**fields: object) -> Glance:
    return Glance(".checkpoints/x.checkpoint.json", "skill", "x", status="in_progress", **fields)


def at(root: str) -> refs.Refs:
    return refs.read(find_place(root), os.environ)


def facts(store: Store, *streams: Glance, **more: object):
    return gather(store, streams, os.environ, **more)


def test_refs_are_read_from_files_loose_packed_and_remote(root, tmp_path):
    first = git("rev-parse", "HEAD", cwd=root).strip()
    git("branch", "team/one", cwd=root)
    git("tag", "v1.2.3", cwd=root)
    git("update-ref", "refs/remotes/origin/theirs", first, cwd=root)
    git("pack-refs", "--all", cwd=root)
    second = commit(root, "b", "Second")
    found = refs.read(find_place(root), os.environ)
    assert (found.head, found.branch, found.shallow) == (second, "main", False)
    assert found.branches() == {"main": second, "team/one": first, "theirs": first}
    assert found.tags() == ["v1.2.3"]


def test_a_detached_head_has_a_commit_and_no_branch(root):
    git("checkout", "--quiet", "--detach", cwd=root)
    found = refs.read(find_place(root), os.environ)
    assert (len(found.head), found.branch) == (40, "")


def test_a_worktree_has_its_own_head_and_the_shared_branches(root, tmp_path):
    other = str(tmp_path / "other")
    git("worktree", "add", "--quiet", "-b", "side", other, cwd=root)
    new = commit(other, "c", "On the side")
    found = refs.read(find_place(other), os.environ)
    assert (found.head, found.branch) == (new, "side")
    assert set(found.branches()) == {"main", "side"}


def test_the_history_is_asked_of_git_once_for_each_head(root, store, monkeypatch):
    head = commit(root, "b", "Add search (#12)")
    asked = []
    run = git_module.run
    monkeypatch.setattr(git_module, "run", lambda *a, **k: asked.append(a) or run(*a, **k))
    first = history.read(store.state, store.place, at(root), os.environ, 9.0)
    again = history.read(store.state, store.place, at(root), os.environ, 9.0)
    assert first == again
    assert first.head == head
    assert len(asked) == 1
    assert [c.subject for c in first.commits] == ["Add search (#12)", "Begin"]
    assert first.commits[0].paths == ("b",)
    newer = commit(root, "c", "More")
    assert history.read(store.state, store.place, at(root), os.environ, 9.0).head == newer
    assert len(asked) == 2


def test_working_trees_of_one_repository_keep_their_histories_side_by_side(
    root, store, monkeypatch, tmp_path
):
    other = str(tmp_path / "other")
    git("worktree", "add", "--quiet", "-b", "side", other, cwd=root)
    commit(other, "c", "On the side")
    beside = store_at(other, store.state)
    asked = []
    run = git_module.run
    monkeypatch.setattr(git_module, "run", lambda *a, **k: asked.append(a) or run(*a, **k))
    for each in (store, beside, store, beside):
        history.read(each.state, each.place, at(each.root), os.environ, 9.0)
    assert len(asked) == 2


def test_a_shallow_history_is_never_kept_since_it_grows_under_the_same_head(root, tmp_path):
    commit(root, "b", "Add search (#12)")
    commit(root, "c", "More")
    other = str(tmp_path / "clone")
    git("clone", "--quiet", "--depth", "1", f"file://{root}", other, cwd=root)
    store = store_at(other, str(tmp_path / "s2"))
    about = glance(actions=("Merge #12",), tokens=(("#12",),))
    assert [v.word for v in landed(about, facts(store, about))] == ["unknown"]
    git("fetch", "--quiet", "--unshallow", cwd=other)
    assert [v.word for v in landed(about, facts(store, about))] == ["contradicted"]


def test_what_is_older_than_the_history_that_is_read_may_have_landed(root, store, monkeypatch):
    monkeypatch.setattr(history, "DEPTH", 2)
    for name in ("Add search (#12)", "One", "Two"):
        commit(root, "b", name)
    about = glance(actions=("Merge #12", "Tag 9.9.9"), tokens=(("#12",), ("9.9.9",)))
    first, second = landed(about, facts(store, about))
    assert first.word == "unknown"
    assert "last 2 commits" in first.reason
    assert second.word == "confirmed", "tags are known whatever the depth"


def test_what_landed_is_read_from_subjects_and_tags(root, store):
    commit(root, "b", "Add search (#12)")
    git("tag", "v2.0.0", cwd=root)
    found = landing(store, [glance(actions=("x",), tokens=(("#12", "2.0.0"),))], os.environ)
    assert "#12" in found.repository.landed
    assert found.repository.versions == {"2.0.0"}


def test_a_branch_counts_as_moved_only_by_commits_that_touch_code(root, store):
    sha = git("rev-parse", "HEAD", cwd=root).strip()
    about = glance(branch="main", commit=sha)
    commit(root, ".checkpoints/x.checkpoint.json", "Save")
    assert facts(store, about).repository.since == {("main", sha): 0}
    commit(root, "b", "Code")
    assert facts(store, about).repository.since == {("main", sha): 1}
    short = facts(store, glance(branch="main", commit=sha[:8])).repository
    assert short.since == {("main", sha[:8]): 1}
    assert short.reachable == {sha[:8]: True}


def test_a_branch_elsewhere_is_asked_of_git(root, store):
    sha = git("rev-parse", "HEAD", cwd=root).strip()
    git("checkout", "--quiet", "-b", "side", cwd=root)
    tip = commit(root, "c", "On the side")
    git("checkout", "--quiet", "main", cwd=root)
    found = facts(store, glance(branch="side", commit=sha), glance(commit=tip)).repository
    assert found.since == {("side", sha): 1}
    assert found.reachable == {sha: True, tip: False}


def test_a_commit_that_git_never_had_is_told_from_one_it_left(root, store):
    assert facts(store, glance(commit="f" * 40)).repository.reachable == {"f" * 40: None}


def test_a_merged_branch_is_told_from_a_new_one(root, store):
    git("checkout", "--quiet", "-b", "merged", cwd=root)
    commit(root, "c", "On the side")
    git("checkout", "--quiet", "main", cwd=root)
    git("merge", "--quiet", "--no-ff", "--no-edit", "merged", cwd=root)
    git("branch", "new", cwd=root)
    found = facts(store, glance(branch="merged"), glance(branch="new")).repository
    assert found.merged == {"merged"}


def test_a_shallow_clone_says_so(root, tmp_path):
    commit(root, "b", "Second")
    other = str(tmp_path / "clone")
    git("clone", "--quiet", "--depth", "1", f"file://{root}", other, cwd=root)
    found = facts(store_at(other, str(tmp_path / "s2")), glance(commit="f" * 40)).repository
    assert found.shallow
    assert found.reachable == {"f" * 40: None}


@pytest.mark.req("A.next.standalone")
def test_without_git_or_before_the_first_commit_there_is_a_reason(tmp_path):
    bare = tmp_path / "bare"
    bare.mkdir()
    state = str(tmp_path / "state")
    assert facts(store_at(str(bare), state)).repository.why == "this is not a git repository"
    git("init", "--quiet", cwd=str(bare))
    assert facts(store_at(str(bare), state)).repository.why == "there is no commit yet"


def test_files_are_missing_changed_by_a_commit_by_hand_or_not_at_all(root, store):
    for name in ("same.py", "committed.py", "dirty.py"):
        commit(root, name, name)
    head_time = int(git("log", "-1", "--format=%ct", cwd=root))
    put(root, "dirty.py", "changed\n")
    ahead = time.time() + 100
    for name in ("same.py", "committed.py", "dirty.py"):
        os.utime(os.path.join(root, name), (ahead, ahead))  # as a clone would set them
    about = glance(
        files=("same.py", "committed.py", "dirty.py", "gone.py"), touched=head_time + 5.0
    )
    before = about._replace(path="older.json", touched=head_time - 3600.0)
    found = facts(store, about, before, deep=True)
    assert found.missing == {"gone.py"}
    changed = {key: value for key, value in found.changed.items() if key[0] == about.path}
    assert changed == {
        (about.path, "same.py"): False,
        (about.path, "committed.py"): False,
        (about.path, "dirty.py"): True,
    }
    assert found.changed["older.json", "committed.py"] is True


def test_a_project_in_a_subfolder_has_its_own_paths(root, tmp_path):
    sub = os.path.join(root, "sub")
    put(root, "sub/.checkpoints/README.md", "x")
    commit(root, "sub/a.py", "Code")
    store = store_at(sub, str(tmp_path / "s2"))
    assert store.root == os.path.realpath(sub)
    put(root, "sub/a.py", "changed\n")
    found = facts(store, glance(files=("a.py",), touched=1.0), deep=True)
    assert found.changed == {(".checkpoints/x.checkpoint.json", "a.py"): True}


def changed_after(root: str, store: Store, number: int) -> list[bool]:
    """What is known of so many files, each of which was changed after the document."""
    names = [f"f{at}.py" for at in range(number)]
    for name in names:
        put(root, name, "one\n")
    git("add", "--all", cwd=root)
    git("commit", "--quiet", "--message", "Files", cwd=root)
    written = time.time() + 10
    for name in names:
        put(root, name, "two\n")
        os.utime(os.path.join(root, name), (written + 10, written + 10))
    found = facts(store, glance(files=tuple(names), touched=written), deep=True, budget=30.0)
    return [*found.changed.values()]


def test_of_more_files_than_a_command_line_holds_git_is_asked_too(root, store, monkeypatch):
    monkeypatch.setattr(facts_module, "NAMED", 2)
    assert changed_after(root, store, 3) == [True] * 3


def test_whether_a_file_changed_stays_unknown_where_git_does_not_say(root, store, monkeypatch):
    monkeypatch.setattr(Git, "ask", lambda *_: None)
    assert changed_after(root, store, 1) == []


def test_a_history_that_does_not_go_back_so_far_does_not_say_that_a_file_is_the_same(
    root, store, monkeypatch
):
    commit(root, "a.py", "Code")
    commit(root, "b.py", "More")
    named = glance(files=("a.py",), touched=1.0)
    assert list(facts(store, named, deep=True).changed.values()) == [True]
    monkeypatch.setattr(facts_module, "_committed", lambda *_: {})  # it is among older ones
    assert list(facts(store, named, deep=True).changed.values()) == [False]
    monkeypatch.setattr(facts_module, "DEPTH", 2)
    assert list(facts(store, named, deep=True).changed.values()) == []


def test_a_document_that_another_person_committed_is_marked(root, store):
    put(root, ".checkpoints/x.checkpoint.json", "{}")
    git("add", "--all", cwd=root)
    words = ("-c", "user.name=Ann", "-c", "user.email=ann@example.invalid")
    git(*words, "commit", "--quiet", "--message", "Save", cwd=root)
    assert facts(store, glance()).authors == {".checkpoints/x.checkpoint.json": "Ann"}
    git("config", "user.email", "ann@example.invalid", cwd=root)
    assert facts(store, glance()).authors == {}
    git("config", "--unset", "user.email", cwd=root)
    assert facts(store, glance()).authors == {".checkpoints/x.checkpoint.json": "Ann"}


def test_where_git_tells_no_history_nobody_counts_as_the_author(root, store, monkeypatch):
    def slow(*_: object, **__: object) -> str:
        raise git_module.SlowGit("git log took longer than 1.5 s")

    monkeypatch.setattr(git_module, "run", slow)
    assert set(facts(store, glance()).authors) == {".checkpoints/x.checkpoint.json"}


def test_questions_to_git_are_counted_and_what_was_not_asked_is_said(root, store):
    streams = [glance(commit=f"{number:040x}") for number in range(1, QUESTIONS + 9)]
    found = facts(store, *streams)
    assert len(found.repository.reachable) == QUESTIONS
    assert "no time to ask" in found.degraded


def test_a_git_that_is_too_slow_leaves_facts_unknown_and_says_so(root, store, monkeypatch):
    def slow(*_: object, **__: object) -> str:
        raise git_module.SlowGit("git log took longer than 1.5 s")

    monkeypatch.setattr(git_module, "run", slow)
    monkeypatch.setattr(git_module, "ask", slow)
    found = facts(store, glance(commit="f" * 40, tokens=(("#1",),), actions=("x",)))
    assert found.degraded == "git log took longer than 1.5 s"
    assert found.repository.reachable == {}


def test_git_is_ended_when_its_time_is_over(root, tmp_path, monkeypatch):
    fake = tmp_path / "bin"
    fake.mkdir()
    script = fake / "git"
    script.write_text("#!/bin/sh\nexec sleep 600\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(git_module, "monotonic", time.monotonic)
    with pytest.raises(git_module.SlowGit):
        git_module.ask(root, "log", env=os.environ, patience=0.05)


def test_git_that_is_not_there_is_a_plain_error(root, monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(GitError, match="not installed"):
        git_module.run(root, "status", env=os.environ)


def test_a_repository_cannot_start_programs_through_its_settings(root, store, tmp_path):
    mark = tmp_path / "ran"
    git("config", "core.fsmonitor", f"touch {mark}; false", cwd=root)
    git("config", "core.pager", f"touch {mark}", cwd=root)
    git("config", "log.showSignature", "true", cwd=root)
    put(root, ".git/gpg", f"#!/bin/sh\ntouch {mark}\n")
    os.chmod(os.path.join(root, ".git/gpg"), 0o755)
    git("config", "gpg.program", os.path.join(root, ".git/gpg"), cwd=root)
    put(root, "app.py", "changed\n")
    _sign(root)
    facts(store, glance(files=("app.py",), touched=1.0), deep=True)
    assert git_module.run(root, "log", "-1", "--format=%s", env=os.environ) == "Signed\n"
    assert not mark.exists()


def _sign(root: str) -> None:
    """A commit on top that claims to be signed: to look at that, git starts `gpg.program`."""
    tree, parent = git("rev-parse", "HEAD^{tree}", "HEAD", cwd=root).split()
    who = "Ann <ann@example.invalid> 1700000000 +0000"
    seal = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
    head = f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n{seal}"
    path = os.path.join(root, ".git", "signed")
    put(root, ".git/signed", f"{head}\n\nSigned\n")
    made = git("hash-object", "-t", "commit", "-w", path, cwd=root).strip()
    git("update-ref", "HEAD", made, cwd=root)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (errno.ENOENT, "git is not installed"),
        (errno.EAGAIN, "git could not be started: Resource temporarily unavailable"),
    ],
)
def test_a_git_that_cannot_be_started_is_not_called_absent(tmp_path, monkeypatch, code, said):
    def refused(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(git_module.os, "posix_spawnp", refused)
    with pytest.raises(GitError, match=said):
        git_module.run(os.fspath(tmp_path), "status", env={})


def test_why_git_opens_no_repository_of_somebody_else_is_told(root, monkeypatch):
    monkeypatch.setattr(git_module, "ask", lambda *_, **__: (128, ""))
    with pytest.raises(GitError, match="git log failed with exit code 128"):
        git_module.run(root, "log", env=os.environ)
    monkeypatch.setattr(git_module.os, "geteuid", lambda: -1)
    with pytest.raises(GitError, match="that belongs to somebody else"):
        git_module.run(root, "log", env=os.environ)
