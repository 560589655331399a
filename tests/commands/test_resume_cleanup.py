"""resume of what a session left: where the record goes, and when."""

from __future__ import annotations

import os

import pytest

from leftoff.world.place import find_place
from leftoff.world.store import Store
from pending import AT, ME, MEMORY, SESSION, left, left_here, resumed, save, slugs, trashed
from projects import NOW, get, put, put_thread
from support import run


@pytest.mark.req("C.clean.trash")
def test_a_name_that_is_taken_in_the_trash_gets_a_suffix(root):
    for _ in range(2):
        left(root, "s-1", save(root))
        run("restore", "--continue", "--now", NOW, cwd=root)
    assert trashed(root) == ["pending-restore-s-1-1.txt", "pending-restore-s-1.txt"]


@pytest.mark.req("C.clean.fail-open")
def test_a_trash_that_cannot_be_written_is_a_warning(root):
    record = left(root, "s-1", save(root))
    put(root, f"{MEMORY}/trash", "in the way\n")
    done = run("restore", "--continue", "--now", NOW, cwd=root)
    assert done.returncode == 0
    assert "RESUMING:" in done.stdout
    assert "could not be moved to the trash" in done.stderr
    assert os.path.exists(os.path.join(root, record))


@pytest.mark.req("C.clean.keep-checkpoint")
def test_restoring_never_removes_the_checkpoint(root):
    path = save(root)
    before = get(root, path)
    left(root, "s-1", path)
    run("restore", "--continue", "--now", NOW, cwd=root)
    assert get(root, path) == before


class Full:
    """An output that takes nothing, as a reader that went away."""

    def __init__(self):
        self.env = {}

    def isatty(self):
        return False

    def write(self, _):
        raise BrokenPipeError

    def flush(self):
        raise BrokenPipeError


@pytest.mark.req("C.clean.restore-record")
def test_a_record_is_used_only_once_the_output_was_written(root, monkeypatch):
    from io import StringIO

    from leftoff.entry import cli

    record = left(root, "s-1", save(root))
    monkeypatch.setattr(cli.os, "dup2", lambda *_: None)
    streams = StringIO(), Full(), StringIO()
    for words in (["restore"], ["restore", "--json"]):
        cli.main([*words, "--now", NOW], env=os.environ, cwd=root, streams=streams)
        assert os.path.exists(os.path.join(root, record))


@pytest.mark.parametrize("words", [("--preview",), ("--raw",), ("--show",), ("--list",)])
def test_a_mere_look_uses_nothing_up(root, words):
    record = left(root, "s-1", save(root))
    run("restore", *words, "--now", NOW, cwd=root)
    assert os.path.exists(os.path.join(root, record))


def test_a_record_that_was_written_anew_meanwhile_stays(root, state):
    from leftoff.core.choose import Pending
    from leftoff.world import pending

    record = left_here(state, "s-1", os.path.join(root, put_thread(root)))
    seen = Pending(record, "", "s-1", AT - 61, AT)
    pending.put_away(Store(find_place(root), state), seen, AT)
    assert os.path.exists(record)


def test_naming_the_checkpoint_uses_its_record_too(root):
    left(root, "s-1", save(root))
    left(root, "s-2", save(root, "other"))
    said = resumed(root, "2026-08-07-auth-fix", "--continue")[1]
    assert "mismatch" not in slugs(said)
    assert trashed(root) == ["pending-restore-s-1.txt"]


@pytest.mark.req("C.clean.ledger")
def test_a_restore_adds_its_row_to_the_ledger_of_the_task_once(root):
    ledger = ".workflow_artifacts/auth-fix/cost-ledger.md"
    old = f"# Cost Ledger — auth-fix\n\n{ME} | 2026-08-07 | checkpoint | haiku | task | save | 0\n"
    put(root, ledger, old)
    left(root, "s-1", save(root))
    for _ in range(2):
        run("restore", "--continue", "--now", NOW, cwd=root, env=SESSION)
    row = f"{ME} | 2026-08-08 | checkpoint | haiku | task | restore | 0\n"
    assert get(root, ledger) == old + row


@pytest.mark.req("C.clean.ledger")
def test_no_ledger_begins_where_the_task_has_no_folder_and_none_for_a_person(root):
    left(root, "s-1", save(root))
    run("restore", "--continue", "--now", NOW, cwd=root, env=SESSION)
    assert not os.path.exists(os.path.join(root, ".workflow_artifacts/auth-fix"))
    os.makedirs(os.path.join(root, ".workflow_artifacts/auth-fix"))
    run("restore", "--continue", "--now", NOW, cwd=root)
    assert os.listdir(os.path.join(root, ".workflow_artifacts/auth-fix")) == []
