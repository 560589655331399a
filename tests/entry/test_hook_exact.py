"""The hook in this very process: what an event reads, keeps, answers and logs, to the letter.

That it holds in a process of its own, as clients start it, is what test_hook.py is about.
"""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryFile
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

from hooks import AGENT, SESSION, Client, answer, payload, text, transcript
from leftoff.agents import claude_code
from leftoff.commands import _events
from leftoff.core.event import Answer, Usage
from leftoff.core.wire import dumps
from leftoff.entry import hook, statusline
from leftoff.world import follower, journal, launcher, now


@contextmanager
def stdio(given: bytes | int) -> Iterator[list[bytes]]:
    """Descriptors 0 and 1 are a file with this in it (or a pipe) and one for what is said."""
    kept, said = (os.dup(0), os.dup(1)), list[bytes]()
    with TemporaryFile() as source, TemporaryFile() as out:
        if isinstance(given, bytes):
            os.pwrite(source.fileno(), given, 0)
        os.dup2(source.fileno() if isinstance(given, bytes) else given, 0)
        os.dup2(out.fileno(), 1)
        try:
            yield said
        finally:
            said.append(os.pread(out.fileno(), 1 << 20, 0))
            for number, fd in enumerate(kept):
                os.dup2(fd, number)
                os.close(fd)


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


def next_descriptor() -> int:
    fd = os.open(os.devnull, os.O_RDONLY)
    os.close(fd)
    return fd


class Here(Client):
    """A client whose hooks run in this process."""

    def tell(self, event: str, given: object = b"", *options: str) -> bytes:
        """What is said to one event; nothing that it opened stays open."""
        data = given if isinstance(given, bytes | int) else dumps(given).encode()
        with stdio(data) as said:
            before = next_descriptor()
            hook.run([self.agent, event, *options], self.state)
            assert next_descriptor() == before
        return said[0]

    def why(self, event: str, **given: object) -> str:
        """Why this event went to the commands, as the file of runs says."""
        self.tell(event, payload(**given))
        return self.runs()[-1][4]


class Commands:
    """Stands for the ordinary commands: what they were asked, and what they say to it."""

    def __init__(self) -> None:
        self.asked: list[Any] = []
        self.then: Any = lambda _: None
        self.behind: list[Any] = []

    def handle(self, happened: Any, speak: Any) -> Any:
        self.asked.append(happened)
        self.speak = speak
        return self.then(happened)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """The hook knows the environment by the bytes that the process began with."""
    folder = tmp_path / "home"
    (folder / ".claude").mkdir(parents=True)
    for name in (b"LEFTOFF", b"COPILOT_HOME"):
        monkeypatch.delitem(hook.posix.environ, name, raising=False)
    monkeypatch.setitem(hook.posix.environ, b"HOME", os.fsencode(folder))
    monkeypatch.setattr(hook.posix, "_exit", None)  # no test ends with the process
    alarm = signal.getsignal(signal.SIGALRM)
    yield folder
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, alarm)


@pytest.fixture
def client(tmp_path):
    os.makedirs(tmp_path / "state" / "hook")
    return Here(os.path.join(tmp_path, "state"))


@pytest.fixture
def commands(monkeypatch):
    commands = Commands()
    monkeypatch.setattr(_events, "handle", commands.handle)
    monkeypatch.setattr(launcher, "refresh", commands.behind.append)
    monkeypatch.setattr(follower, "follow", lambda *given: commands.behind.append(given))
    return commands


@pytest.fixture
def clock(monkeypatch):
    """Stands still unless a test moves it; the alarms that were set."""
    clock = SimpleNamespace(now=100.0, alarms=[])
    monkeypatch.setattr(hook, "monotonic", lambda: clock.now)
    monkeypatch.setattr(hook, "process_time", lambda: 0.25)
    monkeypatch.setattr(hook, "time", lambda: 1000.6)
    monkeypatch.setattr(hook, "setitimer", lambda *given: clock.alarms.append(given))
    return clock


def log_of(folder: object, size: int, marks: Mapping[int, bytes] = MappingProxyType({})) -> str:
    """A transcript of this size with no answer in it, and marks at these places."""
    path = os.path.join(os.fspath(folder), "long.jsonl")
    with open(path, "wb") as file:
        file.truncate(size)
        for at, mark in marks.items():
            file.seek(at)
            file.write(mark)
    assert os.path.getsize(path) == size
    return path


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
        clock.now += 10

    monkeypatch.setattr(hook, "setitimer", set_late)
    client.tell("start", payload())
    assert clock.alarms[1] == (hook.ITIMER_REAL, 0.001, 0.3)


def test_what_takes_too_long_is_stopped_and_logged(client, commands):
    commands.then = lambda _: signal.raise_signal(signal.SIGALRM)
    assert client.tell("start", payload()) == b""
    assert client.runs()[0][4] == "failed"
    assert f" {AGENT} start Late: - (entry/hook.py:" in client.log()


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
    commands.then = lambda happened: Answer("context", happened.told.model[-2:])
    whole = head + f'{fill}😀!"}}'.encode()
    assert client.tell("compacting", whole) == "😀!".encode()


def test_what_stays_no_utf_8_is_taken_in_all_the_same(client):
    client.leave()
    client.tell("prompt", dumps(payload(prompt="@")).encode().replace(b"@", b"\xff"))
    assert len(client.lines()) == 1


@pytest.mark.parametrize("given", [b"[]", b"7", b'"x"', b"null"])
def test_what_is_no_object_is_said_to_be_none(client, given):
    client.tell("prompt", given)
    assert " Unusable: the payload is no object (entry/hook.py:" in client.log()


@pytest.mark.parametrize("given", [{"agent_id": "a"}, {"session_id": ""}])
def test_what_is_no_event_of_a_session_leaves_nothing_but_its_run(client, commands, given):
    assert client.why("prompt", **given) == "-"
    assert client.why("start", **given) == "-"
    assert (client.lines(), commands.asked, client.log()) == ((), [], "")


def test_a_prompt_of_our_own_words_is_nobodys(client):
    assert client.why("prompt", prompt="<leftoff id=1>go on</leftoff>") == "-"
    assert client.lines() == ()


# what is kept


def test_the_same_event_told_twice_is_one_and_answered_once(client, commands):
    assert client.why("prompt") == "missing"
    assert client.why("prompt") == "-"
    assert client.why("prompt", prompt_id="p-2") == "missing"
    assert [line["key"] for line in client.lines()] == ["p-1", "p-2"]
    assert len(commands.asked) == 2


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
    client, home, tmp_path, monkeypatch
):
    copilot = client._replace(agent="copilot")
    given = {"sessionId": SESSION, "prompt": "do the work", "timestamp": 1}
    for size, folder in ((700, home / ".copilot"), (900, tmp_path / "moved")):
        (folder / "session-state" / SESSION).mkdir(parents=True)
        (folder / "session-state" / SESSION / "events.jsonl").write_bytes(b"\n" * size)
    now.write(client.state, "copilot", SESSION, {"advise": 70})
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
    now.write(client.state, AGENT, SESSION, {})
    assert client.why("prompt", context_tokens=201_999) == "-"
    assert client.why("stop", context_tokens=202_000) == "crossed"
    now.write(client.state, AGENT, SESSION, {"noticed": True})
    assert client.why("prompt", context_tokens=202_000, prompt_id="p-2") == "-"


def test_the_clients_own_window_counts_before_the_one_that_was_left(client, commands, monkeypatch):
    client.leave(window=1000)
    now.see(client.state, AGENT, SESSION, Usage(1, 2000))
    assert client.why("prompt", context_tokens=1399, prompt_id="1") == "-"
    assert client.why("prompt", context_tokens=1400, prompt_id="2") == "crossed"
    adapter = SimpleNamespace(**vars(claude_code))
    adapter.told = lambda *given: claude_code.told(*given)._replace(window=4000)
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
    monkeypatch.setattr(now, "posix", hook.posix)
    monkeypatch.setattr(journal, "posix", hook.posix)
    client.tell("prompt", payload(transcript_path=log))
    assert {name for name, _ in opened} == {
        *(f"{SESSION}.jsonl", f"{SESSION}.now", f"{SESSION}.ctx", "runs", "long.jsonl")
    }
    assert all(flags & os.O_CLOEXEC for _, flags in opened)
    assert all(flags & os.O_NONBLOCK for name, flags in opened if name == "long.jsonl")


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
    assert client.tell("statusline", b"[]") == f"{statusline.fallback}\n".encode()
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
