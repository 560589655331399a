"""budget: how full a context is and by which measure, what to do, how long it lasts."""

from __future__ import annotations

import json
import os

import pytest

from histories import HOUR, MINUTE, Talk, ident, journal, started
from leftoff.core.event import Usage
from leftoff.world import now_file
from projects import NOW, put
from support import run


def budget(root, *words, env=None):
    done = run("budget", *words, "--now", NOW, cwd=root, env=env or {})
    assert done.returncode == 0, done.stderr
    return done.stdout


def data(root, *words, env=None):
    return json.loads(budget(root, *words, "--json", env=env))["data"]


def talk(root, *contexts, n=1):
    made = Talk(n, root)
    for at, context in enumerate(contexts):
        made.ask(HOUR - at * MINUTE, f"step {at}").answer(HOUR - at * MINUTE - 5, "ok", context)
    return made


@pytest.mark.req("D.budget.consumption", "X.context.measure")
def test_it_shows_use_window_headroom_and_the_method(root):
    talk(root, 20_000, 50_000).save()
    use = data(root)["use"]
    assert (use["tokens"], use["window"], use["headroom"]) == (50_000, 200_000, 150_000)
    assert (use["percent"], use["method"], use["window_source"]) == (25, "usage", "model")
    shown = budget(root)
    assert "50,000 (25.00 %)" in shown
    assert "from the usage in the transcript" in shown
    assert ident(1) in shown


@pytest.mark.req("X.context.measure")
def test_use_falls_after_a_compaction_and_a_model_of_a_million_uses_a_million(root):
    talk(root, 150_000, 30_000).save()
    assert data(root)["use"]["percent"] == 15
    large = talk(root, 500_000, n=2)
    large.lines = [line.replace("claude-sonnet-4-6", "claude-opus-5-5") for line in large.lines]
    large.save()
    use = data(root, "--session", ident(2))["use"]
    assert (use["window"], use["percent"]) == (1_000_000, 50)


@pytest.mark.req("D.budget.consumption")
def test_over_its_window_a_context_has_no_headroom(root):
    journal(1, started(60, root), (50, "stop", {"context": 130_000, "window": 100_000}))
    use = data(root)["use"]
    assert (use["headroom"], use["percent"], use["raw_percent"]) == (0, 100, 130)
    assert (use["method"], use["window_source"]) == ("client", "client")


@pytest.mark.req("X.context.fallback")
def test_without_usage_the_bytes_are_an_estimate_and_called_one(root):
    journal(1, started(60, root), (50, "stop", {"size": 1_020_000}))
    assert data(root)["use"]["percent"] == 85
    shown = budget(root)
    assert "~127,500 (85.00 %)" in shown
    assert "estimated from the size of the transcript" in shown


@pytest.mark.req("D.budget.delegate", "D.budget.thresholds")
@pytest.mark.parametrize(
    ("context", "level", "advice"),
    [
        (119_000, "healthy", "There is room."),
        (121_000, "warning", "Delegate"),
        (161_000, "critical", "Save first (leftoff save)"),
    ],
)
def test_above_sixty_percent_it_advises_to_delegate_and_above_eighty_to_save(
    root, context, level, advice
):
    talk(root, context).save()
    shown = budget(root)
    assert data(root)["level"] == level
    assert advice in shown
    assert "warning 60 %, critical 80 %" in shown


@pytest.mark.req("D.budget.thresholds")
def test_settings_move_the_thresholds_and_the_window(root):
    talk(root, 50_000).save()
    put(root, ".checkpoints/config.toml", '[thresholds]\n"budget.warn" = 20\n')
    assert data(root)["level"] == "warning"
    assert "warning 20 %" in budget(root)
    put(root, ".checkpoints/config.toml", "")
    put(
        os.environ["XDG_CONFIG_HOME"], "leftoff/config.toml", '[windows]\n"claude-sonnet" = 60000\n'
    )
    assert data(root)["use"]["window_source"] == "settings"
    assert data(root)["level"] == "critical"


def test_the_window_that_the_client_shows_in_its_status_line_wins(root):
    talk(root, 50_000).save()
    seen = Usage(40_000, 500_000, "claude-sonnet-4-6")
    now_file.see(os.environ["LEFTOFF_STATE"], "claude-code", ident(1), seen)
    use = data(root)["use"]
    assert (use["window"], use["window_source"], use["percent"]) == (500_000, "client", 10)


def test_the_forecast_says_how_many_turns_are_left(root):
    ends = [(50 - at, "stop", {"context": 20_000 + 10_000 * at}) for at in range(4)]
    journal(1, started(60, root, model="claude-sonnet-4-6"), *ends)
    told = data(root, "--forecast", "5")["forecast"]
    assert (told["tokens_per_turn"], told["turns_left"]) == (10_000, 15)
    assert (told["turns_to_critical"], told["percent"]) == (11, 50)
    assert "about 15 turns left, 11 until critical" in budget(root)
    assert run("budget", "--forecast", "x", cwd=root).returncode == 2


@pytest.mark.req("B.trigger.heavy-work")
def test_before_heavy_work_it_says_to_save_first_unless_that_was_done(root):
    ends = [(50 - at, "stop", {"context": 20_000 + 10_000 * at}) for at in range(4)]
    begun = (started(60, root, model="claude-sonnet-4-6"), (55, "prompt", {}), *ends)
    journal(1, *begun)
    assert data(root, "--forecast", "5")["forecast"]["save_first"] is False
    assert data(root, "--forecast", "10")["forecast"]["save_first"] is True
    assert "Save first (leftoff save): in 10 turns the context is 75 % full." in budget(
        root, "--forecast", "10"
    )
    assert "save_first" not in data(root)["forecast"]
    put(root, ".checkpoints/config.toml", '[thresholds]\n"context.advise" = 80\n')
    assert data(root, "--forecast", "10")["forecast"]["save_first"] is False
    put(root, ".checkpoints/config.toml", "")
    journal(1, *begun, (40, "save", {}))
    assert data(root, "--forecast", "10")["forecast"]["save_first"] is False
    journal(1, *begun, (40, "save", {}), (30, "prompt", {}))
    assert data(root, "--forecast", "10")["forecast"]["save_first"] is True


def test_it_is_about_the_calling_session_and_says_when_it_is_not(root):
    talk(root, 20_000).save()
    talk(root, 40_000, 50_000, n=2).save()
    calling = data(root, env={"CLAUDE_CODE_SESSION_ID": ident(1)})
    assert (calling["why"], calling["id"]) == ("calling", ident(1))
    assert "newest one of this project" in budget(root)


def test_where_no_session_is_known_it_says_so(root):
    assert "No agent session is known in this project." in budget(root)
    assert run("budget", "--session", "x", cwd=root).returncode == 3


THREAD = {"threadId": "thread-1", "name": "Login", "sessions": []}


@pytest.mark.parametrize(
    ("config", "state"),
    [
        ({}, "unlimited"),
        ({"tokenBudgetSoft": 100_000}, "within"),
        ({"tokenBudgetSoft": 50_000, "tokenBudgetHard": 100_000}, "near"),
        ({"tokenBudgetSoft": 10, "tokenBudgetHard": 20_000}, "over"),
    ],
)
def test_a_thread_has_a_soft_and_a_hard_budget_over_all_its_sessions(root, config, state):
    put(root, ".checkpoints/threads/thread-1/thread.json", json.dumps({**THREAD, "config": config}))
    for n in (1, 2):
        journal(n, started(HOUR, root), (HOUR, "bind", {"thread": "thread-1"}))
        talk(root, 30_000, n=n).save()
    told = data(root)["thread"]
    assert (told["spent"], told["state"]) == (60_010, state)
    assert "Thread thread-1" in budget(root)
