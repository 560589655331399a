"""Which clients are on this machine, and where each keeps its settings and transcripts."""

from __future__ import annotations

import os

from leftoff import agents
from leftoff.errors import LeftoffError, Usage
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import decode, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from leftoff.agents import Agent
    from leftoff.core.model import Json

PLUGIN = "leftoff"
"""The name of our plugin, in every client that has such things."""


class Client(Record):
    """A client that is here: its adapter, its folder, and its program where PATH has it."""

    agent: Agent
    folder: str
    program: str


def database(env: Mapping[str, str]) -> str:
    """Where OpenCode keeps its sessions."""
    agent = agents.load("opencode")
    return os.path.join(logs_folder(agent, env), env.get("OPENCODE_DB") or agent.LOGS.database)


def found(env: Mapping[str, str], names: Sequence[str] = ()) -> list[Client]:
    """The clients that are installed: program on PATH, or a folder of their own.

    With names, exactly those, installed or not; Usage for one that leftoff does not know.
    """
    for name in names:
        require(name)
    clients = sorted((_client(name, env) for name in names or agents.names()), key=_title)
    return [one for one in clients if names or one.program or os.path.isdir(one.folder)]


def require(name: str) -> None:
    """Usage for the name of a client that leftoff does not know."""
    known = agents.names()
    if name not in known:
        from leftoff.core.find_stream import did_you_mean

        hint = did_you_mean(name, known) or f"one of {', '.join(known)}"
        raise Usage(f'leftoff knows no client "{name}"', hint=hint)


def _title(client: Client) -> str:
    return client.agent.TITLE


def _client(name: str, env: Mapping[str, str]) -> Client:
    agent = agents.load(name)
    return Client(agent, folder(agent, env), _on_path(agent.PROGRAM, env))


def folder(agent: Agent, env: Mapping[str, str]) -> str:
    """The client's own folder, by its variable or below HOME."""
    own = agent.SETTINGS
    return _folder(env, own.variable, own.below, own.home)


def logs_folder(agent: Agent, env: Mapping[str, str]) -> str:
    """Where its transcripts lie: the same, unless the adapter names another."""
    logs = agent.LOGS
    if not logs.home:
        return folder(agent, env)
    return _folder(env, logs.variable, logs.below, logs.home)


def _folder(env: Mapping[str, str], variable: str, below: str, home: str) -> str:
    named = env.get(variable, "") if variable else ""
    if named:
        return os.path.join(os.path.abspath(named), below) if below else os.path.abspath(named)
    return os.path.join(env.get("HOME") or os.path.expanduser("~"), home)


def settings_file(agent: Agent, env: Mapping[str, str], root: str = "") -> str:
    """The file its hooks are registered in: the user's, or that of a project."""
    if root:
        return os.path.join(root, agent.SETTINGS.project)
    return os.path.join(folder(agent, env), agent.SETTINGS.file)


def settings_files(agent: Agent, env: Mapping[str, str], root: str) -> list[str]:
    """Every file that may hold hooks: the user's, then those of the project."""
    if not agent.HOOKS:
        return []
    projects = sorted((agent.SETTINGS.project, *agent.SETTINGS.also))
    paths = [settings_file(agent, env), *(os.path.join(root, name) for name in projects)]
    return [*dict.fromkeys(paths)]


def plugin(agent: Agent, env: Mapping[str, str], root: str = "") -> str:
    """Where it says that our plugin is switched on in this client; empty where nothing does.

    With `root`, in that project too: there it may be on for the project alone.
    """
    own, base = agent.SETTINGS, folder(agent, env)
    told = [(os.path.join(base, name), key) for name, key in own.plugins]
    if root:
        told += [(os.path.join(root, name), key) for name, key in own.project_plugins]
    if own.switches and _switched_off(os.path.join(base, own.switches), env):
        return ""
    for path, key in told:
        if os.path.exists(path) and (not key or any(map(is_ours, _names_at(path, key)))):
            return path
    return ""


def _switched_off(path: str, env: Mapping[str, str]) -> bool:
    """Gemini lists the folders for which an extension is on, or, behind a `!`, off."""
    said = setting(path, PLUGIN)
    rules = said.get("overrides") if isinstance(said, dict) else None
    home = os.path.realpath(env.get("HOME") or os.path.expanduser("~"))
    return isinstance(rules, list) and any(rule in rules for rule in (f"!{home}/*", f"!{home}/"))


def hooks_off(agent: Agent, env: Mapping[str, str], root: str) -> str:
    """The file in which the user switched all hooks of a client off; empty for none.

    A project has the last word, and what it keeps from git the very last; unless each file speaks
    for itself alone, so that one that is on is enough.
    """
    own = agent.SETTINGS
    key, off = own.off
    paths = settings_files(agent, env, root) if key else []
    if own.off_in:
        paths = [os.path.join(folder(agent, env), own.off_in)]
    if own.off_alone:
        left = [path for path in paths if os.path.exists(path)]
        every = all(_value_at(path, key) is off for path in left) and not plugin(agent, env, root)
        return left[-1] if left and every else ""
    said = [(path, value) for path in paths if (value := _value_at(path, key)) is not None]
    return said[-1][0] if said and said[-1][1] is off else ""


def _value_at(path: str, key: str) -> Json:
    first, *below = key.split(".")
    value = setting(path, first)
    for name in below:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def is_ours(name: str) -> bool:
    """Whether a client calls our plugin so: by its name alone, or with the shop it came from."""
    return name.partition("@")[0].rpartition("/")[2] == PLUGIN


def setting(path: str, key: str) -> Json:
    """What a client's file says under a key; None where it says nothing or cannot be read."""
    try:
        return _read(path).get(key)
    except LeftoffError:
        return None  # the client's own trouble: it says so itself


def _names_at(path: str, key: str) -> Iterator[str]:
    """The names in a list, or those in an object that are not switched off."""
    value = setting(path, key)
    if isinstance(value, dict):
        yield from (name for name, on in value.items() if on and _is_on(on))
    elif isinstance(value, list):
        yield from (name for name in value if isinstance(name, str))


def _is_on(value: Json) -> bool:
    return not (isinstance(value, dict) and value.get("enabled") is False)


def _read(path: str) -> dict[str, Json]:
    if path.endswith(".toml"):
        from leftoff.world.toml_file import read_toml

        return read_toml(path)
    from leftoff.formats._json_text import loads

    value = loads(decode(read_bytes(path), path), jsonc=True)
    return value if isinstance(value, dict) else {}


def _on_path(program: str, env: Mapping[str, str]) -> str:
    for place in env.get("PATH", "").split(os.pathsep):
        path = os.path.join(place, program)
        if os.path.isabs(path) and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return ""
