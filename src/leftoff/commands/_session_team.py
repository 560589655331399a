"""session list --team: the sessions of all members; what they were about only where one may see."""

from __future__ import annotations

from leftoff.commands import Call, _sessions
from leftoff.commands._team import Member
from leftoff.core import session as s
from leftoff.core.blocks import Block, Line, Table
from leftoff.core.fence import one_line
from leftoff.core.ids import start_of
from leftoff.core.result import Result
from leftoff.core.texts import flat, short
from leftoff.core.when import stamp
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json

MOST = 500
"""Sessions that one answer lists; `--since` and `--branch` choose among more."""
_COLUMNS = (
    *("owner", "machine", "agent", "id", "project", "project_name", "branch", "thread", "model"),
    *("started", "seen", "ended", "reason", "tokens", "prompts", "commits", "files", "about"),
)


def run(call: Call) -> Result:
    """Newest first: of this project, or with --everywhere of all."""
    if call.args.outcome or call.args.all:
        raise Usage("session list --team takes neither --all nor --outcome", hint="see --help")
    since = _sessions.since(call)
    with Member(call) as exchange:
        project = None if call.args.everywhere else exchange.origin.project
        wanted = (project, call.args.agent or None, call.args.branch or None, since)
        rows = exchange.fetched(
            _QUERY, *(one for one in wanted[:3] for _ in (0, 1)), since, MOST + 1
        )
    found: list[Json] = [_row(row, call) for row in rows[:MOST]]
    data: dict[str, Json] = {"sessions": found, "more": len(rows) > MOST}
    return Result({**data, "everywhere": bool(call.args.everywhere), "team": True})


# The title is a row of its own table: who may not see it gets none, by the database's own rules.
_QUERY = """
SELECT t.owner, t.machine, t.agent, t.id, t.project, t.project_name, t.branch, t.thread, t.model,
       extract(epoch FROM t.started)::float8, extract(epoch FROM t.seen)::float8,
       extract(epoch FROM t.ended)::float8, t.reason,
       t.tokens_input + t.tokens_output + t.tokens_cache_read + t.tokens_cache_write,
       t.prompts, t.commits, t.files, coalesce(w.title, '')
  FROM leftoff.session_stats t
  LEFT JOIN leftoff.session_text w
    ON w.owner = t.owner AND w.agent = t.agent AND w.id = t.id AND w.part = 0
 WHERE (%s::text IS NULL OR t.project = %s) AND (%s::text IS NULL OR t.agent = %s)
   AND (%s::text IS NULL OR t.branch = %s) AND t.seen >= to_timestamp(%s)
 ORDER BY t.seen DESC, t.owner, t.agent, t.id LIMIT %s
"""


def _row(row: Sequence[Any], call: Call) -> dict[str, Json]:
    said = dict(zip(_COLUMNS, row, strict=True))
    seen, ended, limits = said["seen"], said["ended"], call.settings.limits
    recent = call.now - (ended or seen) <= limits["history.recent"]
    quiet = call.now - seen > limits["stale.session"]
    state = (s.RECENT if recent else s.ARCHIVED) if ended or quiet else s.ACTIVE
    times = {name: stamp(said[name]) if said[name] else None for name in ("started", "ended")}
    return {
        **said,
        **times,
        "seen": stamp(seen),
        "state": state,
        "age_seconds": int(call.now - seen),
        "about": short(said["about"], 200),
    }


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A table; with --everywhere also of which project."""
    if not data["sessions"]:
        yield Line(say("The team store has no session here."))
        return
    where = ("Project",) if data["everywhere"] else ()
    columns = ("Who", "Agent", "Seen", "Branch", *where, "Session", "About")
    rows = tuple(_cells(row, say, everywhere=bool(where)) for row in data["sessions"])
    yield Table(tuple(say(column) for column in columns), rows)
    if data["more"]:
        yield Line(say("(there are older ones: --since shows those after a time)"), "dim")


def _cells(row: dict[str, Any], say: Say, *, everywhere: bool) -> tuple[str, ...]:
    place = (flat(row["project_name"]) or "-",) if everywhere else ()
    seen = _sessions.when_words(row, say)
    branch = short(row["branch"] or "-", 40)
    about = short(row["about"], 70) or "-"
    who, name = one_line(row["owner"]), start_of(flat(row["id"]))
    return (who, flat(row["agent"]), seen, branch, *place, name, about)
