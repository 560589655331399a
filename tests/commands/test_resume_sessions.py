"""resume where several sessions work in one project: each gets its own thread, or none."""

from __future__ import annotations

import json
import os

import pytest

from histories import NOW as AT
from histories import ident, journal, started
from leftoff.world.bindings import bound
from projects import NOW, put, put_thread
from support import run

MINE, OTHER, FREE = "thread-1a2b3c4d", "thread-0000aaaa", "thread-0000bbbb"


def live(n: int, root: str, thread: str = "") -> None:
    lines = [started(60, root)] + ([(30, "bind", {"thread": thread})] if thread else [])
    os.utime(journal(n, *lines), (AT, AT))


def bare(root: str, thread: str) -> None:
    text = f"# Checkpoint: {thread}\n\n## Next Steps\n\n1. Look\n"
    put(root, f".checkpoints/threads/{thread}/CHECKPOINT.md", text)


def resumed(root: str, n: int | None, *words: str):
    """The answer to a session, or to a person."""
    env = {} if n is None else {"LEFTOFF_SESSION": f"claude-code/{ident(n)}"}
    done = run("resume", *words, "--continue", "--json", "--now", NOW, cwd=root, env=env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def on(n: int) -> str:
    return bound(os.environ["LEFTOFF_STATE"], "claude-code", ident(n))


@pytest.mark.req("E.thread.current", "E.thread.many")
def test_a_session_resumes_its_own_thread_and_not_the_default_of_the_place(root):
    put_thread(root)
    bare(root, OTHER)
    put(root, ".checkpoints/current", f"{OTHER}\n")
    live(1, root, OTHER)
    live(2, root, MINE)
    for _ in range(2):
        assert resumed(root, 2)["data"]["id"] == MINE
    assert (on(1), on(2)) == (OTHER, MINE)
    assert resumed(root, None)["data"]["id"] == OTHER


@pytest.mark.req("E.thread.many")
def test_a_new_session_is_never_given_the_thread_of_a_live_one_unasked(root):
    put_thread(root)
    bare(root, OTHER)
    put(root, ".checkpoints/current", f"{OTHER}\n")
    live(1, root, OTHER)
    live(2, root, MINE)
    live(3, root)
    said = resumed(root, 3)
    assert said["data"] == {"state": "fresh"}
    told = [one for one in said["findings"] if one["slug"] == "taken"]
    assert [one["text"] for one in told] == [
        f"{thread} belongs to the live session claude-code/{ident(n)}"
        for thread, n in ((OTHER, 1), (MINE, 2))
    ]
    assert on(3) == ""
    bare(root, FREE)
    assert resumed(root, 3)["data"]["id"] == FREE


def test_who_takes_up_the_thread_of_a_live_session_by_name_is_warned(root):
    put_thread(root)
    live(1, root, MINE)
    live(2, root)
    warned = [one for one in resumed(root, 2, MINE)["findings"] if one["slug"] == "live-session"]
    assert [one["text"] for one in warned] == [
        f"the live session claude-code/{ident(1)} works on {MINE}, too"
    ]
    assert on(2) == MINE
    assert not [one for one in resumed(root, None, MINE)["findings"] if one["level"] == "warning"]
