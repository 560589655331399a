"""The skills in a client's own folder: what `setup --skills` writes there, once.

A file is ours while it holds what setup wrote, which its ledger knows. One that somebody changed,
or wrote, is theirs: it is neither renewed nor removed.
"""

from __future__ import annotations

import os

from leftoff.core.guide import PREFIX, SKILLS
from leftoff.errors import FormatError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import clients, guide, setup_ledger
from leftoff.world.files import bytes_or_none, encode, tag
from leftoff.world.setup_ledger import Change, Entry

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.agents import Agent

FILE = "SKILL.md"
NEW, RENEW, SAME, THEIRS = "new", "renew", "same", "theirs"


class SkillFile(Record):
    """One of them: new, renew (of an older leftoff), same, or theirs, which stays as it is."""

    path: str
    state: str
    change: Change | None = None


def plan(
    agent: Agent, env: Mapping[str, str], state: str, root: str = "", *, asked: bool
) -> tuple[SkillFile, ...]:
    """What is to be done about each; unless asked for, only about those that setup wrote before."""
    folder = _folder(agent, env, root)
    known = _known(state)
    made = (_planned(agent, folder, skill, known) for skill in SKILLS)
    return tuple(one for one in made if asked or os.path.realpath(one.path) in known)


def _known(state: str) -> dict[str, Entry]:
    try:
        return {entry.path: entry for entry in setup_ledger.entries(state)}
    except FormatError:
        return {}  # who wants to write hears of it then


def is_one(path: str) -> bool:
    """Whether an entry of the ledger is about a skill."""
    return os.path.basename(path) == FILE


def unnoted(agent: Agent, env: Mapping[str, str], state: str) -> tuple[Entry, ...]:
    """Those in the user's folder of a client that setup wrote, where its ledger was lost.

    They are ours by what they hold. Others beside them were changed since, and are to be told of.
    """
    folder, known = _folder(agent, env, ""), _known(state)
    ours = {_path(folder, skill): tag(encode(guide.skill(skill))) for skill in SKILLS}
    there = {path: data for path in ours if (data := bytes_or_none(path)) is not None}
    lost = not known.keys() & ours.keys() and any(tag(there[path]) == ours[path] for path in there)
    return tuple(
        Entry(agent.NAME, path, "", (ours[path],), (os.path.dirname(path),))
        for path in (there if lost else ())
    )


def _path(folder: str, skill: str) -> str:
    return os.path.realpath(os.path.join(folder, f"{PREFIX}{skill}", FILE))  # a link stays a link


def _folder(agent: Agent, env: Mapping[str, str], root: str) -> str:
    if root:
        return os.path.join(root, agent.SETTINGS.project_skills)
    return os.path.join(clients.folder(agent, env), agent.SETTINGS.skills)


def _planned(agent: Agent, folder: str, skill: str, known: Mapping[str, Entry]) -> SkillFile:
    path = os.path.join(folder, f"{PREFIX}{skill}", FILE)
    target = _path(folder, skill)
    old, new = bytes_or_none(target), encode(guide.skill(skill))
    if old == new:
        return SkillFile(path, SAME)
    if old is not None and not (target in known and tag(old) in known[target].ours):
        return SkillFile(path, THEIRS)
    change = Change(agent.NAME, target, old, new, None)
    return SkillFile(path, NEW if old is None else RENEW, change)
