"""Whether the client of a session still runs: by process id, its start, boot, namespace and host.

A number alone proves nothing: ids are used again, containers count their own, and a state folder
may travel. Where the question cannot be answered the answer is None, and age alone decides.
"""

from __future__ import annotations

import os

from leftoff.core.caller import program_of
from leftoff.core.session import Client
from leftoff.record import TYPE_CHECKING
from leftoff.world import files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from leftoff.agents import Agent
    from leftoff.core.caller import Process

_DAEMON_WORDS = frozenset({"app-server", "runner", "serve", "daemon", "remote-control"})
"""A client that was started with one of these serves several sessions."""


def alive(client: Client) -> bool | None:
    """True or False where this machine can tell, else None."""
    if not client.pid or client.shared or client.host != os.uname().nodename:
        return None
    now = here()
    if client.boot and now.boot and client.boot != now.boot:
        return False  # this host has started anew since
    if client.ns != now.ns:
        return None  # another container's count, which we cannot see into
    if not files.alive(client.pid):
        return False
    began = started(client.pid)
    if not began:  # it has ended, and only its parent did not ask how; or nobody here can tell
        return False if _has_proc() else None
    return began == client.began if client.began else None


def here() -> Client:
    """What every process of this machine, this boot and this namespace shares."""
    return Client(boot=_boot(), ns=_namespace(), host=os.uname().nodename)


def client_of(
    env: Mapping[str, str], ancestors: Sequence[Process] | None, adapter: Agent
) -> Client:
    """The client that started this process: the one it names itself, else the nearest above us."""
    above = ancestors or ()
    named = env.get(adapter.PID_VARIABLE, "") if adapter.PID_VARIABLE else ""
    found = next((one for one in above if str(one.pid) == named), None) or next(
        (one for one in above if program_of(one) == adapter.NAME), None
    )
    if found is not None:
        began = found.started or started(found.pid)
        return here()._replace(pid=found.pid, began=began, shared=is_daemon(found))
    if named.isascii() and named.isdigit():
        return here()._replace(pid=int(named), began=started(int(named)))
    return here()


def is_daemon(process: Process) -> bool:
    """Whether several sessions live in this process: Codex's app-server, Hapi's runner."""
    own = {word for word in process.words[1:4] if not word.startswith("-")}
    return bool(own & _DAEMON_WORDS) or process.name.endswith("app-server")


def started(pid: int) -> str:
    """When a process began, in the system's own words; empty for one that is gone or unknown."""
    began = files.started(pid)
    if began != files.UNKNOWN:
        return began
    return "" if _has_proc() else _ask_ps(pid)


def _has_proc() -> bool:
    return os.path.exists(f"{files.PROC}/self/stat")


def _ask_ps(pid: int) -> str:
    return _said("/bin/ps", "-o", "lstart=", "-p", str(pid))


def _boot() -> str:
    try:
        with open(f"{files.PROC}/sys/kernel/random/boot_id", encoding="ascii") as file:
            return file.read().strip()
    except OSError:
        return _said("/usr/sbin/sysctl", "-n", "kern.boottime")


def _namespace() -> str:
    try:
        return os.readlink(f"{files.PROC}/self/ns/pid")
    except OSError:
        return ""  # a system without namespaces has one


def _said(*command: str) -> str:
    """What a tool of a system without /proc prints (macOS); empty where there is no such tool."""
    if not os.path.exists(command[0]):
        return ""
    import subprocess

    try:
        done = subprocess.run(  # noqa: S603
            command, env={"LC_ALL": "C"}, capture_output=True, timeout=5, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return " ".join(done.stdout.decode("utf-8", "replace").split())
