"""Hooks among things that are not what they should be: files of ours, transcripts, the package."""

from __future__ import annotations

import json
import os
from types import SimpleNamespace

import pytest

from hooks import AGENT, QUIET, SESSION, answer, copied, payload, transcript, unhurried
from leftoff.errors import LeftoffError
from leftoff.world import journal, now_file
from projects import put_thread
from support import repo

THREAD = "thread-1a2b3c4d"


@pytest.fixture
def client(tmp_path):
    return unhurried(os.path.join(tmp_path, "state"))


@pytest.fixture
def root(tmp_path):
    return repo(tmp_path)


def leave(client, ending: str, value: object) -> None:
    """Put anything where a file about the session belongs."""
    path = journal.path(client.state, AGENT, SESSION, ending)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(value if isinstance(value, str) else json.dumps(value))


NONSENSE = {
    "window": ["x", {"a": 1}],
    "advise": ["x", [], {}],
    "block": ["x", [1]],
    "watch": ["x", 7, [1], [["a"]], [[None, 0]], [["a\0b", 0]]],
}


@pytest.mark.parametrize(("key", "value"), [(k, v) for k, vs in NONSENSE.items() for v in vs])
def test_what_was_left_and_makes_no_sense_is_left_anew(client, root, tmp_path, key, value):
    log = transcript(tmp_path, answer(900_000))
    leave(client, ".now", {**QUIET, key: value})
    code, out = client.fire("prompt", payload(cwd=root, transcript_path=log))
    assert code == 0
    assert b"Context use is 90.0 %" in out
    assert client.log() == ""
    assert (now_file.read(client.state, AGENT, SESSION) or {})[key] != value


@pytest.mark.parametrize("steps", [["x"], {}, None, "a\0b", 7.5])
def test_a_document_of_a_run_that_makes_no_sense_counts_for_nothing(client, root, steps):
    leave(client, ".now", {**QUIET, "run": True, "steps": steps})
    assert client.fire("stop", payload(cwd=root)).code == 0
    assert client.log() == ""
    assert [line["event"] for line in client.lines()] == ["stop"]


@pytest.mark.parametrize(
    "said",
    [
        {"v": 1},
        {"v": 1, "context": "x", "window": "y", "model": 3},
        {"v": 1, "context": 1, "window": -5, "model": ""},
        {"v": 1, "context": 1, "window": True, "model": ""},
    ],
)
def test_figures_of_the_client_that_are_none_count_nothing(client, root, tmp_path, said):
    log = transcript(tmp_path, answer(900_000))
    leave(client, ".ctx", said)
    assert now_file.seen(client.state, AGENT, SESSION) is None
    _, out = client.fire("prompt", payload(cwd=root, transcript_path=log))
    assert b"Context use is 90.0 %" in out
    assert client.log() == ""


def test_a_full_disk_keeps_no_half_of_what_was_to_be_left(client, monkeypatch):
    client.leave()

    def full(*_):
        raise OSError(28, "no room")

    monkeypatch.setattr(
        now_file, "posix", SimpleNamespace(**{**vars(now_file.posix), "write": full})
    )
    with pytest.raises(LeftoffError):
        client.leave(advise=1)
    folder = os.path.dirname(journal.path(client.state, AGENT, SESSION))
    assert os.listdir(folder) == [f"{SESSION}.now"]
    assert now_file.read(client.state, AGENT, SESSION) == QUIET


@pytest.mark.parametrize("event", ["start", "compacting", "summary"])
def test_a_transcript_that_is_a_pipe_is_not_waited_for(client, root, tmp_path, event):
    pipe = os.path.join(tmp_path, "pipe")
    os.mkfifo(pipe)
    more = {"agent_type": "", "agent_id": "a"} if event == "summary" else {}
    given = payload(cwd=root, transcript_path=pipe, source="compact", **more)
    assert client.fire(event, given).code == 0
    assert client.log() == ""
    assert [line["event"] for line in client.lines()] == [event]


def test_a_source_of_the_same_size_and_time_is_still_another_one(tmp_path):
    client = copied(tmp_path, os.path.join(tmp_path, "state"))
    source = os.path.join(tmp_path, "site", "leftoff", "agents", "claude_code.py")
    before = os.stat(source)
    with open(source, encoding="utf-8") as file:
        text = file.read()
    with open(source, "w", encoding="utf-8") as file:
        file.write(text.replace('"session_id"', '"sessionXid"'))
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert os.stat(source).st_size == before.st_size
    client.leave()
    client.fire("prompt", {**payload(), "sessionXid": SESSION, "session_id": "another"})
    assert [line["event"] for line in client.lines()] == ["prompt"]


JOURNALS = {
    "a notice about a list": {"at": 1, "event": "notice", "what": ["advised"]},
    "a session that is a path": {"at": 1, "event": "start", "from": "../../x"},
    "figures that are none": {"at": 1, "event": "prompt", "context": "a", "window": {}},
}


@pytest.mark.parametrize("event", ["start", "prompt", "compacting"])
@pytest.mark.parametrize("name", JOURNALS)
def test_a_strange_line_in_a_journal_stops_no_event(client, root, name, event):
    leave(client, ".jsonl", json.dumps(JOURNALS[name]) + "\n")
    assert client.fire(event, payload(cwd=root)).code == 0
    assert client.log() == ""
    assert event in [line["event"] for line in client.lines()]


def test_a_fork_by_a_client_that_cannot_be_seen_is_a_start_like_any_other(client, root):
    put_thread(root)
    code, out = client.fire("start", payload(cwd=root, source="fork"))
    assert (code, client.log()) == (0, "")
    assert THREAD.encode() in out


@pytest.mark.parametrize("event", ["start", "compacting"])
def test_a_disk_that_takes_nothing_costs_the_session_no_word(client, root, event):
    put_thread(root)
    with open(os.path.join(client.state, "sessions"), "w", encoding="utf-8"):
        pass  # no journal can be written where a file has the folder's name
    code, out = client.fire(event, payload(cwd=root, source="startup"))
    assert code == 0
    assert b"Write the middleware" in out
    assert client.log().count("\n") == 1
    assert "journal.py" in client.log()
