"""team status: where the store is, who one is there, what is shared, what is not sent yet."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._team import Member
from leftoff.commands._team_share import data_of, shown
from leftoff.core.blocks import Block, Line
from leftoff.core.model import Finding
from leftoff.core.result import Result
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world import team_connection, team_mirror, team_schema
from leftoff.world.team_exchange import project
from leftoff.world.team_state import findings
from leftoff.world.team_tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.world.team_exchange import Exchange


def run(call: Call) -> Result:
    """What this machine knows; what the store says, if it answers."""
    to = team_connection.address(call.env)
    origin, shares = project(call.store, call.env)
    here = team_mirror.entries(call.store.state, call.store.root)
    unknown = tuple(findings(call.store.state))
    data: dict[str, Json] = {
        "store": to.shown,
        "project": origin.project,
        "machine": origin.machine,
        **data_of(shares),
        "pulled": len(here),
        "knows_version": team_schema.VERSION,
    }
    try:
        with Member(call) as exchange:
            said = _said(exchange)
    except LeftoffError as error:
        told = Finding("team-store", "warning", to.shown, error.message, error.hint)
        return Result({**data, "answers": False}, (told, *unknown))
    return Result({**data, "answers": True, **said}, unknown)


def _said(exchange: Exchange) -> dict[str, Json]:
    rows = exchange.fetched(_MINE)
    people = exchange.fetched(_PEOPLE, exchange.origin.project)
    mine: dict[str, Json] = dict(zip(TABLES, rows[0], strict=True))
    return {
        "member": exchange.me,
        "version": team_schema.VERSION,
        "mine": mine,
        "people": people[0][0],
    }


_COUNT = "(SELECT count(*) FROM leftoff.{} WHERE owner = current_user::text)"
_MINE = f"SELECT {', '.join(_COUNT.format(table) for table in TABLES)}"
_PEOPLE = "SELECT count(DISTINCT owner) FROM leftoff.session_stats WHERE project = %s"


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The store, the choice, the rows."""
    yield Line(say("Team store: {store}", store=data["store"]), "strong")
    yield Line(say("This project: {share}", share=shown(data["share"], say)))
    if not data["answers"]:
        yield Line(say("It does not answer, or not to you; this is what is known here."), "warn")
    else:
        rows = data["mine"]
        yield Line(say("You are {who} there.", who=data["member"]))
        text = (
            "Yours: {stats} session(s), {texts} passage(s), {papers} checkpoint(s), "
            "{checks} check(s)."
        )
        counts = (rows[name] for name in TABLES[:4])
        names = ("stats", "texts", "papers", "checks")
        yield Line(say(text, **dict(zip(names, counts, strict=True))))
        yield Line(say("In this project: {n} member(s).", n=data["people"]))
    yield Line(say("Pulled for this project: {n} checkpoint(s).", n=data["pulled"]))
