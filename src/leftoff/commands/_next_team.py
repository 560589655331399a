"""next --team: the same queue with what others of the team left, each marked by who pushed it."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._team import Member
from leftoff.core.model import Finding
from leftoff.errors import Busy, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world import team_mirror
from leftoff.world.locks import locked
from leftoff.world.team_pull import pull

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from leftoff.core.model import Json
    from leftoff.core.result import Result
    from leftoff.core.stream import Stream


def run(call: Call, ranked: Callable[[Call, Sequence[Stream]], Result]) -> Result:
    """Pull first; where the store does not answer, go by what was pulled before, and say so."""
    if call.args.claim:
        text = "what other team members left is not taken here"
        raise Usage(text, hint="leave --team out, or take it first: leftoff team take OWNER/NAME")
    told = _pulled(call)
    streams = call.store.streams()
    own = {(one.glance.format, one.glance.id) for one in streams}
    others = [
        one
        for one in team_mirror.streams(call.store)
        if (one.stream.glance.format, one.stream.glance.id) not in own
    ]
    authors = {one.stream.glance.path: one.author for one in others}
    made = ranked(call, [*streams, *(one.stream for one in others)])
    data: dict[str, Any] = made.data
    queue: list[Json] = [_marked(one, authors) for one in data["queue"]]
    first = _marked(data["next"], authors) if data["next"] else None
    return made._replace(
        data={**data, "next": first, "queue": queue, "team": True}, findings=(*made.findings, *told)
    )


def _pulled(call: Call) -> tuple[Finding, ...]:
    try:
        with Member(call) as exchange, locked(exchange.memory.folder):
            return pull(exchange).findings
    except Busy as error:
        fix = "what was pulled before is shown"
        return (Finding("team-store", "warning", "", error.message, fix),)


def _marked(entry: Any, authors: Mapping[str, str]) -> dict[str, Any]:
    """An entry that says who pushed it."""
    author = authors.get(entry["path"], "")
    return {**entry, "author": author, "pushed": True} if author else entry
