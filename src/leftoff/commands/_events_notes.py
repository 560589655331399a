"""What a session is told beside the brief: what waits, what was learned, what ran before it.

Each part is a few lines; all of them stand in one fence, harmless, redacted and cut to the room.
"""

from __future__ import annotations

import os

from leftoff.commands._events_text import MOST, listed, said
from leftoff.core.fence import fenced
from leftoff.core.learnings import blocks, newest_first
from leftoff.core.overview import age_words
from leftoff.core.paths import LEARNINGS
from leftoff.core.rank import waiting
from leftoff.core.when import HOUR
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence

    from leftoff.commands import Say
    from leftoff.commands._events_recover import Before
    from leftoff.commands._events_scene import Scene, Standing
    from leftoff.core.session import Session
    from leftoff.core.stream import Stream
    from leftoff.world.saves import Pending

    Part = tuple[str, Callable[["_Looked", Say], Iterator[str]]]

LESSONS = 3
"""Blocks of learnings."""
NAME = "notes"


class Notes(Record):
    """Lines in their order; the parts that there was no time for, and those that failed."""

    lines: tuple[str, ...] = ()
    not_reached: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()


class _Looked(Record):
    """What the parts are made from."""

    scene: Scene
    stands: Standing
    streams: Sequence[Stream]
    shown: Sequence[Stream]
    before: Before


def gather(  # noqa: PLR0913  # all that the parts are made from
    scene: Scene,
    stands: Standing,
    streams: Sequence[Stream],
    shown: Sequence[Stream],
    before: Before,
    *,
    whole: bool,
) -> Notes:
    """Part by part, as long as there is time; without `whole` only what cannot wait."""
    looked = _Looked(scene, stands, streams, shown, before)
    lines: list[str] = []
    late: list[str] = []
    failed: list[str] = []
    for name, part in (*_URGENT, *(_MORE if whole else ())):
        if scene.out_of_time:
            late.append(scene.call.say(name))
            continue
        try:
            lines += part(looked, scene.call.say)
        except (LeftoffError, OSError):
            failed.append(scene.call.say(name))
    return Notes(tuple(lines), tuple(late), tuple(failed))


def fitted(notes: Notes, room: int, say: Say, name: str = NAME) -> str:
    """The fence with as many of the lines as there is room for; empty where there are none."""
    every = [*_missing(notes, say), *notes.lines]
    lines = [*every]
    if not lines:
        return ""
    while True:
        more = len(every) - len(lines)
        left = [say("({n} more lines: leftoff status)", n=more)] if more else []
        text = fenced(name, "".join(f"{line}\n" for line in (*lines, *left)))
        if len(text.encode()) <= room or not lines:
            return text if lines else ""
        lines.pop()


def _missing(notes: Notes, say: Say) -> Iterator[str]:
    """What the lines do not tell of, and why."""
    if notes.failed:
        parts = ", ".join(notes.failed)
        yield say("Could not be checked (leftoff doctor says why): {parts}", parts=parts)
    if notes.not_reached:
        parts = ", ".join(notes.not_reached)
        yield say("Not checked for lack of time: {parts}", parts=parts)


def _unsaved(looked: _Looked, say: Say) -> Iterator[str]:
    """What a session left that nobody saved; where the brief is made of that, what it lacks."""
    from leftoff.commands._events_recover import FILES, lines, uncommitted

    call = looked.scene.call
    told = {stream.glance.path for stream in looked.shown} if len(looked.shown) == 1 else set()
    for one in looked.before.recovered:
        if one.path not in told:
            yield from lines(one, call.store.root, call.now, say)
        else:
            yield from listed(say("Not committed yet"), uncommitted(one), FILES)


def _unclear(looked: _Looked, say: Say) -> Iterator[str]:
    """What keeps a brief from being given."""
    if looked.stands.taken_by:
        thread = said(looked.scene.call.store.current_thread())
        by = said(looked.stands.taken_by)
        text = "The current thread {thread} belongs to the live session {session}."
        yield say(text, thread=thread, session=by)
    if len(looked.shown) > 1 and not _are_left(looked, _left(looked)):
        names = [s.glance.full_name for s in looked.shown]
        label = say("They match equally well (leftoff resume NAME gives the brief of one)")
        yield from listed(label, names)
    broken = [s.glance.broken_part or s.glance.path for s in looked.streams if s.glance.broken]
    yield from listed(say("Cannot be read (leftoff validate says why)"), broken)


def _pending(looked: _Looked, say: Say) -> Iterator[str]:
    """Records that a session left for the next one, unless all that this one says stands above."""
    from leftoff.world.pending import givens

    call, payload = looked.scene.call, looked.scene.happened.payload
    limits, found = looked.scene.settings.limits, _left(looked)
    if not found:
        return
    given, above = givens(call.store, call.now, limits), _told_of(looked)
    around = _Around(payload.session, given, _running(looked), call.now)
    label = say("Left for the next session")
    if _are_left(looked, found):
        text = "Left for the next session: they match equally well"
        label = f"{say(text)} (leftoff resume PATH)"
    yield from listed(
        label,
        [
            _record(looked, one, around, say)
            for one in found[: MOST + 1]  # one more than are shown, so that it says there are more
            if one.path not in above or given.get(one.record, "") not in {"", payload.session}
        ],
    )


def _left(looked: _Looked) -> list[Pending]:
    """The records that wait here, newest first."""
    from leftoff.world.saves import pendings

    call, most = looked.scene.call, looked.scene.settings.limits["pending.expires"]
    return [one for one in pendings(call.store) if call.now - one.at <= most]


def _are_left(looked: _Looked, found: Sequence[Pending]) -> bool:
    """Whether all that match equally well were left, so that they are told as that, and once."""
    root = looked.scene.call.store.root
    targets = {os.path.realpath(os.path.join(root, one.path)) for one in found[:MOST]}
    paths = [os.path.realpath(os.path.join(root, one.glance.path)) for one in looked.shown]
    return len(paths) > 1 and targets.issuperset(paths)


class _Around(Record):
    """Who starts here, and who else is at work."""

    session: str
    given: Mapping[str, str]
    """the live session that each record was given to"""
    running: Container[str]
    now: float


def _running(looked: _Looked) -> set[str]:
    """The live sessions of this place that are on a thread."""
    from leftoff.world.bindings import live

    call = looked.scene.call
    threads = live(call.store, call.now, looked.scene.settings.limits)
    return {name.rpartition("/")[2] for names in threads.values() for name in names}


def _told_of(looked: _Looked) -> set[str]:
    """The files that the brief, or the draft of an unsaved session, is made of."""
    root = looked.scene.call.store.root
    briefed = [stream.glance.path for stream in looked.shown] if len(looked.shown) == 1 else []
    drafted = [one.path for one in looked.before.recovered]
    return {os.path.join(root, path) for path in (*briefed, *drafted)}


def _record(looked: _Looked, one: Pending, around: _Around, say: Say) -> str:
    age, given = age_words(max(0.0, around.now - one.at), say), around.given.get(one.record, "")
    if not one.there:
        return say("{path} ({age}): the file is gone", path=one.path, age=age)
    if given not in {"", around.session}:
        text = "{path} ({age}), given to the live session {session}"
        return say(text, path=one.path, age=age, session=given)
    if one.session == around.session:
        return say("{path} ({age}), by this session", path=one.path, age=age)
    if one.session in around.running:
        text = "{path} ({age}), by the live session {session}, which is still at work on it"
        return say(text, path=one.path, age=age, session=one.session)
    text = "{path} ({age}), by another session, as is usual: every session has its own id"
    told, about = say(text, path=one.path, age=age), _about(looked, one)
    return f"{told}. {about}" if about else told


def _about(looked: _Looked, one: Pending) -> str:
    from leftoff.commands._resume_pending import about
    from leftoff.world.pending import own_target

    call = looked.scene.call
    target = own_target(call.store, one)
    return about(call, looked.streams, target) if target else ""


def _decisions(looked: _Looked, say: Say) -> Iterator[str]:
    """What waits for a person, in the streams that the brief does not tell of."""
    told = {stream.glance.path for stream in looked.shown} if len(looked.shown) == 1 else set()
    others = (s.glance for s in looked.streams if s.glance.path not in told)
    found = (f"{glance.id}: {blocker[1]}" for glance in others for blocker in waiting(glance))
    yield from listed(say("Waiting for a person's decision"), found)


def _learned(looked: _Looked, say: Say) -> Iterator[str]:
    """The newest learnings, so that nobody has to read the archive again."""
    store = looked.scene.call.store
    if not store.exists(LEARNINGS):
        return
    newest = newest_first(blocks(store.raw(LEARNINGS)))[:LESSONS]
    entries = [line.removeprefix("- ") for block in newest for line in block.lines]
    yield from listed(say("Learned before (leftoff learnings has all of it)"), entries)


def _sessions(looked: _Looked, say: Say) -> Iterator[str]:
    """The last session of this project: what it was for, decided, left; then dead and stale ones.

    A process that is gone is certain, so those are ended here; of the others nobody can know.
    """
    from leftoff.commands._session_reconcile import close, reason
    from leftoff.core.session import CRASH, STALE, is_dead, state
    from leftoff.core.stats import Stats

    call, others = looked.scene.call, looked.before.sessions
    store = call.store
    if others:
        yield from _last(others[0], call.now, say)
    # of a long transcript only the end was read: its figures are for whoever asks later
    gone = [one._replace(stats=Stats()) for one in others if is_dead(one)]
    ended = [one for one in gone if close(store.state, one, call.now)]
    dead = [one.name for one in ended if reason(one) == CRASH]
    yield from listed(say("Sessions that died before their end"), dead)
    limits = looked.scene.settings.limits
    quiet = (one for one in others if not is_dead(one))
    stale = [one for one in quiet if state(one, call.now, limits) == STALE]
    label = say("Sessions that went quiet before their end (leftoff session reconcile ends them)")
    yield from listed(label, [one.name for one in stale])


def _last(session: Session, now: float, say: Say) -> Iterator[str]:
    from leftoff.core.session import accomplished, achieved, decisions, next_steps, open_tasks

    passed = max(0.0, now - session.seen)
    done = said(achieved(accomplished(session), say))
    text = "Last session here: {name}, {age} ago" if passed >= HOUR else "Last session here: {name}"
    yield say(text, name=session.name, age=age_words(passed, say)) + (f": {done}" if done else "")
    about = [f"{one.name}: {one.task}" if one.task else one.name for one in session.outcomes]
    yield from listed(say("Outcomes and tasks in progress"), (*about, *open_tasks(session)))
    yield from listed(say("Key decisions"), decisions(session))
    yield from listed(say("Next steps to continue from"), next_steps(session))


def _unarchived(looked: _Looked, say: Say) -> Iterator[str]:
    """An earlier session of the thread whose conversation nobody kept, told once in a session."""
    from leftoff.commands._events_scene import told_so_far
    from leftoff.core.event import START
    from leftoff.core.thread import cited, metadata, unarchived

    scene, thread = looked.scene, looked.stands.thread
    store = scene.call.store
    if not thread or not store.exists(metadata(thread)):
        return
    own = f"{scene.happened.agent}/{scene.happened.payload.session}"
    found = unarchived(store.read(metadata(thread)).checkpoint, own)
    starts = [line for line in told_so_far(scene) if line.get("event") == START]
    if not found or len(starts) > 1:
        return
    marks = ", ".join(map(cited, found[:MOST]))
    text = "Not archived yet: {marks}. Worth keeping? leftoff thread archive NUMBER"
    yield say(text, marks=marks)


_URGENT: tuple[Part, ...] = (
    ("sessions that nobody saved", _unsaved),
    ("what is current", _unclear),
    ("what was left for this session", _pending),
    ("decisions that wait", _decisions),
)
_MORE: tuple[Part, ...] = (
    ("earlier sessions", _sessions),
    ("what is not archived", _unarchived),
    ("what was learned", _learned),
)
