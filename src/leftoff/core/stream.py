"""A stream of work as lists show it: the glance that status, list and validate work from.

A glance is small and flat, so that ten thousand of them load from the document cache at once. It
is never written back: writers read the document itself.
"""

from __future__ import annotations

from leftoff.core.model import (
    Checkpoint,
    Finding,
    blank,
    open_actions,
    open_blockers,
)
from leftoff.core.rank import names_gate
from leftoff.core.when import instant
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


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
    conflicts: int = 0
    broken: str = ""
    """why the document cannot be read; everything else is then a guess from its path"""


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
    return tuple(
        Finding("broken", "error", stream.glance.path, stream.glance.broken)
        for stream in streams
        if stream.glance.broken
    )


def glance(c: Checkpoint, path: str, format_name: str) -> Glance:
    """The glance of a checkpoint."""
    rows = [(row.get("status"), f"{row.id} {row.text}".strip()) for row in c.progress]
    return Glance(
        path=path,
        format=format_name,
        id=c.id or path.rpartition("/")[2].split(".")[0],
        name=c.name,
        project=c.project,
        status=c.status,
        word=c.word,
        phase=c.phase,
        stage=c.stage,
        created=c.created,
        updated=c.updated,
        born=instant(c.created),
        touched=instant(c.updated or c.created),
        summary=c.summary,
        actions=tuple(item.text for item in open_actions(c)),
        blockers=tuple(
            (item.id, item.text, item.get("needs"), item.get("proposed_resolution"))
            for item in open_blockers(c)
        ),
        done=sum(status == "complete" for status, _ in rows),
        total=len(rows),
        at_gate=names_gate(
            c.phase, c.stage, *(row for status, row in rows if status == "in_progress")
        ),
        refs=tuple((item.id, item.get("role")) for item in c.refs if item.get("provider")),
        spent=_amount(c, "total_usd"),
        budget=_amount(c, "budget_usd"),
        parent=c.parent,
        branch=c.branch,
        conflicts=len(c.conflicts),
    )


def _amount(c: Checkpoint, name: str) -> float:
    value = c.cost.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    try:
        return float(value)
    except OverflowError:  # a number of four hundred digits is no amount
        return 0.0
