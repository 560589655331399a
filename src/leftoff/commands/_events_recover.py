"""What a session left that nobody saved: drafted as it ends, else as the next one starts.

A hook has little time: the end of a transcript is read, of two sessions at most, and never twice.
"""

from __future__ import annotations

import os
from functools import partial
from time import monotonic

from leftoff.commands import _draft_sources, _recover_save
from leftoff.commands._events_scene import ANSWER_WITHIN, known, standing
from leftoff.commands._events_text import listed, said
from leftoff.commands._events_work import save_into_thread
from leftoff.core import recover
from leftoff.core.brief_parts import SAID
from leftoff.core.draft import FAILED, has_work
from leftoff.core.overview import age_words
from leftoff.core.texts import headed
from leftoff.core.when import HOUR
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import conversation, sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from leftoff.commands import Call, Say
    from leftoff.commands._events_scene import Scene
    from leftoff.commands._recover_save import Recovered
    from leftoff.core.session import Session

SESSIONS, SESSION_BYTES = 6, 8 << 20
"""How many of the last sessions are looked at, and how much of transcripts is read for that."""
MOST = 2
LATEST_BEGIN = ANSWER_WITHIN / 2
"""Seconds after which no other session is begun with: the brief comes first."""
FILES, WORDS = 8, 5
"""How many files are named, and of what was said and decided the last."""


class Before(Record):
    """The sessions before this one, newest first, and what became of the unsaved ones."""

    sessions: tuple[Session, ...] = ()
    recovered: tuple[Recovered, ...] = ()


def at_start(scene: Scene) -> Before:
    """Look at the last sessions of this project; keep what those left that nobody saved."""
    call, own = scene.call, scene.happened.payload.session
    store, limits = call.store, scene.settings.limits
    try:
        found = sessions.latest(
            store.state, call.env, store.root, SESSIONS, room=SESSION_BYTES, now=call.now
        )
    except (LeftoffError, OSError):
        return Before()
    others = tuple(one for one in found if one.id != own)
    if scene.after_compaction:
        return Before(others)  # it was told
    done: list[Recovered] = []
    for one in recover.at_a_start(others, store.root, call.now, limits):
        if len(done) == MOST or _is_late(scene):
            break
        kept = _tried(scene, partial(_kept, call, one, newest=one is others[0]))
        done += [kept] if kept else []
    return Before(others, tuple(done))


def _is_late(scene: Scene) -> bool:
    return monotonic() > scene.deadline - ANSWER_WITHIN + LATEST_BEGIN


def _tried(scene: Scene, step: Callable[[], Recovered | None]) -> Recovered | None:
    """What a step made; nothing where it could not, which stops nobody."""
    try:
        return step()
    except LeftoffError as error:
        scene.failures.extend([error] if isinstance(error.__cause__, OSError) else [])
        return None


def _kept(call: Call, one: Session, *, newest: bool) -> Recovered | None:
    if _recover_save.is_known(call, one, one.size):
        return None
    found = _recover_save.look(call, one, newest=newest, last=conversation.TAIL)
    if has_work(found.seen):
        return _recover_save.keep(call, found, one.size)
    _recover_save.hand_on(call, one)
    return None


def at_end(scene: Scene, dirty: Sequence[str]) -> None:
    """The session ends and nobody saved: a save on this machine, and the record of it.

    The thread's own file is written only where the thread opted in. A long transcript is left to
    the next start, which has more time.
    """
    at, stands = scene.happened, standing(scene)
    path, one = at.payload.transcript, known(scene)
    if stands.quiet or recover.is_saved(one) or not _is_short(at.agent, path):
        return
    call, why, since = scene.call, at.payload.source or "end", recover.saved_at(one)
    seen = _draft_sources.seen(
        call, at.agent, one.id, path, trigger=why, dirty=tuple(dirty), since=since
    )
    if has_work(seen):
        one = one._replace(thread=stands.thread, transcript=path)
        made = _recover_save.drafted(call, one, seen)
        opted = stands.autosave and save_into_thread(scene, stands, seen)
        keep = partial(_recover_save.keep, call, made, _size(path), leave=not opted)
        _tried(scene, keep)


def _is_short(agent: str, path: str) -> bool:
    there = bool(path) and conversation.is_there(agent, path)
    return there and _size(path) <= conversation.TAIL


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0  # a session in a database: as long as it is there it is small


def lines(found: Recovered, root: str, now: float, say: Say) -> Iterator[str]:
    """What a session left, for the next one: the facts to go on with, and where the rest is."""
    one, made = found.session, found.made
    passed = max(0.0, now - one.seen)
    text = "{name} ended {age} ago and nobody saved. Drafted from its transcript, to be checked:"
    at_once = "{name} ended just now and nobody saved. Drafted from its transcript, to be checked:"
    age = age_words(passed, say)
    yield say(at_once if passed < HOUR else text, name=one.name, age=age)
    if made.intent:
        yield headed(say("Asked"), said(made.intent))
    yield from listed(say(SAID), _recover_save.words(found)[-WORDS:])
    yield from listed(say("Decided"), [item.text for item in made.decisions[-WORDS:]])
    yield from listed(say("Files changed"), _files(found, root, say), FILES)
    yield from listed(say("Failed, and not repaired"), _failures(found))
    yield from listed(say("Next steps"), _recover_save.steps(found.made))
    if made.extra.get("Tests"):
        yield headed(say("Tests"), said(str(made.extra["Tests"])))
    yield say("All of it: {path}", path=found.path)


def _files(found: Recovered, root: str, say: Say) -> Iterator[str]:
    """Each with what the disk and git say to it."""
    for item in found.made.artifacts:
        if not os.path.lexists(os.path.join(root, item.text)):
            verdict = say("gone")
        else:
            verdict = say("not committed") if item.text in found.dirty else say("it is there")
        yield f"{item.text} ({verdict})"


def uncommitted(found: Recovered) -> list[str]:
    """Of its files, what a save has no place for."""
    return [item.text for item in found.made.artifacts if item.text in found.dirty]


def _failures(found: Recovered) -> list[str]:
    return [item.text.removeprefix(FAILED) for item in _recover_save.failures(found.made)]
