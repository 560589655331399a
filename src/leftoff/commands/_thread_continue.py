"""thread continue: whether a thread goes on by itself; and the question that a run stops for."""

from __future__ import annotations

from leftoff.commands import _editing, _thread_run
from leftoff.commands._thread_permission import CONTINUE, allow
from leftoff.commands._thread_row import entry
from leftoff.commands._threads import settings_of, work_of
from leftoff.core import run as r
from leftoff.core.model import NEEDS_DECISION, Item
from leftoff.core.result import Result
from leftoff.core.stream import broken
from leftoff.core.thread import document
from leftoff.core.when import stamp
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from leftoff.commands import Call
    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.stream import Stream

OWN = "run-"
"""What the ids of blockers begin with that a run stored."""


def switched(call: Call, stream: Stream, *, on: bool) -> Result | None:
    """What belongs to it beside the setting; a Result where the setting itself stays as it is."""
    thread = stream.glance.id
    said = call.args.error if call.args.question is None else call.args.question
    if said is not None and not said.strip():
        raise Usage("the text is empty", hint="say what a person has to know")
    if None not in {call.args.question, call.args.error}:
        raise Usage("--question and --error cannot be used together", hint="give one of them")
    if on and said:
        raise Usage("a question stops a run", hint="leave it out, or say continue off")
    if said:
        return _stopped(call, stream, said)
    allow(call.store, thread, call.now, kind=CONTINUE, on=on)
    if on:
        _settle(call, thread)
        _thread_run.began(call, thread)
        return None
    caller = _thread_run.calling_on(call, thread)
    if caller and _thread_run.run_of(call, caller).on:
        _thread_run.note(call, caller, r.line_of(_here(call, thread, r.WORD), ()))
    return None


def _here(call: Call, thread: str, why: str) -> r.Decision:
    """The run of the calling session as it stands, at its end."""
    run = _thread_run.run_of(call, _thread_run.calling_on(call, thread))
    work = work_of(call.store, thread)
    facts = (
        _thread_run.facts(call, thread, run, work, settings_of(call.store, thread))
        if work
        else None
    )
    return r.after_step(run, facts or r.Facts(()))._replace(verb=r.STOP, why=why)


def _stopped(call: Call, stream: Stream, said: str) -> Result:
    """Store what the run waits for in the thread's document, and stop; the setting stays."""
    thread, asks = stream.glance.id, bool(call.args.question)
    caller = _thread_run.calling_on(call, thread)
    line = r.line_of(_here(call, thread, r.WAITING if asks else r.FAILED), ())
    _store(call, thread, said.strip(), needs=NEEDS_DECISION if asks else "")
    if caller:
        _thread_run.note(call, caller, line)
    data: dict[str, Json] = {
        "threads": [entry(call, stream, {})],
        "changed": False,
        "state": "waiting" if asks else "failed",
        "waits": said.strip(),
        "run": {name: line[name] for name in ("done", "left")},
        "attempts": line.get("attempts", 0),
    }
    return Result(data, broken([stream]))


def _store(call: Call, thread: str, text: str, *, needs: str) -> None:
    """As a blocker of the thread, so that every list and brief tells of it."""
    attrs = {"needs": needs} if needs else {}

    def edit(known: Checkpoint) -> Checkpoint:
        if any(one.text == text and _is_open(one) for one in known.blockers):
            return known
        new = Item(text, f"{OWN}{len(known.blockers) + 1}", attrs)
        return known._replace(blockers=(*known.blockers, new))

    _editing.edit(call.store, document(thread), edit, stamp(call.now))


def _settle(call: Call, thread: str) -> None:
    """What a run asked is answered, since somebody lets it go on; other blockers stay."""

    def settled(one: Item) -> Item:
        ours = one.id.startswith(OWN) and _is_open(one)
        return one._replace(attrs={**one.attrs, "status": "resolved"}) if ours else one

    def edit(known: Checkpoint) -> Checkpoint:
        return known._replace(blockers=tuple(map(settled, known.blockers)))

    if call.store.exists(document(thread)):
        _editing.edit(call.store, document(thread), edit, stamp(call.now))


def _is_open(one: Item) -> bool:
    return one.get("status") != "resolved"
