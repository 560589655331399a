"""A session under Hapi starts: where a thread is current it is told of it, else of none."""

from __future__ import annotations

import os

import pytest

from hub import SESSION, stub_hub
from leftoff.commands import _events
from leftoff.core.caller import Process
from leftoff.core.event import Happened, ParsedPayload, key_of
from leftoff.core.when import instant
from leftoff.world import journal
from projects import NOW, get, put, put_thread
from support import snapshot

ID = "5f0c2d1e-0000-4000-8000-000000000001"
THREAD = "thread-1a2b3c4d"
CLAUDE = Process(4242, "claude", ("claude",), started="77", tty="34816")
HAPI = Process(4100, "hapi", ("hapi", "runner", "start-sync"), started="70")


@pytest.fixture
def stub():
    with stub_hub() as running:
        yield running


def start(root: str, stub, above=(CLAUDE, HAPI)) -> str:
    """What the session is told; nobody asked the hub for it."""
    told = ParsedPayload(ID, cwd=root, source="startup")
    env, state = {**os.environ, **stub.env()}, os.environ["LEFTOFF_STATE"]
    at = instant(NOW) or 0.0
    happened = Happened("claude-code", "start", told, state, env, at, key_of("start", told, 0))
    answer = _events.handle(happened, ancestors=lambda: above)
    assert not stub.connections
    return answer.text if answer else ""


def journal_lines() -> tuple[dict, ...]:
    return journal.read(journal.path(os.environ["LEFTOFF_STATE"], "claude-code", ID)).lines


def journaled() -> dict:
    return dict(journal_lines()[0])


@pytest.mark.req("E.env.aware")
def test_where_a_thread_is_current_the_session_is_told_of_it_and_its_first_step(root, stub):
    put_thread(root)
    put(root, ".checkpoints/current", f"{THREAD}\n")
    text = start(root, stub)
    assert THREAD in text
    assert "重构认证模块" in text  # the name stands in thread.json as well
    assert "Next: 1. Write the middleware" in text
    assert journaled()["hapi"] == SESSION


@pytest.mark.req("E.env.aware")
def test_what_thread_json_says_counts_under_hapi(root, stub):
    put_thread(root)
    path = f".checkpoints/threads/{THREAD}/thread.json"
    off = get(root, path).replace('"checkpointEnabled": true', '"checkpointEnabled": false')
    put(root, path, off)
    put(root, ".checkpoints/current", f"{THREAD}\n")
    assert start(root, stub) == ""


@pytest.mark.req("E.env.unbound")
def test_where_none_is_current_no_thread_is_told_of_and_no_file_made(root, stub):
    before = snapshot(root)
    assert "thread" not in start(root, stub)
    assert snapshot(root) == before
    assert journaled()["hapi"] == SESSION


@pytest.mark.req("E.env.unbound")
def test_a_thread_that_is_not_current_is_not_taken_for_it(root, stub):
    put_thread(root)
    before = snapshot(root)
    start(root, stub)
    assert snapshot(root) == before
    assert not [line for line in journal_lines() if line.get("thread")]


def test_a_client_whose_process_nobody_sees_belongs_to_no_session_of_hapi(root, stub):
    start(root, stub, above=())
    assert "hapi" not in journaled()
