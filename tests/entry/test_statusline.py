"""The line for a client's status bar: always one, always quick, nothing in it that steers."""

from __future__ import annotations

import json
import os

import pytest

from hooks import AGENT, SESSION, bare, loaded, unhurried
from leftoff.core.event import Usage
from leftoff.world import now_file
from support import leftoff, shared, snapshot

FULL = {
    "session_id": SESSION,
    "cwd": "/home/me/shop",
    "model": {"id": "claude-opus-5-5", "display_name": "Opus 5.5"},
    "cost": {"total_cost_usd": 1.234},
    "context_window": {
        "context_window_size": 200_000,
        "current_usage": {
            "input_tokens": 1000,
            "cache_read_input_tokens": 80_000,
            "cache_creation_input_tokens": 5000,
            "output_tokens": 77_777,
        },
        "used_percentage": 43,
    },
}


@pytest.fixture
def client(tmp_path):
    return unhurried(os.path.join(tmp_path, "state"))


def line(client, payload: object) -> str:
    fired = client.fire("statusline", payload)
    assert fired.code == 0
    assert fired.out.count(b"\n") == 1
    return fired.out.decode().rstrip("\n")


def test_it_tells_place_context_model_and_cost(client):
    assert line(client, FULL) == "shop | 43% of 200k | Opus 5.5 | $1.23"


def test_in_a_session_that_leftoff_knows_it_tells_the_thread_and_advice_in_time(client):
    ready = {"root": "/home/me/shop", "advice": "time to save"}
    client.leave(**ready, thread="thread-7c2e91b4", advise=43)
    assert line(client, FULL) == (
        "shop/thread-7c2e91b4 | 43% of 200k | Opus 5.5 | $1.23 | time to save"
    )
    for other in ({"advise": 44}, {"advise": 43, "quiet": True}):
        client.leave(**ready, **other)
        assert line(client, FULL) == "shop | 43% of 200k | Opus 5.5 | $1.23"


def test_as_a_part_of_another_line_it_tells_what_only_leftoff_knows(tmp_path):
    done = leftoff("statusline", "--segment", cwd=tmp_path, stdin=json.dumps(FULL))
    assert (done.stdout, done.stderr) == ("shop | 43% of 200k\n", "")
    done = leftoff("statusline", cwd=tmp_path, stdin=json.dumps(FULL))
    assert done.stdout == "shop | 43% of 200k | Opus 5.5 | $1.23\n"


def test_a_recorded_payload_of_the_client_is_shown(client):
    path = shared("clients", "fixtures", "claude", "hooks", "StatusLine.json")
    with open(path, encoding="utf-8") as file:
        assert line(client, json.load(file)) == "repo | 0% of 1M | Opus 5.5"


@pytest.mark.parametrize("data", [b"", b"?", b"[]", b"{}", b'{"cwd": 7, "model": [], "cost": 1}'])
def test_whatever_comes_in_there_is_a_line(client, data):
    assert line(client, data) == "leftoff"


def test_where_nothing_can_be_kept_there_is_a_line(client):
    with open(os.path.join(client.state, "sessions"), "w", encoding="utf-8"):
        pass
    assert line(client, FULL)


def test_a_name_cannot_steer_the_terminal(client):
    shown = line(client, {**FULL, "cwd": "/home/\x1b[31mred\x07\n\u202ename"})
    assert shown.isprintable()


def test_what_the_client_says_of_its_window_is_kept_and_written_only_when_it_changed(client):
    line(client, FULL)
    assert now_file.seen(client.state, AGENT, SESSION) == Usage(86_000, 200_000, "claude-opus-5-5")
    kept = os.path.join(client.state, "sessions")
    before = snapshot(kept)
    line(client, FULL)
    assert snapshot(kept) == before
    line(
        client, {**FULL, "context_window": {"context_window_size": 1_000_000, "used_percentage": 5}}
    )
    assert now_file.seen(client.state, AGENT, SESSION) == Usage(
        50_000, 1_000_000, "claude-opus-5-5"
    )


def test_it_loads_no_more_than_a_hook(client):
    client.leave()
    found = loaded(client, "statusline", FULL) - bare()
    assert {name for name in found if not name.startswith("leftoff")} <= {"_json", "_collections"}
    assert "leftoff.entry.statusline" in found
    assert not {name for name in found if name.startswith("leftoff.commands")}
