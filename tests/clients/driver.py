"""How a client is run from a command line, whichever it is; `drivers.py` has one for each."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

from clients.box import Box, ClientFailed, program
from clients.wires import Call


@dataclass(frozen=True)
class Driver:
    """One client."""

    agent: str
    """leftoff's name for it"""
    client: str
    """its name in `install.PINNED`, and its program"""
    lay: Callable[[Box], None]
    """the files that a person who uses it has"""
    env: Callable[[Box], dict[str, str]]
    argv: tuple[str, ...]
    """a headless run; the prompt follows the program's words here"""
    flags: tuple[str, ...]
    resume: tuple[str, ...]
    """what goes on with a session; {id} is its id"""
    shell: Callable[[str], Call]
    edit: Callable[[Box, str, str], Call]
    session: Callable[[str], str]
    """the session's id, from what a run printed"""
    needs: tuple[str, ...] = ()

    def run(self, box: Box, prompt: str, *more: str, cwd: str = "", **env: str) -> Run:
        """One run from prompt to end; it has to go well."""
        done = box.finish(self.start(box, prompt, *more, cwd=cwd, **env))
        if done.returncode:
            raise ClientFailed(f"{self.client} ended with {done.returncode}: {done.stderr[-3000:]}")
        return Run(self.session(done.stdout), done.stdout, done.stderr)

    def start(
        self, box: Box, prompt: str, *more: str, cwd: str = "", **env: str
    ) -> subprocess.Popen[str]:
        """The same, in the background."""
        argv = (program(self.client), *self.argv, prompt, *self.flags, *more)
        return box.start(*argv, cwd=cwd, env={**self.env(box), **env})

    def go_on(self, box: Box, run: Run, prompt: str, *more: str) -> Run:
        """Another run in the same session."""
        words = (word.format(id=run.session) for word in self.resume)
        return self.run(box, prompt, *more, *words)


@dataclass(frozen=True)
class Run:
    session: str
    out: str
    err: str


def install(box: Box, driver: Driver) -> None:
    """The client in the box, as if it had been used there before."""
    box.install(driver.client)
    driver.lay(box)


def first(out: str, key: str) -> str:
    """The first value of a key in lines of JSON."""
    found = re.search(rf'"{key}"\s*:\s*"([^"]+)"', out)
    if not found:
        raise ClientFailed(f"no {key} in {out[-2000:]}")
    return found[1]
