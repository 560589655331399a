"""A client's side of the hooks: what it starts, what it writes, what it gets back."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from leftoff.world import journal, launcher, now_file
from support import SOURCE

SESSION = "11111111-1111-4111-8111-111111111111"
AGENT = "claude-code"
QUIET = {"v": 1, "root": "/repo", "thread": "", "window": 200_000, "advise": 70, "watch": []}
"""What start leaves for the hooks of a session in which nothing is to be said."""
TIME_ENOUGH = 600.0
UNHURRIED = f"""\
from leftoff.entry import hook
hook.WAIT = hook.LONGEST = {TIME_ENOUGH}
"""
STANDING_CLOCK = """\
import time
time.monotonic = lambda: 0.0
"""


class Fired(NamedTuple):
    code: int
    out: bytes


class Client(NamedTuple):
    """A client whose settings hold the command that `setup` writes."""

    state: str
    python: str = sys.executable
    agent: str = AGENT

    def command(self, event: str) -> str:
        return launcher.command(self.python, self.state, self.agent, event)

    def start(self, event: str, env: Mapping[str, str] = {}) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        argv = ["sh", "-c", self.command(event)]
        return subprocess.Popen(argv, env={**os.environ, **env}, stdin=pipe, stdout=pipe)

    def fire(self, event: str, payload: object, env: Mapping[str, str] = {}) -> Fired:
        """One event, as the client tells it; bytes go out as they are."""
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        started = self.start(event, env)
        out, _ = started.communicate(data, timeout=300)
        return Fired(started.returncode, out)

    def lines(self, session: str = SESSION) -> tuple[dict[str, Any], ...]:
        return journal.read(journal.path(self.state, self.agent, session)).lines

    def leave(self, **given: Any) -> None:
        """What a start event leaves for the next ones."""
        now_file.write(self.state, self.agent, SESSION, {**QUIET, **given})

    def runs(self) -> list[list[str]]:
        return [line.split() for line in text(f"{self.state}/hook/runs").splitlines()]

    def log(self) -> str:
        return text(f"{self.state}/hook.log")


def text(path: str) -> str:
    """What a file says; nothing where there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def installed(state: str) -> Client:
    """The client after `setup`, for the package under test."""
    launcher.write(state, sys.executable)
    return Client(state)


def unhurried(state: str) -> Client:
    """The same, with hooks that take their time, as on a busy machine they have to.

    What becomes of one that is late is for the tests that say so.
    """
    client = installed(state)
    take_time(state)
    return client


def take_time(state: str) -> None:
    """Let the launcher stop the clock, and give the hook more seconds than anything takes."""
    path = os.path.join(state, launcher.LAUNCHER)
    mark, imports = text(path).split("\n", 1)
    before, main, after = imports.rpartition("main(")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{mark}\n{STANDING_CLOCK}{before}{UNHURRIED}{main}{after}")


def copied(folder: str, state: str, **replaced: str) -> Client:
    """The same for a copy of the package that a test may break: file (`a__b` is a/b.py) by text."""
    package = os.path.join(folder, "site", "leftoff")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(os.path.join(SOURCE, "leftoff"), package, ignore=ignored)
    for name, content in replaced.items():
        with open(os.path.join(package, *name.split("__")) + ".py", "w", encoding="utf-8") as file:
            file.write(content)
    return set_up(os.path.dirname(package), state)


def set_up(site: str, state: str) -> Client:
    """The same for the package in this folder."""
    code = "import sys; from leftoff.world import launcher; launcher.write(*sys.argv[1:])"
    argv = [sys.executable, "-c", code, state, sys.executable]
    subprocess.run(argv, env={**os.environ, "PYTHONPATH": site}, check=True)
    take_time(state)
    return Client(state)


def payload(**given: object) -> dict[str, object]:
    """What Claude Code says at a prompt."""
    return {
        "session_id": SESSION,
        "transcript_path": "",
        "cwd": "/repo",
        "prompt_id": "p-1",
        "permission_mode": "default",
        "hook_event_name": "UserPromptSubmit",
        "prompt": "do the work",
        **given,
    }


def answer(tokens: int, **given: object) -> str:
    """A line of a transcript: an answer of the model with this much in its context."""
    usage = {"input_tokens": tokens, "output_tokens": 9}
    message = {"role": "assistant", "model": "claude-opus-5-5", "usage": usage, "content": []}
    line = {"type": "assistant", "isSidechain": False, "message": message, **given}
    return json.dumps(line, separators=(",", ":")) + "\n"


def transcript(folder: str, *lines: str) -> str:
    path = os.path.join(folder, "transcript.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return path


def loaded(client: Client, event: str, given: object) -> set[str]:
    """Every module that the installed launcher loads for an event."""
    path = os.path.join(client.state, launcher.LAUNCHER)
    argv = [client.python, "-X", "importtime", "-I", "-S", path, client.agent, event]
    return set(_imported(argv, json.dumps(given).encode()))


def bare() -> set[str]:
    """What the interpreter itself loads."""
    return set(_imported([sys.executable, "-X", "importtime", "-I", "-S", "-c", "pass"], b""))


def _imported(argv: list[str], data: bytes) -> Iterator[str]:
    done = subprocess.run(argv, input=data, capture_output=True, check=True)
    for line in done.stderr.decode().splitlines():
        if line.startswith("import time:") and not line.endswith("imported package"):
            yield line.rpartition("|")[2].strip()
