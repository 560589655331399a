"""Saving and resuming as careless and hostile people do it: nothing is lost, nothing false said."""

from __future__ import annotations

import json
import os

import pytest

from projects import NOW, get, put
from support import repo, run

SESSION = "claude-code/aaaaaaaa-1111"
OTHER = "codex/bbbbbbbb-2222"


@pytest.fixture
def root(tmp_path):
    return repo(tmp_path)


def said(root, *words, session=SESSION, code=0, stdin=""):
    """What a command prints, for people."""
    by = ("--session", session) if session else ()
    done = run(*words, *by, "--now", NOW, cwd=root, stdin=stdin)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def data(root, *words, **how):
    return json.loads(said(root, *words, "--json", **how))["data"]


def document(root):
    folder = os.path.join(root, ".checkpoints", "threads")
    (thread,) = os.listdir(folder)
    return get(root, f".checkpoints/threads/{thread}/CHECKPOINT.md")


def test_a_step_given_as_the_document_writes_it_has_that_priority(root):
    steps = ("--next", "[P2] Write the docs", "--next", "[P1] Write the middleware")
    said(root, "save", *steps, "--next", "[Paris] Book", "--next", "[P3] ", "--no-draft")
    text = document(root)
    assert "1. [P2] Write the docs\n2. [P1] Write the middleware\n3. [P2] [Paris] Book\n" in text
    assert "4. [P2] \\[P3]\n" in text
    assert "Next: 2. Write the middleware (priority: P1)" in said(root, "resume")


def test_numbers_in_json_are_kept_and_what_no_line_can_hold_is_refused(root):
    entry = {"text": "Write the docs", "issue": 17, "id": 3, "owner": None}
    given = json.dumps({"next_actions": [entry, "[P1] Now"]})
    said(root, "save", "-", "--no-draft", stdin=given)
    assert "[id: 3] [+issue: 17]" in document(root)
    assert "[P1] Now" in document(root)
    for value in ([1], {"a": 1}):
        wrong = json.dumps({"next_actions": [{"text": "x", "issue": value}]})
        assert '"issue" of an entry' in said(root, "save", "-", stdin=wrong, code=2)


def test_two_names_of_one_field_are_refused_so_that_neither_is_lost(root):
    for one, other in (("note", "summary"), ("next", "next_actions"), ("files", "artifacts")):
        given = json.dumps({one: "a", other: "b"})
        assert "are the same field" in said(root, "save", "-", stdin=given, code=2)


def test_a_run_is_on_only_where_the_thread_goes_on_by_itself(root):
    said(root, "save", "--next", "one", "--next", "two", "--no-draft")
    said(root, "resume", session=OTHER)
    assert "A run is on" not in said(root, "thread", "status", session=OTHER)
    said(root, "thread", "continue", "on", session=OTHER)
    assert "A run is on" in said(root, "thread", "status", session=OTHER)


def test_a_session_that_is_not_archived_is_shown_without_a_time(root):
    said(root, "save", "First", "--next", "one", "--no-draft")
    told = said(root, "resume", session=OTHER)
    assert "- [001] First\n" in told
    assert "(at: no)" not in told


def test_a_text_of_many_lines_takes_one_line_of_what_people_read(root):
    said(root, "save", "One\n\nTwo", "--next", "long\nstep", "--no-draft")
    told = said(root, "save", "One\n\nTwo", "--next", "other", "--no-draft")
    assert "no longer a next step: long step\n" in told
    assert "    One Two\n" in said(root, "thread", "status")


def test_a_save_into_a_document_with_a_conflict_of_git_names_it_and_changes_nothing(root):
    said(root, "save", "--next", "one", "--no-draft")
    (thread,) = os.listdir(os.path.join(root, ".checkpoints", "threads"))
    path = f".checkpoints/threads/{thread}/CHECKPOINT.md"
    text = document(root) + "<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> theirs\n"
    put(root, path, text)
    assert path in said(root, "save", "--next", "two", "--no-draft", code=7)
    assert document(root) == text
    assert "one cannot be read: leftoff validate says why" in said(root, "done", session="", code=3)


def test_what_a_session_last_saw_may_be_spoilt_and_its_save_still_works(root):
    said(root, "save", "--next", "one", "--no-draft")
    (thread,) = os.listdir(os.path.join(root, ".checkpoints", "threads"))
    path = os.path.join(root, f".checkpoints/threads/{thread}/CHECKPOINT.md")
    agent, _, name = SESSION.partition("/")
    put(os.environ["LEFTOFF_STATE"], f"sessions/{agent}/{name}.base", f"{path}\n\0\0")
    said(root, "save", "--next", "two", "--no-draft")
    assert "] one\n" in document(root)
    assert "] two\n" in document(root)
