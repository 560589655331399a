"""session list: who worked here, newest first."""

from __future__ import annotations

from leftoff.commands import _sessions
from leftoff.commands._options import number_option
from leftoff.core import session as s
from leftoff.core.blocks import Block, Line, Table
from leftoff.core.ids import start_of
from leftoff.core.result import Result
from leftoff.core.texts import flat, short
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json
    from leftoff.core.session import Session
    from leftoff.world.server_sessions import ServerSessions
    from leftoff.world.session_catalogue import Catalogue

SHORTEST = 8
_CHOOSE = ("agent", "branch", "outcome", "since", "state")
"""Options that have to look into every session."""
TONES = {s.ACTIVE: "good", s.STALE: "warn", s.RECENT: "plain", s.ARCHIVED: "dim"}


def run(call: Call) -> Result:
    """Those that are active or recent; with --all also what seed D calls archived."""
    if call.args.team:
        from leftoff.commands import _session_team  # nobody without a team pays for it

        return _session_team.run(call)
    if call.args.all and call.args.limit and not any(getattr(call.args, one) for one in _CHOOSE):
        catalogue, numbers = _sessions.listed(
            call, everywhere=bool(call.args.everywhere), thread=call.args.thread or ""
        )
        if not _sessions.lacks_archived(call, catalogue):
            return _page(call, catalogue, numbers)
    known = _sessions.gather(call, everywhere=bool(call.args.everywhere), curves=False)
    limits = call.settings.limits
    since = _sessions.since(call)
    wanted = [one for one in known if one.seen >= since and _fits(one, call)]
    shown = [one for one in wanted if _is_shown(one, call, limits)]
    part = _part(call, shown)
    rows: list[Json] = [_sessions.facts(one, call.now, limits) for one in part]
    data: dict[str, Json] = {
        "sessions": rows,
        "older": len(wanted) - len(shown),
        "total": len(shown),
        "from": number_option("--from", call.args.start),
    }
    return Result({**data, "everywhere": bool(call.args.everywhere)}, _sessions.findings(part))


def _part(call: Call, shown: Sequence[Session]) -> Sequence[Session]:
    """Those that --from and --limit ask for."""
    start = number_option("--from", call.args.start)
    most = number_option("--limit", call.args.limit) if call.args.limit else len(shown)
    return shown[start : start + most]


def _is_shown(one: Session, call: Call, limits: Mapping[str, float]) -> bool:
    args = call.args
    if args.state:
        return s.state(one, call.now, limits) == str(args.state)
    return bool(args.all or args.since) or s.state(one, call.now, limits) != s.ARCHIVED


def _page(call: Call, known: Catalogue | ServerSessions, numbers: list[int]) -> Result:
    """Some rows of all there are, for the price of these."""
    start = number_option("--from", call.args.start)
    most = number_option("--limit", call.args.limit)
    limits, rows = call.settings.limits, known.rows(numbers[start : start + most])
    shown = _sessions.read(call, rows)
    data: dict[str, Json] = {
        "sessions": [_sessions.facts(one, call.now, limits) for one in shown],
        "older": 0,
        "total": len(numbers),
        "from": start,
        "everywhere": bool(call.args.everywhere),
    }
    return Result(data, _sessions.findings(shown))


def _fits(one: Session, call: Call) -> bool:
    args = call.args
    outcomes = {outcome.name for outcome in one.outcomes}
    return (
        (not args.agent or one.agent == args.agent)
        and (not args.branch or one.branch == args.branch)
        and (not args.outcome or args.outcome in outcomes)
        and (not args.thread or args.thread == one.thread)
    )


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A table; a stale one also says what may have happened."""
    if data.get("team"):
        from leftoff.commands import _session_team

        yield from _session_team.view(data, say)
        return
    rows = data["sessions"]
    if rows:
        yield _table(data, say)
    elif data["older"]:
        yield Line(say("No agent session in the last few days."))
    else:
        yield Line(say("No agent session was found."))
    if data["from"] + len(rows) < data["total"]:
        left = data["total"] - data["from"] - len(rows)
        yield Line(say("({n} more: --from {at})", n=left, at=data["from"] + len(rows)), "dim")
    if data["older"]:
        text = "({n} older: leftoff session list --all)"
        yield Line(say(text, n=data["older"]), "dim")
    stale = sum(row["state"] == s.STALE for row in rows)
    if stale:
        yield Line("")
        text = (
            "{n} stale: no sign of life for more than an hour (a crash, a lost network or a closed "
            "terminal); leftoff session reconcile"
        )
        yield Line(say(text, n=stale), "warn")


def _table(data: dict[str, Any], say: Say) -> Table:
    where = ("Project",) if data["everywhere"] else ()
    columns = ("State", "Agent", "Seen", "Branch", *where, "Session", "About")
    length = _telling([row["id"] for row in data["sessions"]])
    rows = tuple(
        _cells({**row, "id": _start(row["id"], length)}, say, everywhere=bool(where))
        for row in data["sessions"]
    )
    tones = tuple(TONES[row["state"]] for row in data["sessions"])
    return Table(tuple(say(column) for column in columns), rows, tones)


def _start(name: str, least: int) -> str:
    return name[: max(least, len(start_of(name)))]


def _telling(names: Sequence[str]) -> int:
    """How much of an id tells it from the others; any action takes the start of one."""
    different = len(set(names))
    return next(
        (n for n in range(SHORTEST, 40) if len({name[:n] for name in names}) == different), 99
    )


def _cells(row: dict[str, Any], say: Say, *, everywhere: bool) -> tuple[str, ...]:
    place = (flat(row["root"].rpartition("/")[2]) or "-",) if everywhere else ()
    state = _sessions.state_words(row, say)
    about = short(row["about"], 70) or (row["reason"] or "")
    seen = _sessions.when_words(row, say)
    branch = short(row["branch"] or "-", 40)
    return (state, row["agent"], seen, branch, *place, flat(row["id"]), about)
