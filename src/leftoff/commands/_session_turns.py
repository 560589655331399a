"""session export ID --from N --limit M, --line L: a part of a conversation, and its prompts.

A long session is read page by page; each page also tells how long the whole is.
"""

from __future__ import annotations

from leftoff.commands import _sessions
from leftoff.commands._options import number_option
from leftoff.commands._redaction import redactor_for
from leftoff.core.blocks import Block, Heading, Line
from leftoff.core.model import Finding
from leftoff.core.redact import redact
from leftoff.core.result import Result
from leftoff.core.talk import TOOL, USER
from leftoff.core.texts import flat, short
from leftoff.core.when import stamp
from leftoff.errors import LeftoffError, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world import bindings, conversation
from leftoff.world.calling_session import named
from leftoff.world.files import modified

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json
    from leftoff.core.redact import Redactor
    from leftoff.core.talk import Turn

    Read = tuple[list[Turn], tuple[Finding, ...]]

MOST, LISTED = 100, 200
"""turns of a part where --limit says nothing, prompts of the list"""
LOOKED_AT = 2000
"""characters of a prompt, for the few that the list shows"""


def run(call: Call) -> Result:
    """The turns that are asked for, redacted; the list has each prompt with its number."""
    if call.args.format or call.args.out or call.args.write:
        text = "--from and --limit show a part of a conversation"
        raise Usage(text, hint="leave --format, --out and --write out")
    most = number_option("--limit", call.args.limit) or MOST
    agent, session, path, folder = _where(call)
    turns, unread = _turns(call, agent, session, path)
    at = _at(turns, number_option("--line", call.args.line))
    start = at // most * most if call.args.line else number_option("--from", call.args.start)
    by = redactor_for(call, agent, session, folder)
    prompts = [at for at, turn in enumerate(turns) if turn.role == USER]
    data: dict[str, Json] = {
        "session": f"{agent}/{session}",
        "total": len(turns),
        "from": start,
        "turns": [_facts(turn, by) for turn in turns[start : start + most]],
        "prompts": [_prompt(at, turns[at], by) for at in prompts[:LISTED]],
        "more_prompts": max(0, len(prompts) - LISTED),
        "at": at if call.args.line and turns else None,
    }
    return Result(data, unread)


def _at(turns: Sequence[Turn], line: int) -> int:
    """The first turn that a line of the transcript tells of, or of the last line before it."""
    last = max((turn.line for turn in turns if turn.line <= line), default=0)
    return next((n for n, turn in enumerate(turns) if turn.line == last), 0)


def _where(call: Call) -> tuple[str, str, str, str]:
    """The session, its transcript and folder; a server knows them without a look at all others."""
    for one in _sessions.exactly(call):
        return one.agent, one.id, one.transcript, one.root or one.cwd
    agent, session = named(call.store.state, call.env, call.args.id)
    known = bindings.known(call.store.state, agent, session)
    return agent, session, known.transcript, known.root or known.cwd


def _turns(call: Call, agent: str, session: str, path: str) -> Read:
    """All of them; a server keeps those of the session that was looked at last."""

    def read() -> Read:
        return _read(call, agent, session, path)

    if call.keep is None:
        return read()
    name = (agent, session, modified(path.partition("#")[0]))
    known, found = call.keep("turns", lambda: (name, read()))
    if known != name:
        call.keep.forget("turns")
        _, found = call.keep("turns", lambda: (name, read()))
    return found


def _read(call: Call, agent: str, session: str, path: str) -> Read:
    """The turns as far as they can be read, and why not all can."""
    turns: list[Turn] = []
    try:
        for turn in conversation.turns(agent, session, call.env, path, strict=True):
            turns.append(turn)  # noqa: PERF402  # those before an error stay
    except LeftoffError as error:
        name = f"{agent}/{session}"
        return turns, (Finding("session-unreadable", "warning", name, error.message),)
    return turns, ()


def _facts(turn: Turn, by: Redactor) -> dict[str, Json]:
    return {
        "role": turn.role,
        "at": stamp(turn.at) if turn.at else None,
        "text": redact(turn.text, by),
        "tool": turn.tool or None,
        "about": redact(turn.about, by),
        "ok": turn.ok,
        "changes": [redact(path, by) for path in turn.changes],
        "command": turn.is_command,
        "line": turn.line or None,
    }


def _prompt(at: int, turn: Turn, by: Redactor) -> dict[str, Json]:
    when = stamp(turn.at) if turn.at else None
    start = redact(turn.text[:LOOKED_AT], by)  # first, or half a secret would pass
    return {"turn": at, "at": when, "text": short(start, 140)}


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Who said what; a call on a line of its own."""
    for turn in data["turns"]:
        if turn["role"] == TOOL:
            about = flat(turn["about"] or ", ".join(turn["changes"]))
            failed = f" ({say('failed')})" if turn["ok"] is False else ""
            yield Line(f"  · {flat(turn['tool'] or '')} {short(about, 120)}{failed}", "dim")
        else:
            yield Heading(say("User") if turn["role"] == USER else say("Agent"), 2)
            yield Line(turn["text"])
    left = data["total"] - data["from"] - len(data["turns"])
    if left > 0:
        yield Line(say("({n} more: --from {at})", n=left, at=data["total"] - left), "dim")
