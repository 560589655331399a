"""The queue of work that `next` and `status --brief` share: one order, one first entry."""

from __future__ import annotations

from leftoff.commands import Call, _verdicts
from leftoff.core.advise import Advice, queue, terms
from leftoff.core.blocks import Block, Line
from leftoff.core.texts import cut, labelled
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.facts import authors

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.caller import Process
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream
    from leftoff.world.taken_work import Taken


LONGEST = 1000
"""Characters of a reason; a summary may be a book, and `status NAME` has all of it."""


class Queue(Record):
    """What to do, most urgent first; what fell through; what others took; what git left open."""

    advised: Iterator[Advice]
    landed: list[str]
    """streams that would have come first, but whose actions have all landed"""
    others: list[Taken]
    degraded: str


def gather(call: Call, streams: Sequence[Stream]) -> Queue:
    """Rank all streams, and pass over what landed or is taken by somebody else."""
    glances = [stream.glance for stream in streams]
    facts = _verdicts.landing_for(call, glances)
    others = _taken_by_others(call)
    landed: list[str] = []
    found = queue(glances, facts, {one.item for one in others})
    busy = {one.id for one in others}
    return Queue(_falling_through(found, busy, landed), landed, others, facts.degraded)


def _falling_through(
    found: Iterator[Advice], busy: Container[str], landed: list[str]
) -> Iterator[Advice]:
    """What there is to do; then what others are at; then what needs to be brought up to date.

    The steps of a stream that somebody else works on may hang together, so they come later.
    """
    shared, behind = [], []
    for advice in found:
        if advice.reconcile:
            landed.append(advice.stream.id)
            behind.append(advice)
        elif advice.stream.id in busy:
            shared.append(advice)
        else:
            yield advice
    yield from (*shared, *behind)


def entry(call: Call, streams: Sequence[Stream], advice: Advice) -> dict[str, Json]:
    """The first of the queue, with the verdicts on everything its checkpoint claims."""
    facts = _verdicts.facts_for(call, streams, [advice.stream], deep=True)
    return {**plain(advice), "verdicts": _verdicts.data_of(advice.stream, facts)}


def marked(call: Call, advised: Iterator[Advice]) -> list[dict[str, Json]]:
    """Many entries; each says who last committed its document, where that was somebody else."""
    entries = list(advised)
    if not entries:
        return []
    others = authors(call.store, {advice.stream.path for advice in entries}, call.env)
    return [{**plain(one), "author": others.get(one.stream.path, "")} for one in entries]


def plain(advice: Advice) -> dict[str, Json]:
    """An entry as data."""
    stream = advice.stream
    return {
        "id": stream.id,
        "name": stream.name,
        "format": stream.format,
        "path": stream.path,
        "status": stream.status,
        "phase": stream.phase,
        "step": stream.stage,
        "rank": advice.rank,
        "why": advice.why,
        "action": advice.action,
        "n": advice.at + 1 if advice.at >= 0 else None,
        "done_when": advice.check,
        "landed": list(advice.landed),
        "reconcile": advice.reconcile,
        "terms": [*terms(advice)],
    }


def lines(said: Any, say: Say, *, explain: bool = False, short: bool = False) -> Iterator[Block]:
    """An entry for people; `short` leaves the reason out."""
    stage = "/".join(part for part in (said["phase"], said["step"]) if part)
    about = ", ".join(part for part in (said["status"], stage) if part)
    yield Line(f"▶ {labelled(said['id'], said['name'])}  ({about})", "strong")
    yield Line("  " + say("Next: {action}", action=said["action"]))
    if said["why"] and not short:
        why = said["why"] if explain else cut(said["why"], LONGEST)
        yield Line("  " + say("Why: {why}", why=why), "dim")
    if said["done_when"]:
        yield Line("  " + say("Done when: {command}", command=said["done_when"]), "dim")
    if said["landed"] and not said["reconcile"]:
        yield Line("  " + say("Skipped, already landed: {n}", n=len(said["landed"])), "warn")
    for term in said["terms"] if explain else ():
        yield Line(f"  · {term}", "dim")
    if said.get("pushed"):
        yield Line("  " + say("pushed by {name}", name=said["author"]), "warn")
    elif said.get("author"):
        yield Line("  " + say("last committed by {name}", name=said["author"]), "warn")
    if "verdicts" in said:
        yield from _verdicts.lines(said["verdicts"], say)


def owner(call: Call) -> tuple[Process, str]:
    """The process that stands for the caller, and its name."""
    from leftoff.core.caller import Caller, owner_among
    from leftoff.world.processes import parent

    caller = call.caller() if call.caller else Caller()
    if not caller.ancestors:  # nobody could tell: the parent is all there is
        return parent(), "unknown"
    return owner_among(caller.ancestors)


def _taken_by_others(call: Call) -> list[Taken]:
    held = call.store.taken()
    if not held:
        return []
    mine, _ = owner(call)
    return [one for one in held if not one.is_of(mine)]
