"""Somebody calls leftoff: a person or an agent, through a pipe or on a real terminal."""

from __future__ import annotations

import io
import json
import os
import pty
import sys
import termios

from leftoff.core.caller import Caller, Process
from leftoff.entry.cli import main
from projects import NOW
from support import SOURCE

PERSON = Caller(True, (Process(2, "bash", ("-bash",)), Process(1, "systemd", ("init",))))
AGENT = Caller(True, (Process(3, "bash", ("bash", "-c", "x")), Process(2, "claude", ("claude",))))


def as_caller(who, *argv, cwd, env=None):
    """The program in this process, called by somebody, from a pipe; (code, data or error)."""
    streams = io.StringIO(), io.StringIO(), io.StringIO()
    code = main(
        [*argv, "--json", "--now", NOW],
        env={**os.environ, **(env or {})},
        cwd=cwd,
        streams=streams,
        caller=lambda: who,
    )
    return code, json.loads(streams[1].getvalue())


def at_terminal(who, typed, *argv, cwd):
    """The same on a real terminal, where somebody types; (code, what the terminal showed)."""
    keyboard, screen = pty.openpty()
    # the terminal shows what is typed whenever the kernel comes to it: among the output, anywhere
    modes = termios.tcgetattr(screen)
    modes[3] &= ~termios.ECHO
    termios.tcsetattr(screen, termios.TCSANOW, modes)
    os.write(keyboard, typed.encode())
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "200"}
    with (
        open(screen, encoding="utf-8", closefd=False) as source,
        open(screen, "w", encoding="utf-8", closefd=False) as out,
    ):
        streams = source, out, out
        code = main([*argv], env=env, cwd=cwd, streams=streams, caller=lambda: who)
    os.close(screen)
    shown = b""
    try:
        while part := os.read(keyboard, 65536):
            shown += part
    except OSError:  # Linux's way to say that the other end is closed
        pass
    os.close(keyboard)
    return code, shown.decode()


def on_terminal(cwd, *words, **env):
    """The program in a process and on a terminal of its own; (its process, the other end)."""
    child, screen = pty.fork()
    if child == 0:
        os.chdir(cwd)
        env = {**os.environ, "PYTHONPATH": SOURCE, "TERM": "xterm", "COLUMNS": "80", **env}
        os.execve(sys.executable, [sys.executable, "-m", "leftoff", *words], env)
    return child, screen


def seen_until(screen, mark):
    """What appears on such a terminal up to a mark, or to the end."""
    seen = b""
    while mark is None or mark not in seen:
        try:
            more = os.read(screen, 4096)
        except OSError:
            break
        if not more:
            break
        seen += more
    return seen.decode()
