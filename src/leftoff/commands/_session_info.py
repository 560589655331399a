"""session info: one session so far, what the last one left, and which need to be cleaned up."""

from __future__ import annotations

from leftoff.commands import _sessions
from leftoff.commands._session_stats import counted
from leftoff.core import session as s
from leftoff.core.blocks import Block, Bullets, Heading, Line, Table
from leftoff.core.result import Result
from leftoff.core.stream import broken
from leftoff.core.texts import flat, short
from leftoff.core.when import HOUR, stamp
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.session import Session

TOP_TOOLS, RECENT_SHOWN = 5, 5
REGISTRY = "session"


def run(call: Call) -> Result:
    """The facts of seed D's /context:info, in one answer."""
    known, limits = _sessions.gather(call, curves=False), call.settings.limits
    chosen = _sessions.choose(call, known)
    one = chosen.session
    ended = [other for other in known if other.ended and other.name != one.name]
    streams = call.store.streams()
    stale = [each for each in known if s.state(each, call.now, limits) == s.STALE]
    recent = [e for e in ended if s.state(e, call.now, limits) == s.RECENT]
    data: dict[str, Json] = {
        "why": chosen.why,
        "session": _current(one, call.now, limits),
        "note": _sessions.why_nothing(one) or None,
        "last": _last(ended[0] if ended else None, _registry(call, streams), call.now, limits),
        "stale": [_stale(each, call.now) for each in stale],
        "recent": [_sessions.facts(each, call.now, limits) for each in recent[:RECENT_SHOWN]],
    }
    return Result(data, (*_sessions.findings([one, *stale]), *broken(streams)))


def _current(one: Session, now: float, limits: Mapping[str, float]) -> dict[str, Json]:
    stats = one.stats
    top = sorted(stats.tools.items(), key=lambda pair: (-pair[1], pair[0]))[:TOP_TOOLS]
    runs = s.state(one, now, limits) == s.ACTIVE and one.alive is not False
    until = one.ended or (now if runs else one.seen)
    running = max(0.0, until - one.started) if one.started else 0.0
    return {
        **_sessions.facts(one, now, limits),
        "running_seconds": int(running),
        "events": len(one.events),
        "tasks": {"completed": stats.done, "open": len(stats.tasks) - stats.done},
        "failed": stats.failed,
        "tools": dict(top),
        "focused": [
            {"outcome": each.name, "task": each.task or None, "at": stamp(each.at)}
            for each in one.outcomes
        ],
        "decisions": [*s.decisions(one)],
        "next": [*s.next_steps(one)],
        "stopped": _sessions.stopped_at(one),
        "stats": {**counted(one)},
        "resume": _sessions.native(one) or None,
    }


def _last(
    one: Session | None, written: Checkpoint | None, now: float, limits: Mapping[str, float]
) -> Json:
    """The session before: by our own facts, else by a registry that others keep."""
    decided = [item.text for item in written.decisions] if written else []
    planned = [item.text for item in written.next_actions] if written else []
    if one is None:
        if written is None or not (written.summary or decided or planned):
            return None
        return {
            "id": written.id,
            "agent": None,
            "ended": written.updated or None,
            "summary": written.summary,
            "outcomes": [written.intent] if written.intent else [],
            "decisions": [*decided],
            "next": [*planned],
            "stopped": None,
        }
    return {
        **_sessions.facts(one, now, limits),
        "summary": s.accomplished(one),
        "decisions": [*(s.decisions(one) or decided)],
        "next": [*(s.next_steps(one) or planned)],
        "stopped": _sessions.stopped_at(one),
    }


def _registry(call: Call, streams: Sequence[Any]) -> Checkpoint | None:
    """What an existing sessions_summary.json says, in either of its two forms."""
    for stream in streams:
        if stream.glance.format == REGISTRY and not stream.glance.broken:
            return call.store.read_stream(stream)
    return None


def _stale(one: Session, now: float) -> dict[str, Json]:
    return {
        "agent": one.agent,
        "id": one.id,
        "seen": stamp(one.seen),
        "hours": round((now - one.seen) / HOUR, 1),
    }


_WHY = {
    _sessions.CALLING: "(the calling session)",
    _sessions.NEWEST: "(not called from a session: the newest one of this project)",
}


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The session; then, in seed D's order: the last one, outcomes, decisions, steps, stale."""
    one = data["session"]
    yield Heading(flat(f"{one['agent']} {one['id']}"))
    if why := _WHY.get(data["why"]):
        yield Line(say(why), "dim")
    if data["note"]:
        yield Line(say(data["note"]), "warn")
    yield from _figures(one, say)
    yield from _past(data["last"], one, say)
    yield from _warnings(data["stale"], say)
    yield Heading(say("Recent sessions"), 2)
    rows = [_recent(row, say) for row in data["recent"]]
    yield Bullets(tuple(rows)) if rows else Line(say("none"))


def _figures(one: Any, say: Say) -> Iterator[Block]:
    running = say("{n} min", n=one["running_seconds"] // 60)
    state = _sessions.state_words(one, say) + (f" ({one['reason']})" if one["reason"] else "")
    rows = (
        (say("State"), state),
        (say("Duration"), running),
        (say("Branch"), flat(one["branch"] or "-")),
        (say("Events"), str(one["events"])),
        (say("Files changed"), str(one["files"])),
        (say("Tasks"), say("{completed} done, {open} open", **one["tasks"])),
        (say("Failed calls"), str(one["failed"])),
        (say("Tokens"), f"{one['tokens']:,}"),
        *([(say("Continue with"), flat(one["resume"]))] if one["resume"] else ()),
        (say("Tools"), ", ".join(f"{flat(k)} {n}" for k, n in one["tools"].items()) or say("none")),
    )
    yield Table((say("What"), say("Value")), rows, named_rows=True)


def _past(last: Any, one: Any, say: Say) -> Iterator[Block]:
    yield Heading(say("Last session"), 2)
    if last:
        when = (last["ended"] or "")[:16].replace("T", " ")
        head = " ".join(filter(None, (last["agent"], last["id"], when)))
        told = short(s.achieved(last["summary"], say), 300) or say("nothing was recorded")
        yield Line(f"{head}: {told}")
    else:
        yield Line(say("none"))
    yield Heading(say("Outcomes and tasks in progress"), 2)
    yield from _listed(_in_progress(last, one), say)
    yield Heading(say("Key decisions"), 2)
    yield from _listed([*((last or {}).get("decisions", ())), *one["decisions"]], say)
    yield Heading(say("Next steps"), 2)
    yield from _listed(one["next"] or (last or {}).get("next", ()), say)


def _in_progress(last: Any, one: Any) -> list[str]:
    focused = [" · ".join(filter(None, (f["outcome"], f["task"]))) for f in one["focused"]]
    found = [*focused, *filter(None, [one["stopped"]["open_task"]])]
    if last:
        found += last["outcomes"]
        found += filter(None, [(last["stopped"] or {}).get("open_task")])
    return [*dict.fromkeys(found)]


def _listed(texts: Sequence[str], say: Say) -> Iterator[Block]:
    yield Bullets(tuple(map(flat, texts))) if texts else Line(say("none"))


def _warnings(stale: Sequence[Any], say: Say) -> Iterator[Block]:
    yield Heading(say("Stale sessions"), 2)
    if not stale:
        yield Line(say("none"))
        return
    text = "{agent} {id}: no sign of life for {age} (a crash, a lost network, a closed terminal?)"
    for one in stale:
        age = _sessions.span_words(one["hours"] * HOUR, say)
        yield Line("⚠ " + say(text, **one, age=age), "warn")
    yield Line(say("Clean up with: leftoff session reconcile"))


def _recent(row: Any, say: Say) -> str:
    head = f"{row['agent']} {row['id']} ({_sessions.when_words(row, say)})"
    return f"{head}: {short(row['about'], 80)}" if row["about"] else head
