"""Removal is a move with a way back, and no move overwrites anything."""

from __future__ import annotations

import errno
import json
import os
from stat import S_IMODE

import pytest

from leftoff.core.when import instant
from leftoff.errors import Conflict, FormatError, LeftoffError, NotFound, Usage
from leftoff.world import files, trash
from leftoff.world.trash import move_into, move_to_trash, restore
from world.fake_lens import contents, lay

NOW = instant("2026-11-15T12:00:00Z") or 0.0


@pytest.fixture(params=["one device", "two devices", "no links"])
def device(request, monkeypatch) -> str:
    """How the file system feels about second names for files."""
    code = {"two devices": errno.EXDEV, "no links": errno.EPERM}.get(request.param)
    link = os.link

    def refuse(source, target):
        if code == errno.EXDEV and os.path.dirname(source) == os.path.dirname(target):
            return link(source, target)
        raise OSError(code, os.strerror(code))

    if code:
        monkeypatch.setattr(files.os, "link", refuse)
    return request.param


def test_a_file_goes_to_the_trash_of_the_day_and_comes_back(root, state, device):
    lay(root, {".checkpoints/a.checkpoint.json": "text"})
    path = os.path.join(root, ".checkpoints/a.checkpoint.json")
    os.chmod(path, 0o640)
    gone = move_to_trash(root, path, state, NOW)
    assert gone.startswith(os.path.join(state, "trash", "2026-11-15"))
    assert not os.path.lexists(path)
    with open(gone + ".origin", encoding="utf-8") as file:
        note = json.loads(file.read())
    assert note == {
        "root": root,
        "path": ".checkpoints/a.checkpoint.json",
        "at": "2026-11-15T12:00:00Z",
    }
    assert restore(gone) == path
    assert contents(root, ".checkpoints/a.checkpoint.json") == "text"
    assert S_IMODE(os.stat(path).st_mode) == 0o640
    assert os.listdir(os.path.dirname(gone)) == []


def test_the_same_name_twice_a_day_makes_two_files_in_the_trash(root, state, device):
    gone = []
    for text in ("one", "two", "three"):
        lay(root, {"a.checkpoint.json": text})
        gone.append(move_to_trash(root, os.path.join(root, "a.checkpoint.json"), state, NOW))
    names = [os.path.basename(path) for path in gone]
    assert names == ["a.checkpoint.json", "a-1.checkpoint.json", "a-2.checkpoint.json"]
    assert [contents("/", path) for path in gone] == ["one", "two", "three"]


def test_two_projects_do_not_share_a_corner_of_the_trash(tmp_path, state):
    gone = set()
    for name in ("one", "two"):
        lay(os.fspath(tmp_path / name), {"x.md": name})
        gone.add(move_to_trash(*(os.fspath(tmp_path / name / p) for p in ("", "x.md")), state, NOW))
    assert len({os.path.dirname(path) for path in gone}) == 2


def test_a_file_already_in_the_trash_without_a_note_is_not_overwritten(root, state):
    lay(root, {"x.md": "mine"})
    folder = os.path.dirname(move_to_trash(root, os.path.join(root, "x.md"), state, NOW))
    os.unlink(os.path.join(folder, "x.md.origin"))
    lay(root, {"x.md": "other"})
    gone = move_to_trash(root, os.path.join(root, "x.md"), state, NOW)
    assert os.path.basename(gone) == "x-1.md"
    assert contents(folder, "x.md") == "mine"
    assert sorted(os.listdir(folder)) == ["x-1.md", "x-1.md.origin", "x.md"]


def test_a_move_that_fails_leaves_the_file_and_no_note(root, state, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EACCES, "no")

    lay(root, {"x.md": "mine"})
    monkeypatch.setattr(trash, "rename_new", refuse)
    with pytest.raises(LeftoffError, match="cannot move"):
        move_to_trash(root, os.path.join(root, "x.md"), state, NOW)
    assert contents(root, "x.md") == "mine"
    assert [names for _, _, names in os.walk(state) if names] == []


def test_coming_back_never_overwrites_what_is_there_now(root, state):
    lay(root, {"x.md": "old"})
    gone = move_to_trash(root, os.path.join(root, "x.md"), state, NOW)
    lay(root, {"x.md": "new"})
    with pytest.raises(Conflict, match="exists again"):
        restore(gone)
    assert contents(root, "x.md") == "new"
    assert contents("/", gone) == "old"


def test_coming_back_makes_the_folder_again(root, state):
    lay(root, {"a/b/x.md": "text"})
    gone = move_to_trash(root, os.path.join(root, "a/b/x.md"), state, NOW)
    os.removedirs(os.path.join(root, "a/b"))
    restore(gone)
    assert contents(root, "a/b/x.md") == "text"


def test_what_has_no_note_of_origin_or_a_damaged_one_stays_in_the_trash(tmp_path):
    lay(os.fspath(tmp_path), {"x": "text", "y": "text", "y.origin": "[]", "z.origin": "no json"})
    lay(os.fspath(tmp_path), {"deep.origin": "[" * 200_000})
    with pytest.raises(NotFound, match="no note of origin"):
        restore(os.fspath(tmp_path / "x"))
    for name in ("y", "z", "deep"):
        with pytest.raises(FormatError, match="not a note"):
            restore(os.fspath(tmp_path / name))


def test_a_damaged_note_hides_no_other_file_of_the_trash(root, state):
    lay(root, {"x.md": "one", "y.md": "two"})
    spoilt, good = (
        move_to_trash(root, os.path.join(root, n), state, NOW) for n in ("x.md", "y.md")
    )
    lay("/", {f"{spoilt}.origin": "no json"})
    assert [one.path for one in trash.find(root, state, "y")] == [good]
    with pytest.raises(FormatError, match="not a note"):
        trash.find(root, state, "x")  # for all that anybody knows it is that one


def test_a_note_cannot_lead_out_of_its_project(tmp_path, root):
    note = json.dumps({"root": root, "path": "../victim"})
    lay(os.fspath(tmp_path), {"x": "text", "x.origin": note})
    with pytest.raises(Usage):
        restore(os.fspath(tmp_path / "x"))
    assert not os.path.lexists(tmp_path / "victim")


def test_two_moves_under_one_name_give_two_files(root, device):
    for text in ("one", "two"):
        lay(root, {"a.md": text})
        into = os.path.join(root, "archive")
        move_into(into, os.path.join(root, "a.md"), "a.2026-11-15T12-00-00Z.checkpoint.json")
    assert contents(root, "archive/a.2026-11-15T12-00-00Z.checkpoint.json") == "one"
    assert contents(root, "archive/a.2026-11-15T12-00-00Z-1.checkpoint.json") == "two"
    assert os.listdir(root) == ["archive"]


@pytest.mark.parametrize(
    ("name", "second"),
    [
        ("chk-a.md", "chk-a-1.md"),
        ("a.checkpoint.json", "a-1.checkpoint.json"),
        ("v1.2", "v1.2-1"),
        (".hidden", ".hidden-1"),
        ("plain", "plain-1"),
    ],
)
def test_the_number_goes_before_the_ending(root, name, second):
    lay(root, {"x": "two", f"into/{name}": "one"})
    moved = move_into(os.path.join(root, "into"), os.path.join(root, "x"), name)
    assert os.path.basename(moved) == second


def test_only_files_are_moved(root, state):
    lay(root, {"folder/x": "text"})
    os.symlink("folder/x", os.path.join(root, "link"))
    for name in ("folder", "link"):
        with pytest.raises(Usage, match="not a regular file"):
            move_to_trash(root, os.path.join(root, name), state, NOW)
        with pytest.raises(Usage, match="not a regular file"):
            move_into(os.path.join(root, "into"), os.path.join(root, name), "x")
    with pytest.raises(NotFound):
        move_to_trash(root, os.path.join(root, "missing"), state, NOW)


def test_a_copy_never_takes_the_name_of_what_lies_in_the_trash_without_a_note(root, state, device):
    lay(root, {"LEARNINGS.md": "new"})
    path = os.path.join(root, "LEARNINGS.md")
    first = trash.copy_to_trash(root, path, state, NOW)
    os.unlink(first + ".origin")
    lay(root, {"LEARNINGS.md": "newer"})
    second = trash.copy_to_trash(root, path, state, NOW)
    assert second != first
    assert [contents(os.path.dirname(one), os.path.basename(one)) for one in (first, second)] == [
        "new",
        "newer",
    ]
    assert [one.path for one in trash.find(root, state, "LEARNINGS")] == [second]
