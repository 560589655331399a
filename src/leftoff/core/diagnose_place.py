"""What is wrong around the documents: pointers, files left behind, git's settings, the machine."""

from __future__ import annotations

from leftoff.core.model import Finding
from leftoff.core.texts import short
from leftoff.core.thread import POINTER
from leftoff.core.when import DAY, HOUR, instant
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OLD_SENTINEL = 7 * DAY
"""Seed C sweeps what a session left for the next one after so long."""

GONE_WITH = {"tmpfs": "at the next restart", "ramfs": "at the next restart"}
"""File systems, and when what lies on them is gone; the others go with their container."""


class Left(Record):
    """A small file of seed C that a session left behind.

    `target` is what a pending restore names, None for other kinds; `there` whether that exists.
    """

    path: str
    age: float
    target: str | None = None
    there: bool = True
    trouble: str = ""


class Marker(Record):
    """A pidfile of seed C: which skill says that it is at work, and whether its process runs."""

    path: str
    skill: str
    pid: int
    alive: bool


class Listed(Record):
    """A session that a registry (seed D) calls active."""

    path: str
    id: str
    seen: str


class Hook(Record):
    """One entry in a client's settings that calls leftoff; `there`: what it calls exists."""

    agent: str
    event: str
    path: str
    there: bool


class Signs(Record):
    """What was seen around the documents."""

    pointer: str = ""
    """what `.checkpoints/current` says, where no thread goes by that name"""
    indexes: tuple[str, ...] = ()
    """generated views that do not say what the documents say"""
    driver: str = ""
    """how the merge driver stands where `.gitattributes` asks for it: working, gone, ..."""
    left: tuple[Left, ...] = ()
    markers: tuple[Marker, ...] = ()
    listed: tuple[Listed, ...] = ()
    ignored: tuple[tuple[str, str], ...] = ()
    """(document, the rule that keeps it out of git)"""
    pipes: tuple[str, ...] = ()
    """where git would look for rules, and wait"""
    temporary: tuple[str, ...] = ()
    """files of writers that died before they were done"""
    heavy: tuple[tuple[str, int], ...] = ()
    """(folder, bytes) of what only ever grows, where it has grown large"""
    hooks: tuple[Hook, ...] = ()
    unhooked: tuple[str, ...] = ()
    """clients on this machine that do not call leftoff at all"""
    state: str = ""
    vanishing: str = ""
    """the kind of file system the state folder is on, where that does not last"""
    sealed: bool = False
    """nothing can be written into the state folder"""
    full: bool = False
    """its disk has no room"""


DRIVER_FIX = "leftoff init --merge-driver"
SETUP = "leftoff setup"


def around(signs: Signs, limits: Mapping[str, float], now: float) -> Iterator[Finding]:
    """The findings of all signs."""
    if signs.pointer:
        text = f'names "{short(signs.pointer)}", but there is no such thread here'
        yield Finding("current", "warning", POINTER, text, _BY_FIX)
    for path in signs.indexes:
        text = "is out of date: it differs from the checkpoints"
        yield Finding("index-outdated", "warning", path, text, "leftoff index")
    yield from _driver(signs.driver)
    yield from _left(signs)
    yield from _sessions(signs, limits, now)
    for path, rule in signs.ignored:
        text = f"git ignores it ({rule}), so it exists on this machine only"
        yield Finding("ignored", "warning", path, text, "remove that rule from the ignore file")
    for path in signs.pipes:
        text = "is a pipe, at which git would wait: what git ignores and what changed is not known"
        yield Finding("git-waits", "warning", path, text, "put a file in its place, or nothing")
    for path in signs.temporary:
        text = "was left by a process that died; nothing needs it"
        yield Finding("temporary", "info", path, text, _BY_FIX)
    for path, size in signs.heavy:
        text = f"has grown to {size >> 20} MB; nothing is removed from it automatically"
        yield Finding("grown", "info", path, text, "move what you do not need any more elsewhere")
    yield from _hooks(signs)
    yield from _state_folder(signs)


def _hooks(signs: Signs) -> Iterator[Finding]:
    """A hook twice runs twice; one that calls nothing is silent, and nobody would notice."""
    places: dict[tuple[str, str], list[str]] = {}
    for hook in signs.hooks:
        places.setdefault((hook.agent, hook.event), []).append(hook.path)
    for (agent, event), paths in places.items():
        if len(paths) > 1:
            text = f"{agent} calls leftoff {len(paths)} times at {event}: {', '.join(paths)}"
            yield Finding("hook-twice", "warning", paths[0], text, "keep one of them")
    for path in dict.fromkeys(hook.path for hook in signs.hooks if not hook.there):
        text = "its hooks call leftoff at a path where it no longer is"
        yield Finding("hook-gone", "warning", path, text, SETUP)
    for agent in signs.unhooked:
        text = f"{agent} does not call leftoff: what happens in its sessions is not recorded here"
        yield Finding("hook-missing", "info", "", text, SETUP)


_BY_FIX = '"leftoff doctor --fix" can put it aside'


def _driver(state: str) -> Iterator[Finding]:
    """Attributes travel with the repository, the command behind them does not."""
    said = {
        "missing": "asks for leftoff's merge driver, which is not set up in this clone",
        "partial": "asks for leftoff's merge driver for some kinds of checkpoints only",
        "gone": "asks for leftoff's merge driver, but the Python that ran it is gone",
        "other": "asks for leftoff's merge driver, but another command is set up in its place",
    }.get(state)
    if said:
        text = f"{said}; {_HOSTED}"
        yield Finding("merge-driver", "warning", ".gitattributes", text, DRIVER_FIX)


_HOSTED = "a merge on a server never runs it, so merge locally, and run leftoff validate afterwards"


def _left(signs: Signs) -> Iterator[Finding]:
    for one in signs.left:
        if one.trouble:
            fix = "read it, then put it aside by hand"
            yield Finding("sentinel", "warning", one.path, one.trouble, fix)
        elif one.target is not None and not one.there:
            text = f"points at {short(one.target)}, which does not exist"
            fix = "put it aside: there is nothing to restore from"
            yield Finding("sentinel-target", "warning", one.path, text, fix)
        elif one.age > OLD_SENTINEL:
            text = f"was left {int(one.age / DAY)} days ago and nobody picked it up"
            yield Finding("sentinel-old", "advice", one.path, text, "read it, then put it aside")
    for marker in signs.markers:
        if not marker.alive:
            text = f"says that {marker.skill} is working, but its process {marker.pid} is not"
            yield Finding("dead-marker", "warning", marker.path, text, "put it aside: it is over")


def _sessions(signs: Signs, limits: Mapping[str, float], now: float) -> Iterator[Finding]:
    for one in signs.listed:
        seen = instant(one.seen)
        if seen is None or now - seen > limits["stale.session"]:
            ago = "at an unknown time" if seen is None else f"{int((now - seen) / HOUR)} h ago"
            text = f"session {short(one.id)} is listed as active, but was last seen {ago}"
            fix = "if it is over, list it as ended"
            yield Finding("stale-session", "warning", one.path, text, fix)


def _state_folder(signs: Signs) -> Iterator[Finding]:
    if signs.sealed:
        text = (
            "cannot be written: what happens in sessions is not recorded, and nothing can be undone"
        )
        fix = "make it writable, or set LEFTOFF_STATE to a folder that is"
        yield Finding("state-folder", "warning", signs.state, text, fix)
    elif signs.full:
        text = "is on a full disk: what happens in sessions is not recorded, and saves fail"
        fix = "make room there, or set LEFTOFF_STATE to a folder on another disk"
        yield Finding("state-folder", "warning", signs.state, text, fix)
    if signs.vanishing:
        when = GONE_WITH.get(signs.vanishing, "with this container")
        text = f"is on {signs.vanishing}: evidence, trash and saves there are lost {when}"
        fix = "set LEFTOFF_STATE to a folder that lasts"
        yield Finding("state-folder", "info", signs.state, text, fix)


def running(url: str, said: tuple[str, ...], head: str) -> Iterator[Finding]:
    """Whether what runs at an address is what HEAD is."""
    if any(_is_commit(version, head) for version in said):
        return
    text = f"{short(url)} runs {short(', '.join(said))}, and HEAD is {head[:9] or 'no commit'}"
    yield Finding("online", "warning", "health.url", text, "deploy HEAD, or go on from what runs")


def _is_commit(version: str, head: str) -> bool:
    """Mutual prefixes, as short names of commits have different lengths."""
    end = next((at for at, ch in enumerate(version) if ch not in _HEX), len(version))
    name = version[:end].lower()
    return (
        len(name) >= _SHORTEST and bool(head) and (head.startswith(name) or name.startswith(head))
    )


_HEX = "0123456789abcdefABCDEF"
_SHORTEST = 7
