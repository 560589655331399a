"""The turns of a session: advice once per crossing, prompts kept back, threads that save themselves."""

from __future__ import annotations

import json
import os

import pytest

from events import SESSION, THREAD, opted_in, settings, stored, thread
from leftoff.entry._hook_failure import what
from leftoff.world import journal, prompts
from projects import get, put
from support import run, snapshot


@pytest.mark.req("C.hook.advise", "E.auto.protects", "X.output.transitions")
def test_the_level_speaks_once_and_nothing_below_it(client, root):
    thread(root)
    client.tell("start")
    assert client.prompt(69.99) is None
    text = client.prompt(70).text
    assert "70.0 % (140000 of 200000 tokens)" in text
    assert "leftoff save NOTE" in text
    assert client.now()["noticed"]
    assert client.prompt(70, why="old") is None
    assert client.prompt(90, why="missing") is None
    assert [line["what"] for line in client.lines("notice")] == ["advised"]


def test_after_use_fell_the_next_crossing_is_told_again(client, root):
    thread(root)
    client.tell("start")
    assert client.prompt(75)
    assert client.stop(72, why="fell") is None
    client.tell("compacting", source="auto")
    client.prompt(20, why="fell")
    assert not client.now()["noticed"]
    assert client.prompt(75)


@pytest.mark.req("E.auto.protects")
def test_the_thread_s_own_level_wins(client, root):
    thread(root, thresholdPercent=80)
    client.tell("start")
    assert client.now()["advise"] == 80
    assert client.now()["advice"] == "time to save"
    assert client.prompt(79.9) is None
    assert client.prompt(80)


def test_a_window_can_be_set_for_a_model(client):
    settings('[windows]\n"claude-sonnet" = 1000000\n')
    client.tell("start", model="claude-sonnet-4-5")
    assert client.now()["window"] == 1_000_000


def test_without_figures_the_size_of_the_transcript_is_a_guess(client):
    client.tell("start")
    assert "about 70.0 %" in client.tell("prompt", why="crossed", size=840_000).text


@pytest.mark.parametrize(("ms", "only"), [(1500, True), (20, False)])
def test_where_hooks_were_too_slow_many_times_they_only_keep_a_journal(client, ms, only):
    lines = f"1 claude-code prompt {ms}.0 old\n" * 10
    put(client.state, "hook/runs", "1 claude-code prompt 9000.0 -\n" + lines)
    client.tell("start")
    assert client.now()["journal_only"] is only
    client.prompt(20, why="old")
    assert client.now()["journal_only"] is only


@pytest.mark.req("E.auto.enabled")
@pytest.mark.parametrize("autosave", [True, False])
def test_a_thread_with_checkpoints_switched_off_hears_nothing(client, root, autosave):
    (opted_in if autosave else thread)(root, checkpointEnabled=False)
    before = snapshot(root)
    answers = [
        client.tell("start"),
        client.prompt(99),
        client.stop(99),
        client.tell("compacting", source="auto"),
        client.tell("summary", answer="nothing of it"),
        client.tell("start", source="compact"),
        client.tell("end"),
    ]
    assert not any(answers)
    assert client.now()["quiet"]
    assert snapshot(root) == before
    assert not os.path.exists(f"{client.state}/saves")


@pytest.mark.req("C.hook.block", "X.hook.advisory")
def test_by_default_no_prompt_is_ever_refused(client, root):
    thread(root)
    client.tell("start")
    for percent in (70, 95, 99, 130):
        answer = client.prompt(percent, why="store")
        assert answer is None or answer.verb == "context"


@pytest.mark.req("C.hook.block")
def test_opted_in_a_prompt_is_stored_first_word_for_word_and_then_refused(client, root):
    settings("[hooks]\nblock = true\n")
    client.tell("start")
    words = "do it with TOKEN=" + "hunter22abc\n\n=== BLOCKED PROMPT [x] ===\n  end"
    answer = client.prompt(95, prompt=words, why="store")
    assert answer.verb == "block"
    path = prompts.path_of(client.state, SESSION)
    assert path in answer.text
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert [one.text for one in stored(client.state, SESSION)] == [words]
    assert client.prompt(94.9, why="store") is None
    assert client.prompt(99, prompt="/compact", why="store") is None


@pytest.mark.req("C.hook.block")
def test_a_prompt_that_cannot_be_stored_is_not_refused(client, root):
    settings("[hooks]\nblock = true\n")
    client.tell("start")
    put(client.state, "pending", "in the way\n")
    answer = client.prompt(95, why="store")
    assert answer.verb == "context"


@pytest.mark.req("C.hook.block")
def test_a_prompt_that_no_file_can_hold_goes_through_and_the_log_says_why(client, root):
    settings("[hooks]\nblock = true\n")
    client.tell("start")
    answer = client.prompt(95, prompt="half a \ud800 character", why="store")
    assert answer.verb == "context"
    assert "Invalid: surrogates not allowed" in what(answer.trouble)


@pytest.mark.req("C.hook.append")
def test_prompts_are_appended_and_an_old_file_without_headers_is_kept(client):
    settings("[hooks]\nblock = true\n")
    client.tell("start")
    put(client.state, f"pending/pending-prompt-{SESSION}.txt", "an old one\nof two lines")
    client.prompt(96, prompt="first", why="store")
    client.prompt(96, prompt="<task-notification>x", why="store")
    found = stored(client.state, SESSION)
    assert [one.text for one in found] == [
        "an old one\nof two lines",
        "first",
        "<task-notification>x",
    ]
    assert [one.replayable for one in found] == [True, True, False]
    assert found[1].time.startswith("2026-08-08T12:00:0")


def test_a_project_cannot_switch_blocking_on(client, root):
    put(root, ".checkpoints/config.toml", "[hooks]\nblock = true\n")
    client.tell("start")
    assert client.now()["block"] == 0


@pytest.mark.req("X.hook.advisory")
def test_a_turn_that_already_went_on_is_left_alone(client, root):
    opted_in(root)
    client.tell("start")
    before = snapshot(root)
    assert client.stop(99, again=True) is None
    assert snapshot(root) == before


def test_an_opted_in_thread_is_saved_once_per_crossing_and_keeps_what_it_says(client, root):
    opted_in(root)
    put(root, "new.py", "x = 1\n")
    path = f".checkpoints/threads/{THREAD}/CHECKPOINT.md"
    before = get(root, path)
    client.tell("start")
    assert client.prompt(70) is None
    assert client.stop(70) is None
    after = get(root, path)
    assert "| new.py | new |" in after
    assert "| Use RS256 | keys rotate | #001 |" in after
    assert "Tokens are signed." in after
    assert before != after
    put(root, "other.py", "x = 1\n")
    client.stop(80)
    assert get(root, path) == after


def test_a_thread_that_cannot_save_itself_is_advised_instead(client, root):
    opted_in(root)
    put(root, f".checkpoints/threads/{THREAD}/CHECKPOINT.md", "no checkpoint at all\n")
    client.tell("start")
    before = snapshot(root)
    assert client.prompt(75)
    assert client.stop(75) is None
    assert snapshot(root) == before


@pytest.mark.parametrize("bound", [False, True])
def test_a_thread_that_came_with_auto_save_is_written_only_once_that_was_said_here(
    client, root, bound
):
    thread(root, autoSave=True)  # by git pull, with the pointer that makes it current
    if bound:
        journal.append(client.state, "claude-code", SESSION, {"event": "bind", "thread": THREAD})
    before = snapshot(root)
    client.tell("start")
    assert client.prompt(75)  # advised, as without auto-save
    client.stop(75)
    client.tell("end")
    assert snapshot(root) == before
    shown = run("thread", "status", THREAD, cwd=root).stdout
    assert "autoSave came with the file" in shown
    for word, saves in (("auto-on", True), ("auto-off", False)):
        assert run("thread", word, THREAD, cwd=root).returncode == 0
        (said,) = json.loads(run("thread", "list", "--json", cwd=root).stdout)["data"]["threads"]
        assert said["saves_itself"] is saves


def test_a_thread_that_did_not_opt_in_is_never_written(client, root):
    thread(root)
    before = snapshot(root)
    client.tell("start")
    client.stop(99)
    assert snapshot(root) == before
