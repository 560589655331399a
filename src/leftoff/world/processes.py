"""The processes above this one, as facts; what they mean is up to `core.caller`."""

from __future__ import annotations

import os
import sys

from leftoff.core.caller import Caller, Process
from leftoff.errors import NotFound
from leftoff.world.files import PROC, started

DEEPEST = 64


def caller(*, terminal: bool) -> Caller:
    """Who is calling this process."""
    return Caller(terminal, ancestors())


def parent() -> Process:
    """The process above this one, by what is always known of it."""
    pid = os.getppid()
    return Process(pid, "unknown", started=started(pid))


def ancestors() -> tuple[Process, ...] | None:
    """From the parent up to the first process; None where the system does not say."""
    look = _from_proc if os.path.exists(f"{PROC}/self/stat") else _table_of_ps().get
    found: list[Process] = []
    parent = os.getppid()
    while parent > 0 and len(found) < DEEPEST:
        seen = look(parent)
        if seen is None:
            return None  # a gap: whoever stands behind it is not known
        above, process = seen
        found.append(process)
        parent = above
    return tuple(found)


def _from_proc(pid: int) -> tuple[int, Process] | None:
    try:
        stat = _read(pid, "stat")
    except OSError:
        return None
    # the name stands in parentheses and may hold any character, parentheses too
    head, _, rest = stat.rpartition(b")")
    fields = rest.split()
    name = os.fsdecode(head.partition(b"(")[2])
    words, variables = _listed(pid, "cmdline"), _listed(pid, "environ")
    names = tuple(word.partition("=")[0] for word in variables)
    tty = "" if fields[4] == b"0" else fields[4].decode()
    return int(fields[1]), Process(pid, name, words, names, fields[19].decode(), tty)


def _listed(pid: int, what: str) -> tuple[str, ...]:
    """Words that end in NUL; none of a process that is another user's."""
    try:
        return tuple(map(os.fsdecode, _read(pid, what).rstrip(b"\0").split(b"\0")))
    except OSError:
        return ()


def _read(pid: int, what: str) -> bytes:
    with open(f"{PROC}/{pid}/{what}", "rb") as file:
        return file.read(1 << 18)


def _table_of_ps() -> dict[int, tuple[int, Process]]:
    """Every process, where there is no /proc (macOS): one run of `ps`."""
    import subprocess  # rare: only who asks for trust or a session's client comes here

    command = ["/bin/ps", "-axww", "-o", "pid=,ppid=,tty=,lstart=,command="]
    try:
        # in the C locale a date has five words, always
        said = subprocess.run(  # noqa: S603
            command, env={"LC_ALL": "C"}, capture_output=True, timeout=5, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return {}
    return parse_ps(said.decode("utf-8", "replace"))


def parse_ps(said: str) -> dict[int, tuple[int, Process]]:
    """Each line: pid, parent, terminal, five words of a date, then the command."""
    table = {}
    for line in said.splitlines():
        pid, parent, tty, *rest = [*line.split(None, 8), "", "", ""]
        if pid.isdigit() and parent.isdigit() and len(rest) > 5:
            words = tuple(rest[5].split())
            name = words[0].rpartition("/")[2] if words else ""
            began, terminal = " ".join(rest[:5]), "" if tty.startswith("?") else tty
            table[int(pid)] = int(parent), Process(int(pid), name, words, (), began, terminal)
    return table


def interpreter() -> str:
    """The Python that runs this; a link in a virtual environment is not resolved."""
    if not os.path.isabs(sys.executable or ""):
        raise NotFound("the Python that runs leftoff is not known", hint="install leftoff again")
    return sys.executable
