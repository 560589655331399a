"""The hook in this very process: what an event reads and keeps, and why the commands are asked."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest

from hook_here import log_of
from hooks import AGENT, SESSION, answer, payload, transcript
from leftoff.agents import claude_code
from leftoff.core.event import Usage
from leftoff.entry import hook
from leftoff.world import journal, now_file

pytestmark = pytest.mark.usefixtures("hook_home")


# what is kept


def test_the_same_event_told_twice_is_one_and_answered_once(client, commands):
    assert client.why("prompt") == "missing"
    assert client.why("prompt") == "-"
    assert client.why("prompt", prompt_id="p-2") == "missing"
    assert [line["key"] for line in client.lines()] == ["p-1", "p-2"]
    assert len(commands.asked) == 2


def test_a_turn_of_a_run_that_ends_after_another_step_is_a_new_end_however_late_the_transcript_is(
    client, commands, tmp_path
):
    steps = tmp_path / "CHECKPOINT.md"
    client.leave(run=True, steps=str(steps))
    said = {"transcript_path": log_of(tmp_path, 700), "last_assistant_message": "Done."}
    for at in (1, 2):
        steps.write_text("1. [x] a step", encoding="utf-8")
        os.utime(steps, (at, at))
        assert client.why("stop", **said, stop_hook_active=True) == "run"
        assert client.why("stop", **said, stop_hook_active=True) == "-", "the same end, told twice"
    assert len(commands.asked) == 2
    client.leave(run=False, steps=str(steps))
    client.tell("stop", payload(**said))
    os.utime(steps, (3, 3))
    assert client.why("stop", **said) == "-", "without a run a document tells nothing of a turn"


def test_a_line_tells_figures_and_the_model_of_the_answer_or_of_the_payload(client, tmp_path):
    client.leave()
    log = transcript(tmp_path, answer(50_000))
    client.tell("prompt", payload(transcript_path=log, model="other"))
    client.tell("stop", payload(model="other", error="overloaded", stop_hook_active=True))
    prompt, stop = client.lines()
    figures = {"context": 50_000, "window": 0, "size": os.path.getsize(log)}
    assert prompt.items() >= {**figures, "model": "claude-opus-5-5"}.items()
    assert not {"failed", "again"} & prompt.keys()
    nothing = {"context": 0, "window": 0, "size": 0, "model": "other"}
    assert stop.items() >= {**nothing, "failed": "overloaded", "again": True}.items()


def test_what_the_payload_says_of_the_context_counts_before_the_transcript(client, tmp_path):
    client.leave()
    log = transcript(tmp_path, answer(50_000))
    client.tell("prompt", payload(transcript_path=log, context_tokens=7))
    client.tell("stop", payload(transcript_path="/nowhere", context_tokens=8))
    assert [line["context"] for line in client.lines()] == [7, 8]
    assert [line["size"] for line in client.lines()] == [os.path.getsize(log), 0]


def test_a_rare_event_looks_at_the_size_of_the_transcript_only(client, commands, tmp_path):
    log = transcript(tmp_path, answer(50_000))
    client.tell("start", payload(transcript_path=log))
    client.tell("end", payload(transcript_path=log, context_tokens=7))
    start, end = commands.asked
    assert (start.size, start.usage, start.todo) == (os.path.getsize(log), None, 0)
    assert (end.event, end.usage, end.why) == ("end", Usage(7), "rare")


def test_a_transcript_that_no_payload_names_lies_where_the_client_keeps_it(
    client, hook_home, tmp_path, monkeypatch
):
    copilot = client._replace(agent="copilot")
    given = {"sessionId": SESSION, "prompt": "do the work", "timestamp": 1}
    for size, folder in ((700, hook_home / ".copilot"), (900, tmp_path / "moved")):
        (folder / "session-state" / SESSION).mkdir(parents=True)
        (folder / "session-state" / SESSION / "events.jsonl").write_bytes(b"\n" * size)
    now_file.write(client.state, "copilot", SESSION, {"advise": 70})
    copilot.tell("prompt", given)
    monkeypatch.setitem(hook.posix.environ, b"COPILOT_HOME", os.fsencode(tmp_path / "moved"))
    copilot.tell("prompt", {**given, "timestamp": 2})
    copilot.tell("stop", {**given, "transcriptPath": log_of(tmp_path, 800)})
    assert [line["size"] for line in copilot.lines()] == [700, 900, 800]
    copilot.tell("prompt", {**given, "sessionId": "a/b"})
    assert " copilot prompt Usage: - (" in client.log()


def test_a_client_that_names_its_transcripts_has_none_else(client):
    client.leave()
    client.tell("prompt", payload(transcript_path=""))
    assert client.lines()[0]["size"] == 0


def test_ever_more_of_the_end_is_read_until_there_is_an_answer(client, tmp_path, monkeypatch):
    tails = []
    adapter = SimpleNamespace(**vars(claude_code))
    adapter.usage = tails.append
    monkeypatch.setattr(hook, "load", lambda _: adapter)
    monkeypatch.setattr(hook, "FIRST_TAIL", 100)
    client.leave()
    whole = log_of(tmp_path, 3000, {2998: b"!"})
    client.tell("stop", payload(transcript_path=whole))
    assert [len(tail) for tail in tails] == [100, 800, 3000]
    assert {tail[-2:] for tail in tails} == {b"!\0"}
    monkeypatch.setattr(hook, "LAST_TAIL", 800)
    tails.clear()
    client.tell("stop", payload(transcript_path=whole, prompt_id="p-2"))
    assert [len(tail) for tail in tails] == [100, 800]
    tails.clear()
    client.tell("stop", payload(transcript_path=log_of(tmp_path, 100), prompt_id="p-3"))
    assert [len(tail) for tail in tails] == [100]


# why the commands are asked


WHYS = [
    ("prompt", {}, {}, "-"),
    ("stop", {"offered": True}, {}, "offered"),
    ("prompt", {"offered": True}, {}, "-"),
    ("stop", {"run": True}, {}, "run"),
    ("stop", {"wake": True}, {}, "-"),
    ("prompt", {"run": True}, {}, "-"),
    ("prompt", {"run": True}, {"prompt": "x" * hook.WORD}, "run"),
    ("prompt", {"run": True}, {"prompt": "x" * (hook.WORD + 1)}, "-"),
    ("prompt", {}, {"prompt": "stop"}, "-"),
    ("prompt", {"wake": True}, {}, "run"),
    ("prompt", {"watch": [["/nowhere", 7]]}, {}, "old"),
    ("prompt", {}, {"context_tokens": 139_999}, "-"),
    ("prompt", {}, {"context_tokens": 140_000}, "crossed"),
    ("prompt", {"quiet": True}, {"context_tokens": 140_000}, "-"),
    ("prompt", {"journal_only": True}, {"context_tokens": 140_000}, "-"),
    ("prompt", {"noticed": True}, {"context_tokens": 140_000}, "-"),
    ("prompt", {"noticed": True, "armed_below": 60}, {"context_tokens": 120_000}, "-"),
    ("prompt", {"noticed": True, "armed_below": 60}, {"context_tokens": 119_999}, "fell"),
    ("prompt", {"noticed": True}, {}, "-"),
    ("prompt", {"advise": 101}, {"context_tokens": 201_999}, "-"),
    ("prompt", {"block": 80}, {"context_tokens": 160_000}, "store"),
    ("prompt", {"block": 80}, {"context_tokens": 159_999}, "crossed"),
    ("stop", {"block": 80}, {"context_tokens": 160_000}, "crossed"),
    ("prompt", {"window": 1000}, {"context_tokens": 700}, "crossed"),
    ("prompt", {"window": 0}, {"context_tokens": 139_999}, "-"),
    ("prompt", {"window": 0}, {"context_tokens": 140_000}, "crossed"),
    ("prompt", {"advise": "much"}, {"context_tokens": 1}, "missing"),
]


@pytest.mark.parametrize("case", WHYS)
def test_what_was_left_decides_whether_the_commands_are_asked(client, commands, case):
    event, left, given, why = case
    client.leave(**left)
    assert client.why(event, **given) == why
    assert [happened.why for happened in commands.asked] == [why] * (why != "-")
    assert client.log() == ""


def test_without_a_level_of_its_own_a_session_is_warned_beyond_its_window(client, commands):
    now_file.write(client.state, AGENT, SESSION, {})
    assert client.why("prompt", context_tokens=201_999) == "-"
    assert client.why("stop", context_tokens=202_000) == "crossed"
    now_file.write(client.state, AGENT, SESSION, {"noticed": True})
    assert client.why("prompt", context_tokens=202_000, prompt_id="p-2") == "-"


def test_the_clients_own_window_counts_before_the_one_that_was_left(client, commands, monkeypatch):
    client.leave(window=1000)
    now_file.see(client.state, AGENT, SESSION, Usage(1, 2000))
    assert client.why("prompt", context_tokens=1399, prompt_id="1") == "-"
    assert client.why("prompt", context_tokens=1400, prompt_id="2") == "crossed"
    adapter = SimpleNamespace(**vars(claude_code))
    adapter.parse = lambda *given: claude_code.parse(*given)._replace(window=4000)
    monkeypatch.setattr(hook, "load", lambda _: adapter)
    assert client.why("prompt", context_tokens=2799, prompt_id="3") == "-"
    assert client.why("prompt", context_tokens=2800, prompt_id="4") == "crossed"


@pytest.mark.parametrize(("size", "why"), [(839_999, "-"), (840_000, "crossed")])
def test_a_context_that_nobody_tells_is_guessed_by_the_transcript(
    client, commands, tmp_path, size, why
):
    client.leave()
    assert client.why("prompt", transcript_path=log_of(tmp_path, size)) == why


@pytest.mark.parametrize(
    ("tokens", "why"), [(60_000, "-"), (59_999, "fell"), (1, "fell"), (0, "-")]
)
def test_a_context_that_is_much_smaller_than_before_was_compacted(
    client, commands, tmp_path, tokens, why
):
    client.leave()
    journal.append(client.state, AGENT, SESSION, {"event": "stop", "context": 100_000, "n": 0})
    assert client.why("prompt", transcript_path=transcript(tmp_path, answer(tokens))) == why


def test_what_crosses_is_told_before_what_fell(client, commands):
    client.leave()
    journal.append(client.state, AGENT, SESSION, {"event": "stop", "context": 900_000, "n": 0})
    assert client.why("prompt", context_tokens=140_000) == "crossed"


TODOS = [
    ({}, 0),
    ({50: b'"TodoWrite"'}, 51),
    ({50: b'"TodoWrite"', 80: b'"TaskUpdate"'}, 81),
    ({50: b'"TaskUpdate"', 80: b'"TodoWrite"'}, 81),
    ({0: b'"TodoWrite"', 30: b'"TodoWrite"'}, 31),
    ({0: b'"TodoWrite"'}, 1),
]


@pytest.mark.parametrize("case", [(before, *case) for before in (0, 900) for case in TODOS])
def test_where_the_to_do_list_last_changed_is_found_near_the_end(
    client, commands, tmp_path, monkeypatch, case
):
    before, marks, todo = case
    monkeypatch.setattr(hook, "TODO_TAIL", 100)
    moved = {before + at: mark for at, mark in marks.items()}
    log = log_of(tmp_path, before + 100, moved)
    assert client.why("prompt", transcript_path=log, prompt_id="1") == "missing"
    assert commands.asked[0].todo == (before + todo if todo else 0)
    client.leave()
    assert client.why("prompt", transcript_path=log, prompt_id="2") == ("todo" if todo else "-")
    client.leave(todo=before + todo)
    assert client.why("prompt", transcript_path=log, prompt_id="3") == "-"
    client.leave()
    assert client.why("stop", transcript_path=log) == "-"


def test_a_to_do_list_that_changed_long_ago_is_not_looked_for(client, tmp_path, monkeypatch):
    monkeypatch.setattr(hook, "TODO_TAIL", 100)
    client.leave()
    log = log_of(tmp_path, 300, {199: b'"TodoWrite"'})
    assert client.why("prompt", transcript_path=log) == "-"


def test_what_a_transcript_got_meanwhile_is_of_a_later_event(tmp_path, monkeypatch):
    monkeypatch.setattr(hook, "TODO_TAIL", 100)
    log = log_of(tmp_path, 300, {150: b'"TodoWrite"', 230: b'"TodoWrite"'})
    told = SimpleNamespace(transcript=log)
    assert hook._last_todo(claude_code, told, 200) == 151
    assert hook._last_todo(claude_code, told, 300) == 231


def test_a_transcript_that_cannot_be_read_tells_of_no_list(client, tmp_path):
    client.leave()
    given = {"transcript_path": os.fspath(tmp_path), "context_tokens": 7}
    assert client.why("prompt", **given) == "-"
    assert client.log() == ""


def test_a_client_whose_lists_cannot_be_seen_has_none(client, tmp_path, monkeypatch):
    adapter = SimpleNamespace(**{**vars(claude_code), "TODO_MARKS": ()})
    monkeypatch.setattr(hook, "load", lambda _: adapter)
    client.leave()
    assert client.why("prompt", transcript_path=log_of(tmp_path, 100)) == "-"
    assert client.log() == ""


def test_no_file_is_left_to_a_child_and_no_transcript_waited_for(client, tmp_path, monkeypatch):
    opened = []

    def watched(path, flags, *mode):
        opened.append((os.path.basename(path), flags))
        return os.open(path, flags, *mode)

    log = log_of(tmp_path, 100)
    client.leave()
    monkeypatch.setattr(hook, "posix", SimpleNamespace(**{**vars(hook.posix), "open": watched}))
    monkeypatch.setattr(now_file, "posix", hook.posix)
    monkeypatch.setattr(journal, "posix", hook.posix)
    client.tell("prompt", payload(transcript_path=log))
    assert {name for name, _ in opened} == {
        *(f"{SESSION}.jsonl", f"{SESSION}.now", f"{SESSION}.ctx", "runs", "long.jsonl")
    }
    assert all(flags & os.O_CLOEXEC for _, flags in opened)
    assert all(flags & os.O_NONBLOCK for name, flags in opened if name == "long.jsonl")
