"""The end of a session, and what holds at every event: no decision, one object, no harm."""

from __future__ import annotations

import json
import os

import pytest

from events import META, OTHER, SESSION, THREAD, Client, settings, stored, thread
from leftoff.commands import _events
from leftoff.core.event import EVENTS, Happened, ParsedPayload, Usage
from leftoff.world import journal, prompts
from projects import put, put_all, put_markdown, put_skill

# The end


@pytest.mark.req("D.end.uncommitted")
def test_the_end_keeps_the_reason_and_the_number_of_files_that_are_not_committed(client, root):
    for name in ("one.py", "two.py"):
        put(root, name, "x\n")
    client.tell("end", source="prompt_input_exit")
    (line,) = client.lines("end")
    assert (line["source"], line["dirty"]) == ("prompt_input_exit", 2)


@pytest.mark.req("D.end.uncommitted")
def test_outside_git_that_number_is_null(tmp_path):
    client = Client(str(tmp_path))
    client.tell("end", source="clear")
    assert client.lines("end")[0]["dirty"] is None


def test_a_git_that_does_not_answer_in_time_is_not_waited_for(client, monkeypatch):
    monkeypatch.setattr("leftoff.commands._events.END_PATIENCE", 0.0)
    client.tell("end", source="clear")
    assert client.lines("end")[0]["dirty"] is None


# All events


@pytest.mark.req("X.hook.advisory")
def test_a_default_run_over_all_events_decides_nothing(client, root):
    put_all(root)
    put(root, ".checkpoints/current", f"{THREAD}\n")
    for event in EVENTS:
        answer = client.tell(event, usage=Usage(199_000, 200_000), prompt="x", answer="y", size=7)
        assert answer is None or answer.verb == "context"


@pytest.mark.req("X.hook.one-json")
def test_three_notices_at_once_are_one_object_and_quotes_in_names_are_safe(client, root):
    from leftoff.agents import load

    thread(root, name='"quoted" \\ name')
    client.tell("start")
    client.tell("compacted", answer="Nothing of it.", size=5)
    answer = client.prompt(80, why="old")
    assert "does not mention" in answer.text
    assert "80.0 %" in answer.text
    said = load("claude-code").reply("prompt", answer.verb, answer.text)
    inner = json.loads(said)["hookSpecificOutput"]
    assert inner["additionalContext"] == answer.text
    assert said.count("\n") == 0


@pytest.mark.parametrize("event", EVENTS)
def test_a_broken_project_breaks_no_event(client, root, event):
    put(root, ".checkpoints/oc-bad.checkpoint.json", '{"skill": ')
    put(root, META, "{")
    put(root, ".checkpoints/current", f"{THREAD}\n")
    put(root, ".checkpoints/config.toml", "[thresholds\n")
    put_markdown(root)
    answer = client.tell(event, usage=Usage(150_000, 200_000), answer="x", size=7)
    assert answer is None or answer.verb == "context"
    assert event != "start" or "oc-bad.checkpoint.json" in answer.text


def test_what_is_said_is_in_the_language_of_the_user(client, root):
    from leftoff.entry.lang import say_in

    put_skill(root)
    client.tell("start", OTHER, source="startup")
    note = {"event": "note", "at": client.at, "outcome": "auth", "task": "", "text": ""}
    journal.append(client.state, "claude-code", OTHER, note)
    told = ParsedPayload(SESSION, root, source="startup")
    happened = Happened("claude-code", "start", told, client.state, client.env, client.at + 60, "k")
    text = _events.handle(happened, lambda: (), lambda _: say_in("zh", {})).text
    assert "RESUMING" not in text
    assert "处理：auth" in text
    assert text.startswith("<leftoff id=oc-demo>")


# Through the shell, the launcher and a process of its own, as a client runs it


@pytest.mark.req("X.hook.advisory", "X.hook.one-json")
def test_a_client_gets_at_most_one_object_per_event_and_no_decision(tmp_path, root):
    from hooks import answer, payload, transcript, unhurried

    thread(root)
    client = unhurried(os.path.join(tmp_path, "state"))
    log = transcript(tmp_path, answer(990_000))
    given = payload(cwd=root, transcript_path=log, source="startup", trigger="auto")
    for event in EVENTS:
        fired = client.fire(
            event, {**given, "last_assistant_message": "A summary.", "agent_type": ""}
        )
        assert fired.code == 0
        if event in {"start", "prompt"}:
            inner = json.loads(fired.out)["hookSpecificOutput"]
            assert set(inner) == {"hookEventName", "additionalContext"}
            assert inner["additionalContext"].startswith("<leftoff id=")
        elif event == "compacting":
            assert fired.out.startswith(b"<leftoff id=keep>")
        else:
            assert fired.out == b""
    assert client.log() == ""
    assert [line["event"] for line in client.lines() if line["key"]] == [*EVENTS]


@pytest.mark.req("C.hook.block")
def test_a_client_whose_user_opted_in_gets_a_decision_and_the_prompt_is_kept(tmp_path, root):
    import hooks
    from hooks import answer, payload, transcript, unhurried

    settings("[hooks]\nblock = true\n")
    client = unhurried(os.path.join(tmp_path, "state"))
    given = payload(cwd=root, transcript_path=transcript(tmp_path, answer(960_000)))
    client.fire("start", given)
    said = json.loads(client.fire("prompt", given).out)
    assert said["decision"] == "block"
    assert prompts.path_of(client.state, hooks.SESSION) in said["reason"]
    assert [one.text for one in stored(client.state, hooks.SESSION)] == ["do the work"]
    without = client.fire("prompt", {**given, "session_id": "", "prompt_id": "p-2"})
    assert without == (0, b"")
