"""What the actions of `session` and `budget` share: gathering, choosing one, and its facts."""

from __future__ import annotations

import os

from leftoff.agents import resume_command
from leftoff.core import session as s
from leftoff.core.model import Finding
from leftoff.core.overview import age_words
from leftoff.core.texts import flat, short
from leftoff.core.thresholds import since as after
from leftoff.core.when import DAY, stamp
from leftoff.errors import NotFound, Usage
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.calling_session import calling, named
from leftoff.world.clients import require
from leftoff.world.conversation import is_original
from leftoff.world.sessions import everything as all_of
from leftoff.world.sessions import sessions

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json
    from leftoff.core.session import Session
    from leftoff.world.log_record import Log
    from leftoff.world.server_sessions import ServerSessions
    from leftoff.world.session_catalogue import Catalogue, Entry

CALLING, NAMED, NEWEST = "calling", "named", "newest"
"""Why a session is the one that an answer is about."""


class Chosen(Record):
    """One session, and why this one."""

    session: Session
    why: str


def gather(
    call: Call,
    *,
    everywhere: bool = False,
    curves: bool = True,
    logs: list[Log] | None = None,
    since: float = 0.0,
) -> list[Session]:
    """The sessions of this project, or of all, newest first; curves are much to load.

    `logs` where somebody has already looked for the transcripts. A server knows them, without
    their curves; nothing is asked of those whose files are older than `since`, and they may be
    left out.
    """
    store = call.store
    if store.server_sessions is None:
        return _gathered(call, everywhere=everywhere, curves=curves, logs=logs)
    from leftoff.world.place import belongs_to
    from leftoff.world.sessions import of_server

    belongs = all_of if everywhere else belongs_to(store.place, call.env.get("HOME", ""))
    return of_server(store.server_sessions, store.state, call.env, call.now, belongs, since - DAY)


def exactly(call: Call) -> list[Session]:
    """The session that is named in full, where a server knows it without reading the others."""
    agent, _, name = (given(call.args) or "").partition("/")
    entry = (
        call.store.server_sessions.look().row(agent, name) if call.store.server_sessions else None
    )
    return read(call, [entry]) if entry and entry.logs else []


def on_thread(call: Call, thread: str) -> list[Session]:
    """The sessions of this project on a thread, where a server knows which they are."""
    if not call.store.server_sessions:
        return []
    known, numbers = listed(call, thread=thread)
    return read(call, known.rows(numbers))


def with_curve(call: Call, one: Session) -> Session:
    """The session with the curve of its context, which a server did not gather."""
    server_sessions = call.store.server_sessions
    return (
        one._replace(stats=server_sessions.with_curve(one.stats, one.transcript))
        if server_sessions
        else one
    )


def _gathered(
    call: Call, *, everywhere: bool, curves: bool, logs: list[Log] | None
) -> list[Session]:
    return sessions(
        call.store.state,
        call.env,
        call.now,
        root="" if everywhere else call.store.root,
        limits=call.settings.limits,
        progress=call.progress,
        curves=curves,
        archived=True,
        logs=logs,
    )


def listed(
    call: Call, *, everywhere: bool = False, thread: str = ""
) -> tuple[Catalogue | ServerSessions, list[int]]:
    """The catalogue, and the numbers in it of this project's sessions, or of all."""
    from leftoff.world.place import belongs_to

    known = catalogued(call)
    place = belongs_to(call.store.place, call.env.get("HOME", ""))
    return known, known.which(all_of if everywhere else place, thread)


def catalogued(call: Call) -> Catalogue | ServerSessions:
    """All sessions as the disk has them, of which none was read yet; a server knows them."""
    from leftoff.world.session_catalogue import catalogue  # only for pages of long lists

    server_sessions = call.store.server_sessions
    return server_sessions.look() if server_sessions else catalogue(call.store.state, call.env)


def lacks_archived(call: Call, known: Catalogue | ServerSessions) -> bool:
    """Whether the archive has sessions of which a catalogue knows no transcript; a server knows."""
    state = call.store.state
    if call.store.server_sessions or not os.path.isdir(f"{state}/archive"):
        return False
    from leftoff.world.archive import known as copied

    rows = known.rows(known.which(all_of))
    return not copied(state) <= {(row.agent, row.session) for row in rows if row.logs}


def read(call: Call, some: Sequence[Entry]) -> list[Session]:
    """The sessions that these rows of a catalogue name."""
    from leftoff.world.sessions import of_entries

    store, limits = call.store, call.settings.limits
    return of_entries(some, store.state, call.env, call.now, limits, store.server_sessions)


def since(call: Call) -> float:
    """The time of --since; both options that choose among sessions are checked here, once."""
    if call.args.agent:
        require(call.args.agent)
    return after(call.args.since, call.now) if call.args.since else 0.0


def choose(call: Call, known: Sequence[Session]) -> Chosen:
    """The one that is named, else the calling one, else the newest of this project by activity."""
    name = given(call.args)
    if name is not None:
        return Chosen(_named(call, known, name), NAMED)
    caller = calling(call)
    if caller:
        return Chosen(at(call, known, "/".join(caller)), CALLING)
    if not known:
        raise NotFound(
            "no agent session is known in this project",
            hint="leftoff session list --everywhere shows those of all projects",
        )
    return Chosen(s.newest_first(known)[0], NEWEST)


def given(args: Any) -> str | None:
    """The session that somebody names, as ID or --session."""
    names = [name for name in (getattr(args, "id", None), args.session) if name is not None]
    if len(names) > 1:
        raise Usage("ID and --session both name a session", hint="leave one of them out")
    return names[0] if names else None


def _named(call: Call, known: Sequence[Session], name: str) -> Session:
    if exact := next((one for one in known if one.name == name), None):
        return exact
    return at(call, known, "/".join(named(call.store.state, call.env, name)))


def at(call: Call, known: Sequence[Session], name: str) -> Session:
    """A session by its whole name, also one of another project."""
    for one in known:
        if one.name == name:
            return one
    for one in gather(call, everywhere=True):
        if one.name == name:
            return one
    raise NotFound(
        f"there is no record of the session {name}",
        hint="leftoff session list --all shows every one",
    )


def facts(one: Session, now: float, limits: Mapping[str, float]) -> dict[str, Json]:
    """A row of a list: who, when, where, what it was about and how it stands."""
    one = s.settled(one, now, limits)
    return {
        "agent": one.agent,
        "id": one.id,
        "state": s.state(one, now, limits),
        "root": one.root,
        "branch": one.branch or None,
        "commit": one.commit or None,
        "source": one.source,
        "started": stamp(one.started) if one.started else None,
        "seen": stamp(one.seen),
        "ended": stamp(one.ended) if one.ended else None,
        "reason": one.reason or None,
        "alive": one.alive,
        "age_seconds": int(now - one.seen),
        "duration_seconds": int(one.duration),
        "thread": one.thread or None,
        "parent": one.parent or None,
        "outcomes": [outcome.name for outcome in one.outcomes],
        "about": short(s.label(one), 200),
        "tokens": one.stats.tokens.total,
        "files": len(one.stats.files),
        "origin": one.origin,
        "transcript": one.transcript or None,
        "hapi": one.hapi or None,
        "marks": [{"at": stamp(mark.at), "kind": mark.kind} for mark in s.marks(one)],
    }


def stopped_at(one: Session) -> dict[str, Json]:
    """Where work in it stopped: what was open, failed, not committed, or said last."""
    failures = one.stats.failures
    return {
        "open_task": next(iter(s.open_tasks(one)), None),
        "failed": short(failures[-1].text, 120) if failures else None,
        "uncommitted": one.dirty,
        "next": next(iter(s.next_steps(one)), None),
        "said": short(one.stats.said, 120) or None,
    }


def native(one: Session) -> str:
    """The client's own command to go on with it, as long as there is something to go on with."""
    there = one.stats.lines and is_original(one.agent, one.transcript)
    return resume_command(one.agent, one.id) if there else ""


def stop_words(stop: dict[str, Json], say: Say) -> str:
    """The same in words; the last answer where nothing is known to be open."""
    parts = []
    if stop["next"]:
        parts.append(say("next: {text}", text=flat(str(stop["next"]))))
    if stop["open_task"]:
        parts.append(say("open task: {text}", text=flat(str(stop["open_task"]))))
    if stop["failed"]:
        parts.append(say("last failure: {text}", text=flat(str(stop["failed"]))))
    if stop["uncommitted"]:
        parts.append(say("{n} uncommitted file(s)", n=stop["uncommitted"]))
    if not parts and stop["said"]:
        parts.append(say("last answer: {text}", text=stop["said"]))
    return "; ".join(parts)


def state_words(row: dict[str, Any], say: Say) -> str:
    """How it stands; that its process is gone says more than that nobody wrote its end down."""
    gone = row["state"] == s.ACTIVE and row["alive"] is False
    return say("its process is gone") if gone else say(row["state"])


def when_words(row: dict[str, Json], say: Say) -> str:
    """How long ago: `12 min`, `5h`, `3d`."""
    seconds = row["age_seconds"]
    assert isinstance(seconds, int)
    return span_words(seconds, say)


def span_words(seconds: float, say: Say) -> str:
    """The same for a number of seconds."""
    if seconds < 3600:
        return say("{n} min", n=max(0, int(seconds // 60)))
    return age_words(seconds, say)


def why_nothing(one: Session) -> str:
    """Why there are no figures; what exactly is wrong with a transcript is told as a finding."""
    if one.trouble or s.is_unreadable(one.stats):
        return "its transcript could not be read"
    if one.stats.lines:
        return ""
    return (
        _NO_LINE
        if one.size > 0 or os.path.exists(one.transcript)
        else "its transcript is not there"
    )


_NO_LINE = "its transcript has no whole line yet"


def findings(known: Iterable[Session]) -> tuple[Finding, ...]:
    """What could not be read, of the journals and the transcripts."""
    return tuple(found for one in known for found in _of(one))


def _of(one: Session) -> Iterable[Finding]:
    if one.trouble:
        yield Finding("session-unreadable", "warning", one.name, one.trouble)
    if one.skipped:
        text = f"unreadable lines of its journal, left out: {one.skipped}"
        yield Finding("journal-torn", "warning", one.name, text)
    if one.stats.skipped:
        text = f"unreadable lines of its transcript, left out: {one.stats.skipped}"
        yield Finding("transcript-torn", "info", one.name, text)
    elif one.size > 0 and not one.trouble and not one.stats.lines:
        yield Finding("transcript-torn", "info", one.name, _NO_LINE)
