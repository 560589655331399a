"""resume: hand a session what it needs to go on, checked against the world, within a budget."""

from __future__ import annotations

from leftoff.commands import Call, _advice, _verdicts
from leftoff.commands._binding import bind
from leftoff.core.aging import stale_days
from leftoff.core.blocks import Block, Bullets, Line, Raw
from leftoff.core.brief import BYTES, TOKENS, Room, brief, orientation
from leftoff.core.brief_parts import Source, first_action, relevant_files
from leftoff.core.claims import judge
from leftoff.core.fence import one_line
from leftoff.core.find import find
from leftoff.core.model import (
    ARCHIVED,
    BLOCKED,
    FAILED,
    IN_PROGRESS,
    Finding,
    open_actions,
    open_blockers,
)
from leftoff.core.rank import over_budget, waiting
from leftoff.core.result import Ask, Choice, Result
from leftoff.core.stream import broken
from leftoff.core.texts import cut
from leftoff.core.together import current
from leftoff.errors import NotFound, Usage
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.advise import Advice
    from leftoff.core.brief import Brief
    from leftoff.core.facts import Facts
    from leftoff.core.model import Json
    from leftoff.core.stream import Glance, Stream

SUMMARY = "Pick up where work was left off: the brief of one checkpoint, checked."
EXAMPLES = (
    "leftoff resume",
    "leftoff resume chk-auth",
    "leftoff resume --preview",
    "leftoff resume chk-auth --budget 800",
    "leftoff resume chk-auth --raw",
)
FRESH, CHOOSE, RESUMED = "fresh", "choose", "resumed"


def arguments(parser: Any) -> None:
    """Which one, how much of it, and the answers to what resume may ask."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="the checkpoint (default: see docs)"
    )
    parser.add_argument("--budget", metavar="N", help=f"about how many tokens (default: {TOKENS})")
    parser.add_argument("--preview", action="store_true", help="exactly what a session would get")
    parser.add_argument("--raw", action="store_true", help="the document as it is on disk")
    parser.add_argument("--pick", metavar="NAME", help="which one, where several are equally near")
    parser.add_argument("--continue", action="store_true", dest="go_on", help="ask nothing, go on")
    parser.add_argument("--restart", action="store_true", help="put it aside and start fresh")


def run(call: Call) -> Result:
    """Choose, check, fit; a checkpoint that is missing or broken is a fresh start, said so."""
    room = _room(call)
    if call.args.restart and (call.args.go_on or not (call.args.name or call.args.pick)):
        raise Usage("--restart puts one checkpoint aside", hint="name it, and leave --continue out")
    streams = call.store.streams()
    try:
        near = candidates(call, streams)
    except NotFound as error:
        if call.args.pick or "did you mean" in error.hint:
            raise  # a slip of the pen is no fresh start
        told = Finding("fresh", "info", "", f"{error.message}: a fresh start", error.hint)
        return Result({"state": FRESH}, (told, *broken(streams)))
    if len(near) > 1:
        names: list[Json] = [_full_name(stream) for stream in near]
        return Result({"state": CHOOSE, "candidates": names}, broken(streams), _which(near))
    if call.args.raw and near:
        documents = _documents(call, near[0])
        named = bool(near[0].glance.broken and (call.args.name or call.args.pick))
        return Result({"state": RESUMED, "documents": documents}, broken(near), broken=named)
    if not near or near[0].glance.broken:
        named = bool(near and (call.args.name or call.args.pick))
        return Result({"state": FRESH}, broken(streams), broken=named)
    if call.args.restart:
        return _restarted(call, near[0])
    return _resumed(call, streams, near[0], room)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The brief as it is; the documents; or that there is nothing."""
    for move in data.get("moved", ()):
        yield Line(f"✓ {move['from']} → {move['to']}", "good")
    if data["state"] == FRESH:
        yield Line(say("Nothing to resume: this is a fresh start."))
    elif data["state"] == CHOOSE:
        yield Line(say("Several checkpoints are equally near:"))
        yield Bullets(tuple(data["candidates"]))
    elif "documents" in data:
        yield from _raw(data["documents"])
    else:
        yield Raw(data["text"])


def candidates(call: Call, streams: Sequence[Stream]) -> list[Stream]:
    """Whom to resume: the named one, else the current thread, else B's current, else `next`'s.

    More than one means that they are equally near; nobody guesses between them.
    """
    name = call.args.pick or call.args.name
    if name:
        return [find(streams, name, exact=bool(call.args.restart))]
    return nearest(call, streams, call.store.current_thread())


def nearest(call: Call, streams: Sequence[Stream], thread: str) -> list[Stream]:
    """The same where nobody named one, for who is on a thread, or on none ("")."""
    bound = [s for s in streams if thread and s.glance.format == "thread" and s.glance.id == thread]
    open_ones = [s for s in bound if s.glance.status != ARCHIVED]
    return open_ones or current(streams) or _first_of_queue(call, streams)


def _first_of_queue(call: Call, streams: Sequence[Stream]) -> list[Stream]:
    """What `next` says, and whatever ties with it."""
    advised = _advice.gather(call, streams).advised
    first = next(advised, None)
    if first is None:
        return []
    paths = [first.stream.path]
    for advice in advised:
        if _urgency(advice) != _urgency(first):
            break
        paths.append(advice.stream.path)
    return [stream for stream in streams if stream.glance.path in paths]


def _urgency(advice: Advice) -> tuple[bool, int, bool, float | None]:
    """All that ranks an entry of the queue except its name."""
    stream = advice.stream
    return advice.reconcile, advice.rank, over_budget(stream), stream.touched


class Handed(Record):
    """What a session gets of a checkpoint, and what it was made from."""

    source: Source
    facts: Facts
    brief: Brief


def handed(
    call: Call, streams: Sequence[Stream], stream: Stream, room: Room, *, whole: bool
) -> Handed:
    """The brief of a stream, checked; without `whole`, or unasked from a stranger, its head."""
    glance = stream.glance
    facts = _verdicts.facts_for(call, streams, [glance], deep=True)
    source = Source(
        call.store.read_stream(stream),
        glance,
        judge(glance, facts),
        facts.authors.get(glance.path, ""),
        facts.degraded,
    )
    # What another person wrote reaches a session unasked only as its first lines.
    named = call.args.name or call.args.pick
    make = brief if whole and (named or not source.author) else orientation
    return Handed(source, facts, make(source, room, call.now, call.say))


def _resumed(call: Call, streams: Sequence[Stream], stream: Stream, room: Room) -> Result:
    glance = stream.glance
    source, facts, made = handed(call, streams, stream, room, whole=True)
    data: dict[str, Json] = {
        "state": RESUMED,
        "id": glance.id,
        "format": glance.format,
        "path": glance.path,
        "status": glance.status,
        "text": made.text,
        "bytes": len(made.text.encode()),
        "tokens": made.tokens,
        "budget": room.tokens,
        "overrun": made.overrun,
        "left_out": [dict(out._asdict()) for out in made.left_out],
        "verdicts": _verdicts.data_of(glance, facts),
        "prime": prime(source),
        "skipped_files": [item.text for item in relevant_files(source.checkpoint)[1]],
    }
    if glance.format == "thread" and not call.args.preview:
        data["session"] = bind(call, glance.id)
        if data["session"]:
            from leftoff.commands._runs import began  # a person's resume pays nothing for it

            began(call, glance.id)
    ask = _question(call, glance)
    quiet = ask or call.args.preview or glance.status != IN_PROGRESS
    start = () if quiet else _start(source)
    return Result(data, (*start, *_told(made, room), *broken(streams)), ask)


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
    return [{"kind": kind, "text": item.text} for kind, items in kinds for item in items]


def _start(source: Source) -> Iterator[Finding]:
    """Where work goes on; nobody is asked, and anybody may say otherwise."""
    at = first_action(source)
    if at >= 0:
        action = cut(one_line(open_actions(source.checkpoint)[at].text), 200)
        yield Finding("resuming", "info", "", f"Resuming from next_actions[{at}]: {action}")


def _told(made: Brief, room: Room) -> Iterator[Finding]:
    size = f"the brief is about {made.tokens} tokens, {len(made.text.encode())} bytes"
    yield Finding("brief-size", "info", "", size)
    if made.overrun:
        text = f"what must stay takes about {made.overrun} tokens more than the budget"
        yield Finding("over-budget", "warning", "", f"{text} of {room.tokens}")


def _question(call: Call, stream: Glance) -> Ask | None:
    """A decision that waits, trouble, or work left long ago: a person says how to go on."""
    if call.args.go_on or call.args.preview:
        return None
    limits = call.settings.limits
    days = stale_days(stream, call.now, limits)
    waits = waiting(stream)
    if waits:
        why = f"a decision waits for a person: {cut(one_line(waits[0][1]), 200)}"
    elif stream.status in {BLOCKED, FAILED}:
        why = f"it is {stream.status}"
    elif days:
        why = f"nobody touched it for {days} days"
    else:
        return None
    choices = (
        Choice("--continue", "continue from here"),
        Choice("--restart", "put it aside and start fresh"),
        Choice("--raw", "show the full checkpoint"),
    )
    ask = "Continue from here, restart, or show the full checkpoint?"
    return Ask(f"{one_line(stream.id)}: {why.rstrip('.?!')}. {ask}", choices, "--continue")


def _which(near: Sequence[Stream]) -> Ask:
    choices = tuple(Choice(_full_name(s), s.glance.path) for s in near)
    return Ask("Which one? They are equally near.", choices, "--pick")


def _full_name(stream: Stream) -> str:
    return f"{stream.glance.format}:{stream.glance.id}"


class _Which(Record):
    """The arguments of reset."""

    name: str
    undo: bool = False


def _restarted(call: Call, stream: Stream) -> Result:
    from leftoff.commands import reset  # the one home of putting a checkpoint aside

    done = reset.run(call._replace(args=_Which(_full_name(stream))))
    return Result({"state": FRESH, **done.data}, done.findings)


def _documents(call: Call, stream: Stream) -> list[Json]:
    return [
        {"path": path, "text": call.store.raw(path)}
        for path in stream.parts
        if call.store.readable(path)
    ]


def _raw(documents: Sequence[Any]) -> Iterator[Block]:
    for document in documents:
        if len(documents) > 1:
            yield Line(f"# {document['path']}", "strong")
        yield Raw(document["text"])


def _room(call: Call) -> Room:
    """A budget that somebody gave shortens no must; what a session gets is never over its bytes."""
    if not call.args.budget:
        return Room()
    if not call.args.budget.isdecimal() or not int(call.args.budget):
        raise Usage(f'--budget cannot be "{call.args.budget}"', hint="give a number of tokens")
    return Room(int(call.args.budget), BYTES if call.args.preview else 0, shorten=False)
