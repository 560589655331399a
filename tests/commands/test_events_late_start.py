"""Gemini CLI drops what it is told at `/clear`, and says nothing of a `/resume`: the next prompt has it."""

from __future__ import annotations

import os

import pytest

from events import OTHER, SESSION, THREAD, AnyClient, settings, thread
from leftoff.core.caller import Process
from leftoff.world import saves
from leftoff.world.place import find_place
from leftoff.world.store import Store
from projects import TASK

GEMINI = Process(5151, "node", ("node", "/usr/bin/gemini"), started="88", tty="34816")
BRIEF = f"<leftoff id={THREAD}>\n"


@pytest.fixture
def client(root):
    thread(root)
    made = AnyClient(root, "gemini-cli")
    made.process = GEMINI
    return made


def prompt(client, session=SESSION):
    """A prompt, handed over where nothing was left for the hooks of the session."""
    return client.tell("prompt", session, why="missing", key=f"p{client.at}", prompt="go on")


def test_what_a_cleared_session_should_know_comes_once_with_its_first_prompt(client):
    client.tell("start", source="startup")
    client.tell("end", source="clear")
    assert client.tell("start", OTHER, source="clear") == ""
    assert not client.now(OTHER), "so that the hook path hands the prompt over"
    assert prompt(client, OTHER).count(BRIEF) == 1
    assert client.now(OTHER)
    assert prompt(client, OTHER) == ""
    (begun,) = client.lines("start", OTHER)
    assert begun["from"] == SESSION


def test_what_was_left_is_marked_as_given_when_the_client_takes_it_and_not_before(client):
    store = Store(find_place(client.root), client.state)
    os.remove(os.path.join(client.root, ".checkpoints/current"))
    record = saves.leave(
        store, "5f0c2d1e-0000-4000-8000-000000000003", saves.save(store, "a", TASK)
    )
    client.tell("start", source="clear")
    client.tell("stop", answer="done", why="missing")
    assert os.path.exists(record)
    assert "RESUMING:" in prompt(client)
    client.tell("stop", answer="done too", why="offered")
    assert not os.path.exists(record)


def test_a_session_that_goes_on_after_its_end_begins_again_with_its_next_prompt(client):
    client.tell("start", source="startup")
    client.tell("end", source="exit")
    assert not client.now()
    client.process = GEMINI._replace(pid=6161, started="99")
    assert prompt(client).count(BRIEF) == 1
    assert prompt(client) == ""
    first, again = client.lines("start")
    assert (again["source"], again["pid"]) == ("resume", 6161)
    assert first["pid"] == 5151


def test_a_client_that_announces_every_start_is_told_nothing_with_a_prompt(client):
    client.agent = "copilot"
    client.tell("start", source="startup")
    client.tell("end", source="complete")
    assert prompt(client) == "", "its prompt may be reported before the start"


def test_without_briefs_a_prompt_after_a_clear_is_like_any_other(client):
    settings('[hooks]\nbrief = "off"\n')
    client.tell("start", source="clear")
    assert prompt(client) == ""
    assert client.now()
