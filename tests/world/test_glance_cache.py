"""The cache is never believed without a reason, and no answer depends on it."""

from __future__ import annotations

import gc
import marshal
import os
import sys
import tempfile

import pytest

from leftoff.world import cache_file, glance_cache, read_streams, scan
from leftoff.world import store as store_module
from leftoff.world.glance_cache import RACY, cache_path
from leftoff.world.store import Store
from world.fake_lens import LENSES, lay, module, note

DOCUMENT = ".checkpoints/a.checkpoint.json"
SETTLED = RACY + 1


@pytest.fixture
def reads(monkeypatch) -> list[str]:
    """The paths of the documents that were read, in order."""
    seen: list[str] = []
    read = read_streams._read_part

    def noting(root, path, modules):
        seen.append(path)
        return read(root, path, modules)

    monkeypatch.setattr(read_streams, "_read_part", noting)
    return seen


@pytest.fixture
def later(monkeypatch):
    """Sets the clock to some time after the documents were written."""

    def set_clock(store: Store, ahead: int) -> None:
        newest = max(os.stat(os.path.join(store.root, DOCUMENT)).st_ctime_ns, 0)
        monkeypatch.setattr(store_module, "time_ns", lambda: newest + ahead)

    return set_clock


def _warm(store: Store, later) -> None:
    lay(store.root, {DOCUMENT: note(), "checkpoints/active/b.md": note("md", id="b")})
    later(store, 10 * SETTLED)
    store.streams()


@pytest.mark.req("X.index.disposable")
def test_a_warm_cache_answers_the_same_without_reading_a_document(store, later, reads):
    _warm(store, later)
    cold = list(reads)
    before = store.streams()
    assert reads == cold
    os.unlink(cache_path(store.state, store.root))
    assert store.streams() == before
    assert len(reads) == 2 * len(cold)


def test_a_warm_cache_needs_no_format(store, later, monkeypatch):
    _warm(store, later)
    before = store.streams()
    for name in LENSES:
        monkeypatch.setitem(sys.modules, module(name), None)
    assert store.streams() == before


@pytest.mark.parametrize("change", ["content", "same size", "replaced", "mode"])
def test_only_the_file_that_changed_is_read_again(store, later, reads, change):
    _warm(store, later)
    reads.clear()
    path = os.path.join(store.root, DOCUMENT)
    before = os.stat(path)
    if change == "mode":
        os.chmod(path, 0o600)
    elif change == "replaced":
        lay(store.root, {"new": note()})
        os.rename(os.path.join(store.root, "new"), path)
    else:
        lay(
            store.root,
            {DOCUMENT: note(summary="much longer" if change == "content" else "finé"[:4])},
        )
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    later(store, 10 * SETTLED)
    store.streams()
    assert reads == [DOCUMENT]


@pytest.mark.parametrize("which", ["inode", "size", "mtime", "ctime"])
def test_any_number_that_differs_makes_a_file_a_changed_one(
    store, later, reads, which, monkeypatch
):
    _warm(store, later)
    reads.clear()
    look, at = scan.look, 1 + ["inode", "size", "mtime", "ctime"].index(which)

    def one_number_less(root, table):
        found = look(root, table)
        path, module, seen = found.files[0]
        found.files[0] = (path, module, (*seen[:at], seen[at] - 1, *seen[at + 1 :]))
        return found

    monkeypatch.setattr(scan, "look", one_number_less)
    store.streams()
    assert reads == [DOCUMENT]


@pytest.mark.req("X.index.disposable")
def test_what_changed_within_two_seconds_of_the_look_is_read_again(
    store, later, reads, monkeypatch
):
    """The second write leaves no trace in size or times, as on a file system with a coarse clock."""
    lay(store.root, {DOCUMENT: note(summary="one")})
    later(store, RACY - 1)
    assert store.streams()[0].glance.summary == "one"
    look = scan.look
    frozen = look(store.root, scan.lens_table()).files[0]
    lay(store.root, {DOCUMENT: note(summary="two")})

    def without_a_trace(root, table):
        found = look(root, table)
        found.files[:] = [frozen]
        return found

    monkeypatch.setattr(scan, "look", without_a_trace)
    assert store.streams()[0].glance.summary == "two"


def test_a_fresh_file_is_read_until_it_settled_and_then_no_more(store, later, reads):
    lay(store.root, {DOCUMENT: note()})
    expected = []
    for ahead, read in ((0, True), (1, True), (SETTLED, True), (2 * SETTLED, False)):
        later(store, ahead)
        reads.clear()
        store.streams()
        expected.append(bool(reads) is read)
    assert all(expected)


def test_nothing_is_written_when_nothing_changed(store, later):
    _warm(store, later)
    before = os.stat(cache_path(store.state, store.root))
    store.streams()
    assert os.stat(cache_path(store.state, store.root)).st_ino == before.st_ino


def test_a_document_that_is_gone_is_gone_from_the_answer_and_the_cache(store, later):
    _warm(store, later)
    os.unlink(os.path.join(store.root, DOCUMENT))
    assert [stream.glance.id for stream in store.streams()] == ["b"]
    saved = glance_cache.load(store.state, store.root, scan.formats_stamp())
    assert saved is not None
    assert [s.glance.path for s in glance_cache.unpack(saved) if s] == ["checkpoints/active/b.md"]


def _with_meta(data: bytes, meta: object) -> bytes:
    """The same file, whole, but with other words about what it is."""
    head = data[: data.index(b"\n") + 1]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cache", "x")
        cache_file.save(path, head, {"<meta>": marshal.dumps(meta), "<look>": b"", "path": b""})
        with open(path, "rb") as file:
            return file.read()


DAMAGE = {
    "empty": lambda data: b"",
    "cut short": lambda data: data[:-7],
    "cut in the head": lambda data: data[:9],
    "one bit": lambda data: data[:-20] + bytes([data[-20] ^ 1]) + data[-19:],
    "another version": lambda data: data.replace(b"leftoff ", b"leftoff 9", 1),
    "another python": lambda data: data.replace(f"{sys.hexversion:x}".encode(), b"30a00f0", 1),
    "a stranger": lambda data: b"\x89PNG\r\n\x1a\n" * 100,
    "an index that is not": lambda data: data.replace(b"<look>", b"<loop>"),
    "of another project": lambda data: _with_meta(
        data, ("/x", scan.formats_stamp(), 10**20, 0, scan.lens_table())
    ),
}


@pytest.mark.req("X.index.disposable")
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_cache_that_is_damaged_or_foreign_is_made_anew(store, later, reads, damage):
    _warm(store, later)
    before, path = store.streams(), cache_path(store.state, store.root)
    with open(path, "rb") as file:
        data = file.read()
    with open(path, "wb") as file:
        file.write(damage(data))
    reads.clear()
    assert store.streams() == before
    assert len(reads) == 2
    assert store.streams() == before
    assert len(reads) == 2


def test_a_cache_made_before_a_format_changed_is_made_anew(store, later, reads, monkeypatch):
    _warm(store, later)
    reads.clear()
    monkeypatch.setattr(scan, "formats_stamp", lambda: (("new.py", 1, 1),))
    store.streams()
    assert len(reads) == 2


def test_a_cache_that_somebody_else_owns_is_not_loaded(store, later, reads, monkeypatch):
    _warm(store, later)
    reads.clear()
    monkeypatch.setattr(glance_cache.os, "geteuid", lambda: 12345)
    store.streams()
    assert len(reads) == 2


@pytest.mark.req("X.index.disposable")
def test_a_state_folder_that_cannot_be_written_is_fine(store, later):
    lay(store.root, {DOCUMENT: note()})
    lay(os.path.dirname(store.state), {os.path.basename(store.state): "a file is in the way"})
    assert [stream.glance.id for stream in store.streams()] == ["a"]


def test_what_cannot_be_kept_is_not_kept(store, later, monkeypatch):
    monkeypatch.setattr(cache_file, "LARGEST", 10)
    _warm(store, later)
    assert not os.path.exists(cache_path(store.state, store.root))
    monkeypatch.undo()


def test_a_strangers_file_is_looked_at_once_and_left_out(store, later, reads):
    lay(store.root, {DOCUMENT: '{"agent": "x", "ticket": 7}'})
    later(store, SETTLED)
    assert store.streams() == []
    assert store.streams() == []
    assert reads == [DOCUMENT]


def test_reading_writes_nothing_but_the_cache(store, later, root):
    _warm(store, later)
    assert sorted(os.listdir(root)) == [".checkpoints", "checkpoints"]
    assert os.listdir(store.state) == ["cache"]
    assert os.stat(cache_path(store.state, root)).st_mode & 0o777 == 0o600


@pytest.mark.parametrize("on", [True, False])
def test_the_garbage_collector_is_left_as_it_was(store, on):
    was = gc.isenabled()
    try:
        (gc.enable if on else gc.disable)()
        store.streams()
        assert gc.isenabled() is on
    finally:
        (gc.enable if was else gc.disable)()


def test_a_caller_that_names_fields_gets_those_and_blanks_for_the_others(store, later):
    _warm(store, later)
    whole, few = store.streams(), store.streams(("id", "path"))
    assert [(s.glance.id, s.glance.path) for s in few] == [
        (s.glance.id, s.glance.path) for s in whole
    ]
    assert {s.glance.summary for s in few} == {""}
    assert {s.glance.summary for s in whole} != {""}


def test_a_length_that_cannot_be_is_not_asked_of_the_system(tmp_path, monkeypatch):
    path, head, asked = os.fspath(tmp_path / "x"), cache_file.head_of("x"), []
    cache_file.save(path, head, {"value": b"y" * 10})
    with open(path, "r+b") as file:
        file.seek(len(head))
        file.write(b"\xff" * 4)
    monkeypatch.setattr(cache_file.os, "pread", lambda _fd, size, _at: asked.append(size) or b"")
    assert cache_file.load(path, head) is None
    assert asked == []
