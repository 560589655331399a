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
from leftoff.core.when import HOUR
from leftoff.errors import NotFound, Usage
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.state import place_key
from leftoff.world.traces import anything_left

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.commands._resume_pending import Found
    from leftoff.core.advise import Advice
    from leftoff.core.brief import Brief
    from leftoff.core.choose import Pending
    from leftoff.core.facts import Facts
    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.stream import Glance, Stream

    After = Callable[[], Sequence[Finding]] | None

SUMMARY = "Pick up where work was left off: the brief of one checkpoint, checked."
EXAMPLES = (
    "leftoff resume",
    "leftoff resume chk-auth",
    "leftoff resume --preview",
    "leftoff resume chk-auth --budget 800",
    "leftoff resume chk-auth --raw",
)
FRESH, CHOOSE, RESUMED = "fresh", "choose", "resumed"
EVERYWHERE = (CHOOSE, "list", "corrupt")
"""What `_resume_pending` shows."""


def arguments(parser: Any) -> None:
    """Which one, how much of it, and the answers to what resume may ask."""
    add = parser.add_argument
    add("name", nargs="?", metavar="NAME", help="the checkpoint (default: see docs)")
    add("--budget", metavar="N", help=f"about how many tokens (default: {TOKENS})")
    add("--preview", action="store_true", help="exactly what a session would get")
    add("--raw", action="store_true", help="the document as it is on disk")
    add("--show", action="store_true", help="the whole document, then continue or restart")
    add("--list", action="store_true", help="what sessions left for the next one")
    text = "which one, where several are near: a number, a name, or skip; twice: the second try"
    add("--pick", action="append", metavar="N", help=text)
    add("--continue", action="store_true", dest="go_on", help="ask nothing, go on")
    add("--restart", action="store_true", help="put it aside and start fresh")
    add("--reads", choices=("y", "n"), help="whether to name the files in flight for reading")
    text = "give blocked prompts back: y, n, all, 2, 1,3, edit 1, none, delete"
    add("--replay", action="append", metavar="ANSWER", help=text)
    add("--edited", metavar="TEXT", help="the edited prompt, for --replay edit; - reads a pipe")
    add("--session", metavar="ID", help="the session that calls, where it cannot be told")


def run(call: Call) -> Result:
    """Give prompts back, or resume: whatever of the two, this is all of the work."""
    if call.args.replay:
        from leftoff.commands import _resume_replay  # rarely

        return _resume_replay.answered(call)
    return _run(call)


def _run(call: Call) -> Result:
    """Choose, check, fit; a checkpoint that is missing or broken is a fresh start, said so."""
    args = call.args
    room = _room(call)
    name, answers = _wanted(call)
    if args.restart and (args.go_on or not (name or answers)):
        raise Usage("--restart puts one checkpoint aside", hint="name it, and leave --continue out")
    streams = call.store.streams()
    left = _left(call, streams, name, answers)
    if left and left.result:
        return left.result
    try:
        near = [left.stream] if left and left.stream else candidates(call, streams)
    except NotFound as error:
        if args.pick or "did you mean" in error.hint:
            raise  # a slip of the pen is no fresh start
        told = Finding("fresh", "info", "", f"{error.message}: a fresh start", error.hint)
        return Result({"state": FRESH}, (told, *broken(streams)))
    if len(near) > 1:
        names: list[Json] = [_full_name(stream) for stream in near]
        return Result({"state": CHOOSE, "candidates": names}, broken(streams), _which(near))
    if (args.raw or (args.show and not args.go_on and not args.restart)) and near:
        return _shown(call, near[0], named=bool(name))
    if not near or near[0].glance.broken:
        told = left.findings if left else ()
        return Result({"state": FRESH}, (*told, *broken(streams)), broken=bool(near and name))
    if args.restart:
        return _restarted(call, near[0])
    return _resumed(call, streams, near[0], room, left)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The brief as it is; the documents; or that there is nothing."""
    for move in data.get("moved", ()):
        yield Line(f"✓ {move['from']} → {move['to']}", "good")
    if data["state"] == FRESH:
        yield Line(say("Nothing to resume: this is a fresh start."))
    elif data["state"] == CHOOSE and isinstance(data["candidates"][0], str):
        yield Line(say("Several checkpoints are equally near:"))
        yield Bullets(tuple(data["candidates"]))
    elif "replay" in data:
        from leftoff.commands import _resume_replay

        yield from _resume_replay.view(data, say)
    elif data["state"] in EVERYWHERE:
        from leftoff.commands import _resume_pending

        yield from _resume_pending.view(data, say)
    elif "documents" in data:
        yield from _raw(data["documents"])
    else:
        yield from _view_brief(data, say)


def _view_brief(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The brief, and what seed C says beside it; what was shown is not shown again."""
    again = data.get("again")
    if not again:
        yield Raw(data["text"])
    if "surface" in data:
        from leftoff.commands import _resume_surface as beside

        yield from () if again else beside.view_surface(data["surface"], say)
        yield from beside.view_reads(data["reads"], say)
    if "prompts" in data:
        from leftoff.commands import _resume_replay

        if data["prompts"]["now"]:
            yield from _resume_replay.view_list(data["prompts"], say)
        else:
            count = len(data["prompts"]["entries"])
            text = "{n} blocked prompt(s) wait as well (leftoff resume --replay)"
            yield Line(say(text, n=count))


def _wanted(call: Call) -> tuple[str, Sequence[str]]:
    """The name of a checkpoint, or the answers to which of the things left here is meant."""
    picks: Sequence[str] = call.args.pick
    if call.args.name or not picks:
        return call.args.name or "", ()
    numbers = all(pick.isdecimal() or pick.casefold() == "skip" for pick in picks)
    if numbers or (len(picks) > 1 and any_left(call)):
        return "", picks
    return picks[-1], ()


def any_left(call: Call) -> bool:
    """Whether sessions may have left something here: one look, and no import."""
    store = call.store
    return anything_left(store.state, store.root, place_key(store.root))


def _left(call: Call, streams: Sequence[Stream], name: str, answers: Sequence[str]) -> Found | None:
    """What sessions left here; None where there is nothing, for the price of a look."""
    if not any_left(call):
        if call.args.list:
            return None
        return None
    from leftoff.commands._resume_pending import locate

    return locate(call, streams, name=name, answers=answers)


def candidates(call: Call, streams: Sequence[Stream]) -> list[Stream]:
    """Whom to resume: the named one, else the current thread, else B's current, else `next`'s.

    More than one means that they are equally near; nobody guesses between them.
    """
    name = _wanted(call)[0]
    if name:
        return [_named(call, streams, name)]
    near = nearest(call, streams, call.store.current_thread())
    return _newer_save(call, streams, near) if any_left(call) else near


def _named(call: Call, streams: Sequence[Stream], name: str) -> Stream:
    """A checkpoint of the project, else a save of this machine."""
    try:
        return find(streams, name, exact=bool(call.args.restart))
    except NotFound:
        from leftoff.commands._resume_pending import save_named

        save = save_named(call, name) if any_left(call) else None
        if save is None:
            raise
        return save


def _newer_save(call: Call, streams: Sequence[Stream], near: list[Stream]) -> list[Stream]:
    """The newest save, unless what is near by the other rules was written after it."""
    from leftoff.commands._resume_pending import newest

    found = newest(call, streams)
    if found is None:
        return near
    others = (one.glance.touched or 0.0 for one in near if one.glance.format != "task")
    return near if max(others, default=0.0) > found[1] else [found[0]]


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
    call: Call,
    streams: Sequence[Stream],
    stream: Stream,
    room: Room,
    *,
    whole: bool,
    records: Sequence[Pending] = (),
) -> Handed:
    """The brief of a stream, checked; without `whole`, or unasked from a stranger, its head."""
    glance = stream.glance
    facts = _verdicts.facts_for(call, streams, [glance], deep=True)
    outside = glance.path.startswith("/")
    checkpoint = _read(call, stream)
    source = Source(
        checkpoint,
        glance,
        judge(glance, facts),
        "" if outside else facts.authors.get(glance.path, ""),
        facts.degraded,
        "" if call.args.preview else _native(call, checkpoint, records),
    )
    # What another person wrote reaches a session unasked only as its first lines.
    named = call.args.name or call.args.pick
    make = brief if whole and (named or not source.author) else orientation
    return Handed(source, facts, make(source, room, call.now, call.say))


def _read(call: Call, stream: Stream) -> Checkpoint:
    if not stream.glance.path.startswith("/"):
        return call.store.read_stream(stream)
    from leftoff.world.saves import read_stream  # a save of this machine

    return read_stream(call.store, stream)


def _native(call: Call, checkpoint: Checkpoint, records: Sequence[Pending]) -> str:
    if not checkpoint.sessions and not records:
        return ""
    from leftoff.commands._resume_surface import native

    return native(call, checkpoint, records)


def _resumed(
    call: Call, streams: Sequence[Stream], stream: Stream, room: Room, left: Found | None
) -> Result:
    glance = stream.glance
    records = left.pointing_at(call.store.root, stream) if left else ()
    source, facts, made = handed(call, streams, stream, room, whole=True, records=records)
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
        "native": source.native,
        "mismatch": bool(left and left.mismatch),
        "again": call.again,
    }
    told = (*(left.findings if left else ()), *_told(made, room), *broken(streams))
    if call.args.preview:
        return Result(data, told)
    if glance.format == "thread":
        data["session"] = bind(call, glance.id)
    ask = _question(call, glance)
    after = None if ask else _after(call, source, records)
    ask = ask or _beside(call, source, left, data)
    quiet = ask or glance.status != IN_PROGRESS
    start = () if quiet else _start(source)
    return Result(data, (*_drift(call, source), *told, *start), ask, after=after)


def _after(call: Call, source: Source, records: Sequence[Pending]) -> After:
    """What is to be done once the brief was written out; None for nothing, as nearly always."""
    if not records and source.glance.format != "task":
        return None
    from leftoff.commands._resume_surface import clean_up

    return clean_up(call, source.checkpoint, source.glance, records)


def _beside(call: Call, source: Source, left: Found | None, data: dict[str, Json]) -> Ask | None:
    """What comes with the brief: seed C's summary and reads, and prompts that were kept back."""
    ask = None
    if source.glance.format == "task":
        from leftoff.commands import _resume_surface as beside

        data["surface"] = beside.surface(source.checkpoint)
        data["reads"] = beside.reads(call, source.checkpoint)
        if not call.args.reads and not call.args.go_on:
            ask = beside.reads_question(source.checkpoint, _about(call, source.glance))
    if left is None:
        return ask
    from leftoff.commands import _resume_replay

    waits = _resume_replay.offered(call, left.asker)
    if waits.entries:
        data["prompts"] = {**_resume_replay.listed(waits, left.asker), "now": ask is None}
    question = None if call.args.go_on else _resume_replay.question(waits)
    return ask or (question._replace(shown_first=True) if question else None)


def _drift(call: Call, source: Source) -> Iterator[Finding]:
    """Only an old checkpoint is looked through file by file."""
    touched = source.glance.touched
    if source.checkpoint.artifacts and touched is not None and call.now - touched > HOUR:
        from leftoff.commands._resume_surface import drift

        yield from drift(call, source.checkpoint, source.glance)


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
    if call.args.go_on:
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
    go_on = "continue from here"
    if stream.status == FAILED:
        go_on = "it was fixed by hand: continue from here"
    ask = "Continue from here, restart, or show the full checkpoint?"
    question = f"{one_line(stream.id)}: {why.rstrip('.?!')}. {ask}"
    choices = (*_two_ways(go_on), Choice("--show", "show the full checkpoint"))
    return Ask(question, choices, "--continue", about=_about(call, stream))


def _two_ways(go_on: str) -> tuple[Choice, Choice]:
    return Choice("--continue", go_on), Choice("--restart", "put it aside and start fresh")


def _about(call: Call, stream: Glance) -> str:
    """The name to answer with, so that the answer is about this one."""
    return "" if call.args.name else f"{stream.format}:{stream.id}"


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
    if stream.glance.path.startswith("/"):
        from leftoff.world.trash import move_to_trash

        gone = move_to_trash(call.store.root, stream.glance.path, call.store.state, call.now)
        moved: list[Json] = [{"from": stream.glance.path, "to": gone}]
        return Result({"state": FRESH, "moved": moved})
    from leftoff.commands import reset  # the one home of putting a checkpoint aside

    done = reset.run(call._replace(args=_Which(_full_name(stream))))
    return Result({"state": FRESH, **done.data}, done.findings)


def _shown(call: Call, stream: Stream, *, named: bool) -> Result:
    """The document as it is; with --show a person then says how to go on."""
    data: dict[str, Json] = {"state": RESUMED, "documents": _documents(call, stream)}
    damaged = bool(stream.glance.broken)
    ask = None
    if call.args.show and not call.args.raw and not damaged:
        about = _about(call, stream.glance)
        question = "Continue from here, or restart?"
        ask = Ask(question, _two_ways("continue from here"), "--continue", True, about)
    return Result(data, broken([stream]), ask, broken=damaged and named)


def _documents(call: Call, stream: Stream) -> list[Json]:
    if stream.glance.path.startswith("/"):
        from leftoff.world.files import read_bytes

        text = read_bytes(stream.glance.path).decode("utf-8", "replace")
        return [{"path": stream.glance.path, "text": text}]
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
