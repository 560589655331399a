"""A stream of work as lists show it: the glance that status, list and validate work from.

A glance is small and flat, so that ten thousand of them load from the document cache at once. It
is never written back: writers read the document itself.
"""

from __future__ import annotations

from leftoff.core.model import ARCHIVED, Checkpoint, Finding, blank
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

NO_STREAMS = frozenset({"session"})
"""Formats of what is no work by itself: a run of an agent."""


class Glance(Record):
    """What a list needs of a stream. Only texts, numbers and tuples of them: it is marshalled."""

    path: str
    format: str
    id: str
    name: str = ""
    project: str = ""
    status: str = ""
    word: str = ""
    phase: str = ""
    stage: str = ""
    created: str = ""
    updated: str = ""
    born: float | None = None
    """`created` as seconds since the epoch; None where it cannot be read"""
    touched: float | None = None
    """the same of `updated`, else of `created`"""
    summary: str = ""
    actions: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    """for each action the command that shows it done; empty when no action has one"""
    tokens: tuple[tuple[str, ...], ...] = ()
    """for each action the pull requests, tickets and versions it names; empty when none does"""
    landed: tuple[str, ...] = ()
    """what the document itself says has landed: references in complete rows and in its state"""
    blockers: tuple[tuple[str, str, str, str], ...] = ()
    """(id, description, needs, proposed resolution) of each open blocker"""
    done: int = 0
    total: int = 0
    at_gate: bool = False
    """whether phase, step or a row in progress names a gate"""
    refs: tuple[tuple[str, str], ...] = ()
    """(ticket, role)"""
    spent: float = 0.0
    budget: float = 0.0
    parent: str = ""
    branch: str = ""
    commit: str = ""
    tests: str = ""
    project_dir: str = ""
    files: tuple[str, ...] = ()
    """files of the project that it names and does not call deleted, as many as are checked"""
    more_files: int = 0
    finished: tuple[tuple[str, str, str, tuple[object, ...]], ...] = ()
    """(key, text, command, evidence or ()) of what was done and a command could confirm"""
    conflicts: int = 0
    bytes: int = 0
    """of the file; of the first one, where a stream has several"""
    summary_chars: int = 0
    """UTF-16 units, as the first validator counts"""
    decision_count: int = 0
    broken: str = ""
    """why the document cannot be read; everything else is then a guess from its path"""
    broken_part: str = ""
    """the file that cannot be read, where that is a lesser one, and `path` could be read"""

    @property
    def full_name(self) -> str:
        """A NAME that is no other stream's, also where a skill and a thread share an id."""
        return f"{self.format}:{self.id}"

    @property
    def readable(self) -> bool:
        """Whether the work that it tells of can be read, though perhaps not written."""
        return not self.broken or bool(self.broken_part)


class Stream(Record):
    """A glance, the files behind it, and what the checks of its formats found in them."""

    glance: Glance
    parts: tuple[str, ...]
    findings: tuple[Finding, ...] = ()


def join(parts: Sequence[Checkpoint]) -> Checkpoint:
    """One checkpoint of several files: for each field the first part that says something."""
    first, *others = parts
    for other in others:
        said: Any = {
            field: mine if mine != blank(field) else theirs
            for field, mine, theirs in zip(Checkpoint._fields, first, other, strict=True)
        }
        first = Checkpoint(**said)
    return first


def broken(streams: Sequence[Stream]) -> tuple[Finding, ...]:
    """An error for each document that cannot be read: every command reports them."""
    return tuple(_unreadable(stream) for stream in streams if stream.glance.broken)


def _unreadable(stream: Stream) -> Finding:
    """As its check put it, with the line and what to do; a caller may not have asked for that."""
    told = Finding("broken", "error", "", "")
    told = next((one for one in stream.findings if one.slug == told.slug), told)
    text = told.text or stream.glance.broken
    return told._replace(where=place_in(stream, told.where), text=text)


def place_in(stream: Stream, where: str) -> str:
    """Where a finding of a stream is: in its document, or in the lesser file that it names."""
    for path in stream.parts[1:]:
        name = path.rpartition("/")[2]
        if where == name or where.startswith(f"{name}: "):
            return path + where.removeprefix(name)
    return f"{stream.glance.path}: {where}" if where else stream.glance.path


def names_none(pointer: str, streams: Iterable[Stream]) -> bool:
    """Whether what `.checkpoints/current` says is no thread that is here."""
    from leftoff.core.thread import folder  # where there is no pointer, nobody pays for it

    below = f"{folder(pointer)}/"
    glances = (stream.glance for stream in streams)
    return bool(pointer) and not any(s.id == pointer or s.path.startswith(below) for s in glances)


def lost_pointer(pointer: str, streams: Iterable[Stream]) -> tuple[Finding, ...]:
    """A warning where `.checkpoints/current` names no thread: what it was meant for is not used."""
    if not pointer or not names_none(pointer, streams):
        return ()
    from leftoff.core.texts import short
    from leftoff.core.thread import POINTER

    text = f'names "{short(pointer)}", but there is no such thread here'
    fix = "leftoff thread switch NAME makes another one current"
    return (Finding("current", "warning", POINTER, text, fix),)


def current(streams: Sequence[Stream]) -> list[Stream]:
    """The Markdown checkpoints that call themselves current; archived ones never count."""
    return [
        s
        for s in streams
        if s.glance.word == "current" and s.glance.format == "md" and s.glance.status != ARCHIVED
    ]


def several_current(streams: Sequence[Stream]) -> tuple[Finding, ...]:
    """A warning where more than one is: whoever relies on the current one is told."""
    focused = current(streams)
    if len(focused) < 2:
        return ()
    names = ", ".join(stream.glance.id for stream in focused)
    text = f"{len(focused)} checkpoints have status current, expected at most 1: {names}"
    fix = "leftoff current NAME keeps one"
    return (Finding("several-current", "warning", "status", text, fix),)
