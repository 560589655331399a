"""current and index: one current checkpoint, and a table of them that says so."""

from __future__ import annotations

import json

import pytest

from projects import do, get, markdown, put, put_markdown


@pytest.mark.req("B.status.set", "B.status.one-current")
def test_current_turns_every_other_current_into_active(root):
    for name in ("chk-a", "chk-b"):
        put_markdown(root, name, header="status: current\n")
    put_markdown(root, "chk-c")
    warned = do(root, "validate").stdout
    assert "2 checkpoints have status current" in warned
    several = "2 checkpoints have status current, expected at most 1: chk-a, chk-b"
    assert several in do(root, "current").stderr
    assert several in do(root, "next").stderr
    assert f"⚠ {several}" in do(root, "status").stdout
    assert [
        found["slug"] for found in json.loads(do(root, "status", "--json").stdout)["findings"]
    ] == ["several-current"]
    assert do(root, "current", "c").returncode == 0
    assert do(root, "current").stdout.startswith("Current: chk-c\n")
    for name, word in (("chk-a", "active"), ("chk-b", "active"), ("chk-c", "current")):
        assert f"status: {word}\n" in get(root, f"checkpoints/active/{name}.md")
    assert do(root, "current", "--clear").returncode == 0
    assert do(root, "current").stdout == "No checkpoint is current.\n"


@pytest.mark.req("X.read.text")
def test_a_crlf_checkpoint_stays_crlf_when_it_becomes_current(root):
    text = markdown("chk-a").replace("\n", "\r\n")
    put(root, "checkpoints/active/chk-a.md", "\ufeff" + text)
    assert do(root, "current", "chk-a").returncode == 0
    after = get(root, "checkpoints/active/chk-a.md")
    assert after == "\ufeff" + text.replace("status: active", "status: current")


@pytest.mark.req("X.derived.checked")
def test_the_index_is_generated_for_active_and_archive_and_checked(root):
    put_markdown(root, "chk-a", header="anchor: phase | two\n")
    put_markdown(root, "chk-old", "archive")
    assert do(root, "index", "--check").returncode == 1
    assert do(root, "index").returncode == 0
    assert do(root, "index", "--check").returncode == 0
    index = get(root, "checkpoints/active/INDEX.md")
    assert index.startswith("# Active Checkpoints\n")
    assert "| chk-a | phase \\| two | 2026-08-05 |" in index
    assert "# Archived Checkpoints" in get(root, "checkpoints/archive/INDEX.md")
    put(root, "checkpoints/active/INDEX.md", index + "by hand\n")
    assert do(root, "index", "--check").returncode == 1
    assert do(root, "index").returncode == 0
    assert get(root, "checkpoints/active/INDEX.md") == index


def test_an_index_that_is_out_of_date_or_foreign_is_told_once(root):
    put_markdown(root, "chk-a")
    put_markdown(root, "chk-old", "archive")
    put(root, "checkpoints/archive/INDEX.md", "my own notes\n")
    checked = do(root, "index", "--check")
    for path in ("checkpoints/active/INDEX.md", "checkpoints/archive/INDEX.md"):
        assert (checked.stdout + checked.stderr).count(path) == 1


def test_an_archived_one_is_not_made_current_and_the_way_to_go_on_works(root):
    put_markdown(root, "chk-old", folder="archive")
    done = do(root, "current", "chk-old")
    assert (done.returncode, "leftoff fork chk-old NEWNAME" in done.stderr) == (2, True)
    assert do(root, "fork", "chk-old", "chk-new").returncode == 0
