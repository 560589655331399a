"""The documents that a server knows are those of the listing, whatever happens to them."""

from __future__ import annotations

import os

import pytest

from histories import state
from leftoff.world import cache, listing, looks
from leftoff.world.looks import Looks
from projects import THREAD_MD, put, put_all, put_skill
from support import repo


@pytest.fixture
def root(tmp_path):
    place = repo(tmp_path)
    put_all(place)
    return place


@pytest.fixture
def look(root, monkeypatch):
    """What a server knows after its second."""
    monkeypatch.setattr(cache, "RACY", -1 << 62)  # else what was written just now is read each time
    time = [0.0]
    known = Looks(lambda: time[0])

    def streams():
        time[0] += looks.SHARED
        return known.streams(root, state(), 0)[1]

    return streams


@pytest.fixture
def shown(root, look):
    """The same; it is what the listing finds."""

    def streams():
        found = look()
        assert found == listing.streams(root, state(), 0)[1]
        return found

    return streams


def test_whatever_comes_goes_or_changes_is_seen(shown, root):
    shown()
    put_skill(root, "oc-new")
    assert "oc-new" in {one.glance.id for one in shown()}
    put_skill(root, "oc-new", progress_summary="Another word")
    assert "Another word" in {one.glance.summary for one in shown()}
    folder = ".checkpoints/threads/thread-00000007"
    put(root, f"{folder}/notes.txt", "nothing of ours")
    before = len(shown())
    put(root, f"{folder}/CHECKPOINT.md", THREAD_MD.replace("thread-1a2b3c4d", "thread-00000007"))
    assert len(shown()) == before + 1
    os.unlink(os.path.join(root, folder, "CHECKPOINT.md"))
    assert len(shown()) == before
    os.rename(os.path.join(root, ".checkpoints"), os.path.join(root, "elsewhere"))
    assert len(shown()) < before


def test_links_are_looked_at_each_time(shown, root):
    put(root, "other/x.checkpoint.json", "{}")
    link = os.path.join(root, ".checkpoints", "x.checkpoint.json")
    os.symlink("../other/x.checkpoint.json", link)
    shown()
    put(root, "other/x.checkpoint.json", '{"skill": "x", "status": "blocked"}')
    assert "blocked" in {one.glance.status for one in shown()}


def test_only_what_changed_is_read_and_nothing_is_walked(look, root, monkeypatch):
    first = look()
    monkeypatch.setattr("leftoff.world.scan.look", None)
    path = next(one.parts[0] for one in first if one.glance.format == "thread")
    with open(os.path.join(root, path), "a", encoding="utf-8") as file:
        file.write("\n")
    again = look()
    others = [one.parts for one, other in zip(first, again, strict=True) if one is not other]
    assert [path in parts for parts in others] == [True]
    assert all(one is other for one, other in zip(again, look(), strict=True))
