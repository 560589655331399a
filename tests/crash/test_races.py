"""Many writers at once, some of them without manners: nothing that was written is lost."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from leftoff.world.store import Store
from leftoff.world.trash import move_to_trash
from world.fake_lens import contents, lay, note

DOCUMENT = ".checkpoints/a.checkpoint.json"
WRITERS, APPENDS = 16, 50


def _together(works: list[Callable[[], object]]) -> list[int]:
    """Run each in a process of its own, all let go at once; their exit codes."""
    gate, opener = os.pipe()
    pids = []
    for work in works:
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                os.close(opener)
                os.read(gate, 1)  # returns when the last writing end is closed
                work()
                code = 0
            finally:
                os._exit(code)
        pids.append(pid)
    os.close(gate)
    os.close(opener)
    return [os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids]


@pytest.mark.req("X.write.lock", "X.write.stale-read")
def test_sixteen_processes_that_append_fifty_lines_each_lose_none(store: Store):
    def writer(number: int) -> Callable[[], object]:
        def append() -> None:
            for n in range(APPENDS):
                store.change(DOCUMENT, lambda text, n=n: f"{text}- w{number} n{n}\n")

        return append

    assert _together([writer(number) for number in range(WRITERS)]) == [0] * WRITERS
    lines = contents(store.root, DOCUMENT).removeprefix(note()).splitlines()
    assert len(lines) == WRITERS * APPENDS
    for number in range(WRITERS):
        mine = [line for line in lines if line.startswith(f"- w{number} ")]
        assert mine == [f"- w{number} n{n}" for n in range(APPENDS)]
    assert os.listdir(os.path.join(store.root, ".checkpoints")) == [os.path.basename(DOCUMENT)]


def test_of_many_creators_of_one_document_exactly_one_succeeds(store: Store):
    path = ".checkpoints/new.checkpoint.json"
    works = [lambda n=n: store.create(path, note(id=f"by-{n}")) for n in range(WRITERS)]
    codes = _together(works)
    assert sorted(codes) == [0] + [1] * (WRITERS - 1)
    assert contents(store.root, path) == note(id=f"by-{codes.index(0)}")


def test_moves_at_the_same_second_under_one_name_keep_every_file(store: Store):
    paths = [f".checkpoints/m{n}.checkpoint.json" for n in range(WRITERS)]
    lay(store.root, {path: note(id=path) for path in paths})
    works = [lambda p=p: store.move(p, "old", "x.checkpoint.json") for p in paths]
    assert _together(works) == [0] * WRITERS
    kept = {contents(store.root, f"old/{name}") for name in store.files_in("old")}
    assert kept == {note(id=path) for path in paths}


def test_removals_at_the_same_second_under_one_name_keep_every_file(store: Store):
    paths = [os.path.join(store.root, f"f{n}", "x.md") for n in range(WRITERS)]
    lay("/", {path: path for path in paths})
    works = [lambda p=p: move_to_trash(store.root, p, store.state, 0.0) for p in paths]
    assert _together(works) == [0] * WRITERS
    [folder] = [folder for folder, _, names in os.walk(store.state) if names]
    kept = {contents(folder, name) for name in os.listdir(folder) if name.endswith(".md")}
    assert kept == set(paths)


@pytest.mark.req("X.write.stale-read")
def test_an_editor_in_another_process_without_a_lock_loses_nothing(store: Store):
    """It is let in exactly between our read and our write, in the first round."""
    (told, tell), (heard, hear) = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        os.read(told, 1)
        lay(store.root, {DOCUMENT: note() + "- from the editor\n"})
        os.write(hear, b"x")
        os._exit(0)
    rounds = []

    def edit(text: str) -> str:
        rounds.append(text)
        if len(rounds) == 1:
            os.write(tell, b"x")
            os.read(heard, 1)
        return text + "- from us\n"

    store.change(DOCUMENT, edit)
    os.waitpid(pid, 0)
    for fd in (told, tell, heard, hear):
        os.close(fd)
    assert contents(store.root, DOCUMENT) == note() + "- from the editor\n- from us\n"
    assert len(rounds) == 2
