"""resume: the brief of one stream with its verdicts, as a command or a hook hands it over."""

from __future__ import annotations

import os

from leftoff.commands import Call, _verdicts
from leftoff.core.brief import brief, orientation
from leftoff.core.brief_fit import Room
from leftoff.core.brief_parts import Source, first_action, relevant_files
from leftoff.core.claims import judge
from leftoff.core.model import open_actions, open_blockers
from leftoff.core.redact import redact
from leftoff.core.token_estimate import tokens_in
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import checkpoint_cache

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.core.brief import Brief
    from leftoff.core.choose import Pending
    from leftoff.core.facts import Facts
    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.stream import Stream


class Handed(Record):
    """What a session gets of a checkpoint, and what it was made from."""

    source: Source
    facts: Facts
    brief: Brief


def handed(
    call: Call, streams: Sequence[Stream], stream: Stream, room: Room, *, whole: bool
) -> Handed:
    """The brief of a stream, checked; without `whole`, or unasked from a stranger, its head."""
    source, facts = sourced(call, streams, stream)
    return Handed(source, facts, brief_of(call, source, room, whole=whole))


def room_of(budget: str | None, size: int = 0) -> Room:
    """What a brief may take; a budget that somebody gave shortens no must.

    With `size` it never has more bytes than that either.
    """
    return Room(tokens_in(budget), size, shorten=False) if budget else Room()


def sourced(
    call: Call, streams: Sequence[Stream], stream: Stream, records: Sequence[Pending] = ()
) -> tuple[Source, Facts]:
    """What a brief is made of, and the facts that its claims were judged by."""
    glance = stream.glance
    facts = _verdicts.facts_for(call, streams, [glance], deep=True)
    outside = glance.path.startswith("/")  # nobody committed it
    checkpoint = _read(call, stream)
    source = Source(
        checkpoint,
        glance,
        judge(glance, facts),
        _pushed_by(call, glance.path) if outside else facts.authors.get(glance.path, ""),
        facts.degraded,
        "" if getattr(call.args, "preview", True) else _native(call, checkpoint, records),
    )
    return source, facts


def brief_of(call: Call, source: Source, room: Room, *, whole: bool) -> Brief:
    """What another person wrote reaches a session unasked only as its first lines."""
    named = call.args.name or call.args.pick
    make = brief if whole and (named or not source.author) else orientation
    return make(source, room, call.now, call.say)


def _read(call: Call, stream: Stream) -> Checkpoint:
    if not stream.glance.path.startswith("/"):
        return checkpoint_cache.read_stream(call.store, stream)
    if _pushed_by(call, stream.glance.path):
        from leftoff.commands._team_pulled import read

        return read(call, stream)
    from leftoff.world.saves import read_stream  # a save of this machine

    return read_stream(call.store, stream)


def _pushed_by(call: Call, path: str) -> str:
    """Who pushed a document that lies outside of the project; "" for a save of this machine."""
    if f"{os.sep}team{os.sep}" not in path:
        return ""
    from leftoff.commands._team_pulled import author_of

    return author_of(call, path)


def _native(call: Call, checkpoint: Checkpoint, records: Sequence[Pending]) -> str:
    """How to go on in the last session itself; nobody pays for it where there never was one."""
    known = os.path.isdir(os.path.join(call.store.state, "sessions"))
    if not known or not (checkpoint.sessions or records):
        return ""
    from leftoff.commands._resume_surface import native

    return native(call, checkpoint, records)


def prime(source: Source) -> list[Json]:
    """What to read before new work, in seed A's order: decisions, files, blockers, the action."""
    c, at = source.checkpoint, first_action(source)
    kept, _ = relevant_files(c)
    actions = open_actions(c)[at : at + 1] if at >= 0 else ()
    kinds = (
        ("decision", c.decisions),
        ("file", kept),
        ("blocker", open_blockers(c)),
        ("action", actions),
    )
    return [{"kind": kind, "text": redact(item.text)} for kind, items in kinds for item in items]
