"""Which clients on this machine call leftoff: read from their own settings, never changed here."""

from __future__ import annotations

import os

from leftoff.core.diagnose_place import Hook
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import decode, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LAUNCHER = "hook/launch.py"
"""How every command ends that leftoff puts into a client's settings, before AGENT and EVENT."""


class Client(Record):
    """Where a client keeps hooks: below its home, and below a project; `*` lists a folder."""

    agent: str
    variable: str
    home: str
    own: tuple[str, ...]
    project: tuple[str, ...]


CLIENTS = (
    Client(
        "claude-code",
        "CLAUDE_CONFIG_DIR",
        ".claude",
        ("settings.json",),
        (".claude/settings.json", ".claude/settings.local.json"),
    ),
    Client("codex", "CODEX_HOME", ".codex", ("hooks.json",), (".codex/hooks.json",)),
    Client("gemini-cli", "", ".gemini", ("settings.json",), (".gemini/settings.json",)),
    Client("copilot", "", ".copilot", ("hooks/*", "settings.json"), (".github/hooks/*",)),
)


def installed(root: str, env: Mapping[str, str]) -> tuple[list[Hook], list[str]]:
    """Every hook that calls leftoff, and the clients of this machine that have none."""
    found: list[Hook] = []
    without = []
    for client in CLIENTS:
        home = env.get(client.variable, "") or os.path.join(env.get("HOME", ""), client.home)
        places = [os.path.join(home, name) for name in client.own]
        places += [os.path.join(root, name) for name in client.project]
        hooks = [hook for place in places for hook in _in(client.agent, place)]
        if not hooks and os.path.isdir(home):
            without.append(client.agent)
        found += hooks
    return found, without


def _in(agent: str, place: str) -> Iterator[Hook]:
    for path in _files(place):
        try:
            settings = _json(decode(read_bytes(path), path))
        except (LeftoffError, ValueError, RecursionError):
            continue  # not there, or the client's own trouble: it says so itself
        hooks = settings.get("hooks") if isinstance(settings, dict) else None
        for event, entries in hooks.items() if isinstance(hooks, dict) else ():
            for command in _commands(entries):
                yield Hook(agent, event, path, os.path.exists(_launcher(command)))


def _launcher(command: str) -> str:
    """The path of the launcher in a shell command, which may stand in quotes."""
    before = command.partition(LAUNCHER)[0]
    for quote in "'\"":
        if before.count(quote) % 2:
            return before.rpartition(quote)[2] + LAUNCHER
    return f"{before.rpartition(' ')[2]}{LAUNCHER}"


def _files(place: str) -> list[str]:
    folder, name = os.path.split(place)
    if name != "*":
        return [place]
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [os.path.join(folder, each) for each in names if each.endswith(".json")]


def _json(text: str) -> object:
    from leftoff.formats._json_text import loads  # clients take comments in their settings

    return loads(text, jsonc=True)


def _commands(value: object) -> Iterator[str]:
    """Every text at any depth that starts our launcher."""
    if isinstance(value, str):
        if LAUNCHER in value:
            yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _commands(part)
