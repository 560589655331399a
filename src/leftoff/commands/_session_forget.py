"""session forget: a session leaves the archive, and is never copied again."""

from __future__ import annotations

from leftoff.core.blocks import Block, Line
from leftoff.core.result import Result
from leftoff.errors import Busy, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world import archive_tombstones
from leftoff.world.archive_upkeep import note_totals, take_out
from leftoff.world.calling_session import named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Call, Say


def run(call: Call) -> Result:
    """The tombstone, then the copies into the trash; the client's own files are not touched."""
    if call.args.id is None:
        raise Usage(
            "session forget needs the ID of a session", hint="leftoff session list --all has them"
        )
    state = call.store.state
    agent, session = named(state, call.env, call.args.id)
    indexed = [*_indexed(call, agent, session)]
    copies = take_out(state, [(agent, session)], archive_tombstones.FORGOTTEN, call.now)
    note_totals(state)
    _leave_the_index(state, indexed)
    return Result({"session": f"{agent}/{session}", "copies": copies})


def _indexed(call: Call, agent: str, session: str) -> Iterator[str]:
    """What the index may know of it: its transcripts, and their copies."""
    from leftoff.world.archive import of_session
    from leftoff.world.transcripts import find

    for log in find(call.env):
        if log.key == (agent, session):
            yield log.path
    yield from (note.path for note in of_session(call.store.state, agent, session))


def _leave_the_index(state: str, keys: Sequence[str]) -> None:
    from leftoff.world.index_update import forget

    try:
        forget(state, keys)
    except Busy:
        return  # the next search finds the tombstone, and does it then


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """How many copies went."""
    text = "{session} is forgotten: the archive has no copy of it, and never makes one."
    if data["copies"]:
        text = (
            "{session} is forgotten: its archived copy ({n} file(s)) went to the trash. "
            "It is never archived again."
        )
    yield Line("✓ " + say(text, session=data["session"], n=data["copies"]), "good")
