"""The hook in this very process: how an event is taken in, answered and logged, to the letter.

That it holds in a process of its own, as clients start it, is what test_hook.py is about.
"""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from hook_here import log_of, stdio
from hooks import AGENT, SESSION, payload, text
from leftoff.core.event import Answer
from leftoff.core.fast_json import dumps
from leftoff.entry import hook, statusline
from leftoff.world import journal

pytestmark = pytest.mark.usefixtures("hook_home")


@contextmanager
def open_pipe(given: bytes) -> Iterator[int]:
    """Where a client reads from whose other end stays open."""
    theirs, ours = os.pipe()
    os.write(ours, given)
    try:
        yield theirs
    finally:
        os.close(theirs)
        os.close(ours)


@pytest.fixture
def clock(monkeypatch):
    """Stands still unless a test moves it; the alarms that were set."""
    clock = SimpleNamespace(now=100.0, alarms=[])
    monkeypatch.setattr(hook, "monotonic", lambda: clock.now)
    monkeypatch.setattr(hook, "process_time", lambda: 0.25)
    monkeypatch.setattr(hook, "time", lambda: 1000.6)
    monkeypatch.setattr(hook, "setitimer", lambda *given: clock.alarms.append(given))
    return clock


# the run


def test_switched_off_it_leaves_nothing(client, monkeypatch):
    monkeypatch.setitem(hook.posix.environ, b"LEFTOFF", b"off")
    client.leave()
    assert client.tell("prompt", payload()) == b""
    assert (client.lines(), client.runs()) == ((), [])


@pytest.mark.parametrize("fails", [False, True])
def test_the_process_always_ends_with_0(monkeypatch, fails):
    asked, ends = [], []

    def run(argv, state):
        asked.append((argv, state))
        assert not fails

    monkeypatch.setattr(hook, "run", run)
    monkeypatch.setattr(hook.posix, "_exit", ends.append)
    try:
        hook.main(["a", "b"], "/state")
    except AssertionError:
        assert fails
    assert (asked, ends) == ([(["a", "b"], "/state")], [0])


def test_a_run_leaves_when_it_was_whose_how_long_it_took_and_why(client, commands, clock):
    def takes_a_while(_: object) -> None:
        clock.now += 1.5

    commands.then = takes_a_while
    client.tell("start", payload())
    assert client.runs() == [["1000", AGENT, "start", "1750.0", "rare"]]
    client.leave()
    client.tell("prompt", payload())
    assert client.runs()[1] == ["1000", AGENT, "prompt", "250.0", "-"]
    assert client.lines()[-1]["at"] == 1000.6


def test_an_event_has_seconds_for_its_payload_and_some_in_all(client, commands, clock):
    client.tell("start", payload())
    real = hook.ITIMER_REAL
    assert clock.alarms == [(real, hook.WAIT, 0.3), (real, hook.LONGEST, 0.3), (real, 0)]


def test_time_that_is_over_is_told_at_once(client, commands, clock, monkeypatch):
    def set_late(*given: object) -> None:
        clock.alarms.append(given)
        clock.now += hook.LONGEST

    monkeypatch.setattr(hook, "setitimer", set_late)
    client.tell("start", payload())
    assert clock.alarms[1] == (hook.ITIMER_REAL, 0.001, 0.3)


def test_what_takes_too_long_is_stopped_and_logged(client, commands):
    commands.then = lambda _: signal.raise_signal(signal.SIGALRM)
    assert client.tell("start", payload()) == b""
    assert client.runs()[0][4] == "failed"
    assert f" {AGENT} start Late: - (entry/hook.py:" in client.log()


def test_no_alarm_comes_while_a_failure_is_logged(client, commands, monkeypatch):
    left = []
    monkeypatch.setattr(hook, "log", lambda *_: left.append(signal.getitimer(signal.ITIMER_REAL)))
    commands.then = lambda _: 1 / 0
    assert client.tell("start", payload()) == b""
    assert left == [(0.0, 0.0)]


def test_what_does_not_let_itself_be_stopped_is_ended(client, commands, monkeypatch):
    class Ended(BaseException):
        pass

    def end(code: int) -> None:
        assert client.log().count("Late") == 1
        raise Ended(code)

    def goes_on(_: object) -> None:
        with pytest.raises(hook.Late):
            signal.raise_signal(signal.SIGALRM)
        assert client.log() == ""
        with pytest.raises(Ended, match="0"):
            signal.raise_signal(signal.SIGALRM)

    commands.then = goes_on
    monkeypatch.setattr(hook.posix, "_exit", end)
    client.tell("start", payload())
    assert client.runs()[0][4] == "rare"


@pytest.mark.parametrize("argv", [[], [AGENT], [AGENT, "lunch"]])
def test_no_event_of_ours_is_a_line_in_the_log(client, argv):
    with stdio(b"{}") as said:
        hook.run(argv, client.state)
    names = [*argv, "?", "?"][:2]
    assert said == [b""]
    assert f" {' '.join(names)} Unusable: there is no such event (entry/hook.py:" in client.log()
    assert client.runs()[0][1:3] == names
    assert client.runs()[0][4] == "failed"


# the payload


@pytest.mark.parametrize("around", [(b"", b""), (b" \n\t", b""), (b"", b"\n{}"), (b"", b" x")])
def test_the_first_object_is_the_payload(client, around):
    client.leave()
    client.tell("prompt", dumps(payload()).encode().join(around))
    assert [line["key"] for line in client.lines()] == ["p-1"]
    assert client.log() == ""


def test_a_client_may_leave_its_end_of_the_pipe_open(client):
    client.leave()
    with open_pipe(dumps(payload()).encode()) as pipe:
        client.tell("prompt", pipe)
    assert len(client.lines()) == 1


def test_a_client_that_says_nothing_is_not_waited_for(client, monkeypatch):
    monkeypatch.setattr(hook, "WAIT", 0.0)
    with open_pipe(b"") as pipe:
        assert client.tell("prompt", pipe) == b""
    assert f" {AGENT} prompt Late: - (entry/hook.py:" in client.log()


@pytest.mark.parametrize("shift", range(4))
def test_a_letter_of_many_bytes_may_stand_where_a_read_ends(client, commands, shift):
    head = b'{"session_id":"%s","model":"' % SESSION.encode()
    fill = "x" * ((1 << 16) - len(head) - shift)
    commands.then = lambda happened: Answer("context", happened.payload.model[-2:])
    whole = head + f'{fill}😀!"}}'.encode()
    assert client.tell("compacting", whole) == "😀!".encode()


def test_what_stays_no_utf_8_is_taken_in_all_the_same(client):
    client.leave()
    client.tell("prompt", dumps(payload(prompt="@")).encode().replace(b"@", b"\xff"))
    assert len(client.lines()) == 1


@pytest.mark.parametrize("given", [b"[]", b"7", b'"x"', b"null"])
def test_what_is_no_object_is_said_to_be_none(client, given):
    client.tell("prompt", given)
    assert " Unusable: the payload is not an object (entry/hook.py:" in client.log()


@pytest.mark.parametrize("given", [{"agent_id": "a"}, {"session_id": ""}])
def test_what_is_no_event_of_a_session_leaves_nothing_but_its_run(client, commands, given):
    assert client.why("prompt", **given) == "-"
    assert client.why("start", **given) == "-"
    assert (client.lines(), commands.asked, client.log()) == ((), [], "")


def test_a_prompt_of_our_own_words_is_nobodys(client):
    assert client.why("prompt", prompt="<leftoff id=1>go on</leftoff>") == "-"
    assert client.lines() == ()


# the answer


def test_an_answer_is_said_as_the_client_wants_it(client, commands):
    commands.then = lambda _: Answer("context", "Welcome back.")
    inside = {"hookEventName": "SessionStart", "additionalContext": "Welcome back."}
    assert client.tell("start", payload()) == dumps({"hookSpecificOutput": inside}).encode()
    assert client.log() == ""


def test_the_commands_see_the_environment_and_speak_the_users_language(
    client, commands, monkeypatch
):
    monkeypatch.setenv("LEFTOFF_LANG", "")
    client.tell("start", payload())
    assert commands.asked[0].env is os.environ
    assert commands.speak("zh")("Next") == "下一步"
    assert commands.speak("en")("Next") == "Next"
    monkeypatch.setenv("LEFTOFF_LANG", "zh")
    assert commands.speak("en")("Next") == "下一步"


def test_an_answer_is_said_although_something_could_not_be_kept(client, commands):
    commands.then = lambda _: Answer("context", "so", PermissionError(13, "secret words"))
    assert client.tell("compacting", payload()) == b"so"
    assert client.runs()[0][4] == "failed"
    assert " PermissionError: Permission denied (entry/hook.py:" in client.log()
    assert "secret" not in client.log()


def test_a_reply_is_said_whole_in_however_many_writes(client, commands, monkeypatch):
    write = os.write
    monkeypatch.setattr(hook.posix, "write", lambda fd, data: write(fd, data[:5]))
    commands.then = lambda _: Answer("context", "断点 " * 9 + "\ud800")
    assert client.tell("compacting", payload()) == ("断点 " * 9 + "?").encode()


def test_a_client_that_went_away_does_not_matter(client, commands, monkeypatch):
    theirs, ours = os.pipe()
    os.close(theirs)

    def handle(_: object) -> Answer:
        os.dup2(ours, 1)
        return Answer("context", "so")

    commands.then = handle
    assert client.tell("compacting", payload()) == b""
    os.close(ours)
    assert (client.runs()[0][4], client.log()) == ("rare", "")


FOLLOWED = [
    ("start", 700, ("", ""), False),
    ("start", 700, ("", ""), True),
    ("compacting", 700, (AGENT, SESSION), False),
    ("end", 700, (AGENT, SESSION), True),
    ("end", 0, ("", ""), False),
]


@pytest.mark.parametrize("case", FOLLOWED)
def test_the_archive_follows_behind_the_answer_whatever_became_of_it(
    client, commands, clock, tmp_path, case
):
    event, size, session, fails = case
    commands.then = lambda _: 1 / 0 if fails else None
    client.tell(event, payload(transcript_path=log_of(tmp_path, size)))
    followed = (client.state, os.environ, 1000.6, session)
    assert commands.behind == [*([client.state] if event == "start" else []), followed]
    assert ("ZeroDivisionError" in client.log()) == fails


@pytest.mark.parametrize("event", ["compacted", "prompt"])
def test_after_other_events_nothing_follows(client, commands, event):
    client.tell(event, payload())
    assert (len(commands.asked), commands.behind) == (1, [])


def test_a_start_keeps_the_journal_small(client, commands, monkeypatch):
    monkeypatch.setattr(journal, "LARGEST", 10)
    journal.append(client.state, AGENT, SESSION, {"event": "stop"})
    client.tell("end", payload())
    older = journal.path(client.state, AGENT, SESSION, ".1.jsonl")
    assert not os.path.exists(older)
    client.tell("start", payload())
    assert os.path.exists(older)


# the status line


def test_a_status_line_is_one_line_whole_or_a_segment(client, monkeypatch):
    def line(*given: object, segment: bool) -> str:
        return f"{given[0]} {given[1]['n']} {given[2] == client.state} {segment}"  # type: ignore[index]

    monkeypatch.setattr(statusline, "line", line)
    assert client.tell("statusline", {"n": 7}) == f"{AGENT} 7 True False\n".encode()
    assert client.tell("statusline", {"n": 7}, "--segment") == f"{AGENT} 7 True True\n".encode()
    assert [run[2:5:2] for run in client.runs()] == [["statusline", "-"]] * 2


def test_a_status_line_that_fails_is_said_all_the_same(client):
    assert client.tell("statusline", b"[]") == f"{statusline.FALLBACK}\n".encode()
    assert " statusline Unusable: " in client.log()


# the log


def test_the_first_failure_of_all_makes_the_folder_of_its_log(tmp_path):
    state = os.path.join(tmp_path, "new", "state")
    hook.log(state, AGENT, "prompt", ValueError("a word of the user's"))
    assert text(f"{state}/hook.log").endswith(f"Z {AGENT} prompt ValueError: - ()\n")
    assert text(f"{state}/hook.log").count("\n") == 1
    assert stat.S_IMODE(os.stat(f"{state}/hook.log").st_mode) == 0o600


def test_where_no_log_can_be_there_is_none(tmp_path):
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    hook.log(os.path.join(tmp_path, "file"), AGENT, "prompt", ValueError())
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_a_log_that_grew_is_put_aside(client, monkeypatch):
    hook.log(client.state, AGENT, "prompt", ValueError())
    first = client.log()
    monkeypatch.setattr(hook, "LOG_SIZE", 2 * len(first))
    hook.log(client.state, AGENT, "prompt", ValueError())
    assert client.log().count("\n") == 2
    hook.log(client.state, AGENT, "prompt", ValueError())
    assert client.log() == ""
    assert text(f"{client.state}/hook.log.1").count("\n") == 3
    hook.log(client.state, AGENT, "prompt", ValueError())
    assert client.log().count("\n") == 1


@pytest.mark.parametrize(
    ("given", "word"),
    [("", "?"), ("a b\n", "ab"), ("a-b_c", "a-b_c"), ("断点", "断点"), ("x" * 99, "x" * 40)],
)
def test_an_argument_is_one_word_of_the_log(client, given, word):
    hook.run(["a", given], client.state)
    assert f" a {word} Unusable: " in client.log()
