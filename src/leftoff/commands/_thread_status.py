"""Where a thread stands: its steps, its sessions, and the run of whoever works on it."""

from __future__ import annotations

from leftoff.commands import _thread_permission, _thread_run
from leftoff.core import run as r
from leftoff.core import run_report
from leftoff.core.brief_words import on_one_line
from leftoff.core.quote import quoted
from leftoff.core.thread import ARCHIVED_AT, GONE, PAGE, number_of
from leftoff.record import TYPE_CHECKING
from leftoff.world import bindings, journal
from leftoff.world.liveness import alive

if TYPE_CHECKING:
    from leftoff.commands import Call
    from leftoff.core.model import Checkpoint, Item, Json
    from leftoff.core.run import Run
    from leftoff.core.session import Session
    from leftoff.core.stream import Stream

LONGEST = 400


def more(call: Call, stream: Stream) -> dict[str, Json]:
    """All that `thread status` and a switch tell beyond the row of the list."""
    work = call.store.read_stream(stream)
    known = r.steps(work)
    first = r.next_step(known)
    left = sum(not step.done for step in known)
    return {
        "summary": quoted(on_one_line(work.summary or work.intent), LONGEST),
        "steps": {"done": len(known) - left, "left": left, "total": len(known)},
        "next": first.text if first else None,
        "run": [*run_lines(call, stream.glance.id, work)],
        "sessions": [_session(one) for one in work.sessions],
    }


def run_lines(call: Call, thread: str, work: Checkpoint) -> list[str]:
    """The run that was heard of last: that it is on, or why and where it stopped."""
    run, session = _newest_run(call, thread)
    if run.on and not _thread_permission.goes_on(call.store, thread, work.private):
        return []  # a session took the thread up, and works on it as it is told
    if not run.on and not run.why:
        return []
    facts = _thread_run.facts(call, thread, run, work, work.private)
    if run.on:
        here = r.after_step(run, facts)
        text = "A run is on: {done} done, {left} left, step {n} of {most}"
        say = call.say
        if session and (session.ended or alive(session.client) is False):
            text = "A run ended with its session: {done} done, {left} left"
            return [say(text, done=here.done, left=here.left)]
        return [say(text, done=here.done, left=here.left, n=here.started, most=facts.most)]
    return [*run_report.report(r.ended(run, facts), thread, call.say)]


def _newest_run(call: Call, thread: str) -> tuple[Run, Session | None]:
    """Of all sessions of this place on the thread, the one heard of last that has a run."""
    runs = []
    for one in bindings.on_thread(call.store, call.now, thread):
        path = journal.path(call.store.state, one.agent, one.id)
        runs.append((r.told(journal.read(path).lines), one))
    told = [(run, one) for run, one in runs if run.on or run.why]
    return max(told, key=lambda each: (each[1].seen, each[1].name), default=(r.Run(), None))


def _session(one: Item) -> Json:
    return {
        "seq": number_of(one),
        "id": one.id,
        "name": one.text,
        "active": one.attrs.get("active") is True,
        "file": one.get(PAGE) or None,
        "archivedAt": one.get(ARCHIVED_AT) or None,
        "error": one.get(GONE) or None,
    }
