"""Our hooks in the text of a client's settings: put in, found, taken out. No file is touched here.

Edits are lossless: comments, order, indent and everything that is not ours stay as they stand. New
groups come last. A text that is no JSON, or not of the client's shape, is refused with its line.
"""

from __future__ import annotations

import os
from shlex import split

from leftoff import agents
from leftoff.errors import FormatError
from leftoff.formats._json_scan import source_of
from leftoff.formats._json_text import dumps, loads, rewrite
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.launcher import LAUNCHER, RUN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeAlias

    from leftoff.agents import Agent, Hook

    Object: TypeAlias = dict[str, Any]

OURS = "leftoff"
"""The name of our hooks, in a client that shows one."""
_KEYS = {"nested": ("command", "timeout"), "flat": ("bash", "timeoutSec")}
_FLAT_VERSION = {"version": 1}
_BY_HAND = "fix the client's settings by hand, then run it again"
_BOM, _BLANKS = "\ufeff", " \t\r\n"


class Found(Record):
    """One command of ours in a text: the client's event, our words for client and event."""

    event: str
    agent: str
    ours: str
    command: str
    place: str = ""
    """its place in the list of the event: `group:index`"""
    entry: Mapping[str, Any] = {}
    """the group that it stands in"""
    leaf: Mapping[str, Any] = {}
    """the hook itself, with its time limit"""


def registered(agent: Agent, text: str, command: Callable[[str], str]) -> str:
    """The text with every hook of the client in it; `command` gives the one for our event.

    A hook of ours that is there already gets the command of today, in its place.
    """
    if agent.SETTINGS.shape == "plugin":
        return _plugin(agent, text, command(""))
    _require_readable(agent, text)
    value = _value(text)
    hooks = dict(_hooks(value))
    for hook in agent.HOOKS:
        hooks[hook.event] = _with(agent, _list(hooks, hook.event), hook, command(hook.ours))
    first = _FLAT_VERSION if agent.SETTINGS.shape == "flat" else {}
    return _rewritten(text, {**first, **value, "hooks": hooks})


def found(agent: Agent, text: str) -> list[Found]:
    """The commands of ours in a text; FormatError where it cannot be read."""
    if agent.SETTINGS.shape == "plugin":
        run = _run_of(text)
        return [Found(hook.event, agent.NAME, hook.ours, run) for hook in agent.HOOKS if run]
    hooks = _hooks(_value(text))
    return [
        Found(event, *named, leaf[_key(agent)], f"{group}:{index}", entry, leaf)
        for event, entries in hooks.items()
        for group, entry in enumerate(entries if isinstance(entries, list) else ())
        for index, leaf in enumerate(_inside(agent, entry))
        if (named := _named(agent, leaf))
    ]


def removed(agent: Agent, text: str, before: str | None = None) -> str | None:
    """The text without our hooks; None when nothing that somebody else wrote is left in it.

    `before` is the text as it was: a list that was empty then stays, one that we made goes.
    """
    if agent.SETTINGS.shape == "plugin":
        return None if _run_of(text) else text
    if not found(agent, text):
        return text
    value, old = _value(text), _value(before or "")
    was = _hooks(old)
    left = {
        event: entries
        for event, each in _hooks(value).items()
        if (entries := _without(agent, each)) or not each or event in was
    }
    new = {key: part for key, part in value.items() if key != "hooks" or left or "hooks" in old}
    if "hooks" in new:
        new["hooks"] = left
    if before is None and new in ({}, _FLAT_VERSION):
        return None
    return _rewritten(text, new)


def program_of(command: str) -> str:
    """The path of our file in a shell command, which may stand in quotes, or alone."""
    if command.endswith(RUN):
        return command
    return next((word for word in _words(command) if word.endswith((LAUNCHER, RUN))), "")


def python_of(command: str) -> str:
    """The interpreter that a command of ours starts; empty for a command of another form."""
    first, *options = _words(command) or [""]
    return first if options[:2] == ["-I", "-S"] else ""


def _words(command: str) -> list[str]:
    """As a shell reads them; one that it cannot read starts nothing."""
    try:
        return split(command)
    except ValueError:
        return []


# One event


def _with(agent: Agent, entries: list[Any], hook: Hook, command: str) -> list[Any]:
    key, limit = _KEYS[agent.SETTINGS.shape]
    leaf = {"type": "command", key: command, limit: hook.timeout * agent.SETTINGS.unit}
    if any(_named(agent, one) == (agent.NAME, hook.ours) for one in _leaves(agent, entries)):
        return [_renewed(agent, entry, hook, leaf) for entry in entries]
    if agent.SETTINGS.shape == "flat":
        return [*entries, leaf]
    matcher = {"matcher": hook.matcher} if hook.matcher else {}
    return [*entries, {**matcher, "hooks": [{**_name(agent), **leaf}]}]


def _name(agent: Agent) -> Object:
    return {"name": OURS} if agent.SETTINGS.shows_hook else {}


def _renewed(agent: Agent, entry: Any, hook: Hook, leaf: Object) -> Any:
    """An entry in which a command of ours is the one of today; others as they are."""
    inside = _inside(agent, entry)
    ours = [_named(agent, one) == (agent.NAME, hook.ours) for one in inside]
    if not any(ours):
        return entry
    if agent.SETTINGS.shape == "flat":
        return {**entry, **leaf}
    name = _name(agent)  # or the one that somebody gave it
    new = [{**name, **one, **leaf} if mine else one for one, mine in zip(inside, ours, strict=True)]
    matcher = {"matcher": hook.matcher} if hook.matcher and all(ours) else {}
    return {**entry, **matcher, "hooks": new}


def _without(agent: Agent, entries: Any) -> Any:
    """The entries of an event without ours.

    Codex trusts a hook by its place in the list: where others follow ours, its place stays, empty.
    """
    if not isinstance(entries, list):
        return entries
    left: list[Any] = []
    for at, entry in enumerate(entries):
        rest = _stripped(agent, entry)
        holds_place = agent.TRUSTS_BY_PLACE and any(
            _stripped(agent, later) for later in entries[at + 1 :]
        )
        if rest or not _has_ours(agent, entry):
            left.append(rest)
        elif holds_place:
            left.append({"hooks": []})
    return left


def _stripped(agent: Agent, entry: Any) -> Any:
    """An entry without our commands; None for one that held nothing else."""
    if not _has_ours(agent, entry):
        return entry
    if agent.SETTINGS.shape == "flat":
        return None
    rest = [one for one in entry["hooks"] if not _named(agent, one)]
    return {**entry, "hooks": rest} if rest else None


def _has_ours(agent: Agent, entry: Any) -> bool:
    return any(_named(agent, leaf) for leaf in _leaves(agent, [entry]))


def _leaves(agent: Agent, entries: Any) -> Iterator[Any]:
    for entry in entries if isinstance(entries, list) else ():
        yield from _inside(agent, entry)


def _inside(agent: Agent, entry: Any) -> list[Any]:
    """The commands of an entry: in a group, or the entry itself."""
    if agent.SETTINGS.shape == "flat":
        return [entry]
    inside = entry.get("hooks") if isinstance(entry, dict) else None
    return inside if isinstance(inside, list) else []


def _key(agent: Agent) -> str:
    return _KEYS[agent.SETTINGS.shape][0]


def _named(agent: Agent, leaf: Any) -> tuple[str, str] | None:
    """Client and event in a command of ours; None for any other."""
    command = leaf.get(_key(agent)) if isinstance(leaf, dict) else None
    if not isinstance(command, str):
        return None
    for program in (LAUNCHER, RUN):
        _, there, words = command.partition(program)
        named = words.strip("'\"").split()
        if there and len(named) > 1 and named[0] in agents.names():
            return named[0], named[1]
    return None


# The whole text


def _value(text: str) -> Object:
    value = loads(text, jsonc=True) if _has_value(text) else {}
    if not isinstance(value, dict):
        raise FormatError("line 1: it is not a JSON object", line=1)
    return value


def _require_readable(agent: Agent, text: str) -> None:
    """A file that the client itself cannot read is not worth an edit: nothing in it would count."""
    reads, source = agent.SETTINGS.reads, source_of(text, jsonc=True)
    blanked = (at for at, ch in enumerate(text) if ch not in (_BOM, source.plain[at]))
    at = min(source.commas, default=-1) if "comments" in reads else next(blanked, -1)
    if text.startswith(_BOM) and "bom" not in reads:
        at, reason = 0, "it begins with a byte order mark"
    elif at in source.commas:
        reason = "it has a comma too many"
    elif at >= 0:
        reason = "it has a comment"
    else:
        return
    line = text.count("\n", 0, at) + 1
    raise FormatError(f"line {line}: {reason}, which {agent.TITLE} cannot read", line=line)


def _has_value(text: str) -> bool:
    """Whether there is more than blanks and comments; a broken text is for `loads` to refuse."""
    try:
        loads(text + "\n0", jsonc=True)
    except FormatError:
        return True
    return False


def _hooks(value: Object) -> Object:
    hooks = value.get("hooks", {})
    if not isinstance(hooks, dict):
        raise FormatError('"hooks" is not an object', hint=_BY_HAND)
    return hooks


def _list(value: Object, key: str) -> list[Any]:
    part = value.get(key, [])
    if not isinstance(part, list):
        raise FormatError(f'"hooks.{key}" is not a list', hint=_BY_HAND)
    return part


def _rewritten(text: str, value: Object) -> str:
    if _has_value(text):
        return rewrite(text, value, jsonc=True)
    if not text.strip(_BOM + _BLANKS):
        return (_BOM if text.startswith(_BOM) else "") + dumps(value)
    return text + ("" if text.endswith("\n") else "\n") + dumps(value)


# A plugin is a file of its own


def _plugin(agent: Agent, text: str, run: str) -> str:
    if text.strip() and not _run_of(text):
        raise FormatError("it is not leftoff's", hint="move it elsewhere, then run it again")
    with open(os.path.join(agents.__path__[0], agent.PLUGIN), encoding="utf-8") as file:
        return file.read().replace('"@RUN@"', dumps(run).rstrip("\n"))


def _run_of(text: str) -> str:
    """The path that a plugin of ours calls; empty for any other text."""
    for line in text.splitlines():
        name, _, value = line.partition(" = ")
        if name == "const RUN" and value.startswith('"'):
            run = loads(value)
            return run if isinstance(run, str) and run.endswith(RUN) else ""
    return ""
