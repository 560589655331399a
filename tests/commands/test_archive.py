"""archive and learnings: how a checkpoint ends, and what is kept of it."""

from __future__ import annotations

import json
import os

import pytest

from projects import NOW, do, get, markdown, put, put_markdown, put_skill, put_thread
from support import run

ACTIVE, ARCHIVED = "checkpoints/active/chk-auth.md", "checkpoints/archive/chk-auth.md"
LEARNINGS = "checkpoints/LEARNINGS.md"
DONE = ("--outcome", "Sessions last a day")


def exists(root, path):
    return os.path.exists(os.path.join(root, path))


@pytest.mark.req("B.archive.move", "B.body.completion")
def test_archiving_moves_the_file_with_its_completion(root):
    put_markdown(root)
    before = get(root, ACTIVE)
    assert do(root, "archive", "chk-auth", *DONE).returncode == 0
    assert not exists(root, ACTIVE)
    assert get(root, ARCHIVED) == before + (
        f"\n## Completion\n\n- **Status**: Archived\n- **Outcome**: Sessions last a day\n- **Date**: {NOW}\n"
    )
    assert run("validate", "--strict", cwd=root).returncode == 0
    assert not exists(root, LEARNINGS)


@pytest.mark.req("B.archive.move")
def test_an_archived_namesake_is_never_overwritten(root):
    put_markdown(root)
    put(root, ARCHIVED, markdown("chk-older"))
    assert do(root, "archive", "md:chk-auth", *DONE).returncode == 0
    assert get(root, ARCHIVED) == markdown("chk-older")
    assert "Sessions last a day" in get(root, "checkpoints/archive/chk-auth-1.md")


def test_an_outcome_is_needed_and_may_stand_in_the_document_already(root):
    put_markdown(root)
    before = get(root, ACTIVE)
    assert do(root, "archive", "chk-auth").returncode == 2
    assert do(root, "archive", "chk-auth", "--outcome", " ").returncode == 2
    assert get(root, ACTIVE) == before
    put(root, ACTIVE, before + "\n## Completion\n\n- **Outcome**: shipped\n")
    assert do(root, "archive", "chk-auth").returncode == 0
    assert "- **Outcome**: shipped\n- **Status**: Archived\n" in get(root, ARCHIVED)


@pytest.mark.req("B.archive.descendants")
def test_active_descendants_at_any_depth_forbid_it_unless_forced(root):
    put_markdown(root)
    put_markdown(root, "chk-child", "archive", header="parent: chk-auth\n")
    put_markdown(root, "chk-grandchild", header="parent: chk-child\n")
    before = get(root, ACTIVE)
    answer = do(root, "archive", "chk-auth", *DONE, "--learned", "x")
    assert answer.returncode == 1
    assert "chk-grandchild (active)" in answer.stderr
    assert "--force" not in answer.stderr
    assert get(root, ACTIVE) == before
    assert not exists(root, LEARNINGS)
    assert do(root, "archive", "chk-auth", *DONE, "--force").returncode == 0


def test_only_markdown_checkpoints_are_archived_and_only_by_their_full_name(root):
    put_skill(root)
    put_thread(root)
    put_markdown(root)
    for name, way in (("oc-demo", "--status=complete"), ("thread-1a2b3c4d", "--complete")):
        answer = do(root, "archive", name, *DONE)
        assert answer.returncode == 2
        assert way in answer.stderr
    answer = do(root, "archive", "chk-au", *DONE)
    assert answer.returncode == 3
    assert "whole name" in answer.stderr
    assert "chk-auth" not in answer.stderr, "who puts something aside says himself what"


@pytest.mark.req("B.learn.append", "B.learn.structure")
def test_learnings_are_appended_below_what_is_there(root):
    put_markdown(root)
    old = "# Learnings\n\nmine, without an end"
    put(root, LEARNINGS, old)
    do(root, "archive", "chk-auth", *DONE, "--learned", "One", "--learned", "Two\nlines")
    block = "\n\n## 2026-08-08 — chk-auth\n- One\n- Two lines\n"
    assert get(root, LEARNINGS) == old + block
    assert do(root, "archive", "chk-auth").returncode == 0
    assert get(root, LEARNINGS) == old + block


@pytest.mark.req("B.learn.field", "B.learn.none")
def test_the_completion_that_stands_there_is_the_source(root):
    put_markdown(root, "chk-a")
    put_markdown(root, "chk-b")
    for name, said in (("chk-a", "\n  - 1\n  - 2\n  - 3"), ("chk-b", " None noted")):
        text = markdown(name) + f"\n## Completion\n\n- **Outcome**: x\n- **Learnings**:{said}\n"
        put(root, f"checkpoints/active/{name}.md", text)
    assert do(root, "archive", "chk-b").returncode == 0
    assert not exists(root, LEARNINGS)
    assert do(root, "archive", "chk-a").returncode == 0
    assert get(root, LEARNINGS) == "# Learnings\n\n## 2026-08-08 — chk-a\n- 1\n- 2\n- 3\n"


@pytest.mark.parametrize(
    "step", ["leftoff.commands.archive.edit_file", "leftoff.world.store.Store.move"]
)
def test_what_a_crash_left_undone_a_repeat_completes(root, monkeypatch, step):
    put_markdown(root)
    words = ("archive", "chk-auth", *DONE, "--learned", "One")
    with monkeypatch.context() as patched:
        patched.setattr(step, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert do(root, *words).returncode == 130
    assert exists(root, ACTIVE)
    assert do(root, *words).returncode == 0
    assert do(root, *words).returncode == 0
    assert get(root, ARCHIVED).count("## Completion") == 1
    assert get(root, LEARNINGS).count("- One\n") == 1
    other = do(root, "archive", "chk-auth", "--outcome", "other")
    assert (other.returncode, "with another outcome" in other.stderr) == (2, True)
    more = do(root, "archive", "chk-auth", "--learned", "Two")
    assert (more.returncode, "without that learning" in more.stderr) == (2, True)


def test_archiving_the_current_one_says_that_none_is_current_and_the_index_is_old(root):
    put_markdown(root, header="status: current\n")
    do(root, "index")
    answer = do(root, "archive", "chk-auth", *DONE)
    assert answer.returncode == 0
    assert "none is current now" in answer.stderr
    assert "INDEX.md" in answer.stderr
    assert do(root, "index", "--check").returncode == 1
    assert do(root, "index").returncode == 0
    assert do(root, "index", "--check").returncode == 0


# learnings


def shown(root, *words):
    found = json.loads(do(root, "learnings", *words, "--json").stdout)["data"]["blocks"]
    return [block["id"] or block["lines"][0] for block in found]


@pytest.mark.req("B.learn.session-start", "B.learn.structure")
def test_learnings_are_shown_newest_first_and_what_people_wrote_too(root):
    assert do(root, "learnings").stdout == "No learnings were recorded yet.\n"
    put(
        root,
        LEARNINGS,
        "# Learnings\n\n## 2026-08-01 — chk-a\n- One\n\n## By hand\nText\n\n## 2026-08-07 — chk-b\n- Two\n",
    )
    assert shown(root) == ["chk-b", "## By hand", "chk-a"]
    assert shown(root, "--limit", "1") == ["chk-b"]
    assert shown(root, "--since", "3d") == ["chk-b", "## By hand"]
    text = do(root, "learnings").stdout
    assert text.index("2026-08-07 — chk-b\n- Two") < text.index("## By hand\nText")
    for words in (("--limit", "0"), ("--since", "2026-08-09")):
        older = len(shown(root)) - len(shown(root, *words))
        assert f"({older} older: {LEARNINGS})" in do(root, "learnings", *words).stdout
    assert do(root, "learnings", "--limit", "x").returncode == 2
    assert do(root, "learnings", "--since", "soon").returncode == 2


# current


def test_current_takes_a_name_or_clear_but_not_both(root):
    put_markdown(root)
    assert do(root, "current", "chk-auth", "--clear").returncode == 2
    assert "status: active" in get(root, ACTIVE)
