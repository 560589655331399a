"""The parts of the status line, one by one: called here, without a process."""

from __future__ import annotations

import os

import pytest

from hooks import AGENT, SESSION
from leftoff.core.event import Usage
from leftoff.entry.statusline import line, told_usage
from leftoff.world import now_file

WINDOW = {"context_window_size": 200_000, "current_usage": {"input_tokens": 86_000}}
FULL = {
    "session_id": SESSION,
    "cwd": "/home/me/shop/",
    "model": {"id": "claude-opus-5-5", "display_name": "Opus 5.5"},
    "cost": {"total_cost_usd": 1.236},
    "context_window": WINDOW,
}


@pytest.fixture
def state(tmp_path):
    return os.path.join(tmp_path, "state")


def test_a_line_has_place_context_model_and_cost_and_a_part_of_one_only_the_first_two(state):
    assert line(AGENT, FULL, state) == "shop | 43% of 200k | Opus 5.5 | $1.24"
    assert line(AGENT, FULL, state, segment=True) == "shop | 43% of 200k"


@pytest.mark.parametrize(
    ("payload", "shown"),
    [
        ({}, "leftoff"),
        ({"cwd": "/"}, "leftoff"),
        ({"cwd": 7, "model": "x", "cost": [], "context_window": None}, "leftoff"),
        ({"cwd": "/a/\x1b[31m\u202ered"}, "[31mred"),
        ({"cwd": f"/{'x' * 70}"}, "x" * 59),
        ({"cost": {"total_cost_usd": 0}, "model": {"display_name": "M"}}, "M"),
        ({"context_window": {"context_window_size": 999_999}}, "0% of 1000k"),
        ({"context_window": {"context_window_size": 1_500_000}}, "0% of 1.5M"),
        ({"context_window": {"context_window_size": True}}, "leftoff"),
        ({"context_window": {"context_window_size": -1}}, "leftoff"),
        ({"context_window": {"context_window_size": 1e12}}, "leftoff"),
    ],
)
def test_what_is_missing_or_makes_no_sense_is_left_out(state, payload, shown):
    assert line(AGENT, payload, state) == shown


def test_the_use_of_the_context_is_what_went_in_or_else_the_percentage():
    parts = {"cache_read_input_tokens": 80_000, "cache_creation_input_tokens": 5000}
    used = {"input_tokens": 1000, **parts, "output_tokens": 7777}
    window = {"context_window_size": 200_000, "current_usage": used, "used_percentage": 9}
    assert told_usage({"context_window": window}) == Usage(86_000, 200_000, "")
    window = {"context_window_size": 1000, "used_percentage": 12.34}
    assert told_usage({"context_window": window, "model": {"id": "m"}}) == Usage(123, 1000, "m")


def test_what_the_client_says_is_kept_where_it_names_the_session_and_its_window(state):
    line(AGENT, {**FULL, "session_id": 7}, state)
    line(AGENT, {**FULL, "context_window": {}}, state)
    assert not os.path.exists(state)
    line(AGENT, FULL, state)
    assert now_file.seen(state, AGENT, SESSION) == Usage(86_000, 200_000, "claude-opus-5-5")


def test_what_was_left_for_the_session_tells_the_place_and_the_window(state):
    now_file.write(
        state, AGENT, SESSION, {"root": "/repo", "thread": "thread-1", "window": 400_000}
    )
    assert line(AGENT, FULL, state, segment=True) == "repo/thread-1 | 43% of 200k"
    silent = {**FULL, "context_window": {"current_usage": {"input_tokens": 100_000}}}
    assert line(AGENT, silent, state, segment=True) == "repo/thread-1 | 25% of 400k"


@pytest.mark.parametrize(
    ("left", "advised"),
    [
        ({"advise": 43}, True),
        ({"advise": 43.1}, False),
        ({"advise": 43, "quiet": True}, False),
        ({"advise": 0}, False),
        ({"advise": "43"}, False),
        ({}, False),
    ],
)
def test_advice_comes_once_the_context_is_as_full_as_its_level(state, left, advised):
    now_file.write(state, AGENT, SESSION, {"root": "/repo", "advice": "time to save", **left})
    shown = line(AGENT, FULL, state, segment=True)
    assert shown == "repo | 43% of 200k" + " | time to save" * advised


@pytest.mark.parametrize(("used", "advised"), [(119_999, False), (120_000, True)])
def test_advice_takes_the_usual_window_where_nobody_says_one(state, used, advised):
    now_file.write(state, AGENT, SESSION, {"root": "/repo", "advice": "time to save", "advise": 60})
    window = {"current_usage": {"input_tokens": used}}
    shown = line(AGENT, {"session_id": SESSION, "context_window": window}, state)
    assert shown == "repo" + " | time to save" * advised
