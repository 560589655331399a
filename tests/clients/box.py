"""A box for one test: a home, a project, a state folder, a model and a network of its own.

Nothing of the caller's environment gets in, and every process that was started ends with the box, by
its own id. Waiting is for something that can be seen, never for a time.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import pytest

from clients import install
from clients.fake_model import FakeModel
from clients.loopback import inside
from support import SOURCE, git, repo

T = TypeVar("T")

# Read before any test gets its own environment.
CLIENTS = install.folder()
SYSTEM_PATH = os.environ.get("PATH", "/usr/local/bin:/usr/bin:/bin")
PATIENCE = 300
"""Seconds that a client gets for a run; far more than it takes on a busy machine."""


class ClientFailed(Exception):
    """The client itself did not do its part: the one reason for which a test is tried again."""


def require(*names: str) -> None:
    """Skip the test unless these clients are installed at the versions it is written for."""
    for name in names:
        if install.version(name, CLIENTS) != install.PINNED[name][1]:
            pytest.skip(f"client not installed: {name}: run `make clients`")


def program(client: str) -> str:
    """The program of an installed client."""
    return os.path.join(CLIENTS, client, "node_modules", ".bin", client)


def wait_for(what: str, look: Callable[[], T], patience: float = PATIENCE) -> T:
    """The first true answer of something that the client does."""
    return _seen(what, look, patience, ClientFailed)


def wait_for_us(what: str, look: Callable[[], T], patience: float = PATIENCE) -> T:
    """The same for what leftoff does: that is not tried again."""
    return _seen(what, look, patience, AssertionError)


def _seen(what: str, look: Callable[[], T], patience: float, failure: type[Exception]) -> T:
    deadline = time.monotonic() + patience
    while not (seen := look()):
        if time.monotonic() > deadline:
            raise failure(f"waited {patience} s for {what}")
        time.sleep(0.02)
    return seen


class Box:
    """See the module. Paths are short: a socket's may have 104 bytes."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.home, self.tmp, self.state, self.bin = (
            os.path.join(base, name) for name in ("home", "t", "state", "bin")
        )
        for folder in (self.home, self.tmp, self.bin):
            os.mkdir(folder, 0o700)
        self.repo = repo(base)
        self.package = SOURCE
        self.model = FakeModel(inside(socket.create_server, ("127.0.0.1", 0)))
        self._started: list[subprocess.Popen[str]] = []
        self._lay_console()

    def own_package(self) -> str:
        """A copy of leftoff in the box, in place of the one under test: it can be taken away."""
        self.package = os.path.join(self.base, "lib")
        shutil.copytree(SOURCE, self.package, ignore=shutil.ignore_patterns("__pycache__"))
        self._lay_console()
        return self.package

    def state_at_home(self) -> None:
        """The state folder where it is unless somebody moves it: packages look for it there."""
        self.state = os.path.join(self.home, ".local", "state", "leftoff")
        self._lay_console()

    def _lay_console(self) -> None:
        """`leftoff` as an installation has it, on the PATH of clients too."""
        path = os.path.join(self.bin, "leftoff")
        given = f"PYTHONPATH='{self.package}' LEFTOFF_STATE='{self.state}'"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{given} exec '{sys.executable}' -m leftoff \"$@\"\n")
        os.chmod(path, 0o755)

    def install(self, client: str) -> None:
        """Put a client on the PATH, where `setup` looks for it."""
        os.symlink(program(client), os.path.join(self.bin, client))

    def env(self, **more: str) -> dict[str, str]:
        """All that a program in the box knows of the world."""
        node = os.path.dirname(shutil.which("node", path=SYSTEM_PATH) or "/usr/bin/node")
        return {
            "PATH": f"{self.bin}:{node}:/usr/local/bin:/usr/bin:/bin",
            "HOME": self.home,
            "TMPDIR": self.tmp,
            "XDG_RUNTIME_DIR": self.tmp,
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
            "LEFTOFF_ARCHIVE": "off",
            **more,
        }

    # files

    def write(self, path: str, content: Any) -> str:
        """A file below the box: a text as it is, anything else as JSON."""
        path = os.path.join(self.base, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(content if isinstance(content, str) else json.dumps(content, indent=2))
        return path

    def files(self) -> dict[str, bytes]:
        """What stands in home and project, by path; what a client brings along is left out."""
        return {
            path: content
            for top in (self.home, self.repo)
            for path, content in _contents(top)
            if "/node_modules/" not in path and "/.git/" not in path
        }

    def unplaced(self, text: str) -> str:
        """A text without the folders that have our name because of this test."""
        return text.replace(self.base, "").replace(CLIENTS, "")

    def git(self, *argv: str) -> str:
        return git(*argv, cwd=self.repo)

    # programs

    def start(
        self, *argv: str, cwd: str = "", env: dict[str, str] | None = None, **io: Any
    ) -> subprocess.Popen[str]:
        """A program that runs until it ends or the box does."""
        process = inside(
            subprocess.Popen,
            argv,
            cwd=cwd or self.repo,
            env=env or self.env(),
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
            **{
                "stdin": subprocess.DEVNULL,
                "stdout": subprocess.PIPE,
                "stderr": subprocess.PIPE,
                **io,
            },
        )
        self._started.append(process)
        return process

    def run(
        self, *argv: str, cwd: str = "", env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """A program from start to end; `ClientFailed` if it does not end."""
        return self.finish(self.start(*argv, cwd=cwd, env=env))

    def finish(self, process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            end(process)
            raise ClientFailed(f"no end after {PATIENCE} s: {process.args!r}") from None
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def leftoff(self, *argv: str, cwd: str = "") -> subprocess.CompletedProcess[str]:
        """leftoff, as a person in the project calls it."""
        return self.run(os.path.join(self.bin, "leftoff"), *argv, cwd=cwd)

    def facts(self, *argv: str, cwd: str = "") -> Any:
        """The data that a command gives with --json; it has to go well."""
        done = self.leftoff(*argv, "--json", cwd=cwd)
        assert done.returncode == 0, f"{argv}: {done.stdout}{done.stderr}"
        return json.loads(done.stdout)["data"]

    def close(self) -> None:
        for process in self._started:
            end(process)
        for pid in self.strays():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for process in self._started:
            for stream in (process.stdout, process.stderr):
                if stream:
                    stream.close()
        self.model.close()

    def strays(self, variable: str = "") -> list[int]:
        """Processes that left their group (Hapi's runner makes such): they know the box's home.

        With `variable`, only those that have it in their environment.
        """
        home, other = f"HOME={self.home}".encode(), f"{variable}=".encode()
        found = []
        for pid in _processes():
            known = _environment(pid).split(b"\0")
            if home in known and (not variable or any(one.startswith(other) for one in known)):
                found.append(pid)
        return found


def _processes() -> list[int]:
    """All of this machine, where the system shows them as files."""
    there = os.listdir("/proc") if os.path.isdir("/proc/self") else []
    return [int(name) for name in there if name.isdigit()]


def _environment(pid: int) -> bytes:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read()
    except OSError:  # ended, or somebody else's
        return b""


def end(process: subprocess.Popen[str], how: signal.Signals = signal.SIGKILL) -> None:
    """End a process that was started here, and its group: while it lives the id is its own."""
    if process.poll() is None:
        os.killpg(process.pid, how)
    process.wait()


def _contents(top: str) -> Iterator[tuple[str, bytes]]:
    for place, _, names in os.walk(top):
        for name in names:
            path = os.path.join(place, name)
            with suppress(OSError):  # gone meanwhile
                if stat.S_ISREG(os.stat(path).st_mode):
                    with open(path, "rb") as file:
                        yield path, file.read()


@contextmanager
def box() -> Iterator[Box]:
    """A box that is gone afterwards."""
    base = tempfile.gettempdir()
    place = base if len(base) < 40 else "/tmp"
    folder = os.path.realpath(tempfile.mkdtemp(prefix="lo-", dir=place))
    made = Box(folder)
    try:
        yield made
    finally:
        made.close()
        shutil.rmtree(folder, ignore_errors=True)
