"""team pull: the checkpoints of others, and one's own of other machines, marked by who pushed."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._team import Member
from leftoff.core.blocks import Block, Bullets, Line
from leftoff.core.fence import one_line
from leftoff.core.result import Result
from leftoff.record import TYPE_CHECKING
from leftoff.world import team_mirror
from leftoff.world.locks import locked
from leftoff.world.team_pull import pull

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.world.team_pull import Pulled


def run(call: Call) -> Result:
    """Fetch, and say what is here now."""
    with Member(call) as exchange, locked(exchange.memory.folder):
        found = pull(exchange)
    data = {"store": exchange.to.shown, **_data(found), "checkpoints": listed(call)}
    return Result(data, found.findings)


def _data(found: Pulled) -> dict[str, Json]:
    return {"known": found.known, "new": found.new, "gone": found.gone}


def listed(call: Call) -> list[Json]:
    """What was pulled for this project."""
    return [
        {
            "id": one.stream.glance.id,
            "format": one.stream.glance.format,
            "name": one.stream.glance.name,
            "status": one.stream.glance.status,
            "owner": one.owner,
            "machine": one.machine,
            "author": one.author,
            "path": one.stream.glance.path,
        }
        for one in team_mirror.streams(call.store)
    ]


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """How many, whose, and how to go on with one."""
    counts = {key: data[key] for key in ("known", "new", "gone")}
    text = "{known} checkpoint(s) of others here, {new} new or changed, {gone} gone."
    yield Line(say(text, **counts), "good")
    shown = [
        one_line(f"{one['owner']}/{one['id']} ({one['status']})") for one in data["checkpoints"]
    ]
    if shown:
        yield Bullets(tuple(shown))
        yield Line(say("To see one: leftoff resume OWNER/NAME"), "dim")
