"""Which thread a session is on."""

from __future__ import annotations

import json
import os

import pytest

from events import CLAUDE, OTHER, SESSION, THREAD, bind, thread
from leftoff.world import saves
from leftoff.world.liveness import started
from leftoff.world.place import find_place
from leftoff.world.store import Store
from projects import put, put_thread
from support import run

COPILOT = CLAUDE._replace(name="copilot", words=("copilot",))


@pytest.mark.parametrize(
    ("agent", "ended", "begins"),
    [("claude-code", "clear", "clear"), ("copilot", "user_exit", "startup")],
)
def test_after_a_clear_the_same_client_goes_on_with_the_same_thread(
    client, root, agent, ended, begins
):
    client.agent, client.process = agent, {"copilot": COPILOT}.get(agent, CLAUDE)
    put_thread(root)
    client.tell("start", OTHER)
    bind(client, OTHER)
    client.tell("end", OTHER, source=ended)
    text = client.tell("start", source=begins).text
    assert client.lines("start")[0]["from"] == OTHER
    assert [line["thread"] for line in client.lines("bind")] == [THREAD]
    assert f"\n<leftoff id={THREAD}>\nRESUMING" in text


def test_another_client_s_clear_is_nobody_s_business(client, root):
    put_thread(root)
    client.tell("start", OTHER)
    bind(client, OTHER)
    client.tell("end", OTHER, source="clear")
    client.process = CLAUDE._replace(pid=4343)
    client.tell("start", source="clear")
    assert "from" not in client.lines("start")[0]
    assert not client.lines("bind")


def test_a_fork_goes_on_with_the_thread_of_the_session_it_was_forked_from(client, root):
    put_thread(root)
    client.tell("start", OTHER)
    bind(client, OTHER)
    client.process = CLAUDE._replace(words=("claude", "--resume", OTHER, "--fork-session"))
    client.tell("start", source="fork")
    assert client.lines("start")[0]["from"] == OTHER
    assert client.now()["thread"] == THREAD


def test_an_unbound_session_takes_the_current_thread_unless_a_live_one_has_it(client, root):
    thread(root)
    client.process = CLAUDE._replace(pid=os.getpid(), started=started(os.getpid()))
    client.tell("start", OTHER)
    assert client.now(OTHER)["thread"] == THREAD
    bind(client, OTHER)
    text = client.tell("start").text
    assert client.now()["thread"] == ""
    assert f"The current thread {THREAD} belongs to the live session claude-code/{OTHER}" in text
    assert "Use RS256" not in text


THIRD = "5f0c2d1e-0000-4000-8000-000000000003"


def test_the_threads_of_all_live_sessions_are_left_to_them(client, root):
    thread(root)
    put(root, ".checkpoints/threads/thread-0000aaaa/CHECKPOINT.md", "# Checkpoint: Second\n")
    client.process = CLAUDE._replace(pid=os.getpid(), started=started(os.getpid()))
    for session, name in ((OTHER, THREAD), (THIRD, "thread-0000aaaa")):
        client.tell("start", session)
        bind(client, session, name)
    store = Store(find_place(root), client.state)
    saves.leave(store, OTHER, store.resolve(f".checkpoints/threads/{THREAD}/CHECKPOINT.md"))
    text = client.tell("start").text
    assert "RESUMING" not in text
    assert f"by the live session {OTHER}, which is still at work on it" in text


SESSION_OF = {"LEFTOFF_SESSION": f"claude-code/{SESSION}"}


def test_a_thread_that_is_resumed_inside_a_session_is_its_thread(client, root):
    put_thread(root)
    client.tell("start")
    assert client.now()["thread"] == ""
    assert run("resume", THREAD, "--preview", cwd=root, env=SESSION_OF).returncode == 0
    assert not client.lines("bind")
    for _ in range(2):
        done = run("resume", THREAD, "--json", cwd=root, env=SESSION_OF)
        assert json.loads(done.stdout)["data"]["session"] == f"claude-code/{SESSION}"
    assert [line["thread"] for line in client.lines("bind")] == [THREAD]
    assert not client.now()
    client.prompt(20, why="missing")
    assert client.now()["thread"] == THREAD


def test_a_person_who_resumes_a_thread_binds_nobody(client, root):
    put_thread(root)
    client.tell("start")
    assert run("resume", THREAD, cwd=root).returncode == 0
    assert not client.lines("bind")
    assert not client.lines("bind", OTHER)


def test_a_session_that_names_itself_is_bound_without_hooks(client, root):
    put_thread(root)
    named = {"LEFTOFF_SESSION": f"claude-code/{OTHER}"}
    assert run("resume", THREAD, cwd=root, env=named).returncode == 0
    (line,) = client.lines("bind", OTHER)
    assert (line["thread"], line["root"]) == (THREAD, root)


@pytest.mark.parametrize("ended", [True, False])
def test_a_session_that_ended_or_whose_client_died_holds_no_thread(client, root, ended):
    thread(root)
    here = os.getpid()
    client.process = CLAUDE._replace(pid=here, started=started(here) if ended else "another's")
    client.tell("start", OTHER)
    bind(client, OTHER)
    if ended:
        client.tell("end", OTHER, source="logout")
    client.tell("start")
    assert client.now()["thread"] == THREAD
