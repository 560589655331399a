"""Setting up the clients: what would be written where, writing it, and taking it back."""

from __future__ import annotations

import os

from leftoff import agents
from leftoff.errors import FormatError, LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import clients, hook_log, hook_registration, launcher, setup_ledger, skill_files
from leftoff.world.files import bytes_or_none, decode, discard, encode, names_in, read_bytes
from leftoff.world.setup_ledger import Change, Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from leftoff.agents import Agent
    from leftoff.world.clients import Client
    from leftoff.world.setup_ledger import Undone
    from leftoff.world.skill_files import SkillFile

NEW, RENEW, SAME, PLUGIN, ELSEWHERE, NOTHING, REFUSED = (
    *("new", "renew", "same", "plugin", "elsewhere", "nothing", "refused"),
)

_RUNS = os.path.basename(hook_log.RUNS)


class Plan(Record):
    """What setup does for one client.

    state: new, renew (a command changes), same, plugin (which calls leftoff itself),
    elsewhere (the user's settings do), nothing (it has no hooks of its own), refused
    """

    agent: Agent
    state: str
    path: str = ""
    command: str = ""
    """for its first event, as an example of the others"""
    why: str = ""
    change: Change | None = None
    script: str = ""
    """what the plugin calls, where it is still to be written"""
    skills: tuple[SkillFile, ...] = ()

    @property
    def due(self) -> tuple[str, ...]:
        """The paths that would be written."""
        skills = tuple(one.path for one in self.skills if one.change)
        return tuple(filter(None, (self.path if self.change else self.script, *skills)))


class TakenBack(Record):
    """What uninstall found: the clients' files, and the files of the launcher that went."""

    files: tuple[Undone, ...]
    launcher: tuple[str, ...]


class Where(Record):
    """What a plan depends on; `root`: in this project only."""

    env: Mapping[str, str]
    state: str
    python: str
    root: str = ""


def plan(where: Where, names: Sequence[str] = (), *, skills: bool = False) -> list[Plan]:
    """For every client that is here, or for those that are named."""
    found = clients.found(where.env, names)
    return [_with_skills(_plan(one, where), where, asked=skills) for one in found]


def _with_skills(one: Plan, where: Where, *, asked: bool) -> Plan:
    """A plugin brings its skills along; a client without hooks has no folder for them."""
    if one.state in {PLUGIN, NOTHING}:
        return one
    env, state, root = where.env, where.state, where.root
    return one._replace(skills=skill_files.plan(one.agent, env, state, root, asked=asked))


def carry_out(state: str, python: str, plans: Sequence[Plan]) -> list[Plan]:
    """Write the launcher, then the settings; a client whose file refuses does not stop the others.

    The launcher is first, so that no client ever calls what is not there.
    """
    called = any(one.state in {NEW, RENEW, SAME, PLUGIN} for one in plans)
    if called:
        launcher.write(state, python)
    done = [_carried_out(state, one) for one in plans]
    if called and not os.path.exists(os.path.join(state, launcher.LAUNCHER)):
        launcher.write(state, python)  # an uninstall at the same time took it away
    return done


def take_back(state: str, env: Mapping[str, str], root: str, *, dry: bool) -> TakenBack:
    """Undo all of it. The launcher goes when nothing calls it any more; journals stay."""
    files = tuple(setup_ledger.undo(state, _without, [*_calling(state, env, root)], dry=dry))
    called = any(one.failed for one in files) or (not dry and bool(setup_ledger.entries(state)))
    there = [] if called else _launcher_files(state)
    for path in there if not dry else ():
        _remove(path)
    return TakenBack(files, tuple(there))


def _calling(state: str, env: Mapping[str, str], root: str) -> Iterator[Entry]:
    """The files whose hooks call this launcher, or, in the user's own, one that is not there.

    In a project such a hook may be a colleague's, on whose machine it is there. And skills of which
    nobody noted that setup wrote them.
    """
    here = {os.path.join(state, name) for name in (launcher.LAUNCHER, launcher.RUN)}
    for client in clients.found(env, agents.names()):
        agent = client.agent
        own = clients.settings_file(agent, env)
        if not any(one not in here and os.path.exists(one) for one in _called_from(agent, own)):
            yield from skill_files.unnoted(agent, env, state)  # else another leftoff's
        for path in clients.settings_files(agent, env, root):
            called = _called_from(agent, path)
            if called and all(
                one in here or (path == own and not os.path.exists(one)) for one in called
            ):
                yield Entry(agent.NAME, os.path.realpath(path), "", ())


def _launcher_files(state: str) -> list[str]:
    """All that clients start, and what was compiled for it; the record of what it cost stays."""
    folder = os.path.join(state, os.path.dirname(launcher.LAUNCHER))
    # the record of a busy day is in two files, the older of them with an ending
    names = (name for name in names_in(folder) if name.partition(".")[0] != _RUNS)
    return [os.path.join(folder, name) for name in names]


def _remove(path: str) -> None:
    """A file of ours, or the folder of what Python compiled for it."""
    if os.path.isdir(path) and not os.path.islink(path):
        from shutil import rmtree

        rmtree(path, ignore_errors=True)
    else:
        discard(path)


def _command_for(agent: Agent, state: str, python: str) -> Callable[[str], str]:
    """The command of a client for each of our events; a plugin names the script that takes them."""
    if agent.SETTINGS.shape == "plugin":
        return lambda _: os.path.join(state, launcher.RUN)
    return lambda event: launcher.command(python, state, agent.NAME, event)


def _plan(client: Client, where: Where) -> Plan:
    agent, (env, state, python, root) = client.agent, where
    if not agent.HOOKS:
        return Plan(agent, NOTHING)
    if told := clients.plugin(agent, env, root):
        there = launcher.is_written(state, python)
        return Plan(agent, PLUGIN, told, script="" if there else os.path.join(state, launcher.RUN))
    path = clients.settings_file(agent, env, root)
    own = clients.settings_file(agent, env)
    if root and _called_from(agent, own):
        return Plan(agent, ELSEWHERE, own)
    try:
        return _edit(agent, path, _command_for(agent, state, python))
    except LeftoffError as error:
        return Plan(agent, REFUSED, path, why=error.message)


def _edit(agent: Agent, path: str, command: Callable[[str], str]) -> Plan:
    target = os.path.realpath(path)  # a link stays a link
    old = bytes_or_none(target)
    text = "" if old is None else decode(old)
    new = encode(hook_registration.registered(agent, text, command))
    example = command(agent.HOOKS[0].ours)
    if new == old:
        return Plan(agent, SAME, path, example)
    there = hook_registration.found(agent, text) if text.strip() else []
    base = old
    if there:
        left = hook_registration.removed(agent, text)
        base = None if left is None else encode(left)
    change = Change(agent.NAME, target, old, new, base)
    return Plan(agent, RENEW if there else NEW, path, example, change=change)


def _carried_out(state: str, one: Plan) -> Plan:
    """The hooks, then the skills: each file on its own, the first that refuses is told."""
    skills = (skill.change for skill in one.skills)
    for change in filter(None, (one.change, *skills)):
        try:
            setup_ledger.put(state, change)
        except LeftoffError as error:
            other = f"{error.where}: " if error.where not in {"", change.path} else ""
            return one._replace(state=REFUSED, path=change.path, why=f"{other}{error.message}")
    return one


def _without(entry: Entry, now: bytes, before: bytes | None) -> bytes | None:
    if skill_files.is_one(entry.path):
        return now  # changed by the user, whose it is by that
    if entry.agent not in agents.names():
        raise FormatError(f'leftoff knows no client "{entry.agent}"')
    agent = agents.load(entry.agent)
    was = None if before is None else decode(before)
    left = hook_registration.removed(agent, decode(now), was)
    return None if left is None else encode(left)


def _called_from(agent: Agent, path: str) -> set[str]:
    """The programs of ours that a file of settings names; none where it cannot be read."""
    try:
        found = hook_registration.found(agent, decode(read_bytes(path)))
    except LeftoffError:
        return set()
    return {hook_registration.program_of(one.command) for one in found}
