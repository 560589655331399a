"""Documents are looked for where their formats say, and no link leads out of the project."""

from __future__ import annotations

import os

import pytest

from leftoff import formats
from leftoff.world import scan
from leftoff.world.scan import alias, lens_table, look, matches
from world.fake_lens import LENSES, contents, install, lay, note

A = ".checkpoints/a.checkpoint.json"
TABLE = tuple((name, lens.PATTERNS) for name, lens in sorted(LENSES.items()))


def _paths(root: str) -> list[str]:
    return [path for path, _, _ in look(root, TABLE).files]


def _refused(root: str) -> dict[str, str]:
    return {one.path: one.reason for one in look(root, TABLE).refused}


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("a/*.json", "a/x.json", True),
        ("a/*.json", "a/b/x.json", False),
        ("a/*.json", "a/.x.json", False),
        ("a/.*.json", "a/.x.json", True),
        ("a/*.json", "a/x.jsonl", False),
        ("a/*/x", "a/b/x", True),
        ("*", "anything", True),
        ("ab*ba", "aba", False),
        ("ab*ba", "abba", True),
        ("a*b*c*d", "a1b2c3d", True),
        ("a*b*c*d", "a1c2b3d", False),
        ("a*cd", "abcd", True),
        ("a*b*bc", "abc", False),
        ("x", "y", False),
    ],
)
def test_a_star_stays_within_one_segment(pattern, path, fits):
    assert matches(path, pattern) is fits


def test_candidates_are_the_files_in_the_places_of_the_formats(root, monkeypatch):
    install(monkeypatch)
    lay(
        root,
        {
            ".checkpoints/b.checkpoint.json": "",
            ".checkpoints/a.checkpoint.json": "",
            ".checkpoints/README.md": "",
            ".checkpoints/.leftoff-1-0badcafe.tmp": "",
            ".checkpoints/history/a.checkpoint.json": "",
            ".checkpoints/threads/t/thread.json": "",
            ".checkpoints/threads/t/CHECKPOINT.md": "",
            ".checkpoints/threads/t/history/CHECKPOINT.md": "",
            ".checkpoints/threads/stray": "",
            "checkpoints/active/x.md": "",
            "src/checkpoints/active/y.md": "",
        },
    )
    found = look(root, lens_table()).files
    assert [(path, name) for path, name, _ in found] == [
        (".checkpoints/a.checkpoint.json", "skill"),
        (".checkpoints/b.checkpoint.json", "skill"),
        (".checkpoints/threads/t/CHECKPOINT.md", "thread"),
        (".checkpoints/threads/t/thread.json", "thread.json"),
        ("checkpoints/active/x.md", "md"),
    ]
    for path, _, seen in found:
        assert seen[1] == os.stat(os.path.join(root, path)).st_ino


def test_a_folder_or_a_pipe_with_the_name_of_a_document_is_none(root):
    os.makedirs(os.path.join(root, ".checkpoints/a.checkpoint.json"))
    os.mkfifo(os.path.join(root, ".checkpoints/b.checkpoint.json"))
    assert _paths(root) == []


def test_a_file_where_a_folder_should_be_is_no_trouble(root):
    lay(root, {".checkpoints": "", "checkpoints": ""})
    assert (_paths(root), _refused(root)) == ([], {})


@pytest.mark.req("X.path.inside")
def test_links_that_lead_out_are_not_followed_but_named(root, tmp_path):
    out = os.fspath(tmp_path / "out")
    lay(out, {"x.checkpoint.json": note(), "active/x.md": note("md"), "t/thread.json": ""})
    lay(root, {".checkpoints/a.checkpoint.json": note()})
    os.symlink(f"{out}/x.checkpoint.json", os.path.join(root, ".checkpoints/b.checkpoint.json"))
    os.makedirs(os.path.join(root, ".checkpoints/threads"))
    os.symlink(f"{out}/t", os.path.join(root, ".checkpoints/threads/t"))
    os.symlink(out, os.path.join(root, "checkpoints"))
    assert _paths(root) == [".checkpoints/a.checkpoint.json"]
    assert _refused(root) == dict.fromkeys(
        (".checkpoints/b.checkpoint.json", ".checkpoints/threads/t", "checkpoints"),
        "is a link that leads outside the project",
    )


def test_a_link_to_a_folder_of_other_things_is_not_our_matter(root, tmp_path):
    lay(os.fspath(tmp_path / "models"), {"epoch-1/weights.bin": ""})
    os.symlink(tmp_path / "models", os.path.join(root, "checkpoints"))
    os.makedirs(os.path.join(root, ".checkpoints"))
    os.symlink("/nowhere", os.path.join(root, ".checkpoints/threads"))
    os.symlink("/dev/null", os.path.join(root, ".workflow_artifacts"))
    assert (_paths(root), _refused(root)) == ([], {})


def test_a_link_to_nothing_in_a_documents_place_is_named(root):
    os.makedirs(os.path.join(root, ".checkpoints"))
    os.symlink("gone", os.path.join(root, ".checkpoints/a.checkpoint.json"))
    assert _refused(root) == {".checkpoints/a.checkpoint.json": "is a link to nothing"}


def test_a_document_with_a_second_path_through_a_link_is_listed_once(root):
    lay(root, {".checkpoints/b.checkpoint.json": "", "kept/t/thread.json": ""})
    os.symlink("b.checkpoint.json", os.path.join(root, ".checkpoints/a.checkpoint.json"))
    os.symlink("../kept", os.path.join(root, ".checkpoints/threads"))
    assert _paths(root) == [".checkpoints/b.checkpoint.json", ".checkpoints/threads/t/thread.json"]


def test_a_name_that_is_no_text_is_shown_in_a_form_that_can_be_printed(root):
    os.makedirs(os.path.join(root, ".checkpoints"))
    lay(root, {".checkpoints/文.checkpoint.json": ""})
    with open(os.fsencode(root) + b"/.checkpoints/\xff.checkpoint.json", "wb"):
        pass
    assert _paths(root) == [".checkpoints/文.checkpoint.json"]
    [(path, reason)] = _refused(root).items()
    assert (path, reason) == (".checkpoints/\\udcff.checkpoint.json", "its name is not UTF-8 text")


def test_a_folder_that_cannot_be_listed_is_named(root, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", path)

    os.makedirs(os.path.join(root, "checkpoints/active"))
    monkeypatch.setattr(scan.os, "listdir", refuse)
    assert _refused(root)["checkpoints/active"] == "cannot be read: Permission denied"


def test_a_file_that_vanishes_between_listing_and_looking_is_passed_over(root, monkeypatch):
    lay(root, {A: ""})
    monkeypatch.setattr(scan.os, "listdir", lambda _: ["gone.checkpoint.json", os.path.basename(A)])
    assert _paths(root) == [A]


def test_a_folder_that_vanishes_between_listing_and_looking_is_passed_over(root, monkeypatch):
    def gone(*_):
        raise FileNotFoundError

    lay(root, {A: ""})
    monkeypatch.setattr(scan.os, "open", gone)
    assert _paths(root) == []


def test_a_linked_folder_outside_that_cannot_be_listed_is_passed_over(monkeypatch):
    def refuse(_):
        raise PermissionError

    monkeypatch.setattr(scan.os, "listdir", refuse)
    assert not scan._holds_any("/x", scan._tree(TABLE))


@pytest.mark.req("X.path.inside")
@pytest.mark.parametrize("form", ["link", "line", "line without an end", "crlf"])
def test_the_checkpoint_at_the_root_stands_for_the_one_it_names(root, form):
    target = ".checkpoints/threads/t/CHECKPOINT.md"
    lay(root, {target: note("thread")})
    if form == "link":
        os.symlink(target, os.path.join(root, "CHECKPOINT.md"))
    else:
        end = {"line": "\n", "crlf": "\r\n"}.get(form, "")
        lay(root, {"CHECKPOINT.md": target + end})
    assert alias(root) == target
    assert _paths(root) == [target]


def test_an_alias_may_name_a_checkpoint_that_no_pattern_finds(root):
    lay(root, {"docs/CHECKPOINT.md": note("thread"), "CHECKPOINT.md": "docs/CHECKPOINT.md\n"})
    assert _paths(root) == ["docs/CHECKPOINT.md"]


@pytest.mark.parametrize(
    "text", ["", "# Checkpoint: x\n\ntext\n", "../out/x.md", "nowhere.md", "a\0b", b"\xff", "src"]
)
def test_a_checkpoint_at_the_root_that_names_nothing_is_itself_a_candidate(root, tmp_path, text):
    lay(os.fspath(tmp_path), {"out/x.md": "secret"})
    lay(root, {"CHECKPOINT.md": text, "src/x": ""})
    assert alias(root) == ""
    assert _paths(root) == ["CHECKPOINT.md"]


def test_a_line_that_names_the_alias_itself_leads_nowhere(root):
    lay(root, {"CHECKPOINT.md": "CHECKPOINT.md\n"})
    assert alias(root) == ""


def test_a_long_file_at_the_root_is_no_alias_and_is_not_read_for_one(root, monkeypatch):
    lay(root, {"CHECKPOINT.md": "x" * 5000})
    monkeypatch.setattr(scan, "read_bytes", lambda _: pytest.fail("it was read"))
    assert alias(root) == ""


@pytest.mark.req("X.path.inside")
def test_an_alias_that_leads_out_is_refused(root, tmp_path):
    lay(os.fspath(tmp_path), {"out/CHECKPOINT.md": note("thread")})
    os.symlink(tmp_path / "out/CHECKPOINT.md", os.path.join(root, "CHECKPOINT.md"))
    assert alias(root) == ""
    assert _paths(root) == []
    assert list(_refused(root)) == ["CHECKPOINT.md"]


def test_a_pattern_for_the_root_alias_does_not_list_it_twice(root):
    table = (("thread", ("CHECKPOINT.md", ".checkpoints/threads/*/CHECKPOINT.md")),)
    lay(root, {".checkpoints/threads/t/CHECKPOINT.md": "x"})
    os.symlink(".checkpoints/threads/t/CHECKPOINT.md", os.path.join(root, "CHECKPOINT.md"))
    assert len(look(root, table).files) == 1


def test_the_table_names_every_format(monkeypatch):
    install(monkeypatch)
    assert [name for name, _ in lens_table()] == ["md", "skill", "thread", "thread.json"]


def test_the_stamp_changes_when_a_format_or_the_glance_does(monkeypatch, tmp_path):
    assert os.path.samefile(os.path.join(scan._PACKAGE, "formats"), formats.__path__[0])
    sources = {"formats/a.py": "1", "core/stream.py": "1"}
    lay(os.fspath(tmp_path), {**sources, "formats/notes.txt": "1"})
    monkeypatch.setattr(scan, "_PACKAGE", os.fspath(tmp_path))
    stamps = [scan.formats_stamp()]
    assert sorted(sources) == [name for name, _, _ in stamps[0]]
    for path in sources:
        lay(os.fspath(tmp_path), {path: "12"})
        stamps.append(scan.formats_stamp())
    assert len(set(stamps)) == 3
    monkeypatch.setattr(scan, "_PACKAGE", os.fspath(tmp_path / "gone"))
    assert scan.formats_stamp() == ()


def test_looking_changes_nothing(root):
    lay(root, {".checkpoints/a.checkpoint.json": "x"})
    look(root, TABLE)
    assert contents(root, ".checkpoints/a.checkpoint.json") == "x"
