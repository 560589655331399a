"""Which clients on this machine call leftoff: read from their own settings, never changed here."""

from __future__ import annotations

import os

from leftoff import agents
from leftoff.agents._codex_trust import fingerprint, snake
from leftoff.core.diagnose_place import Hook
from leftoff.core.model import Finding
from leftoff.core.when import DAY, stamp
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world import clients, hook_log, hook_registration
from leftoff.world.files import decode, read_bytes
from leftoff.world.launcher import RUN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from leftoff.agents import Agent
    from leftoff.world.clients import Client

FIX = "leftoff setup"
_SLOW = 1500.0
"""Milliseconds: what a start may take, the longest of all events."""


def installed(root: str, env: Mapping[str, str]) -> tuple[list[Hook], list[str]]:
    """Every hook that calls leftoff, and the clients of this machine that have none."""
    found: list[Hook] = []
    without = []
    for client in clients.found(env, agents.names()):
        hooks = [*_hooks(client.agent, root, env)]
        found += hooks
        quiet = client.agent.HOOKS and not hooks and not clients.plugin(client.agent, env, root)
        if quiet and os.path.isdir(client.folder):
            without.append(client.agent.NAME)
    return found, without


def findings(root: str, env: Mapping[str, str], state: str, now: float) -> Iterator[Finding]:
    """What only the adapters know: missing events, trust; and what hooks cost and failed at."""
    for client in clients.found(env, agents.names()):
        yield from _active(client.agent, root, env, state)
        for path in clients.settings_files(client.agent, env, root):
            yield from _missing(client.agent, path)
        if client.agent.TRUSTS_BY_PLACE:
            yield from _untrusted(client, root, env, state)
    yield from _cost(state, now)
    yield from _failed(state, now)


def _active(agent: Agent, root: str, env: Mapping[str, str], state: str) -> Iterator[Finding]:
    """By which of the two a client calls leftoff; by both is one too many."""
    plugin = clients.plugin(agent, env, root)
    files = [path for path in clients.settings_files(agent, env, root) if _found(agent, path)]
    off = [*switched_off(agent, env, root)] if plugin or files else []
    if off:
        yield from off
    elif plugin and files:
        text = f"{agent.TITLE} calls leftoff through its plugin and the hooks in {', '.join(files)}"
        fix = 'keep one: switch the plugin off, or run "leftoff uninstall", then "leftoff setup"'
        yield Finding("plugin-twice", "warning", plugin, text, fix)
    elif plugin:
        text = f"{agent.TITLE} calls leftoff through its plugin"
        yield Finding("hook-active", "info", plugin, text)
    elif any(_is_there(one.command) for path in files for one in _found(agent, path)):
        text = f"{agent.TITLE} calls leftoff through the hooks of setup"
        yield Finding("hook-active", "info", files[0], text)
    if plugin and not _is_there(os.path.join(state, RUN)):
        text = f"leftoff's plugin for {agent.TITLE} is on, but what it calls is not set up"
        yield Finding("plugin-silent", "warning", plugin, text, FIX)


def switched_off(agent: Agent, env: Mapping[str, str], root: str) -> Iterator[Finding]:
    """A client that was told to run no hook runs none of ours, however they are registered."""
    path = clients.hooks_off(agent, env, root)
    if path:
        key, value = agent.SETTINGS.off
        is_now, on = str(value).lower(), str(not value).lower()
        text = f"{agent.TITLE} runs no hook, and so does not call leftoff: {key} is {is_now}"
        if agent.SETTINGS.off_alone:
            text = f"{agent.TITLE} runs none of the hooks in this file: {key} is {is_now}"
        fix = f"set {key} to {on} there, then start a new session"
        yield Finding("hook-off", "warning", path, text, fix)


def _hooks(agent: Agent, root: str, env: Mapping[str, str]) -> Iterator[Hook]:
    for path in clients.settings_files(agent, env, root):
        for one in _found(agent, path):
            yield Hook(agent.NAME, one.event, path, _is_there(one.command))


def _is_there(command: str) -> bool:
    """Whether a hook starts anything: our file, and the Python for it, which may go on its own."""
    program = hook_registration.program_of(command)
    if not os.path.exists(program):
        return False
    if program == command:  # the script that plugins call
        try:
            command = decode(read_bytes(program)).rstrip().rpartition("\n")[2]
        except LeftoffError:
            return False
    python = hook_registration.python_of(command)
    return os.sep not in python or os.path.exists(python)


def _found(agent: Agent, path: str) -> list[hook_registration.Found]:
    try:
        return hook_registration.found(agent, decode(read_bytes(path), path))
    except LeftoffError:
        return []  # not there, or the client's own trouble: it says so itself


def _missing(agent: Agent, path: str) -> Iterator[Finding]:
    """An older leftoff, or somebody's edit, may have left events out."""
    there = {one.event for one in _found(agent, path)}
    events = [hook.event for hook in agent.HOOKS if hook.event not in there]
    if there and events:
        text = f"{agent.TITLE} does not call leftoff at {', '.join(events)}"
        yield Finding("hook-partial", "warning", path, text, FIX)


def _untrusted(client: Client, root: str, env: Mapping[str, str], state: str) -> Iterator[Finding]:
    """Codex notes in its own configuration what the user trusts, by file or plugin, and place."""
    agent, trusted = client.agent, _trusted(os.path.join(client.folder, "config.toml"))
    path, plugin = clients.settings_file(agent, env), clients.plugin(agent, env, root)
    hashes = [(one, _hash(trusted, path, one)) for one in _found(agent, path)]
    by_file = [one.event for one, known in hashes if not known]
    heard = _of_plugin(trusted)
    by_plugin = [hook.event for hook in agent.HOOKS if plugin and snake(hook.event) not in heard]
    waits = f"{agent.TITLE} runs no hook until it is trusted"
    fix = f"start {agent.PROGRAM} in a terminal, and trust the hooks it shows"
    for where, events in ((path, by_file), (plugin, by_plugin)):
        if events:
            yield Finding("hook-untrusted", "warning", where, f"{waits}: {', '.join(events)}", fix)
    changed = [one.event for one, known in hashes if known and _is_other(agent, one, known)]
    if changed and not _ran_since(agent, path, state):
        text = f"{agent.TITLE} runs no hook that changed since it was trusted: {', '.join(changed)}"
        yield Finding("hook-untrusted", "warning", path, text, fix)


def _hash(trusted: Mapping[str, str], path: str, one: hook_registration.Found) -> str:
    """What is noted as trusted in the place of a hook; empty for nothing."""
    place = f"{snake(one.event)}:{one.place}"
    # which of the two names it writes down is its own matter
    return trusted.get(f"{path}:{place}") or trusted.get(f"{os.path.realpath(path)}:{place}", "")


def _is_other(agent: Agent, one: hook_registration.Found, known: str) -> bool:
    """Whether another text was trusted, as far as that can be known."""
    most = next((hook.timeout for hook in agent.HOOKS if hook.event == one.event), 0)
    now = fingerprint(one.event, one.entry, one.leaf, most)
    return bool(now) and known.startswith("sha256:") and known != now


def _ran_since(agent: Agent, path: str, state: str) -> bool:
    """Whether hooks ran as they stand now: then Codex does trust them, by whatever hash."""
    try:
        written = os.stat(path).st_mtime
    except OSError:
        return False
    return any(run.agent == agent.NAME and run.at > written for run in hook_log.runs(state))


def _of_plugin(trusted: Iterable[str]) -> set[str]:
    """The events that are trusted: `leftoff@SHOP:hooks/hooks.json:session_start:0:0`."""
    places = (name.split(":") for name in trusted if name.count(":") > 1)
    return {event for plugin, _, event, *_ in places if clients.is_ours(plugin)}


def _trusted(path: str) -> dict[str, str]:
    from leftoff.world.toml_file import read_toml

    try:
        hooks = read_toml(path).get("hooks")
    except LeftoffError:
        return {}
    state = hooks.get("state") if isinstance(hooks, dict) else None
    marks = state.items() if isinstance(state, dict) else ()
    noted = ((name, mark.get("trusted_hash")) for name, mark in marks if isinstance(mark, dict))
    return {name: str(known) for name, known in noted if known}


def _cost(state: str, now: float) -> Iterator[Finding]:
    cost = hook_log.cost(hook_log.runs(state), now)
    if cost:
        text = (
            f"hook runs today: {cost.runs}; median {cost.median:.0f} ms, "
            f"99th percentile {cost.p99:.0f} ms, worst {cost.worst:.0f} ms "
            f"({cost.worst_event})"
        )
        level = "warning" if cost.p99 > _SLOW else "info"
        yield Finding("hook-cost", level, "", text)


def _failed(state: str, now: float) -> Iterator[Finding]:
    """A hook that fails says nothing to anybody, so this is where a person hears of it."""
    today = [one for one in hook_log.failures(state) if stamp(now - DAY) <= one.at <= stamp(now)]
    if today:
        last = today[-1]
        text = f"hook failures today: {len(today)}, the last {last.agent} {last.event}: {last.what}"
        yield Finding("hook-failed", "warning", os.path.join(state, hook_log.FAILURES), text)
