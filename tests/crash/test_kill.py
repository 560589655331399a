"""A writer killed at any moment: the file is old or new, nothing blocks, nothing stays behind."""

from __future__ import annotations

import os
import random
import signal
from typing import TYPE_CHECKING

import pytest

from leftoff.world.store import Store
from world.fake_lens import contents, lay, note

if TYPE_CHECKING:
    from collections.abc import Callable

DOCUMENT = ".checkpoints/a.checkpoint.json"
KILLS = 200


def _count(text: str) -> int:
    return text.count("\n- step ")


def _write_for_ever(store: Store, ready: int) -> None:
    """One more line with each write; the parent is told before the first one."""
    os.write(ready, b"x")
    while True:
        store.change(DOCUMENT, lambda text: f"{text}- step {_count(text)}\n")


def _killed_writer(store: Store, delay: int) -> int:
    """Let a writer run for a while that no clock measures, then kill it; its process id."""
    told, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            _write_for_ever(store, tell)
        finally:
            os._exit(1)
    os.read(told, 1)
    for _ in range(delay):
        pass
    os.kill(pid, signal.SIGKILL)
    status = os.waitpid(pid, 0)[1]
    os.close(told)
    os.close(tell)
    assert os.WTERMSIG(status) == signal.SIGKILL, "the writer must not end by itself"
    return pid


def _next_delay(longest: int, written: int) -> int:
    """A busy loop about as long as a few writes: no machine is like another, nor as it was just now."""
    return longest * 2 if not written else longest if written < 6 else max(longest // 2, 1)


@pytest.mark.req("X.write.atomic", "X.write.lock")
def test_two_hundred_kills_in_the_middle_of_writing_harm_nothing(store: Store):
    chance, longest = random.Random(7), 1000
    folder = os.path.dirname(os.path.join(store.root, DOCUMENT))
    written = 0
    for _ in range(KILLS):
        before = _count(contents(store.root, DOCUMENT))
        _killed_writer(store, chance.randrange(longest))
        text = contents(store.root, DOCUMENT)
        assert text == note() + "".join(f"- step {n}\n" for n in range(_count(text)))
        assert _count(text) >= before
        longest = _next_delay(longest, _count(text) - before)
        written += _count(text) - before
        assert store.read(DOCUMENT).text == text
        store.change(DOCUMENT, lambda old: f"{old}- step {_count(old)}\n")
        assert os.listdir(folder) == [os.path.basename(DOCUMENT)]
        if len(text) > 20_000:
            lay(store.root, {DOCUMENT: note()})
    # Without this the kills would all have come before the writes, and shown nothing.
    assert written


STEPS = ("open", "write", "fchmod", "fsync", "close", "rename", "listdir", "unlink")


def _dies_at(store: Store, step: int) -> bool:
    """Whether a writer that ends itself before its nth system call got that far."""
    pid = os.fork()
    if pid == 0:
        _end_before(step)
        store.change(DOCUMENT, lambda text: f"{text}- step {_count(text)}\n")
        os._exit(0)
    status = os.waitpid(pid, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def _end_before(step: int) -> None:
    left = [step]

    def counted(call: Callable[..., object]) -> Callable[..., object]:
        def instead(*args: object, **kwargs: object) -> object:
            if not left[0]:
                os.kill(os.getpid(), signal.SIGKILL)
            left[0] -= 1
            return call(*args, **kwargs)

        return instead

    for name in STEPS:
        setattr(os, name, counted(getattr(os, name)))


@pytest.mark.req("X.write.atomic", "X.write.lock")
def test_a_kill_before_any_system_call_of_a_write_leaves_the_old_text_or_the_new(store: Store):
    folder = os.path.dirname(os.path.join(store.root, DOCUMENT))
    outcomes, left_behind, step = set(), 0, 0
    lay(store.root, {DOCUMENT: note()})
    while _dies_at(store, step):
        text = contents(store.root, DOCUMENT)
        assert text in {note(), f"{note()}- step 0\n"}
        outcomes.add(text)
        left_behind += len(os.listdir(folder)) - 1
        store.change(DOCUMENT, lambda old: f"{old}- more\n")
        assert os.listdir(folder) == [os.path.basename(DOCUMENT)]
        lay(store.root, {DOCUMENT: note()})
        step += 1
    assert step > len(STEPS)
    assert len(outcomes) == 2, "some kills come before the rename and some after it"
    assert left_behind, "some kills leave a temporary file to sweep"


@pytest.mark.req("X.index.disposable")
def test_a_reader_killed_while_it_keeps_the_cache_spoils_no_later_answer(store: Store):
    chance = random.Random(11)
    lay(store.root, {f".checkpoints/s{n}.checkpoint.json": note(id=f"s{n}") for n in range(30)})
    expected = [stream.glance.id for stream in store.streams()]
    for _ in range(30):
        told, tell = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.write(tell, b"x")
            while True:
                os.utime(os.path.join(store.root, DOCUMENT))
                store.streams()
        os.read(told, 1)
        for _ in range(chance.randrange(100_000)):
            pass
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(told)
        os.close(tell)
        assert [stream.glance.id for stream in store.streams()] == expected
