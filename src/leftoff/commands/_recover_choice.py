"""Which session `recover` is about: the one that is named, picked or offered, and the list."""

from __future__ import annotations

from leftoff.commands import Call, _sessions
from leftoff.commands._recover_save import last_draft
from leftoff.core import recover as r
from leftoff.core import session as s
from leftoff.core.blocks import Block, Bullets, Line, Table
from leftoff.core.fence import one_line
from leftoff.core.ids import start_of
from leftoff.core.model import Finding
from leftoff.core.redact import redact
from leftoff.core.result import Ask, Choice, Result
from leftoff.core.session import Session
from leftoff.core.stats import Stats
from leftoff.core.texts import number, short
from leftoff.core.when import stamp
from leftoff.errors import NotFound, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world import claude_home
from leftoff.world.calling_session import named
from leftoff.world.opencode_db import hidden

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.world.claude_home import Typed


def offered(call: Call, left: Sequence[Session]) -> list[int]:
    """Where those stand in the list that nobody recovered yet; old ones only among their like."""
    return [at for at in _recent(call, left) if not r.was_recovered(left[at])]


def _recent(call: Call, left: Sequence[Session]) -> Sequence[int]:
    """The last days'; all, where there are none."""
    limits = call.settings.limits
    fresh = [at for at, one in enumerate(left) if s.state(one, call.now, limits) != s.ARCHIVED]
    return fresh or range(len(left))


def picked(pick: str, left: Sequence[Session]) -> Session:
    """By its number in the list."""
    if not 0 < number(pick) <= len(left):
        hint = "leftoff recover --list shows them"
        raise Usage(f'"{pick[:20]}" is none of the {len(left)} sessions', hint=hint)
    return left[number(pick) - 1]


def by_name(call: Call, known: Sequence[Session], name: str) -> Session:
    """A session by its name; one of which only the prompts are left, too."""
    try:
        whole = "/".join(named(call.store.state, call.env, name))
    except NotFound:
        gone = [one for one in _deleted(call) if one.session.startswith(name.rpartition("/")[2])]
        if len(gone) != 1:
            raise
        return _of_prompts(gone[0], call.store.root)
    return _sessions.at(call, known, whole)


def _deleted(call: Call) -> list[Typed]:
    return claude_home.deleted(call.env, call.store.root, call.store.state)


def _of_prompts(gone: Typed, root: str) -> Session:
    """A session of which nothing but its prompts is left."""
    asked, last = gone.prompts[0], gone.prompts[-1]
    stats = Stats(asked=asked, last_asked=last, prompts=len(gone.prompts), lines=1)
    return Session(
        claude_home.NAME,
        gone.session,
        root,
        started=gone.first,
        seen=gone.last,
        ended=gone.last,
        stats=stats,
        origin=s.TRANSCRIPT,
    )


# Which ones there are


def listed(call: Call, left: Sequence[Session], more: Sequence[Finding]) -> Result:
    """All of them, and the prompts of those that Claude Code has deleted."""
    rows: list[Json] = [_row(call, left, at) for at in range(len(left))]
    gone: list[Json] = [
        {
            "session": f"{claude_home.NAME}/{one.session}",
            "seen": stamp(one.last),
            "prompts": len(one.prompts),
            "asked": short(redact(one.prompts[0]), 200),
        }
        for one in _deleted(call)
    ]
    found = (*_sessions.findings(left), *hidden(call.env), *more)
    return Result({"sessions": rows, "gone": gone}, found)


def not_offered(
    call: Call, left: Sequence[Session], others: Sequence[Session]
) -> Iterator[Finding]:
    """Why there is nothing to recover: it was done before, or the session may still run."""
    for one in [left[at] for at in _recent(call, left)][:1]:  # the list marks all of them
        text = f"it was recovered already: {last_draft(call, one)}"
        hint = f"to draft it again: leftoff recover {start_of(one.id)}"
        yield Finding("recovered-before", "info", one.name, text, hint)
    yield from at_work(call, others)


def at_work(call: Call, others: Sequence[Session]) -> Iterator[Finding]:
    """The last one with unsaved work that was heard of so lately that it may still run."""
    limits = call.settings.limits
    running = (one for one in others if not r.is_over(one, call.now, limits))
    for one in running:
        if r.worked(one) and not r.is_saved(one) and not r.was_recovered(one):
            text = "it may still be working, so it is not offered"
            hint = f"if {one.name} is no longer running: leftoff recover {start_of(one.id)}"
            yield Finding("at-work", "info", one.name, text, hint)
            return


def _row(call: Call, left: Sequence[Session], at: int) -> dict[str, Json]:
    one = left[at]
    facts = _sessions.facts(one, call.now, call.settings.limits)
    kept = ("agent", "id", "state", "reason", "seen", "age_seconds", "branch", "thread", "about")
    return {
        "number": at + 1,
        **{name: facts[name] for name in kept},
        "files": len(one.stats.files),
        "failed": len(one.stats.failures),
        "open_tasks": len(one.stats.open_tasks),
        "recovered": r.was_recovered(one),
    }


def question(call: Call, left: Sequence[Session], which: Sequence[int]) -> Result:
    """By the numbers that the list has: one answer fits both."""
    rows = [_row(call, left, at) for at in which]
    choices = tuple(Choice(str(row["number"]), _label(row)) for row in rows)
    ask = Ask("Which session should be recovered?", choices, "--pick")
    shown: list[Json] = [*rows]
    return Result({"sessions": shown, "gone": []}, hidden(call.env), ask)


def _label(row: dict[str, Any]) -> str:
    about = one_line(short(row["about"] or "", 80))
    return f"{row['agent']} {start_of(row['id'])}, {row['seen']}: {about}"


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The sessions, each with its number."""
    if data["sessions"]:
        columns = ("#", "Agent", "Seen", "Files", "Failed", "Session", "About")
        rows = tuple(_cells(row, say) for row in data["sessions"])
        yield Table(tuple(say(column) for column in columns), rows)
    else:
        yield Line(say("No session of this project left unsaved work."))
    if data["gone"]:
        yield Line("")
        yield Line(say("Deleted by Claude Code; only their prompts are left:"), "warn")
        gone = (f"{one['session']} · {one['seen'][:10]} · {one['asked']}" for one in data["gone"])
        yield Bullets(tuple(map(one_line, gone)))


def _cells(row: dict[str, Any], say: Say) -> tuple[str, ...]:
    seen = _sessions.when_words(row, say)
    about = short(row["about"] or "", 70)
    if row["recovered"]:
        about = f"({say('recovered')}) {about}"
    return (
        *(str(row["number"]), row["agent"], seen, str(row["files"]), str(row["failed"])),
        *(start_of(row["id"]), about),
    )
