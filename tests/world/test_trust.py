"""Trust on disk, evidence on disk, the tree's digest and the processes above."""

from __future__ import annotations

import os

import pytest

from leftoff.core.evidence import grade
from leftoff.core.model import Evidence
from leftoff.errors import Busy, LeftoffError
from leftoff.world import evidence, trust, working_tree
from leftoff.world.locks import locked
from leftoff.world.place import find_place
from leftoff.world.processes import ancestors, parse_ps
from projects import put
from support import git, repo


@pytest.fixture
def state(tmp_path):
    return os.path.join(tmp_path, "state")


def subject(text="make", repository="root:1", kind="done_when"):
    return trust.Subject(kind, repository, text)


def test_trust_is_for_the_exact_text_kind_and_repository(state):
    trust.grant(state, subject(), 0.0, trust.PERSON)
    assert trust.is_trusted(state, subject())
    for other in (subject("make "), subject(repository="root:2"), subject(kind="settings")):
        assert not trust.is_trusted(state, other)


def test_parts_of_a_subject_cannot_pass_for_one_another():
    assert trust.key(trust.Subject("a", "b\0c", "d")) != trust.key(trust.Subject("a", "b", "c\0d"))


def test_grants_are_private_files(state):
    trust.grant(state, subject(), 0.0, trust.PERSON)
    folder = os.path.join(state, "trust")
    (file,) = os.listdir(folder)
    assert os.stat(folder).st_mode & 0o777 == 0o700
    assert os.stat(os.path.join(folder, file)).st_mode & 0o777 == 0o600


@pytest.mark.parametrize("part", ["", "trust"])
def test_a_folder_that_others_can_write_is_refused(state, part):
    trust.grant(state, subject(), 0.0, trust.PERSON)
    os.chmod(os.path.join(state, part), 0o770)
    with pytest.raises(LeftoffError, match="can be written by others"):
        trust.is_trusted(state, subject())


def test_a_grant_that_others_can_write_or_that_is_damaged_grants_nothing(state):
    trust.grant(state, subject(), 0.0, trust.PERSON)
    folder = os.path.join(state, "trust")
    file = os.path.join(folder, os.listdir(folder)[0])
    os.chmod(file, 0o666)
    assert not trust.is_trusted(state, subject())
    os.chmod(file, 0o600)
    assert trust.is_trusted(state, subject())
    for text in ('{"kind": "done_when"}', "[" * 200_000):
        with open(file, "w", encoding="utf-8") as damaged:
            damaged.write(text)
        assert not trust.is_trusted(state, subject())


def test_revoked_trust_is_moved_to_the_trash(state):
    trust.grant(state, subject(), 0.0, trust.PERSON)
    assert trust.revoke(state, subject(), 0.0)
    assert not trust.is_trusted(state, subject())
    assert not trust.revoke(state, subject(), 0.0)
    assert len(os.listdir(os.path.join(state, "trash", "1970-01-01", "trust"))) == 1


def test_clones_share_an_identity_and_strangers_do_not(tmp_path):
    root = repo(tmp_path)
    clone, shallow = os.path.join(tmp_path, "clone"), os.path.join(tmp_path, "shallow")
    git("clone", "--quiet", root, clone, cwd=root)
    git("clone", "--quiet", "--depth=1", f"file://{root}", shallow, cwd=root)
    names = [trust.identity(find_place(at), os.environ) for at in (root, clone, shallow)]
    assert names[0] == names[1] == f"root:{git('rev-parse', 'HEAD', cwd=root).strip()}"
    empty = os.path.join(tmp_path, "empty")
    git("init", "--quiet", empty, cwd=root)
    for at in (shallow, empty):
        assert trust.identity(find_place(at), os.environ) == f"path:{os.path.join(at, '.git')}"


def test_evidence_is_private_and_a_torn_line_costs_only_itself(tmp_path, state):
    place = find_place(repo(tmp_path))
    first, second = Evidence("a", 1, tail="boom"), Evidence("a", 0, "c", True, "t", "d", 1.5, "ok")
    evidence.record(state, place, "x.md", "k", first)
    (name,) = os.listdir(os.path.join(state, "evidence"))
    file = os.path.join(state, "evidence", name)
    assert os.stat(file).st_mode & 0o777 == 0o600
    with open(file, "ab") as lines:
        lines.write(b'\xff\n[1]\n{"family": "torn')
    evidence.record(state, place, "x.md", "k", second)
    assert evidence.recorded(state, place)["x.md"] == {("k", "a"): second}
    assert set(evidence.recorded(state, place)) == {"x.md"}


def test_the_digest_is_of_the_files_not_of_the_commit(tmp_path):
    root = repo(tmp_path)
    place = find_place(root)
    clean = working_tree.look(place, os.environ)
    assert clean.commit
    assert clean.digest
    assert not clean.dirty
    put(root, ".checkpoints/x.checkpoint.json", "{}")
    assert working_tree.look(place, os.environ) == clean
    put(root, "new file.py", "1\n")
    os.symlink("app.py", os.path.join(root, "link"))
    os.remove(os.path.join(root, "link"))
    put(root, "app.py", "changed\n")
    dirty = working_tree.look(place, os.environ)
    assert dirty.dirty
    assert dirty.digest != clean.digest
    git("add", "--all", cwd=root)
    assert working_tree.look(place, os.environ) == dirty
    git("commit", "--quiet", "--message", "All", cwd=root)
    after = working_tree.look(place, os.environ)
    assert (after.digest, after.dirty) == (dirty.digest, False)
    proof = Evidence("t", 0, dirty.commit, dirty.dirty, "", dirty.digest)
    assert grade(proof, "t", after.commit, after.dirty, after.digest).level == "fresh"
    put(root, "app.py", "again\n")
    now = working_tree.look(place, os.environ)
    assert grade(proof, "t", now.commit, now.dirty, now.digest).level == "stale"


def test_a_tree_without_git_or_commits_is_known_as_such(tmp_path):
    assert working_tree.look(find_place(os.fspath(tmp_path)), os.environ) == ("", False, "")
    git("init", "--quiet", cwd=os.fspath(tmp_path))
    assert working_tree.look(find_place(os.fspath(tmp_path)), os.environ).commit == ""


def test_looking_at_the_tree_starts_no_program_of_the_repository(tmp_path):
    root = repo(tmp_path)
    git("config", "core.fsmonitor", "touch pwned; false", cwd=root)
    put(root, "app.py", "changed\n")
    working_tree.look(find_place(root), os.environ)
    assert not os.path.exists(os.path.join(root, "pwned"))


def test_the_processes_above_are_told_from_the_parent_up():
    above = ancestors()
    assert above
    assert above[0].pid == os.getppid()
    assert above[0].name
    assert above[0].started


def test_the_table_of_ps_is_understood():
    said = (
        "  501   1 ttys001 Mon Jan  2 03:04:05 2026 /x/claude --resume\n"
        "    1   0 ??      Mon Jan  2 03:04:05 2026 /sbin/launchd\n"
    )
    table = parse_ps(said)
    assert table[501][0] == 1
    assert table[501][1].name == "claude"
    assert table[501][1].words == ("/x/claude", "--resume")
    assert table[501][1].tty == "ttys001"
    assert (table[1][0], table[1][1].tty) == (0, "")


def test_what_was_trusted_before_the_first_commit_stays_so(state, tmp_path):
    root = str(tmp_path / "new")
    os.makedirs(root)
    git("init", "--quiet", cwd=root)
    place = find_place(root)
    before = trust.identity(place, os.environ)
    trust.grant(state, subject(repository=before), 0.0, trust.WRITTEN)
    put(root, "a", "a")
    git("add", "--all", cwd=root)
    who = ("-c", "user.name=A", "-c", "user.email=a@example.invalid")
    git(*who, "commit", "--quiet", "--message", "Begin", cwd=root)
    assert trust.identity(place, os.environ) != before
    names = trust.identities(place, os.environ)
    assert trust.is_trusted_in(state, names, "done_when", "make")
    assert not trust.is_trusted_in(state, names, "done_when", "make all")


def test_a_large_file_of_evidence_is_written_anew_with_the_newest_run_of_each(
    state, tmp_path, monkeypatch
):
    place = find_place(repo(tmp_path))
    monkeypatch.setattr(evidence, "LARGE", 2000)
    for number in range(60):
        known = Evidence("make", 0, at=f"{number}", tail="x" * 50)
        evidence.record(state, place, "x.md", "k", known)
    (found,) = evidence.recorded(state, place)["x.md"].values()
    assert found.at == "59"
    folder = os.path.join(state, "evidence")
    assert sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder)) < 4000


def test_nobody_records_evidence_while_the_file_is_written_anew(state, tmp_path, monkeypatch):
    place = find_place(repo(tmp_path))
    asked: list[str] = []

    def written(file: str, *_: object) -> None:
        asked.append(file)
        with pytest.raises(Busy), locked(os.path.dirname(file), 0.0):
            pass

    monkeypatch.setattr(evidence, "LARGE", 10)
    monkeypatch.setattr(evidence, "write_atomic", written)
    evidence.record(state, place, "x.md", "k", Evidence("make", 0))
    assert asked
