"""session export ID: the whole conversation of a session, as Markdown, HTML or JSON."""

from __future__ import annotations

import os
from itertools import chain

from leftoff.commands._redaction import redactor_for
from leftoff.commands.session import EXPORTS
from leftoff.core.blocks import Block, Line
from leftoff.core.export import About, pieces
from leftoff.core.result import Result
from leftoff.errors import Conflict, NotFound
from leftoff.record import TYPE_CHECKING
from leftoff.world import bindings, conversation
from leftoff.world.calling_session import named
from leftoff.world.files import Staged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json


def run(call: Call) -> Result:
    """Into a file, or out as it is read; also of a session that only the archive still has."""
    agent, session = named(call.store.state, call.env, call.args.id)
    kind = call.args.format or _by_name(call.args.out)
    known = bindings.known(call.store.state, agent, session)
    turns = conversation.turns(agent, session, call.env, known.transcript, strict=True)
    first = next(turns, None)
    if first is None:
        raise NotFound(
            f"there is no record of the conversation of {agent}/{session}",
            hint="leftoff session list --all shows every session",
        )
    about = About(agent, session, call.now, known.root or known.cwd)
    by = redactor_for(call, agent, session, about.project)
    text = pieces(kind, about, chain((first,), turns), by)
    data: dict[str, Json] = {"session": f"{agent}/{session}", "format": kind, "path": None}
    if call.args.out:
        return Result({**data, "path": _written(call, text)})
    if call.args.json:
        return Result({**data, "text": "".join(text)})
    return Result(data, stream=lambda: text)


def _by_name(path: str | None) -> str:
    """What the ending of a file says; Markdown else."""
    ending = (path or "").rpartition(".")[2]
    return {"htm": "html"}.get(ending, ending) if ending in (*EXPORTS, "htm") else EXPORTS[0]


def _written(call: Call, text: Iterator[str]) -> str:
    path = os.path.join(call.cwd, call.args.out)
    with Staged(path) as staged:
        staged.write_parts((piece.encode() for piece in text), 0o600)
        if not staged.claim():
            hint = "name another file"
            raise Conflict(f"{call.args.out} exists; it was left as it is", hint=hint)
    return path


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Where it went; the conversation itself comes behind the view."""
    if data["path"]:
        yield Line("✓ " + say("wrote {path}", path=data["path"]), "good")
