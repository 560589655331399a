"""Hooks as clients run them: through a shell, the launcher, and a process of their own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from hooks import (
    AGENT,
    SESSION,
    TIME_ENOUGH,
    UNHURRIED,
    answer,
    bare,
    copied,
    installed,
    loaded,
    payload,
    text,
    transcript,
    unhurried,
)
from leftoff.core.event import EVENTS
from leftoff.world import now_file
from support import leftoff, shared, snapshot

SECRET = "sk-prompt-0123456789"
HOT = {
    *("leftoff", "leftoff.record", "leftoff.agents", "leftoff.agents._payload"),
    *("leftoff.core", "leftoff.core.event", "leftoff.core.fast_json"),
    *("leftoff.entry", "leftoff.entry.hook"),
    *("leftoff.world", "leftoff.world.journal", "leftoff.world.now_file"),
}
"""Of ours, beside the adapter; each costs every turn of every session."""


@pytest.fixture
def client(tmp_path):
    return unhurried(os.path.join(tmp_path, "state"))


ECHO = """
from leftoff.core.event import Answer
def handle(happened, **_):
    return Answer("context", happened.why)
"""


@pytest.fixture(scope="module")
def talkative(tmp_path_factory):
    folder = os.fspath(tmp_path_factory.mktemp("echo"))
    return copied(folder, os.path.join(folder, "state"), commands___events=ECHO)


@pytest.fixture
def echo(talkative):
    """A client of a package whose commands answer every event with why they were asked."""
    for name in ("hook/runs", "hook.log"):
        with open(os.path.join(talkative.state, name), "w", encoding="utf-8"):
            pass
    shutil.rmtree(os.path.join(talkative.state, "sessions"), ignore_errors=True)
    return talkative


def fixtures(name: str) -> dict[str, object]:
    with open(shared("clients", "fixtures", "claude", "hooks", name), encoding="utf-8") as file:
        return json.load(file)


def test_a_turn_leaves_a_line_for_its_beginning_and_its_end_and_says_nothing(client, tmp_path):
    log = transcript(tmp_path, answer(50_000))
    client.leave()
    assert client.fire("prompt", payload(transcript_path=log)) == (0, b"")
    assert client.fire("stop", payload(transcript_path=log, stop_hook_active=True)) == (0, b"")
    prompt, stop = client.lines()
    size = os.path.getsize(log)
    figures = {"context": 50_000, "window": 0, "size": size, "model": "claude-opus-5-5"}
    assert prompt.items() >= {"event": "prompt", "key": "p-1", **figures}.items()
    assert stop.items() >= {"event": "stop", "failed": "", "again": True, **figures}.items()
    assert client.log() == ""


@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop"])
def test_a_recorded_payload_of_the_client_is_taken_in(client, event):
    client.leave()
    ours = {"UserPromptSubmit": "prompt", "Stop": "stop"}[event]
    assert client.fire(ours, fixtures(f"{event}.json")) == (0, b"")
    assert [line["event"] for line in client.lines()] == [ours]


@pytest.mark.parametrize("agent", ["claude_code", "codex", "copilot", "gemini_cli", "opencode"])
@pytest.mark.parametrize("event", ["prompt", "stop"])
def test_a_frequent_event_loads_c_modules_and_a_fixed_set_of_ours(client, tmp_path, event, agent):
    client = client._replace(agent=agent.replace("_", "-"))
    client.leave()
    given = payload(transcript_path=transcript(tmp_path, answer(1000)))
    found = loaded(client, event, given) - bare()
    theirs = {name for name in found if not name.startswith("leftoff")}
    assert found - theirs == HOT | {f"leftoff.agents.{agent}"}
    assert theirs <= {"_json", "_collections"}


def test_what_was_compiled_ahead_is_used_and_left_when_the_source_changes(tmp_path):
    client = copied(tmp_path, os.path.join(tmp_path, "state"))
    client.leave()
    source = os.path.join(tmp_path, "site", "leftoff", "entry", "hook.py")
    compiled = os.path.join(tmp_path, "site", "leftoff", "entry", "__pycache__")
    shutil.rmtree(compiled, ignore_errors=True)
    assert client.fire("prompt", payload()) == (0, b"")
    assert not os.path.exists(compiled)  # the import system would have left its own
    with open(source, "a", encoding="utf-8") as file:
        file.write("\n\ndef main(argv, state):\n    posix.write(1, b'new')\n    posix._exit(0)\n")
    assert client.fire("prompt", payload()) == (0, b"new")


WRONG = {
    "nothing": b"",
    "no JSON": b"hello",
    "half an object": b'{"session_id": "x"',
    "a list": b"[1, 2]",
    "a number": b"7",
    "broken inside": b'{"a": }',
    "no UTF-8": b"\xff\xfe{}",
    "nested too deeply": b'{"a":' + b"[" * 200_000,
    "a NUL": b"\0",
}


@pytest.mark.req("X.hook.fail-open")
@pytest.mark.parametrize("data", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("event", ["prompt", "start"])
def test_whatever_comes_in_the_hook_ends_with_0_says_nothing_and_logs_a_line(client, event, data):
    assert client.fire(event, data) == (0, b"")
    assert client.log().count("\n") == 1
    assert f"{AGENT} {event} Unusable: the payload is " in client.log()


@pytest.mark.req("X.hook.fail-open")
def test_a_payload_of_many_megabytes_is_taken_in_and_a_larger_one_is_not(tmp_path):
    client = unhurried(os.path.join(tmp_path, "state"))
    client.leave()
    assert client.fire("prompt", payload(prompt="x" * (8 << 20))) == (0, b"")
    assert len(client.lines()) == 1
    small = "{}hook.LARGEST = 1 << 20\nhook.run(['claude-code', 'prompt'], {!r})"
    argv = [sys.executable, "-c", small.format(UNHURRIED, client.state)]
    data = json.dumps(payload(prompt="x" * (2 << 20), prompt_id="p-2")).encode()
    env = {**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(now_file.__file__)) + "/.."}
    assert subprocess.run(argv, input=data, env=env).returncode == 0
    assert len(client.lines()) == 1
    assert "Unusable: the payload is too long" in client.log()


def test_a_character_that_is_split_between_two_reads_stays_whole(client):
    client.leave()
    start = json.dumps(payload(prompt=""), ensure_ascii=False).encode()[:-2]
    filler = (1 << 16) - len(start) - 1  # the first read ends inside the first character
    data = start + b"x" * filler + "断点".encode() * 40_000 + b'"}'
    assert client.fire("prompt", data) == (0, b"")
    assert len(client.lines()) == 1
    assert client.log() == ""


def test_a_client_may_hold_its_end_of_the_pipe_open(client):
    client.leave()
    for number, size in enumerate((1, 300_000)):
        with client.start("prompt") as started:
            given = payload(prompt="x" * size + "}", prompt_id=f"p-{number}")
            started.stdin.write(json.dumps(given).encode())
            started.stdin.flush()
            assert started.wait(timeout=300) == 0
            assert started.stdout.read() == b""
    assert [line["key"] for line in client.lines()] == ["p-0", "p-1"]
    assert client.log() == ""


def test_a_client_that_writes_nothing_is_not_waited_for_long(tmp_path):
    client = installed(os.path.join(tmp_path, "state"))
    with client.start("prompt") as started:
        assert started.wait(timeout=300) == 0
    assert "Late" in client.log()


def test_of_two_objects_the_first_one_counts(client):
    client.leave()
    first, second = payload(prompt_id="p-1"), payload(prompt_id="p-2")
    assert client.fire("prompt", (json.dumps(first) + json.dumps(second)).encode()) == (0, b"")
    assert [line["key"] for line in client.lines()] == ["p-1"]


@pytest.mark.parametrize(
    "words", ["", "nobody prompt", "../x prompt", "claude-code dance", "_payload stop"]
)
def test_wrong_words_are_a_line_in_the_log(client, words):
    command = client.command("EVENT").replace("claude-code EVENT", words)
    done = subprocess.run(["sh", "-c", command], input=b"{}", capture_output=True)
    assert (done.returncode, done.stdout) == (0, b"")
    assert client.log().count("\n") == 1


HOSTILE = [
    "../../etc/passwd",
    "/etc/passwd",
    "..",
    "a/b",
    "-rf",
    "\u0000",
    "x" * 300,
    "\ud800",
    " ",
]


@pytest.mark.parametrize("session", HOSTILE)
@pytest.mark.parametrize("event", ["prompt", "start"])
def test_an_id_that_is_no_name_never_becomes_a_path(client, session, event, tmp_path):
    before = snapshot(tmp_path).keys()
    assert client.fire(event, payload(session_id=session)).code == 0
    new = {os.path.relpath(path, client.state) for path in snapshot(tmp_path).keys() - before}
    assert new <= {"hook.log", "hook/runs"}


@pytest.mark.parametrize("field", sorted(payload()))
@pytest.mark.parametrize("value", [None, 7, {}, "\ud800"])
def test_a_field_of_another_type_stops_nobody(client, field, value):
    client.leave()
    assert client.fire("prompt", payload(**{field: value})) == (0, b"")


def crossing(tmp_path) -> dict[str, object]:
    return payload(transcript_path=transcript(tmp_path, answer(150_000)))


LEFT = [
    ({}, 100_000, "prompt", "-"),
    ({}, 139_999, "prompt", "-"),
    ({}, 140_000, "prompt", "crossed"),
    ({}, 140_000, "stop", "crossed"),
    ({"noticed": True, "armed_below": 60}, 140_000, "prompt", "-"),
    ({"noticed": True, "armed_below": 60}, 119_999, "prompt", "fell"),
    ({"quiet": True}, 199_000, "prompt", "-"),
    ({"journal_only": True}, 199_000, "prompt", "-"),
    ({"block": 95, "noticed": True}, 190_000, "prompt", "store"),
    ({"block": 95, "noticed": True}, 190_000, "stop", "-"),
    ({"offered": True}, 1, "stop", "offered"),
    ({"offered": True}, 1, "prompt", "-"),
    ({"run": True, "quiet": True}, 1, "stop", "run"),
    ({"run": True}, 1, "prompt", "-"),
    ({"wake": True}, 1, "prompt", "run"),
    ({"wake": True}, 1, "stop", "-"),
    ({"watch": [["/nowhere", 5]]}, 1, "prompt", "old"),
    ({"watch": [["/nowhere", 0]]}, 1, "prompt", "-"),
    ({"window": 1_000_000}, 190_000, "prompt", "-"),
    ({"v": 2}, 1, "prompt", "missing"),
]


@pytest.mark.parametrize("case", LEFT, ids=str)
def test_ordinary_commands_are_asked_only_when_there_is_a_reason(echo, tmp_path, case):
    left, tokens, event, why = case
    echo.leave(**left)
    fired = echo.fire(event, payload(transcript_path=transcript(tmp_path, answer(tokens))))
    assert fired == (0, b"" if why == "-" or event == "stop" else reply(why))
    assert [run[2:3] + run[4:] for run in echo.runs()] == [[event, why]]


@pytest.mark.req("E.run.interrupt")
@pytest.mark.parametrize(
    ("left", "prompt", "why"),
    [
        ({"run": True}, "停", "run"),
        ({"run": True}, "stop", "run"),
        ({"run": True}, "stop words list", "-"),
        ({}, "stop", "-"),
        ({"wake": True}, "stop words list", "run"),
    ],
)
def test_while_a_run_is_on_a_prompt_of_a_word_is_seen(echo, tmp_path, left, prompt, why):
    echo.leave(**left)
    log = transcript(tmp_path, answer(1))
    echo.fire("prompt", payload(transcript_path=log, prompt=prompt))
    assert echo.runs()[0][4] == why


def reply(said: str) -> bytes:
    inner = {"hookEventName": "UserPromptSubmit", "additionalContext": said}
    return json.dumps({"hookSpecificOutput": inner}, separators=(",", ":")).encode()


def test_the_clients_own_window_counts_before_the_one_that_was_left(echo, tmp_path):
    echo.leave(window=1_000_000)
    told = {"session_id": SESSION, "context_window": {"context_window_size": 200_000}}
    assert echo.fire("statusline", told).code == 0
    assert echo.fire("prompt", crossing(tmp_path)).out == reply("crossed")


@pytest.mark.parametrize("tail", [0, 100_000, 3_000_000])
def test_the_last_answer_is_found_behind_long_lines_of_other_kinds(client, tmp_path, tail):
    client.leave()
    aside = answer(9, isSidechain=True)
    noise = json.dumps({"type": "user", "text": "x" * tail}) + "\n"
    log = transcript(tmp_path, answer(7), answer(4321), noise, aside, '{"type":"assistant","me')
    client.fire("prompt", payload(transcript_path=log))
    assert client.lines()[0]["context"] == 4321


@pytest.mark.parametrize("path", ["", "/nowhere/at/all.jsonl", "/"])
def test_a_missing_transcript_is_no_trouble(client, path):
    client.leave()
    assert client.fire("stop", payload(transcript_path=path)) == (0, b"")
    assert len(client.lines()) == 1


def at_once(client, event: str, payloads: list[dict[str, object]]) -> list[tuple[int, bytes]]:
    with ThreadPoolExecutor(len(payloads)) as pool:
        return list(pool.map(lambda given: client.fire(event, given), payloads))


@pytest.mark.req("X.hook.one-json")
def test_an_event_that_two_processes_are_told_of_is_one_event(echo):
    for number in range(4):
        fired = at_once(echo, "prompt", [payload(prompt_id=f"p-{number}")] * 3)
        assert sorted(fired) == [(0, b""), (0, b""), (0, reply("missing"))]
    assert [line["key"] for line in echo.lines()] == [f"p-{number}" for number in range(4)]


def test_twenty_events_at_once_are_twenty_lines(client):
    client.leave()
    fired = at_once(client, "prompt", [payload(prompt_id=f"p-{n}") for n in range(20)])
    assert set(fired) == {(0, b"")}
    assert {line["key"] for line in client.lines()} == {f"p-{n}" for n in range(20)}
    assert client.log() == ""


def test_twenty_sessions_that_start_at_once_are_twenty_journals(client, tmp_path):
    names = [f"{SESSION[:-2]}{n:02}" for n in range(20)]
    given = [payload(session_id=name, source="startup", cwd=str(tmp_path)) for name in names]
    assert {code for code, _ in at_once(client, "start", given)} == {0}
    assert client.log() == ""
    for name in names:
        assert [line["event"] for line in client.lines(name)] == ["start"]
        assert now_file.read(client.state, AGENT, name)


@pytest.mark.req("X.session.identity")
def test_two_sessions_side_by_side_keep_separate_journals(client):
    other = SESSION.replace("1", "2")
    for number in range(3):
        client.fire("prompt", payload(prompt_id=f"a-{number}"))
        client.fire("prompt", payload(prompt_id=f"b-{number}", session_id=other))
    assert [line["key"] for line in client.lines()] == ["a-0", "a-1", "a-2"]
    assert [line["key"] for line in client.lines(other)] == ["b-0", "b-1", "b-2"]


RAISES = ["SystemExit", "KeyboardInterrupt", "MemoryError", "RecursionError", "ValueError"]
FAILING = f"""
import builtins
def handle(happened, **_):
    raise getattr(builtins, happened.payload.mode)("{SECRET}") from ValueError("{SECRET}")
"""


@pytest.fixture(scope="module")
def failing(tmp_path_factory):
    folder = os.fspath(tmp_path_factory.mktemp("failing"))
    return copied(folder, os.path.join(folder, "state"), commands___events=FAILING)


@pytest.mark.req("X.hook.fail-open")
@pytest.mark.parametrize("error", RAISES)
def test_a_failure_in_a_command_is_a_line_in_the_log_without_its_message(failing, error):
    for event in EVENTS:
        given = payload(agent_type="", permission_mode=error, session_id=error)
        assert failing.fire(event, given) == (0, b"")
    told = [line for line in failing.log().splitlines() if f" {error}: " in line]
    assert len(told) == len(EVENTS)
    assert all(line.endswith("(commands/_events.py:4 handle)") for line in told)
    assert SECRET not in failing.log()


WAITS = "signal.pause()"
HANGING = """
import signal
def handle(*_, **__):
  left, again = signal.getitimer(signal.ITIMER_REAL)
  signal.setitimer(signal.ITIMER_REAL, left / {enough} / 100, again)  # its time is up
"""


@pytest.mark.req("X.hook.fail-open")
@pytest.mark.parametrize(
    "hang", [WAITS, f"while True:\n    try: {WAITS}\n    except BaseException: pass"]
)
def test_a_command_that_hangs_is_stopped(tmp_path, hang):
    code = f"{HANGING.format(enough=TIME_ENOUGH)}  {hang}\n"
    client = copied(tmp_path, os.path.join(tmp_path, "state"), commands___events=code)
    assert client.fire("prompt", payload()) == (0, b"")
    assert len(client.lines()) == 1
    assert " Late: - " in client.log()


def test_a_removed_package_is_silence(tmp_path):
    client = copied(tmp_path, os.path.join(tmp_path, "state"))
    shutil.rmtree(os.path.join(tmp_path, "site"))
    assert client.fire("prompt", payload()) == (0, b"")
    assert not client.lines()


def test_a_package_that_is_half_removed_is_silence(tmp_path):
    client = copied(tmp_path, os.path.join(tmp_path, "state"))
    shutil.rmtree(os.path.join(tmp_path, "site", "leftoff", "core"))
    assert client.fire("prompt", payload()) == (0, b"")


@pytest.mark.parametrize("gone", ["python", "launcher"])
def test_a_removed_interpreter_or_launcher_is_silence(client, gone):
    if gone == "python":
        client = client._replace(python="/nowhere/bin/python")
    else:
        os.remove(os.path.join(client.state, "hook", "launch.py"))
    assert client.fire("prompt", payload()) == (0, b"")


def test_no_module_beside_the_package_stands_before_the_standard_library(tmp_path):
    client = copied(tmp_path, os.path.join(tmp_path, "state"))
    for name in ("_json", "time", "os", "select", "errno", "zlib"):
        with open(os.path.join(tmp_path, "site", f"{name}.py"), "w", encoding="utf-8") as file:
            file.write("raise SystemExit('shadowed')\n")
    assert client.fire("prompt", payload()).code == 0
    assert len(client.lines()) == 1


@pytest.mark.req("X.hook.fail-open")
def test_a_state_folder_that_cannot_be_written_stops_nobody(client):
    with open(os.path.join(client.state, "sessions"), "w", encoding="utf-8") as file:
        file.write("a file in the place of a folder")
    for event in EVENTS:
        assert client.fire(event, payload()) == (0, b"")
    assert "Not a directory" in client.log()


@pytest.mark.req("X.hook.fail-open")
def test_a_full_disk_stops_nobody(client):
    client.leave()
    for event in EVENTS:
        command = f"ulimit -f 0; {client.command(event)}"
        data = json.dumps(payload()).encode()
        done = subprocess.run(["sh", "-c", command], input=data, capture_output=True)
        assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.parametrize("junk", [b"\0" * 5000, b'{"at":1,"ev', b"\xff\xfe\n[]\n7\nnull\n{}\n"])
def test_a_broken_journal_is_written_on(client, junk):
    client.leave()
    folder = os.path.join(client.state, "sessions", AGENT)
    with open(os.path.join(folder, f"{SESSION}.jsonl"), "wb") as file:
        file.write(junk)
    assert client.fire("prompt", payload()) == (0, b"")
    assert [line["key"] for line in client.lines()] == ["p-1"]


def test_a_journal_that_grew_begins_anew_when_its_session_starts_again(client):
    client.leave()
    client.fire("prompt", payload())
    target = os.path.join(client.state, "sessions", AGENT, f"{SESSION}.jsonl")
    with open(target, "a", encoding="utf-8") as file:
        file.write("x" * (5 << 20) + "\n")
    client.fire("start", payload(source="resume"))
    assert os.path.getsize(target) < 10_000
    assert client.lines()[0]["key"] == "p-1"


def test_nothing_that_is_kept_holds_the_prompt_or_the_environment(client, tmp_path):
    env = {"SECRET_OF_MINE": "env-0123456789"}
    given = payload(prompt=SECRET, last_assistant_message=SECRET)
    for event in EVENTS:
        client.fire(event, given, env)
        client.fire(event, json.dumps(given).encode()[:-1], env)
    os.rename(f"{client.state}/sessions", f"{client.state}/before")
    with open(f"{client.state}/sessions", "w", encoding="utf-8"):
        pass
    for event in EVENTS:
        client.fire(event, given, env)
    assert client.log()
    for path in (f"{client.state}/hook.log", f"{client.state}/hook/runs"):
        assert SECRET not in text(path)
        assert "env-0123456789" not in text(path)


def test_leftoff_off_touches_nothing(client, tmp_path):
    before = snapshot(tmp_path)
    for event in (*EVENTS, "statusline"):
        assert client.fire(event, payload(), {"LEFTOFF": "off"}) == (0, b"")
    assert snapshot(tmp_path) == before


def test_a_reader_that_is_gone_is_no_trouble(echo, tmp_path):
    command = f"({echo.command('prompt')}; echo $? > code) | true"
    for number in range(5):
        data = json.dumps(payload(prompt_id=str(number))).encode()
        subprocess.run(["sh", "-c", command], input=data, cwd=tmp_path, check=True)
        assert text(os.path.join(tmp_path, "code")) == "0\n"
    assert echo.log() == ""


def test_the_cost_of_every_run_is_kept(client):
    client.leave()
    client.fire("prompt", payload())
    client.fire("statusline", payload())
    (_, agent, event, ms, why), second = client.runs()
    assert (agent, event, why) == (AGENT, "prompt", "-")
    assert 0 < float(ms) < 60_000
    assert second[2] == "statusline"


def test_a_log_that_grew_is_put_aside(client):
    for name in ("hook.log", "hook/runs"):
        with open(os.path.join(client.state, name), "w", encoding="utf-8") as file:
            file.write("x" * (600 << 10) + "\n")
    client.fire("prompt", b"no object")
    for name in ("hook.log", "hook/runs"):
        assert not os.path.exists(os.path.join(client.state, name))
        assert text(os.path.join(client.state, f"{name}.1")).count("\n") == 2


def test_the_program_itself_takes_events_in_the_same_way(tmp_path, home):
    state = os.path.join(home, "state", "leftoff")
    for number in range(2):
        given = json.dumps(payload(prompt_id=f"p-{number}"))
        done = leftoff("hook", AGENT, "prompt", cwd=tmp_path, stdin=given)
        assert (done.returncode, done.stderr) == (0, "")
    names = os.listdir(os.path.join(state, "sessions", AGENT))
    assert f"{SESSION}.jsonl" in names


@pytest.mark.req("X.hook.fail-open")
def test_the_program_itself_never_fails_as_a_hook(tmp_path):
    assert leftoff("hook", cwd=tmp_path, stdin="{}").returncode == 0
    assert leftoff("hook", "codex", "dance", cwd=tmp_path, stdin="?").returncode == 0
    blocked = os.path.join(tmp_path, "file")
    with open(blocked, "w", encoding="utf-8"):
        pass
    done = leftoff("hook", "codex", "prompt", cwd=tmp_path, env={"LEFTOFF_STATE": blocked})
    assert (done.returncode, done.stdout) == (0, "")


def test_the_help_of_the_clients_verbs_shows_examples(tmp_path):
    for verb in ("hook", "statusline"):
        shown = leftoff("help", verb, cwd=tmp_path).stdout
        assert f"leftoff {verb} " in shown.partition("examples:")[2]
        assert leftoff(verb, "--help", cwd=tmp_path).stdout == shown
    assert "statusline" in leftoff("help", cwd=tmp_path).stdout


@pytest.mark.parametrize("event", ["prompt", "stop"])
def test_a_context_that_became_much_smaller_is_looked_at_by_the_commands(echo, tmp_path, event):
    log = transcript(tmp_path, answer(120_000))
    echo.leave()
    assert not echo.fire("prompt", payload(transcript_path=log)).out
    log = transcript(tmp_path, answer(120_000), answer(80_000))
    assert not echo.fire("prompt", payload(transcript_path=log, prompt_id="p-2")).out
    log = transcript(tmp_path, answer(80_000), answer(40_000))
    fired = echo.fire(event, payload(transcript_path=log, prompt_id="p-3"))
    assert [words[4] for words in echo.runs()] == ["-", "-", "fell"]
    assert fired.code == 0


@pytest.mark.parametrize("moved", [False, True])
def test_a_client_that_does_not_name_its_transcript_is_known_by_its_folder(client, tmp_path, moved):
    copilot = client._replace(agent="copilot")
    base = os.path.join(tmp_path, "moved") if moved else os.path.join(tmp_path, "home", ".copilot")
    folder = os.path.join(base, "session-state", SESSION)
    os.makedirs(folder)
    used = {"inputTokens": 600, "maxPromptTokens": 1000, "model": "gpt-4.1"}
    with open(os.path.join(folder, "events.jsonl"), "w", encoding="utf-8") as file:
        file.write(json.dumps({"type": "session.usage_record", "data": {"usage": used}}) + "\n")
    env = {"HOME": os.path.join(tmp_path, "home")} | ({"COPILOT_HOME": base} if moved else {})
    told = {"sessionId": SESSION, "cwd": "/repo", "timestamp": 1, "prompt": "go on"}
    copilot.leave()
    assert copilot.fire("prompt", told, env) == (0, b"")
    (line,) = copilot.lines()
    assert (line["context"], line["window"]) == (600, 1000)
    odd = told | {"sessionId": "../" + SESSION}
    assert copilot.fire("prompt", odd, env) == (0, b"")
