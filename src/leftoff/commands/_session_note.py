"""session note: what a person or an agent states about the session while it runs."""

from __future__ import annotations

from leftoff.commands._redaction import warned
from leftoff.core.blocks import Block, Line
from leftoff.core.redact import redacted
from leftoff.core.result import Result
from leftoff.core.session_lines import NOTE
from leftoff.errors import NotFound, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world.calling_session import calling

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json

LONGEST = 4000


def run(call: Call) -> Result:
    """One line of the journal; the session need not have been set up for it."""
    from leftoff.world import journal

    said = _said(call.args)
    if not said:
        raise Usage(
            "there is nothing to note", hint="give -m, --outcome, --task, --decision or --next"
        )
    caller = calling(call)
    if caller is None:
        raise NotFound("no session is calling", hint="name one with --session AGENT/ID")
    journal.append(call.store.state, *caller, {"at": call.now, "event": NOTE, **said})
    found = warned(said.values(), "/".join(caller))
    return Result({"agent": caller[0], "id": caller[1], "noted": redacted(said)}, found)


def _said(args: Any) -> dict[str, Json]:
    texts = {"text": args.message, "outcome": args.outcome, "task": args.task}
    lists = {"decisions": args.decision, "next": args.next}
    if sum(map(len, (*filter(None, texts.values()), *args.decision, *args.next))) > LONGEST:
        raise Usage(f"a note has at most {LONGEST} characters", hint="save a checkpoint instead")
    given: dict[str, Json] = {name: text.strip() for name, text in texts.items() if text}
    given |= {name: [*filter(None, map(str.strip, many))] for name, many in lists.items()}
    return {name: said for name, said in given.items() if said}


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Where it went."""
    yield Line("✓ " + say("noted for {agent} {id}", agent=data["agent"], id=data["id"]), "good")
