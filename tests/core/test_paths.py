"""Which file an entry of a document means."""

from __future__ import annotations

import pytest

from leftoff.core.paths import file_in, is_checkpoint_path, path_in


@pytest.mark.req("A.doctor.missing-files")
@pytest.mark.parametrize(
    ("entry", "path"),
    [
        ("src/a.py", "src/a.py"),
        ("./src/a.py", "src/a.py"),
        (" \tsrc/a.py\n", "src/a.py"),
        ("src/a.py and more words", "src/a.py"),
        ("...", ""),
        ("`src/a.py` (new)", "src/a.py"),
        ("src/a.py:12", "src/a.py"),
        ("src/a.py:12-40 - the parser", "src/a.py"),
        ("**docs/x.md**: the plan", "docs/x.md"),
        ("docs/", ""),
        ("app/models/", "app/models"),
        ("any/folder/deep/file", "any/folder/deep/file"),
        ("README.md", "README.md"),
        ("Makefile", "Makefile"),
        (".env", ".env"),
        ("src/*.py", ""),
        ("src/{a,b}.py", ""),
        ("https://example.invalid/a.py", ""),
        ("/etc/passwd", ""),
        ("~/notes.md", ""),
        ("../other/a.py", ""),
        ("1.8.2", ""),
        ("v1.8", ""),
        ("the login page", ""),
        ("login", ""),
        ("", ""),
        ("a\nb/c", ""),
    ],
)
def test_an_entry_means_a_file_of_the_project_or_nothing(entry, path):
    assert path_in(entry) == path


def test_checkpoints_are_told_from_code():
    ours = (".checkpoints/a.checkpoint.json", "sub/checkpoints/active/x.md", "checkpoints/INDEX.md")
    ours += ("checkpoints/",)  # as git names it while all of it is new
    assert all(map(is_checkpoint_path, ours))
    assert not any(map(is_checkpoint_path, ("src/checkpoints.py", "checkpoints/notes.md")))


def test_a_file_whose_name_has_blanks_is_found_behind_the_note_that_was_cut_off():
    here = {"docs/a b.md", "my notes.md"}.__contains__
    assert file_in("docs/a b.md (new)", here) == "docs/a b.md"
    assert file_in("my notes.md: the ones of May", here) == "my notes.md"
    assert file_in("a b (c)", here) == ""
    assert file_in("see https://x (y)", here) == ""


def test_of_a_sentence_that_begins_with_a_path_the_path_is_the_file():
    here = {"bin/run"}.__contains__
    assert file_in("src/app.py is where it begins", here) == "src/app.py"
    assert file_in("bin/run starts it", here) == "bin/run"
    assert file_in("bin/gone starts it", here) == ""
