"""Seeing that something changed: documents, commits, journals; and looks that pages share."""

from __future__ import annotations

import os
import sys

import pytest

from histories import HOUR, NOW, journal, started, state
from leftoff.world import mounts, page_changes, scan
from leftoff.world import server_documents as looking
from leftoff.world.inotify import Notices
from leftoff.world.page_changes import Watch
from leftoff.world.server_documents import ServerDocuments
from projects import THREAD_JSON, put, put_all, put_skill
from support import git, repo


@pytest.fixture
def root(tmp_path):
    place = repo(tmp_path)
    put_all(place)
    return place


@pytest.fixture(params=["told", "asks"])
def notices(request, monkeypatch):
    """What tells of changes, or nobody."""
    if request.param == "told" and sys.platform != "linux":
        pytest.skip("only Linux has inotify")
    monkeypatch.setattr(mounts, "tell_of_changes", lambda _: True)
    return Notices() if request.param == "told" else None


def test_nothing_changed_is_told_from_anything_that_did(root, notices):
    journal(1, started(HOUR, root))
    watch = Watch(root, state(), notices)
    seen = [watch.look()]
    assert watch.look() == seen[-1]

    def changed():
        seen.append(watch.look())
        return seen[-1] != seen[-2]

    put_skill(root, "oc-new")
    assert changed()
    put_skill(root, "oc-new", progress_summary="Another word")
    assert changed()
    put(root, "README.txt", "nothing of ours")
    assert not changed()
    put(root, ".checkpoints/threads/thread-0000000a/thread.json", THREAD_JSON)
    assert changed()
    put(root, "other/x.checkpoint.json", "{}")
    os.symlink("../other/x.checkpoint.json", os.path.join(root, ".checkpoints/x.checkpoint.json"))
    assert changed()
    put(root, "other/x.checkpoint.json", '{"skill": "x"}')
    assert changed()
    os.unlink(os.path.join(root, ".checkpoints/x.checkpoint.json"))
    assert changed()
    journal(2, started(HOUR, root))
    assert changed()
    os.utime(journal(1, (0, "prompt")), (NOW, NOW))
    assert changed()
    git("commit", "--quiet", "--allow-empty", "-m", "More", cwd=root)
    assert changed()
    assert not changed()


@pytest.mark.parametrize("kind", ["worktree", "folder below"])
def test_a_commit_is_seen_wherever_git_keeps_it(root, kind):
    place = f"{root}-other" if kind == "worktree" else os.path.join(root, "below")
    if kind == "worktree":
        git("worktree", "add", "--quiet", place, cwd=root)
    put_all(place)
    watch = Watch(place, state())
    before = watch.look()
    git("commit", "--quiet", "--allow-empty", "-m", "More", cwd=place)
    assert watch.look() != before


def test_without_git_nothing_of_it_is_asked(tmp_path):
    put_all(str(tmp_path))
    watch = Watch(str(tmp_path), state())
    assert watch.look() == watch.look()


def test_documents_are_walked_through_only_when_one_changed(root, notices, monkeypatch):
    watch, walks, look = Watch(root, state(), notices), [], scan.look
    watch.look()
    monkeypatch.setattr(scan, "look", lambda *given: walks.append(1) or look(*given))
    watch.look()
    assert len(walks) == (notices is None)
    put_skill(root, "oc-new")
    watch.look()
    assert len(walks) == (1 if notices else 2)


def test_of_many_journals_only_the_newest_are_asked(root, monkeypatch):
    monkeypatch.setattr(page_changes, "NEWEST", 2)
    for n in range(5):
        os.utime(journal(n, started(HOUR, root)), (NOW - n, NOW - n))
    watch = Watch(root, state())
    before = watch.look()
    os.utime(journal(4, (0, "prompt")), (NOW - 9, NOW - 9))
    assert watch.look() == before
    os.utime(journal(0, (0, "prompt")), (NOW + 9, NOW + 9))
    assert watch.look() != before


def test_one_look_serves_a_second_and_no_longer_than_the_next_change(root):
    time = [0.0]
    looks = ServerDocuments(lambda: time[0])

    def names():
        return {one.glance.id for one in looks.streams(root, state(), 0)[1]}

    assert "oc-new" not in names()
    put_skill(root, "oc-new")
    time[0] = looking.SHARED / 2
    assert "oc-new" not in names()
    looks.forget()
    assert "oc-new" in names()
    put_skill(root, "oc-newer")
    time[0] += looking.SHARED
    assert "oc-newer" in names()


def test_who_changes_its_list_changes_nobody_else_s(root):
    looks = ServerDocuments(lambda: 0.0)
    looks.streams(root, state(), 0)[1].clear()
    assert looks.streams(root, state(), 0)[1]
