"""Threads: which one a session is on, and how they begin, change hands and are kept."""

from __future__ import annotations

import json
import os

import pytest

from callers import PERSON
from histories import NOW as AT
from histories import ident, journal, started
from leftoff.commands import Call, _threads
from leftoff.world.bindings import bound
from leftoff.world.place import find_place
from leftoff.world.store import Store
from projects import get, put, put_thread

THREAD = "thread-1a2b3c4d"
OTHER = "thread-0000aaaa"


class Words:
    """The arguments of a command that takes none of ours."""


def call_of(root: str, session: int | None = None) -> Call:
    """A call by a person, or by a session."""
    env = dict(os.environ)
    if session is not None:
        env["LEFTOFF_SESSION"] = f"claude-code/{ident(session)}"
    store = Store(find_place(root, env["HOME"]), env["LEFTOFF_STATE"])
    return Call(Words(), store, AT, env, root, caller=lambda: PERSON)


def live(n: int, root: str, thread: str = "") -> None:
    """A session that runs, bound to a thread or to none."""
    lines = [started(60, root)] + ([(30, "bind", {"thread": thread})] if thread else [])
    os.utime(journal(n, *lines), (AT, AT))


def test_nobody_is_on_a_thread_where_there_is_none(root):
    live(1, root)
    assert _threads.current(call_of(root)) == _threads.current(call_of(root, 1)) == ""


@pytest.mark.req("E.thread.current")
def test_a_session_is_on_its_own_thread_else_on_the_default_that_nobody_holds(root):
    put_thread(root)
    put(root, f".checkpoints/threads/{OTHER}/CHECKPOINT.md", "# Checkpoint: Other\n")
    put(root, ".checkpoints/current", f"{THREAD}\n")
    live(1, root, OTHER)
    live(2, root)
    assert _threads.current(call_of(root)) == THREAD
    assert _threads.current(call_of(root, 1)) == OTHER
    assert _threads.current(call_of(root, 2)) == THREAD
    live(3, root, THREAD)
    assert _threads.current(call_of(root, 2)) == ""
    assert _threads.current(call_of(root)) == THREAD


def test_a_thread_that_is_gone_is_nobodys(root):
    put(root, ".checkpoints/current", f"{THREAD}\n")
    live(1, root, OTHER)
    assert _threads.current(call_of(root)) == _threads.current(call_of(root, 1)) == ""


@pytest.mark.req("E.thread.current", "E.thread.span")
def test_a_new_thread_has_its_files_its_name_the_defaults_and_the_session(root):
    live(1, root)
    made = _threads.begin(call_of(root, 1), "重构认证模块")
    assert made.startswith("thread-")
    assert len(made) == len("thread-") + 8
    said = json.loads(get(root, f".checkpoints/threads/{made}/thread.json"))
    assert (said["threadId"], said["name"], said["sessions"]) == (made, "重构认证模块", [])
    assert (said["config"]["maxSteps"], said["config"]["autoSave"]) == (30, False)
    assert "# Checkpoint: 重构认证模块" in get(root, f".checkpoints/threads/{made}/CHECKPOINT.md")
    assert get(root, ".checkpoints/current") == f"{made}\n"
    assert "current" in get(root, ".checkpoints/.gitignore")
    assert bound(os.environ["LEFTOFF_STATE"], "claude-code", ident(1)) == made


def test_a_thread_that_is_not_to_be_the_default_leaves_the_one_that_is(root):
    put_thread(root)
    put(root, ".checkpoints/current", f"{THREAD}\n")
    made = _threads.begin(call_of(root), "Second", current=False)
    assert get(root, ".checkpoints/current") == f"{THREAD}\n"
    assert _threads.begin(call_of(root), "Third") != made
    assert get(root, ".checkpoints/current") != f"{THREAD}\n"


def test_without_a_default_the_first_thread_is_one_asked_or_not(root):
    made = _threads.begin(call_of(root), "First", current=False)
    assert get(root, ".checkpoints/current") == f"{made}\n"
