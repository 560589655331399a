"""team init, team migrate: the tables, as the administrator of the database."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.result import Result
from leftoff.record import TYPE_CHECKING
from leftoff.world import team_connection, team_schema

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json


def run(call: Call) -> Result:
    """Under one lock, in one transaction: all of it, or nothing."""
    to = team_connection.address(call.env)
    link = team_connection.connect(to)
    do = team_schema.init if call.args.action == "init" else team_schema.migrate
    try:
        added: list[Json] = [*do(to, link)]
    finally:
        link.close()
    return Result({"store": to.shown, "version": team_schema.VERSION, "added": added})


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """What there is now, and what the administrator does next."""
    store, version = data["store"], data["version"]
    if data["added"]:
        text = "The team store {store} is of version {version} now."
        yield Line(say(text, store=store, version=version), "good")
    else:
        text = "The team store {store} is of version {version} already."
        yield Line(say(text, store=store, version=version))
    if data["action"] == "init":
        yield Line(say("For each person: CREATE ROLE ann LOGIN PASSWORD ...;"), "dim")
        yield Line(say("then: GRANT leftoff_member TO ann;"), "dim")
