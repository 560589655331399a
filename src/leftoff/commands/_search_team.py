"""search --team: the same search over what members of the team share with the one who asks."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._team import Member
from leftoff.core.result import Result
from leftoff.core.search_hits import facts
from leftoff.core.team_paths import local
from leftoff.record import TYPE_CHECKING
from leftoff.world import index_postgres
from leftoff.world.index_postgres import Scope

if TYPE_CHECKING:
    from leftoff.core.model import Json
    from leftoff.core.search_hits import Hit, Wanted


def run(call: Call, wanted: Wanted, limit: int) -> Result:
    """Of this project, or with --everywhere of all; each hit says whose it is."""
    args = call.args
    with Member(call) as exchange:
        project = None if args.everywhere else exchange.origin.project
        scope = Scope(project, args.agent or None, args.thread or None)
        found = index_postgres.find(exchange.to, exchange.link, wanted, limit, scope)
    shown: list[Json] = [_said(call, hit, wanted) for hit in found.hits]
    return Result(
        {
            "query": " ".join(args.text),
            "hits": shown,
            "total": found.total,
            "everywhere": bool(args.everywhere),
            "team": True,
        }
    )


def _said(call: Call, hit: Hit, wanted: Wanted) -> Json:
    """The hit with the paths of this machine, and who pushed it."""
    text = local(hit.passage.text, call.store.root, call.env.get("HOME", ""))
    owner = hit.source.key.partition("/")[0]
    return {
        **facts(hit._replace(passage=hit.passage._replace(text=text)), wanted.query),
        "owner": owner,
    }
