"""resume: whom to resume, by name, by what is at hand, or by the newest save."""

from __future__ import annotations

import os

from leftoff.commands import Call, _work_queue
from leftoff.commands._caller import who_if_clear
from leftoff.commands._resume_states import CHOOSE
from leftoff.core.find_stream import find
from leftoff.core.model import ARCHIVED, Finding
from leftoff.core.rank import over_budget
from leftoff.core.result import Ask, Choice, Result
from leftoff.core.stream import broken, current
from leftoff.core.thread import FORMAT
from leftoff.core.when import DAY
from leftoff.errors import NotFound
from leftoff.record import TYPE_CHECKING
from leftoff.world.agent_traces import anything_left
from leftoff.world.files import modified
from leftoff.world.state import place_key

SKIP = "skip"
CHECKOUT = 60.0
"""Seconds that git may take to write the files of a project."""

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from leftoff.core.advise import Advice
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream


def wanted(call: Call, streams: Sequence[Stream]) -> tuple[str, Sequence[str]]:
    """The name of a checkpoint, or the answers to which of the things left here is meant."""
    picks: Sequence[str] = call.args.pick
    if call.args.name or not picks:
        return call.args.name or "", ()
    last = picks[-1]
    named = any(last in {s.glance.id, s.glance.full_name} for s in streams)
    if last.casefold() != SKIP and (named or not any_left(call)):
        return last, ()
    return "", picks


def any_left(call: Call) -> bool:
    """Whether sessions may have left something here: one look, and no import."""
    store = call.store
    return anything_left(store.state, store.root, place_key(store.root))


def candidates(
    call: Call, streams: Sequence[Stream], name: str, taken: Collection[str] = ()
) -> list[Stream]:
    """Whom to resume: the named one, else the newest save, the current thread, B's current, `next`.

    More than one means that they are equally near; nobody guesses between them. `taken` are the
    saves that a live session was given.
    """
    if name:
        return [_named(call, streams, name)]
    near = nearest(call, *_at_hand(call, streams))
    return _newer_save(call, streams, near, taken) if any_left(call) else near


def _at_hand(call: Call, streams: Sequence[Stream]) -> tuple[Sequence[Stream], str]:
    """What the caller may be given unasked, and the thread that it is on.

    A session goes on with its own thread, and never with one that another live session is on.
    """
    caller = who_if_clear(call)
    if caller is None:
        return streams, call.store.current_thread()
    from leftoff.commands import _threads  # a person's resume pays nothing for it

    thread = _threads.current_of(call, caller)
    return _threads.without(streams, _threads.taken(call, caller, thread)), thread


def told_of_taken(call: Call) -> Iterator[Finding]:
    """Where a session finds nothing to resume: what is here, but belongs to another live one."""
    caller = who_if_clear(call)
    if caller is None:
        return
    from leftoff.commands import _threads

    for thread, holder in sorted(_threads.taken(call, caller, "").items()):
        text = f"{thread} belongs to the live session {holder}"
        hint = f'"leftoff resume {thread}" works on it here as well'
        yield Finding("taken", "info", "", text, hint)


def _named(call: Call, streams: Sequence[Stream], name: str) -> Stream:
    """A checkpoint of the project, else a save of this machine, else what others pushed."""
    pushed = _pushed(call, name) if "/" in name else None
    if pushed:
        return pushed
    try:
        return find(streams, name, exact=bool(call.args.restart))
    except NotFound:
        from leftoff.commands._resume_pending import save_named

        save = save_named(call, name) if any_left(call) else None
        other = save or _pushed(call, name)
        if other is None:
            raise
        return other


def _pushed(call: Call, name: str) -> Stream | None:
    """What was pulled from the team store under a name; nobody pays for it who has no team."""
    if not os.path.isdir(os.path.join(call.store.state, "team")):
        return None
    from leftoff.commands._team_pulled import named

    return named(call, name)


def _newer_save(
    call: Call, streams: Sequence[Stream], near: list[Stream], taken: Collection[str]
) -> list[Stream]:
    """The newest save, unless what is near by the other rules was written after it."""
    from leftoff.commands._resume_pending import newest

    found = newest(call, streams, taken)
    if found is None:
        return near
    save, at = found
    others = [one for one in near if one.glance.format != "task"]
    return near if any(_is_after(call, one, save, at) for one in others) else [save]


def _is_after(call: Call, one: Stream, save: Stream, at: float) -> bool:
    """Whether a document was written after a save of that time.

    A checkout gives all files the same time: then the day counts that the save has in its name.
    """
    touched = one.glance.touched or 0.0
    at_once = modified(os.path.join(call.store.root, one.glance.path)) > at - CHECKOUT
    day_is_over = (save.glance.touched or at) + DAY
    return touched > at or (at_once and touched > day_is_over)


def which_of(near: Sequence[Stream], streams: Sequence[Stream]) -> Result:
    """The question which of several is meant."""
    names: list[Json] = [one.glance.full_name for one in near]
    choices = tuple(Choice(one.glance.full_name, one.glance.path) for one in near)
    ask = Ask("Which one? They match equally well.", choices, "--pick")
    return Result({"state": CHOOSE, "candidates": names}, broken(streams), ask)


def nearest(call: Call, streams: Sequence[Stream], thread: str) -> list[Stream]:
    """The same where nobody named one, for who is on a thread, or on none ("")."""
    bound = [s for s in streams if thread and s.glance.format == FORMAT and s.glance.id == thread]
    open_ones = [s for s in bound if s.glance.status != ARCHIVED]
    return open_ones or current(streams) or _first_of_queue(call, streams)


def _first_of_queue(call: Call, streams: Sequence[Stream]) -> list[Stream]:
    """What `next` says, and whatever ties with it."""
    advised = _work_queue.gather(call, streams).advised
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
