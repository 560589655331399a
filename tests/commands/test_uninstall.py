"""uninstall takes back exactly what was set up; the state of the merge driver is told truly."""

from __future__ import annotations

import os

import pytest

from leftoff.core import starter_texts
from leftoff.world import merge_setup
from leftoff.world.place import find_place
from leftoff.world.store import Store
from projects import get, put
from support import git, run, snapshot


@pytest.fixture
def store(root, home):
    return Store(find_place(root), os.path.join(home, "state", "leftoff"))


def state(store):
    return merge_setup.state(store, os.environ)


def driver(root):
    return git("config", "--local", "--default", "", "--get", "merge.leftoff.driver", cwd=root)


@pytest.mark.parametrize(
    "before",
    [None, "", "*.png binary\n", "*.png binary", "\n", "*.png binary\r\n*.x y\r\n", "*.png binary\r\n\r"],
    ids=repr,
)  # fmt: skip
def test_the_attributes_are_byte_for_byte_what_they_were(root, before):
    if before is not None:
        put(root, ".gitattributes", before)
    config = get(root, ".git/config")
    assert run("init", "--merge-driver", cwd=root).returncode == 0
    lines = get(root, ".gitattributes").splitlines()
    assert set(starter_texts.ATTRIBUTES) <= set(lines)
    assert run("uninstall", cwd=root).returncode == 0
    there = os.path.exists(os.path.join(root, ".gitattributes"))
    assert (get(root, ".gitattributes") if there else None) == before
    assert get(root, ".git/config") == config


def test_lines_that_people_added_since_stay(root):
    assert run("init", "--merge-driver", cwd=root).returncode == 0
    ours = get(root, ".gitattributes")
    put(root, ".gitattributes", "*.a text\n" + ours + "*.b text\n")
    assert run("uninstall", cwd=root).returncode == 0
    assert get(root, ".gitattributes") == "*.a text\n*.b text\n"


def test_a_file_that_only_leftoff_filled_goes_to_the_trash(root, home):
    assert run("init", "--merge-driver", cwd=root).returncode == 0
    made = get(root, ".gitattributes")
    assert run("uninstall", cwd=root).returncode == 0
    trashed = [
        path for path in snapshot(os.path.join(home, "state")) if path.endswith("attributes")
    ]
    assert [get("/", path) for path in trashed] == [made]


def test_a_dry_run_changes_nothing_and_says_the_same(root):
    before = snapshot(root)
    planned = run("init", "--merge-driver", "--dry-run", cwd=root)
    assert "would be created" in planned.stdout
    assert snapshot(root) == before
    assert run("init", "--merge-driver", cwd=root).returncode == 0
    before = snapshot(root)
    planned = run("uninstall", "--dry-run", cwd=root)
    assert "git config merge.leftoff: would be removed" in planned.stdout
    assert snapshot(root) == before


def test_a_second_run_of_either_finds_nothing_to_do(root):
    assert run("init", "--merge-driver", cwd=root).returncode == 0
    before = snapshot(root)
    again = run("init", "--merge-driver", cwd=root)
    assert "git config merge.leftoff: already there" in again.stdout
    assert snapshot(root) == before
    assert run("uninstall", cwd=root).returncode == 0
    before = snapshot(root)
    assert "Nothing is set up here." in run("uninstall", cwd=root).stdout
    assert snapshot(root) == before


def test_outside_of_git_there_is_nothing_to_take_back(tmp_path):
    done = run("uninstall", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "Nothing is set up here.\n")


def test_the_lines_of_an_older_leftoff_are_completed_and_taken_back(root):
    put(root, ".gitattributes", ".checkpoints/*.checkpoint.json merge=leftoff\n")
    assert run("init", "--merge-driver", cwd=root).returncode == 0
    assert sorted(get(root, ".gitattributes").splitlines()) == sorted(starter_texts.ATTRIBUTES)
    assert run("uninstall", cwd=root).returncode == 0
    assert not os.path.exists(os.path.join(root, ".gitattributes"))


def test_the_state_tells_both_halves(root, store):
    assert state(store) == ("missing", "missing")
    merge_setup.install(store, os.environ, dry=True)
    assert state(store) == ("missing", "missing")
    merge_setup.install(store, os.environ)
    assert state(store) == ("working", "working")
    put(root, ".gitattributes", starter_texts.ATTRIBUTES[1] + "\n")
    assert state(store) == ("working", "partial")


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (starter_texts.driver("/gone/python"), "gone"),
        (starter_texts.driver("/bin/sh"), "gone"),
        ("leftoff merge-driver %O %A %B %P", "other"),
        ("it's broken", "other"),
        ("true", "other"),
    ],
)
def test_a_command_that_does_not_run_leftoff_is_told_and_renewed(root, store, command, expected):
    merge_setup.install(store, os.environ)
    git("config", "merge.leftoff.driver", command, cwd=root)
    assert state(store).command == expected
    assert merge_setup.install(store, os.environ)[1].state == "created"
    assert state(store) == ("working", "working")


def test_a_fresh_clone_has_the_attributes_but_not_the_driver(root, store, tmp_path, home):
    merge_setup.install(store, os.environ)
    git("add", "-A", cwd=root)
    git("commit", "-qm", "driver", cwd=root)
    git("clone", "-q", root, os.path.join(tmp_path, "clone"), cwd=root)
    clone = Store(find_place(os.path.join(tmp_path, "clone")), home)
    assert state(clone) == ("missing", "working")
    assert driver(root)
