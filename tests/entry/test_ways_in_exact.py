"""Small ways in and out of the program that tests of processes run too: called here."""

from __future__ import annotations

import io
import json
import marshal
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hooks import AGENT, SESSION, payload, text
from leftoff.core.result import Start
from leftoff.entry import follow, hook, stdin_text, verb_hook, verb_statusline
from leftoff.entry.completion import SHELLS, script
from leftoff.entry.start_client import become
from leftoff.errors import LeftoffError, Usage
from leftoff.world import archive_follow, journal
from leftoff.world.compiled_ahead import Ahead, install
from leftoff.world.state import state_dir
from support import run


@contextmanager
def stdin(data: bytes) -> Iterator[None]:
    """Our stdin is a pipe that holds this, and whose writer stays."""
    before = os.dup(0)
    reader, writer = os.pipe()
    os.dup2(reader, 0)
    os.close(reader)
    try:
        os.write(writer, data)
        yield
    finally:
        os.dup2(before, 0)
        os.close(before)
        os.close(writer)


@pytest.fixture
def unhurried(monkeypatch):
    """A hook takes as long as it does, and leaves the alarm as it was."""
    monkeypatch.setattr(hook, "WAIT", 600.0)
    monkeypatch.setattr(hook, "LONGEST", 600.0)
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.signal(signal.SIGALRM, before)


def test_a_client_may_call_the_program_itself_at_an_event(unhurried, tmp_path):
    state = state_dir(os.environ)
    with stdin(json.dumps(payload(cwd=os.fspath(tmp_path))).encode()):
        assert verb_hook.run([AGENT, "--some-option", "stop"], os.environ) == 0
    lines = journal.read(journal.path(state, AGENT, SESSION)).lines
    assert [line["event"] for line in lines] == ["stop"]
    assert text(f"{state}/hook.log") == ""


def test_words_that_are_no_event_are_a_line_in_the_log(unhurried):
    with stdin(b"{}"):
        assert verb_hook.run([AGENT, "no-such"], os.environ) == 0
    assert "there is no such event" in text(f"{state_dir(os.environ)}/hook.log")


@pytest.mark.parametrize(
    ("words", "shown"),
    [([], "repo | Opus"), (["--segment"], "repo"), (["claude-code"], "repo | Opus")],
)
def test_a_script_may_ask_for_the_status_line(unhurried, capfd, words, shown):
    with stdin(b'{"cwd": "/repo", "model": {"display_name": "Opus"}}'):
        assert verb_statusline.run(words, os.environ) == 0
    assert capfd.readouterr().out == f"{shown}\n"


def test_a_status_line_that_a_person_tries_is_no_failure_of_a_hook(capfd, monkeypatch):
    monkeypatch.setattr(os, "isatty", lambda fd: fd == 0)
    assert verb_statusline.run([], os.environ) == 0
    assert capfd.readouterr().out == "leftoff\n"
    assert not os.path.exists(f"{state_dir(os.environ)}/hook.log")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def pipe_with(data: bytes) -> io.TextIOWrapper:
    """A stream that ends behind this."""
    reader, writer = os.pipe()
    os.write(writer, data)
    os.close(writer)
    return open(reader, encoding="utf-8")


def test_all_that_comes_on_stdin_is_read_whatever_stdin_is():
    with pipe_with("断点 \n".encode() + b"\xff") as source:
        assert stdin_text.read(source) == "断点 \n\ufffd"
    assert stdin_text.read(io.StringIO("in memory")) == "in memory"
    assert stdin_text.read(Terminal("typed")) == ""


def test_more_than_anybody_writes_is_refused_and_a_silent_writer_not_waited_for(monkeypatch):
    monkeypatch.setattr(stdin_text, "LARGEST", 10)
    with pipe_with(b"x" * 10) as source:
        assert stdin_text.read(source) == "x" * 10
    with pipe_with(b"x" * 11) as source, pytest.raises(Usage, match="longer than"):
        stdin_text.read(source)
    monkeypatch.setattr(stdin_text, "WAIT", 0)
    with stdin(b""), open(0, encoding="utf-8", closefd=False) as source:
        assert stdin_text.read(source) == ""


@pytest.fixture
def kept(monkeypatch):
    """This process again as it was: its folder, its stdin, what it does where a reader is gone."""
    source, before = os.dup(0), signal.getsignal(signal.SIGPIPE)
    monkeypatch.chdir(os.getcwd())
    yield
    os.dup2(source, 0)
    os.close(source)
    signal.signal(signal.SIGPIPE, before)


@pytest.mark.parametrize("alone", [True, False])
def test_a_client_takes_our_place_in_its_folder_with_what_was_shown_out(
    kept, tmp_path, monkeypatch, alone
):
    became = []
    monkeypatch.setattr(os, "execve", lambda *given: became.append((os.getcwd(), *given)))
    shown = io.TextIOWrapper(raw := io.BytesIO(), encoding="utf-8")
    shown.write("starting")
    folder = os.path.realpath(tmp_path)
    with stdin(b"typed"):
        become(Start("/bin/client", ("client", "-p"), folder, {"A": "1"}, alone), shown)
        assert os.read(0, 9) == (b"" if alone else b"typed")
    assert became == [(folder, "/bin/client", ("client", "-p"), {"A": "1"})]
    assert raw.getvalue() == b"starting"
    assert signal.getsignal(signal.SIGPIPE) == signal.SIG_DFL


def test_a_client_that_cannot_be_started_is_told(kept, tmp_path):
    program = os.path.join(tmp_path, "none")
    with pytest.raises(LeftoffError, match="cannot start"):
        become(Start(program, ("none",), os.fspath(tmp_path), {}))


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_for_each_shell_knows_verbs_options_and_how_to_ask_for_names(shell):
    told = script(shell)
    for word in ("resume", "everywhere", "opencode", "leftoff completion names"):
        assert word in told


def test_no_script_for_a_shell_that_is_none(tmp_path):
    done = run("completion", "bsh", cwd=tmp_path)
    assert done.returncode == 2
    assert "bash" in done.stderr


class Left(BaseException):
    """The process would have ended."""


@pytest.fixture
def followed(monkeypatch, tmp_path):
    """Be the process that follows, but for its end and for how it steps back; what it logged."""

    def leave(code: int) -> None:
        raise Left(code)

    monkeypatch.setattr(os, "_exit", leave)
    monkeypatch.setattr(follow, "_step_back", lambda: None)
    state = os.path.join(tmp_path, "state")

    def be() -> str:
        with pytest.raises(Left, match=r"^0$"):
            follow.main([state, AGENT, SESSION])
        return text(f"{state}/hook.log")

    return be


def test_who_follows_tells_of_copies_that_failed_by_their_number_alone(followed, monkeypatch):
    asked = []

    def found(state, env, now, session):
        asked.append((env["LEFTOFF_STATE"] == state, session))
        return archive_follow.Followed(now, 3, 100, 2, "a path of the user")

    monkeypatch.setattr(archive_follow, "run", found)
    told = followed()
    assert asked == [(True, (AGENT, SESSION))]
    assert f" {AGENT} archive Unusable: transcripts that could not be copied: 2 (" in told
    assert "a path" not in told


def test_who_follows_and_has_nothing_to_tell_tells_nothing(followed, monkeypatch):
    for told in (None, archive_follow.Followed(1.0, 3, 100)):
        monkeypatch.setattr(archive_follow, "run", lambda *_, told=told: told)
        assert followed() == ""


@pytest.fixture
def table(tmp_path):
    """A package and a module in it, compiled ahead of time."""
    made = {}
    for name, path, code in [
        ("ahead_pack", "ahead_pack/__init__.py", "HERE = __name__"),
        ("ahead_pack.inner", "ahead_pack/inner.py", "from ahead_pack import HERE"),
    ]:
        source = os.path.join(tmp_path, path)
        os.makedirs(os.path.dirname(source), exist_ok=True)
        with open(source, "w", encoding="utf-8") as file:
            file.write(code)
        seen = os.stat(source)
        known = seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns
        made[name] = (source, known, marshal.dumps(compile(code, source, "exec")))
    return made


def test_modules_of_the_table_are_imported_without_looking_for_them(table, monkeypatch):
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    install(table)
    try:
        from ahead_pack import inner  # type: ignore[import-not-found]

        assert inner.HERE == "ahead_pack"
        assert inner.__file__ == table["ahead_pack.inner"][0]
        assert sys.modules["ahead_pack"].__path__ == [os.path.dirname(inner.__file__)]
    finally:
        for name in table:
            sys.modules.pop(name, None)


def test_a_source_that_changed_or_is_gone_is_left_to_the_ordinary_import(table):
    finder = Ahead(table)
    source = table["ahead_pack.inner"][0]
    assert finder.find_spec("ahead_pack.inner")
    assert finder.find_spec("ahead_pack.other") is None
    with open(source, "a", encoding="utf-8") as file:
        file.write("\n")
    assert finder.find_spec("ahead_pack.inner") is None
    os.remove(source)
    assert finder.find_spec("ahead_pack.inner") is None
