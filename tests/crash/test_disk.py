"""A disk that is full or read-only: a plain message, the old file whole, nothing left behind."""

from __future__ import annotations

import errno
import os
import resource
import signal

import pytest

from leftoff.errors import Busy, LeftoffError
from leftoff.world import files
from leftoff.world.store import Store
from world.fake_lens import contents, install, note

DOCUMENT = ".checkpoints/a.checkpoint.json"


def _unharmed(store: Store) -> None:
    assert contents(store.root, DOCUMENT) == note()
    assert os.listdir(os.path.join(store.root, ".checkpoints")) == [os.path.basename(DOCUMENT)]


def _append(store: Store, size: int = 1) -> None:
    store.change(DOCUMENT, lambda text: f"{text}- {'x' * size}\n")


@pytest.mark.req("X.write.atomic")
def test_a_file_that_outgrows_a_real_limit_of_the_kernel_stays_as_it_was(store: Store):
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
            _append(store, size=10_000)
        except Busy as error:
            code = 42 if "cannot write" in error.message else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 42
    _unharmed(store)


@pytest.mark.req("X.write.atomic")
@pytest.mark.parametrize("step", ["open", "write", "fsync", "rename"])
@pytest.mark.parametrize(
    ("code", "kind"), [(errno.ENOSPC, Busy), (errno.EROFS, LeftoffError), (errno.EIO, LeftoffError)]
)
def test_whichever_step_the_disk_refuses_the_document_stays_as_it_was(
    store: Store, monkeypatch, step, code, kind
):
    real = getattr(os, step)

    def refuse(first, *rest):
        writing = step != "open" or (rest and rest[0] & os.O_CREAT)
        if writing:
            raise OSError(code, os.strerror(code))
        return real(first, *rest)

    monkeypatch.setattr(files.os, step, refuse)
    with pytest.raises(kind) as caught:
        _append(store)
    monkeypatch.undo()
    assert type(caught.value) is kind
    assert os.strerror(code).lower() in caught.value.message.lower()
    _unharmed(store)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into any folder")
def test_a_folder_without_the_right_to_write_is_said_in_plain_words(store: Store):
    folder = os.path.join(store.root, ".checkpoints")
    os.chmod(folder, 0o555)
    try:
        with pytest.raises(LeftoffError, match="permission denied"):
            _append(store)
    finally:
        os.chmod(folder, 0o755)
    _unharmed(store)


def test_the_next_write_after_a_full_disk_succeeds(store: Store, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(Busy) as caught:
        _append(store)
    assert caught.value.retryable
    assert "make room" in caught.value.hint
    monkeypatch.undo()
    install(monkeypatch)
    _append(store)
    assert contents(store.root, DOCUMENT) == note() + "- x\n"
