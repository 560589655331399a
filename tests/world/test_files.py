"""Reads know what is text; writes are old or new and leave nothing lying about."""

from __future__ import annotations

import errno
import hashlib
import os
import resource
import signal
import sys
from stat import S_IMODE

import pytest

from leftoff.errors import Busy, FormatError, Invalid, LeftoffError, NotFound
from leftoff.world import files
from leftoff.world.files import (
    Staged,
    alive,
    decode,
    encode,
    read_bytes,
    sweep,
    tag,
    take_name,
    write_atomic,
)


def _put(path, data: bytes) -> str:
    path.write_bytes(data)
    return os.fspath(path)


def _dead_pid() -> int:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid


@pytest.mark.req("X.read.text")
def test_text_comes_back_with_its_mark_and_its_line_ends(tmp_path):
    data = "\ufeffeins\r\nzwei\n三\r".encode()
    seen = read_bytes(_put(tmp_path / "x", data))
    assert encode(decode(seen, "x")) == data
    assert tag(seen) == hashlib.sha256(data).hexdigest()


def test_the_tag_is_the_same_without_the_private_modules(monkeypatch):
    for module in ("_sha2", "_sha256"):
        monkeypatch.setitem(sys.modules, module, None)
    assert tag(b"x") == hashlib.sha256(b"x").hexdigest()


def test_bytes_that_are_no_text_are_named_with_their_line(tmp_path):
    with pytest.raises(FormatError, match="not UTF-8 text") as caught:
        decode(b"one\ntwo\nth\xffree\n", "x")
    assert (caught.value.line, caught.value.where) == (3, "x")


def test_half_a_character_is_refused_before_it_reaches_a_file():
    with pytest.raises(Invalid, match="line 2"):
        encode("one\ntw\ud800o\n")


def test_an_empty_file_is_an_empty_text(tmp_path):
    assert read_bytes(_put(tmp_path / "x", b"")) == b""


def test_a_file_that_is_not_there_is_not_found(tmp_path):
    for path in ("x", "x/y"):
        with pytest.raises(NotFound, match="cannot read"):
            read_bytes(os.fspath(tmp_path / path))


def test_a_pipe_or_a_folder_in_a_documents_place_does_not_stop_the_reader(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    os.mkdir(tmp_path / "folder")
    for name in ("pipe", "folder"):
        with pytest.raises(LeftoffError, match=r"regular file|is a directory"):
            read_bytes(os.fspath(tmp_path / name))


def test_a_file_too_large_for_a_document_is_not_read(tmp_path):
    path = _put(tmp_path / "x", b"")
    os.truncate(path, files.LARGEST + 1)
    with pytest.raises(FormatError, match="larger than 64 MB"):
        read_bytes(path)


@pytest.mark.req("X.write.atomic")
def test_a_write_keeps_the_mode_and_leaves_no_temporary_file(tmp_path):
    path = _put(tmp_path / "x", b"old")
    os.chmod(path, 0o664)
    write_atomic(path, b"new")
    assert read_bytes(path) == b"new"
    assert S_IMODE(os.stat(path).st_mode) == 0o664
    assert os.listdir(tmp_path) == ["x"]


def test_a_new_file_gets_the_mode_that_the_umask_allows(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomic(os.fspath(tmp_path / "open"), b"x")
        write_atomic(os.fspath(tmp_path / "private"), b"x", 0o600)
    finally:
        os.umask(before)
    assert S_IMODE(os.stat(tmp_path / "open").st_mode) == 0o640
    assert S_IMODE(os.stat(tmp_path / "private").st_mode) == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can own a file for somebody else")
def test_root_leaves_a_file_to_its_owner(tmp_path):
    path = _put(tmp_path / "x", b"old")
    os.chown(path, 12345, 12345)
    os.chmod(path, 0o640)
    write_atomic(path, b"new")
    after = os.stat(path)
    assert (after.st_uid, after.st_gid, S_IMODE(after.st_mode)) == (12345, 12345, 0o640)


def test_who_may_not_give_a_file_away_still_writes_it(tmp_path, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EPERM, "no")

    path = _put(tmp_path / "x", b"old")
    real = os.stat(path)
    foreign = os.stat_result((*real[:4], real.st_uid + 1, *real[5:]))
    monkeypatch.setattr(files.os, "stat", lambda _: foreign)
    monkeypatch.setattr(files.os, "fchown", refuse)
    write_atomic(path, b"new")
    assert read_bytes(path) == b"new"


@pytest.mark.req("X.write.atomic")
@pytest.mark.parametrize("step", ["write", "fsync", "rename"])
@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (errno.ENOSPC, Busy),
        (errno.EDQUOT, Busy),
        (errno.EBUSY, Busy),
        (errno.EROFS, LeftoffError),
        (errno.EACCES, LeftoffError),
        (errno.EIO, LeftoffError),
    ],
)
def test_a_disk_that_refuses_leaves_the_old_file_whole(tmp_path, monkeypatch, step, code, kind):
    def refuse(*_):
        raise OSError(code, os.strerror(code))

    path = _put(tmp_path / "x", b"old")
    monkeypatch.setattr(files.os, step, refuse)
    with pytest.raises(kind, match="cannot write") as caught:
        write_atomic(path, b"new")
    monkeypatch.undo()
    assert type(caught.value) is kind
    assert "errno" not in caught.value.message.lower()
    assert read_bytes(path) == b"old"
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.req("X.write.atomic")
def test_a_disk_that_fills_up_within_a_write_leaves_the_old_file_whole(tmp_path):
    """A real limit of the kernel, in a process of its own: half the content fits, half does not."""
    path = _put(tmp_path / "x", b"old")
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
            write_atomic(path, b"n" * 10_000)
        except Busy:
            code = 42
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 42
    assert read_bytes(path) == b"old"
    assert os.listdir(tmp_path) == ["x"]


def test_an_interrupt_in_the_middle_leaves_nothing_behind(tmp_path, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    path = _put(tmp_path / "x", b"old")
    monkeypatch.setattr(files.os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(path, b"new")
    assert os.listdir(tmp_path) == ["x"]


def test_content_and_folder_are_flushed_before_and_after_the_rename(tmp_path, monkeypatch):
    steps: list[str] = []
    fsync, rename = os.fsync, os.rename

    def noting_fsync(fd):
        steps.append("folder" if os.path.isdir(f"/dev/fd/{fd}") else "content")
        fsync(fd)

    def noting_rename(*names):
        steps.append("rename")
        rename(*names)

    monkeypatch.setattr(files.os, "fsync", noting_fsync)
    monkeypatch.setattr(files.os, "rename", noting_rename)
    write_atomic(os.fspath(tmp_path / "x"), b"new")
    assert steps == ["content", "rename", "folder"]
    steps.clear()
    write_atomic(os.fspath(tmp_path / "y"), b"new", durable=False)
    assert steps == ["rename"]


@pytest.mark.parametrize(("code", "fine"), [(errno.EINVAL, True), (errno.EIO, False)])
def test_a_file_system_that_cannot_flush_folders_is_no_failure(tmp_path, monkeypatch, code, fine):
    def refuse(_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(files.os, "fsync", refuse)
    if fine:
        files.sync_folder(os.fspath(tmp_path))
    else:
        with pytest.raises(OSError, match="Input/output"):
            files.sync_folder(os.fspath(tmp_path))


@pytest.mark.parametrize("links", [True, False])
def test_a_new_name_is_taken_only_when_it_is_free(tmp_path, monkeypatch, links):
    def refuse(*_):
        raise OSError(errno.EPERM, "no links here")

    if not links:
        monkeypatch.setattr(files.os, "link", refuse)
    path = os.fspath(tmp_path / "x")
    for data, won in ((b"first", True), (b"second", False)):
        with Staged(path) as new:
            new.write(data)
            assert new.claim() is won
    assert read_bytes(path) == b"first"
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize(("broken", "step"), [("unlink", "link"), ("rename", "open")])
def test_a_move_that_fails_half_way_is_taken_back(tmp_path, monkeypatch, broken, step):
    source, target = _put(tmp_path / "a", b"x"), os.fspath(tmp_path / "b")
    real = getattr(os, broken)

    def refuse(path, *rest):
        if path == source:
            raise OSError(errno.EACCES, "no")
        real(path, *rest)

    def no_links(*_):
        raise OSError(errno.EPERM, "no links here")

    if step == "open":
        monkeypatch.setattr(files.os, "link", no_links)
    monkeypatch.setattr(files.os, broken, refuse)
    with pytest.raises(OSError, match="no"):
        take_name(source, target)
    assert os.listdir(tmp_path) == ["a"]


def test_an_unknown_link_error_is_not_swallowed(tmp_path):
    with pytest.raises(FileNotFoundError):
        take_name(os.fspath(tmp_path / "a"), os.fspath(tmp_path / "b"))


def test_only_temporary_files_of_dead_writers_are_swept(tmp_path):
    dead, mine = _dead_pid(), os.getpid()
    kept = {
        f".leftoff-{mine}-0badcafe.tmp",
        f".leftoff-{dead}-0badcafe.md",
        ".leftoff-notes.tmp",
        f".leftoff-{dead}-notes-of-mine.tmp",
        ".leftoff-x-0badcafe.tmp",
        f"leftoff-{dead}-0badcafe.tmp",
        "x.checkpoint.json",
    }
    for name in {*kept, f".leftoff-{dead}-0badcafe.tmp", f".leftoff-{10**12}-0badcafe.tmp"}:
        _put(tmp_path / name, b"")
    now = os.stat(tmp_path).st_mtime
    sweep(os.fspath(tmp_path), now)
    assert set(os.listdir(tmp_path)) == kept
    sweep(os.fspath(tmp_path), now + files.ABANDONED + 5)
    assert set(os.listdir(tmp_path)) == kept - {f".leftoff-{mine}-0badcafe.tmp"}


def test_what_another_sweeper_took_first_is_no_trouble(tmp_path, monkeypatch):
    monkeypatch.setattr(files.os, "listdir", lambda _: [f".leftoff-{os.getpid()}-0badcafe.tmp"])
    sweep(os.fspath(tmp_path), 0.0)


def test_sweeping_a_folder_that_is_gone_says_so(tmp_path):
    with pytest.raises(NotFound):
        sweep(os.fspath(tmp_path / "gone"), 0.0)


def test_a_process_of_somebody_else_is_alive(monkeypatch):
    def not_ours(*_):
        raise PermissionError(errno.EPERM, "not yours")

    monkeypatch.setattr(files.os, "kill", not_ours)
    assert alive(1)
    assert not alive(0)
