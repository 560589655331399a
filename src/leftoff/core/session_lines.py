"""Journal lines to a Session and back: which line means what, and in which order they count."""

from __future__ import annotations

from leftoff.core.context_notice import NOTICE
from leftoff.core.event import END, EVENTS, PROMPT, START
from leftoff.core.redact import redacted
from leftoff.core.session import (
    TRANSCRIPT,
    Client,
    Event,
    Note,
    Outcome,
    Session,
    reason_of,
)
from leftoff.core.stats import Stats
from leftoff.core.window import MOST
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    Line = Mapping[str, Any]

BIND, NOTE, SAVE, RECOVER, GIVEN = "bind", "note", "save", "recover", "given"
BY_US = "reconcile"
_STARTED_WITH = ("root", "cwd", "branch", "commit", "mode", "source", "model", "transcript")


def session_of(agent: str, name: str, lines: Iterable[Line], skipped: int = 0) -> Session:
    """What the lines of a journal amount to; a line whose values are odd counts for what it is."""
    made = Session(agent, name, skipped=skipped)
    events: list[Event] = []
    for line in lines:
        made = _after(made, line, events)
    made = made._replace(events=tuple(events))
    # without a word of the client itself nobody will ever tell of its end
    followed = any(event.what in EVENTS for event in events)
    return made if followed or not events else made._replace(origin=TRANSCRIPT)


def _after(session: Session, line: Line, events: list[Event]) -> Session:
    """The session after one more line, whose event comes to those before it."""
    at, what = _number(line, "at"), _text(line, "event")
    if not at or not what:
        return session._replace(skipped=session.skipped + 1)
    if what == START and at <= session.started and any(e.what == START for e in events):
        return session  # a journal that grew too large begins anew with a copy of its first line
    if what != END:
        session = _reopened(session, what)
    if what == NOTE:
        line = redacted(line)  # it lies there as it was given; from here on it travels
    session = _MEANS.get(what, _seen_only)(session, line, at)
    failed = bool(line.get("failed"))
    events.append(Event(at, what, _about(line, what), failed, _count(line, "context")))
    return session


def _reopened(session: Session, what: str) -> Session:
    """A session that goes on had not ended; a late word after the client's own end changes nothing.

    What reconciliation took for dead is alive by any sign.
    """
    ours = session.closed > session.ended
    if what in {BIND, NOTE, SAVE, RECOVER, GIVEN, NOTICE} or not (ours or what in {START, PROMPT}):
        return session
    return session._replace(ended=0.0, closed=0.0, reason="", dirty=None)


def _start(session: Session, line: Line, at: float) -> Session:
    said: Any = {name: _text(line, name) or getattr(session, name) for name in _STARTED_WITH}
    if session.started:  # it goes on: where it began stays what it was
        said |= {name: getattr(session, name) or said[name] for name in ("root", "source")}
    pid = _count(line, "pid")
    began, boot, ns, host = (_text(line, name) for name in ("began", "boot", "ns", "host"))
    shared = bool(line.get("shared"))
    client = Client(pid, began, boot, ns, host, shared) if pid else session.client
    attended = line.get("attended")
    return _seen_only(session, line, at)._replace(
        **said,
        started=min(session.started or at, at),
        client=client,
        parent=_text(line, "from") or session.parent,
        hapi=_text(line, "hapi") or session.hapi,
        entrypoint=_text(line, "entrypoint") or session.entrypoint,
        attended=attended if isinstance(attended, bool) else session.attended,
    )


def _end(session: Session, line: Line, at: float) -> Session:
    """The client's own word wins over what reconciliation found."""
    ours = _text(line, "by_us") == BY_US
    if session.ended and ours:
        return session
    last = _number(line, "last") if ours else 0.0
    dirty = line.get("dirty")
    return session._replace(
        started=session.started or last or at,
        seen=max(session.seen, last or (0.0 if ours else at)),
        ended=last or session.seen or at if ours else at,
        closed=at,
        reason=reason_of(_text(line, "source")),
        dirty=dirty if isinstance(dirty, int) and not isinstance(dirty, bool) else None,
        stats=_counts(line) or session.stats,
    )


def _bind(session: Session, line: Line, at: float) -> Session:
    del at  # a binding is a choice about the session, not a sign of its life
    # a session whose client has no hooks is only known by what its own commands tell
    return session._replace(thread=_text(line, "thread"), root=session.root or _text(line, "root"))


def _note(session: Session, line: Line, at: float) -> Session:
    note = Note(at, _text(line, "text"), _texts(line, "decisions"), _texts(line, "next"))
    outcomes = _focused(session.outcomes, line, at)
    notes = (*session.notes, note) if any(note[1:]) else session.notes
    session = session if session.ended else _seen_only(session, line, at)
    return session._replace(notes=notes, outcomes=outcomes)


def _focused(known: tuple[Outcome, ...], line: Line, at: float) -> tuple[Outcome, ...]:
    """The outcomes with the one that this line is about last; a task alone goes to that one."""
    name, task = _text(line, "outcome"), _text(line, "task")
    if not name and not (task and known):
        return known
    name = name or known[-1].name
    before = next((one for one in known if one.name == name), Outcome(name))
    return (*(one for one in known if one.name != name), Outcome(name, task or before.task, at))


def _seen_only(session: Session, line: Line, at: float) -> Session:
    return session._replace(
        seen=max(session.seen, at),
        started=session.started or at,
        window=_count(line, "window") or session.window,
        size=_count(line, "size") or session.size,
        model=_text(line, "model") or session.model,
    )


def _recovered(session: Session, line: Line, at: float) -> Session:
    """Somebody drafted what it left: no sign of its life, but perhaps all that tells of it."""
    del at
    last = _number(line, "last")
    return session._replace(
        root=session.root or _text(line, "root"),
        seen=session.seen or last,
        started=session.started or last,
        transcript=session.transcript or _text(line, "transcript"),
    )


def _given(session: Session, line: Line, at: float) -> Session:
    del at
    return session._replace(given=_text(line, "save"))


def _ignored(session: Session, line: Line, at: float) -> Session:
    del line, at
    return session


_MEANS = {
    START: _start,
    END: _end,
    BIND: _bind,
    NOTE: _note,
    RECOVER: _recovered,
    GIVEN: _given,
    NOTICE: _ignored,
}


def _counts(line: Line) -> Stats | None:
    """What reconciliation kept of a transcript, in case that goes away."""
    from leftoff.core.stats import Tokens

    tokens = line.get("tokens")
    if not isinstance(tokens, list) or len(tokens) != len(Tokens._fields):
        return None
    if not all(isinstance(n, int) for n in tokens):
        return None
    return Stats(tokens=Tokens(*tokens), commits=_count(line, "commits"))


def _about(line: Line, what: str) -> str:
    names = ("outcome", "task", "text") if what == NOTE else ("source", "thread", "level")
    return next((said for name in names if (said := _text(line, name))), "")


def _text(line: Line, name: str) -> str:
    value = line.get(name)
    return value if isinstance(value, str) else ""


def _texts(line: Line, name: str) -> tuple[str, ...]:
    value = line.get(name)
    listed = value if isinstance(value, list) else []
    return tuple(text for text in listed if isinstance(text, str) and text)


def _number(line: Line, name: str) -> float:
    value = line.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return 0.0
    return float(value) if 0 < value < 1e11 else 0.0


def _count(line: Line, name: str) -> int:
    value = line.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if 0 < value <= MOST else 0
