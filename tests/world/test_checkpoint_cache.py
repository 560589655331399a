"""Checkpoints that were read whole are kept, and believed only as long as their files are the same."""

from __future__ import annotations

import os

import pytest

from leftoff.formats import thread as thread_md
from leftoff.world import checkpoint_cache
from leftoff.world.place import find_place
from leftoff.world.store import Store
from projects import put
from support import repo

PATH = ".checkpoints/threads/thread-1/CHECKPOINT.md"
TEXT = "# Checkpoint: Work\n\n**Thread ID**: thread-1\n\n## Next Steps\n\n1. [P1] {step} [done_when: true]\n"
LONG_AGO = 1_700_000_000


@pytest.fixture
def store(tmp_path):
    root = repo(tmp_path)
    write(root, "first")
    return Store(find_place(root, ""), os.path.join(tmp_path, "state"))


def write(root: str, step: str, at: int = LONG_AGO) -> None:
    put(root, PATH, TEXT.format(step=step))
    os.utime(os.path.join(root, PATH), (at, at))


def read(store):
    (stream,) = store.streams()
    return checkpoint_cache.read_stream(store, stream)


@pytest.fixture
def settled(monkeypatch):
    """The time of a file's last change cannot be set back, so that here nothing is too new."""
    monkeypatch.setattr(checkpoint_cache, "RACY", -(10**18))


@pytest.fixture
def reads(monkeypatch):
    """How often a text was read by its format."""
    seen = []
    real = thread_md.read
    monkeypatch.setattr(thread_md, "read", lambda *given: seen.append(1) or real(*given))
    return seen


def test_what_was_kept_is_what_was_read(store, settled, reads):
    (stream,) = store.streams()
    first = checkpoint_cache.read_stream(store, stream)
    count = len(reads)
    assert checkpoint_cache.read_stream(store, stream) == first
    assert len(reads) == count
    assert first.next_actions[0].attrs == {"priority": "P1", "done_when": "true"}


def test_a_file_that_changed_is_read_again(store, settled):
    read(store)
    write(store.root, "other", LONG_AGO + 1)
    assert [item.text for item in read(store).next_actions] == ["other"]


def test_a_file_that_may_change_unseen_is_not_kept(store, reads):
    (stream,) = store.streams()
    checkpoint_cache.read_stream(store, stream)
    count = len(reads)
    checkpoint_cache.read_stream(store, stream)
    assert len(reads) > count


@pytest.mark.parametrize("damage", [b"", b"garbage", b"leftoff 0.0\n"])
def test_what_is_kept_may_be_lost_or_damaged(store, settled, damage):
    first = read(store)
    folder = os.path.join(store.state, "cache")
    (kept,) = (name for name in os.listdir(folder) if name.endswith(".whole.bin"))
    with open(os.path.join(folder, kept), "wb") as file:
        file.write(damage)
    assert read(store) == first


def test_only_a_few_are_kept(store, settled):
    for number in range(checkpoint_cache.MOST + 3):
        path = f".checkpoints/threads/thread-{number}/CHECKPOINT.md"
        put(store.root, path, TEXT.format(step="x").replace("thread-1", f"thread-{number}"))
    for stream in store.streams():
        checkpoint_cache.read_stream(store, stream)
    folder = os.path.join(store.state, "cache")
    (kept,) = (name for name in os.listdir(folder) if name.endswith(".whole.bin"))
    rows = checkpoint_cache.cache_file.load_value(
        os.path.join(folder, kept), checkpoint_cache._HEAD
    )
    assert len(rows) == checkpoint_cache.MOST
