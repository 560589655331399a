"""The window of a model, how full it is, which level that is, and how long it lasts."""

from __future__ import annotations

import pytest

from leftoff.core import window as w
from leftoff.core.event import Happened, ParsedPayload, Usage
from leftoff.core.forecast import Pace, pace, since_emptied, turns_left
from leftoff.core.session import Event, Session
from leftoff.core.stats import Stats
from leftoff.core.thresholds import DEFAULTS
from leftoff.entry import hook


@pytest.mark.req("X.context.measure")
@pytest.mark.parametrize(
    ("model", "told", "setting", "seen", "window"),
    [
        ("claude-sonnet-4-6", 500_000, 300_000, 0, w.Window(500_000, w.CLIENT)),
        ("claude-sonnet-4-6", 0, 300_000, 0, w.Window(300_000, w.SETTINGS)),
        ("claude-sonnet-4-6", 1, 0, 0, w.Window(1, w.CLIENT)),
        ("claude-sonnet-4-6", w.MOST, 0, 0, w.Window(w.MOST, w.CLIENT)),
        ("claude-sonnet-4-6", w.MOST + 1, 0, 0, w.Window(200_000, w.MODEL)),
        ("claude-sonnet-4-6", -1, 1, 0, w.Window(1, w.SETTINGS)),
        ("claude-sonnet-4-6", 0, -1, 0, w.Window(200_000, w.MODEL)),
        ("claude-sonnet-4-6", 0, 0, 199_000, w.Window(200_000, w.MODEL)),
        ("claude-sonnet-4-6[1m]", 0, 0, 0, w.Window(1_000_000, w.MODEL)),
        ("claude-opus-5-5", 0, 0, 0, w.Window(1_000_000, w.MODEL)),
        ("gemini-3-pro", 0, 0, 0, w.Window(1_048_576, w.MODEL)),
        ("unheard-of", 0, 0, 0, w.Window(200_000, w.DEFAULT)),
        ("unheard-of", 0, 0, 200_001, w.Window(1_000_000, w.EXCEEDED)),
        ("claude-sonnet-4-6", 0, 0, 250_000, w.Window(1_000_000, w.EXCEEDED)),
        ("", 0, 0, 200_000, w.Window(200_000, w.DEFAULT)),
    ],
)
def test_the_clients_figure_comes_first_then_settings_then_the_name(
    model, told, setting, seen, window
):
    assert w.window_for(model, told, setting, seen) == window


@pytest.mark.req("X.context.fallback")
def test_without_usage_bytes_are_an_estimate_clamped_for_display_only():
    use = w.estimated(1_020_000)
    assert (f"{use.percent:.2f}", use.method) == ("85.00", w.ESTIMATE)
    over = w.estimated(2_400_000)
    assert (over.percent, over.shown, over.headroom) == (200, 100, 0)


@pytest.mark.req("D.budget.consumption")
def test_headroom_is_never_negative():
    window = w.window_for("m", told=100)
    assert (w.measured(60, window).headroom, w.measured(130, window).headroom) == (40, 0)
    assert w.measured(60, window).percent == 60
    assert [w.measured(told, window).tokens for told in (-1, 0, 1, w.MOST + 1)] == [0, 0, 1, w.MOST]


@pytest.mark.req("D.budget.thresholds")
def test_a_limit_belongs_to_the_level_above_and_settings_move_it():
    levels = [w.level(percent, DEFAULTS) for percent in (59.99, 60, 79.99, 80, 200)]
    assert levels == [w.HEALTHY, w.WARNING, w.WARNING, w.CRITICAL, w.CRITICAL]
    assert w.level(60, {**DEFAULTS, "budget.warn": 61}) == w.HEALTHY


def test_the_pace_is_that_of_the_turns_since_the_last_compaction():
    ends = [10_000, 60_000, 20_000, 30_000, 44_000]
    events = tuple(Event(at, "stop", context=used) for at, used in enumerate(ends))
    assert pace(Session("a", "b", events=events)) == Pace(12_000, "turns")


def test_without_turn_ends_the_answers_of_the_transcript_serve():
    curve = ((1.0, 50_000), (2.0, 10_000), (3.0, 20_000), (4.0, 30_000))
    one = Session("a", "b", stats=Stats(curve=curve, prompts=3))
    assert pace(one) == Pace(10_000, "answers")
    assert pace(Session("a", "b")) is None


def test_turns_left_are_whole_and_none_where_nothing_grows():
    assert (turns_left(100, 30), turns_left(0, 30), turns_left(100, 0)) == (3, 0, None)
    assert since_emptied([5, 4, 4, 9]) == [4, 4, 9]
    assert since_emptied([]) == []


def test_the_hook_path_measures_as_the_commands_do():
    bare = Happened("claude-code", "prompt", ParsedPayload("s"), "", {}, 0.0, "k", size=1_020_000)
    assert hook._percent(bare, None, None) == pytest.approx(w.estimated(1_020_000).percent)
    told = bare._replace(usage=Usage(50_000))
    assert hook._percent(told, None, None) == w.measured(50_000, w.window_for("")).percent
