"""session reconcile: end the sessions that died without a word, with what is left of them."""

from __future__ import annotations

from leftoff import agents
from leftoff.commands import _sessions
from leftoff.core import session as s
from leftoff.core.blocks import Block, Line
from leftoff.core.event import END
from leftoff.core.result import Result
from leftoff.core.session_lines import BY_US
from leftoff.core.when import HOUR, stamp
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json
    from leftoff.core.session import Session


def run(call: Call) -> Result:
    """All projects: the dead of another one would otherwise wait until somebody goes there."""
    known = _sessions.gather(call, everywhere=True, curves=False)
    limits = call.settings.limits
    dead = [one for one in known if s.is_closable(one, call.now, limits)]
    plan: list[Json] = [planned(one, call.now) for one in dead]
    if not call.args.dry_run:
        for one in dead:
            close(call.store.state, one, call.now)
    left = sum(s.state(one, call.now, limits) == s.ACTIVE for one in known) - sum(
        s.state(one, call.now, limits) == s.ACTIVE for one in dead
    )
    data: dict[str, Json] = {"plan": plan, "dry_run": bool(call.args.dry_run), "active": left}
    return Result(data, _sessions.findings(dead))


def planned(one: Session, now: float) -> dict[str, Json]:
    """What becomes of a session: its reason, and what its transcript still says."""
    return {
        "agent": one.agent,
        "id": one.id,
        "root": one.root,
        "reason": reason(one),
        "ended": stamp(one.seen),
        "hours": round((now - one.seen) / HOUR, 1),
        "duration_minutes": int(one.duration // 60),
        "tokens": one.stats.tokens.total,
        "files": len(one.stats.files),
        "commits": one.stats.commits,
        "accomplishments": s.accomplished(one),
    }


def reason(one: Session) -> str:
    """Why it ended: crash, timeout, or other for a client that has no end event."""
    known = one.agent in agents.names()
    tells = known and any(hook.ours == END for hook in agents.load(one.agent).HOOKS)
    return s.closing_reason(one, silent=known and not tells)


def close(state: str, one: Session, now: float) -> bool:
    """One line more in its journal; False where somebody else has just done it."""
    from leftoff.world import journal

    line: dict[str, Json] = {
        "at": now,
        "event": END,
        "key": f"{BY_US}-{one.seen:.3f}",
        "source": reason(one),
        "by_us": BY_US,
        "last": one.seen,
        "dirty": None,
    }
    if one.stats.lines:  # in case the transcript goes away
        line |= {"tokens": [*one.stats.tokens], "commits": one.stats.commits}
    return journal.append(state, one.agent, one.id, line)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A line for each; with --dry-run the same lines, and that nothing was written."""
    for one in data["plan"]:
        text = (
            "{agent} {id}: ended ({reason}), last seen {age} ago, {tokens} tokens, {files} file(s)"
        )
        words = {key: value for key, value in one.items() if key != "root"}
        age = _sessions.span_words(one["hours"] * HOUR, say)
        yield Line("✓ " + say(text, **words, age=age), "good")
    if not data["plan"]:
        yield Line(say("No session needs to be cleaned up."))
    elif data["dry_run"]:
        yield Line(say("(a dry run: nothing was written)"), "dim")
