"""resume: give a session what it needs to continue, checked, within a budget."""

from __future__ import annotations

from leftoff.commands import Call, _resume_view, _verdicts
from leftoff.commands._caller import bind, saw, who
from leftoff.commands._resume_brief import brief_of, prime, room_of, sourced
from leftoff.commands._resume_choice import (
    SKIP,
    any_left,
    candidates,
    told_of_taken,
    wanted,
    which_of,
)
from leftoff.commands._resume_states import FRESH, RESUMED
from leftoff.core.age_checks import stale_days
from leftoff.core.brief_fit import BYTES, TOKENS, Room
from leftoff.core.brief_parts import first_action, relevant_files
from leftoff.core.fence import one_line
from leftoff.core.model import BLOCKED, FAILED, IN_PROGRESS, Finding, open_actions
from leftoff.core.quote import quoted
from leftoff.core.rank import waiting
from leftoff.core.result import Ask, Choice, Result
from leftoff.core.stream import broken
from leftoff.core.thread import FORMAT, document
from leftoff.core.when import HOUR
from leftoff.errors import NotFound, Usage
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from leftoff.commands._resume_pending import Found
    from leftoff.core.brief import Brief
    from leftoff.core.brief_parts import Source
    from leftoff.core.choose import Pending
    from leftoff.core.model import Json
    from leftoff.core.stream import Glance, Stream

    After = Callable[[], Sequence[Finding]] | None

SUMMARY = "Pick up where work was left off: a checked brief of one checkpoint."
EXAMPLES = (
    "leftoff resume",
    "leftoff resume chk-auth",
    "leftoff resume --preview",
    "leftoff resume chk-auth --budget 800",
    "leftoff resume chk-auth --raw",
    "leftoff resume --list",
    "leftoff resume --pick 2",
    "leftoff resume --replay all",
)
view = _resume_view.view


def arguments(parser: Any) -> None:
    """Which one, how much of it, and the answers to what resume may ask."""
    parser.add_argument(
        "name", nargs="?", metavar="NAME", help="the checkpoint (default: see docs)"
    )
    parser.add_argument("--budget", metavar="N", help=f"about how many tokens (default: {TOKENS})")
    parser.add_argument("--preview", action="store_true", help="exactly what a session would get")
    parser.add_argument("--raw", action="store_true", help="the document as it is on disk")
    parser.add_argument(
        "--show", action="store_true", help="the whole document, then continue or restart"
    )
    parser.add_argument("--list", action="store_true", help="what sessions left for the next one")
    text = "which one, if several match: a number, a name, or skip; given twice: the second try"
    parser.add_argument("--pick", action="append", metavar="N", help=text)
    parser.add_argument(
        "--continue", action="store_true", dest="go_on", help="continue without asking"
    )
    parser.add_argument("--restart", action="store_true", help="put it aside and start fresh")
    parser.add_argument(
        "--known", action="store_true", help="fail if there is no NAME, instead of starting fresh"
    )
    parser.add_argument(
        "--reads", choices=("y", "n"), help="whether to name the files in flight for reading"
    )
    text = "give blocked prompts back: y, n, all, 2, 1,3, edit 1, none, delete"
    parser.add_argument("--replay", action="append", metavar="ANSWER", help=text)
    parser.add_argument(
        "--edited", metavar="TEXT", help="the edited prompt, for --replay edit; - reads a pipe"
    )
    parser.add_argument(
        "--session", metavar="ID", help="the calling session, if it cannot be detected"
    )


def run(call: Call) -> Result:
    """Give prompts back, or resume: whatever of the two, this is all of the work."""
    if not any_left(call):
        return _replay_or_resume(call)
    from leftoff.world.busy_marker import (  # only where there is something to restore
        RESTORE,
        marked,
    )

    with marked(call.store, RESTORE, who(call), call.now) as troubles:
        result = _replay_or_resume(call)
    return result._replace(findings=(*troubles, *result.findings))


def _replay_or_resume(call: Call) -> Result:
    if call.args.replay:
        from leftoff.commands import _resume_replay  # rarely

        return _resume_replay.answered(call)
    return _resume(call)


def _resume(call: Call) -> Result:
    """Choose, check, fit; a checkpoint that is missing or broken is a fresh start, said so."""
    args = call.args
    room_of(args.budget)  # a budget that is none is told before anything else is done
    streams = call.store.streams()
    name, answers = wanted(call, streams)
    if args.restart and (args.go_on or not (name or answers)):
        raise Usage("--restart puts one checkpoint aside", hint="name it, and leave --continue out")
    left = _left(call, streams, name, answers)
    if left and left.result:
        return left.result
    if answers and left and not left.candidates and answers[-1].casefold() != SKIP:
        name = answers[-1]  # nothing was left: it can only be a name
    told = left.findings if left else ()
    try:
        taken = left.taken if left else ()
        near = [left.stream] if left and left.stream else candidates(call, streams, name, taken)
    except NotFound as error:
        return _fresh(call, streams, error, told)
    if len(near) > 1:
        asked = which_of(near, streams)
        return asked._replace(findings=(*told, *asked.findings))
    if not near:
        return _nothing(call, left, (*told, *told_of_taken(call), *broken(streams)))
    return _of_one(call, streams, near[0], left)


def _nothing(call: Call, left: Found | None, told: Sequence[Finding]) -> Result:
    """No checkpoint: a prompt that was blocked may wait all the same."""
    data: dict[str, Json] = {"state": FRESH}
    ask, unread = _prompts(call, left, data, now=True)
    return Result(data, (*told, *unread), ask)


def _fresh(
    call: Call, streams: Sequence[Stream], error: NotFound, told: Sequence[Finding]
) -> Result:
    """A name that nothing has yet begins something new; a slip of the pen does not."""
    if call.args.pick or call.args.known or "did you mean" in error.hint:
        raise error
    fresh = Finding("fresh", "info", "", f"{error.message}: a fresh start", error.hint)
    return Result({"state": FRESH}, (*told, fresh, *broken(streams)))


def _of_one(call: Call, streams: Sequence[Stream], stream: Stream, left: Found | None) -> Result:
    """Show it, put it aside, or hand it over, as the options say."""
    args, named = call.args, bool(call.args.name or call.args.pick)
    if args.raw or (args.show and not args.go_on and not args.restart):
        return _shown(call, stream, named=named)
    if args.restart:
        return _restarted(call, stream)  # also what nobody can read: it is kept as it is
    if not stream.glance.readable:
        unread = stream.glance.id
        return Result({"state": FRESH, "unread": unread}, broken(streams), broken=named)
    return _resumed(call, streams, stream, left)


def _left(call: Call, streams: Sequence[Stream], name: str, answers: Sequence[str]) -> Found | None:
    """What sessions left here; None where there is nothing, for the price of a look."""
    if not any_left(call) and not call.args.list:
        return None
    from leftoff.commands._resume_pending import locate

    return locate(call, streams, name=name, answers=answers)


def _resumed(call: Call, streams: Sequence[Stream], stream: Stream, left: Found | None) -> Result:
    glance = stream.glance
    room = room_of(call.args.budget, BYTES if call.args.preview else 0)
    records = left.pointing_at(call.store.root, stream) if left else ()
    source, facts = sourced(call, streams, stream, records)
    made = brief_of(call, source, room, whole=True)
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
        "again": call.again and bool(call.args.reads),
    }
    told = (*(left.findings if left else ()), *_size_findings(made, room), *broken(streams))
    if call.args.preview:
        return Result(data, told)
    if glance.format == FORMAT and not glance.path.startswith("/"):
        data["session"] = session = _taken_up(call, glance, made)
        told = (*told, *_shared(call, glance, session, told))
    ask = _question(call, glance)
    after = None if ask else _after(call, source, records)
    if not ask:
        ask, unread = _beside(call, source, left, data)
        told = (*told, *unread)
    quiet = ask or glance.status != IN_PROGRESS
    start = () if quiet else _start(source)
    return Result(data, (*_drift(call, source), *told, *start), ask, after=after)


def _taken_up(call: Call, glance: Glance, made: Brief) -> str:
    """The session that goes on with a thread from here; "" for a person."""
    name = bind(call, glance.id)
    if name:
        from leftoff.commands._thread_run import began  # a person's resume pays nothing for it

        agent, _, session = name.partition("/")
        saw(call.store, (agent, session), document(glance.id), made.left_out)
        began(call, glance.id)
    return name


def _shared(call: Call, glance: Glance, session: str, told: Sequence[Finding]) -> Iterator[Finding]:
    """Another live session on the thread that this one has taken up, unless that was told."""
    if not session or any(one.slug == "live-session" for one in told):
        return
    from leftoff.commands._threads import held

    agent, _, name = session.partition("/")
    if other := held(call, glance.id, (agent, name)):
        text = f"the live session {other} works on {glance.id}, too"
        yield Finding("live-session", "warning", "", text, "work on it in one session at a time")


def _after(call: Call, source: Source, records: Sequence[Pending]) -> After:
    """What is to be done once the brief was written out; None for nothing, as nearly always."""
    if not records and source.glance.format != "task":
        return None
    from leftoff.commands._resume_surface import clean_up

    return clean_up(call, source.checkpoint, source.glance, records)


def _beside(
    call: Call, source: Source, left: Found | None, data: dict[str, Json]
) -> tuple[Ask | None, Sequence[Finding]]:
    """What comes with the brief: seed C's summary and reads, and prompts that were kept back."""
    ask = None
    if source.glance.format == "task":
        from leftoff.commands import _resume_surface as beside

        data["surface"] = beside.surface(source.checkpoint)
        data["reads"] = beside.reads(call, source.checkpoint)
        if not call.args.reads and not call.args.go_on:
            ask = beside.reads_question(source.checkpoint, _about(call, source.glance))
    question, unread = _prompts(call, left, data, now=ask is None)
    return ask or question, unread


def _prompts(
    call: Call, left: Found | None, data: dict[str, Json], *, now: bool
) -> tuple[Ask | None, Sequence[Finding]]:
    """Prompts that were kept back, the question about them, and those that cannot be read."""
    if left is None:
        return None, ()
    from leftoff.commands import _resume_replay

    waits, unread = _resume_replay.offered(call, left.asker)
    if waits.entries:
        data["prompts"] = {**_resume_replay.listed(waits, left.asker), "now": now}
    question = None if call.args.go_on else _resume_replay.question(waits)
    return question._replace(shown_first=True) if question else None, unread


def _drift(call: Call, source: Source) -> Iterator[Finding]:
    """Only an old checkpoint is looked through file by file."""
    touched = source.glance.touched
    if source.checkpoint.artifacts and touched is not None and call.now - touched > HOUR:
        from leftoff.commands._resume_surface import drift

        yield from drift(call, source.checkpoint, source.glance)


def _start(source: Source) -> Iterator[Finding]:
    """Where work goes on; nobody is asked, and anybody may say otherwise."""
    at = first_action(source)
    if at >= 0:
        action = quoted(open_actions(source.checkpoint)[at].text, 200)
        yield Finding("resuming", "info", "", f"Resuming from next_actions[{at}]: {action}")


def _size_findings(made: Brief, room: Room) -> Iterator[Finding]:
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
        why = f'a decision waits for a person: "{quoted(waits[0][1], 200)}"'
    elif stream.status in {BLOCKED, FAILED}:
        why = f"it is {stream.status}."
    elif days:
        why = f"not touched for {days} days."
    else:
        return None
    go_on = "continue from here"
    if stream.status == FAILED:
        go_on = "it was fixed by hand: continue from here"
    ask = "Continue from here, restart, or show the full checkpoint?"
    question = f"{one_line(stream.id)}: {why} {ask}"
    choices = (*_two_ways(go_on), Choice("--show", "show the full checkpoint"))
    return Ask(question, choices, "--continue", about=_about(call, stream))


def _two_ways(go_on: str) -> tuple[Choice, Choice]:
    return Choice("--continue", go_on), Choice("--restart", "put it aside and start fresh")


def _about(call: Call, stream: Glance) -> str:
    """The name to answer with, so that the answer is about this one."""
    return "" if call.args.name else stream.full_name


class _Which(Record):
    """The arguments of reset."""

    name: str
    undo: bool = False


def _restarted(call: Call, stream: Stream) -> Result:
    if stream.glance.path.startswith("/"):
        _refuse_pushed(call, stream)
        from leftoff.world.trash import move_to_trash

        gone = move_to_trash(call.store.root, stream.glance.path, call.store.state, call.now)
        moved: list[Json] = [{"from": stream.glance.path, "to": gone}]
        return Result({"state": FRESH, "moved": moved})
    from leftoff.commands import reset  # the one home of putting a checkpoint aside

    done = reset.run(call._replace(args=_Which(stream.glance.full_name)))
    return Result({"state": FRESH, **done.data}, done.findings)


def _refuse_pushed(call: Call, stream: Stream) -> None:
    """What somebody else pushed is not ours to put aside."""
    if f"{call.store.state}/team/" in stream.glance.path:
        text = f"{stream.glance.id} was pushed by somebody: it is not put aside here"
        raise Usage(text, hint="leave --restart out")


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

        texts = ((path, read_bytes(path).decode("utf-8", "replace")) for path in stream.parts)
        return [{"path": path, "text": text} for path, text in texts]
    return [{"path": path, "text": text} for path, text in call.store.texts(stream)]
