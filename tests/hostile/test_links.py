"""Links as attacks: a file or folder of the project that leads elsewhere is never written through."""

from __future__ import annotations

import os
import shutil

import pytest

from hostile.every import project
from hostile.test_paths import everything
from leftoff.errors import LeftoffError
from leftoff.world.place import find_place
from leftoff.world.store import Store
from projects import NOW, put
from support import run

DOCUMENT = "checkpoints/active/chk-auth.md"
FOLDERS = (
    *(".checkpoints", ".checkpoints/threads", ".checkpoints/threads/thread-1a2b3c4d"),
    *("checkpoints", "checkpoints/active", "checkpoints/archive", ".workflow_artifacts"),
    *(".workflow_artifacts/memory", "status", ".github", ".github/workflows"),
)
FILES = (
    *(DOCUMENT, ".checkpoints/oc-demo.checkpoint.json", "CHECKPOINT.md", ".gitattributes"),
    *(".checkpoints/threads/thread-1a2b3c4d/thread.json", ".checkpoints/sessions", "package.json"),
    *(".checkpoints/threads/thread-1a2b3c4d/CHECKPOINT.md", "checkpoints/INDEX.md"),
    *("checkpoints/LEARNINGS.md", "status/sessions_summary.json"),
    ".workflow_artifacts/memory/checkpoints/2026-08-06-auth-fix.md",
)
WRITES = (
    ("save", "x", "--next", "go on"),
    ("save", "x", "--as", "md", "--name", "chk-saved"),
    ("save", "x", "--as", "skill", "--name", "oc-new"),
    ("save", "x", "--as", "task", "--task", "other"),
    ("update", "oc-demo", "--phase=other"),
    ("update", "chk-auth", "--summary=other"),
    ("delta", "chk-auth", "--what", "x"),
    ("done", "chk-auth", "1"),
    ("done", "oc-demo", "1"),
    ("init", "chk-new"),
    ("init", "thread-new", "--as", "thread"),
    ("init", "--ci", "--aliases", "--merge-driver"),
    ("current", "chk-auth"),
    ("fork", "chk-auth", "chk-fork"),
    ("archive", "chk-fork", "--outcome", "x"),
    ("convert", "chk-auth", "--to", "skill"),
    ("index",),
    ("thread", "enable", "--new"),
    ("thread", "auto-on"),
    ("thread", "switch", "thread-1a2b3c4d", "--no-save"),
    ("session", "export", "--write"),
    ("session", "reconcile"),
    ("session", "keep", "00000001"),
    ("reset", "oc-demo"),
    ("doctor", "--fix"),
    ("recover", "00000001", "--as", "md"),
)


def test_each_of_these_commands_does_its_work_where_nothing_leads_out(tmp_path):
    root = project(tmp_path)
    put(root, "status/sessions_summary.json", '{"sessions": [], "recentHistory": []}\n')
    for words in WRITES:
        done = run(*words, "--now", NOW, cwd=root)
        assert done.returncode in {0, 1}, (words, done.stderr)


@pytest.mark.req("X.path.inside")
@pytest.mark.parametrize("linked", [*FOLDERS, *FILES])
def test_nothing_is_written_through_a_link_that_leads_out(tmp_path, linked):
    root, outside = project(tmp_path), os.fspath(tmp_path / "outside")
    os.mkdir(outside)
    away(root, linked, outside)
    before = everything(outside)
    for words in WRITES:
        done = run(*words, "--now", NOW, cwd=root)
        assert done.returncode in range(8), (words, done.stderr)
        assert everything(outside) == before, words


def away(root: str, path: str, outside: str) -> None:
    """Move it out of the project, and leave a link in its place; a file that is not there is made."""
    here, there = os.path.join(root, path), os.path.join(outside, "it")
    os.makedirs(os.path.dirname(here), exist_ok=True)
    if os.path.lexists(here):
        shutil.move(here, there)
    elif path in FOLDERS:
        os.mkdir(there)
    else:
        with open(there, "w", encoding="utf-8") as file:
            file.write("{}\n")
    os.symlink(there, here)


@pytest.mark.req("X.path.inside")
@pytest.mark.parametrize("path", [DOCUMENT, "checkpoints/active", "checkpoints"])
def test_a_link_put_there_between_reading_and_writing_is_not_followed(tmp_path, path):
    root, outside = project(tmp_path), os.fspath(tmp_path / "outside")
    os.mkdir(outside)
    store = Store(find_place(root, ""), os.environ["LEFTOFF_STATE"])
    before = everything(os.path.join(root, "checkpoints", "active"))

    def edit(text: str) -> str:
        if not os.path.islink(os.path.join(root, path)):
            away(root, path, outside)
        return text.replace("covered by a test", "covered by two tests")

    with pytest.raises(LeftoffError, match="became a link"):
        store.change(DOCUMENT, edit)
    held = [one for one in everything(outside).values() if one != "folder"]
    assert held == [*before.values()]


@pytest.mark.req("X.path.inside")
def test_a_folder_swapped_before_a_new_document_gets_its_name_is_not_followed(
    tmp_path, monkeypatch
):
    root, outside = project(tmp_path), os.fspath(tmp_path / "outside")
    os.mkdir(outside)
    store = Store(find_place(root, ""), os.environ["LEFTOFF_STATE"])
    taken = Store._locked

    def swapped(self, target):
        away(root, "checkpoints/active", outside)
        return taken(self, target)

    monkeypatch.setattr(Store, "_locked", swapped)
    with pytest.raises(LeftoffError, match="became a link"):
        store.create_missing("checkpoints/active/chk-new.md", "text\n")
    assert [name for name in os.listdir(f"{outside}/it") if name != "chk-auth.md"] == []
