"""bench-resume: what a new session would know of the work here, beside what others would tell."""

from __future__ import annotations

from leftoff.commands import Call, _quality, _sessions
from leftoff.commands._options import number_option
from leftoff.core import recover as r
from leftoff.core.blocks import Block, Heading, Line, Table
from leftoff.core.find_stream import find
from leftoff.core.model import ARCHIVED
from leftoff.core.quality import BUDGETS, Score, compared, score, share, total
from leftoff.core.result import Result
from leftoff.core.stream import broken
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.commands._quality import Work
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream

SUMMARY = "Measure how much of what matters reaches a new session, and what that costs."
EXAMPLES = (
    "leftoff bench-resume",
    "leftoff bench-resume checkout",
    "leftoff bench-resume --sessions 20 --json",
)
MOST = 10
AIM = 1000
"""The budget whose figures are put into words."""
_COLUMNS = ("Budget", "Source", "Facts kept", "Share", "Stale shown as true", "Tokens")
_TITLES = {
    "resume": "What was saved: {n} checkpoint(s), through resume",
    "recover": "What nobody saved: {n} session(s), through recover",
}
_LEGEND = (
    "Facts: what must survive, such as intent, decisions, steps, files, failures, landed work.",
    "Stale: what git or the files contradict. Tokens: approximate, per piece of work.",
)


def arguments(parser: Any) -> None:
    """Which work, and how many sessions beside it."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="one checkpoint (default: all)")
    text = f"how many of the last unsaved sessions (default: {MOST})"
    parser.add_argument("--sessions", metavar="N", help=text)


def run(call: Call) -> Result:
    """Let every way tell every work within every budget, and count."""
    most = number_option("--sessions", call.args.sessions, default=MOST)
    streams = call.store.streams()
    works = [*_saved(call, streams), *_unsaved(call, most)]
    scored = [
        (budget, way, work, score(work.facts, text))
        for at, work in enumerate(works)
        for budget in BUDGETS
        for way, text in _told(call, work, budget, at, len(works))
    ]
    rows: list[Json] = [
        {"name": work.name, "kind": work.kind, "budget": budget, "way": way, **_figures(found)}
        for budget, way, work, found in scored
    ]
    by_way: dict[tuple[str, int], dict[str, list[Score]]] = {}
    for budget, way, work, found in scored:
        by_way.setdefault((work.kind, budget), {}).setdefault(way, []).append(found)
    totals: list[Json] = [
        {"kind": kind, "budget": budget, "way": way, "works": len(some), **_figures(total(some))}
        for (kind, budget), ways in by_way.items()
        for way, some in ways.items()
    ]
    beside: list[Json] = [
        {"kind": kind, "budget": budget, **_beside(ways)} for (kind, budget), ways in by_way.items()
    ]
    return Result({"rows": rows, "totals": totals, "compared": beside}, broken(streams))


def _beside(ways: dict[str, list[Score]]) -> dict[str, Json]:
    """The brief beside the best of the others."""
    found = compared({way: total(some) for way, some in ways.items()}, _quality.LEFTOFF)
    times = None if found.times is None else round(found.times, 2)
    return {"share": round(found.share, 3), "best": found.best, "times": times}


def _saved(call: Call, streams: Sequence[Stream]) -> Iterator[Work]:
    """The checkpoint that was named, else all that are open."""
    opened = [one for one in streams if one.glance.status != ARCHIVED]
    chosen = [find(streams, call.args.name)] if call.args.name else opened
    for stream in chosen:
        if not stream.glance.broken:
            yield _quality.saved(call, streams, stream)


def _unsaved(call: Call, most: int) -> Iterator[Work]:
    """The last sessions that left work and that nobody saved; none beside a named checkpoint."""
    if call.args.name or not most:
        return
    known = _sessions.gather(call, curves=False)
    left = r.unsaved(known, call.now, call.settings.limits)
    for one in left[:most]:
        yield _quality.unsaved(call, one, newest=one.name == known[0].name)


def _told(call: Call, work: Work, budget: int, at: int, of: int) -> Iterator[tuple[str, str]]:
    if call.progress:
        call.progress(at, of)
    yield from work.told(call, budget).items()


def _figures(found: Score) -> dict[str, Json]:
    return {
        "kept": found.kept,
        "facts": found.of,
        "share": round(share(found.kept, found.of), 3),
        "stale_as_true": found.stale,
        "stale": found.of_stale,
        "tokens": found.tokens,
    }


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """For saved work and for sessions: a row for each budget and way, and what comes of it."""
    if not data["totals"]:
        yield Line(
            say("There is nothing to measure: no checkpoint, and no session that left work.")
        )
        return
    for kind, title in _TITLES.items():
        rows = [row for row in data["totals"] if row["kind"] == kind]
        if rows:
            yield Heading(say(title, n=rows[0]["works"]), 2)
            yield Table(tuple(map(say, _COLUMNS)), tuple(_cells(row, say) for row in rows))
            yield from (Line(_verdict(one, say)) for one in data["compared"] if _is_aim(one, kind))
    yield Line("")
    yield from (Line(say(text), "dim") for text in _LEGEND)


def _is_aim(one: dict[str, Any], kind: str) -> bool:
    return bool(one["kind"] == kind and one["budget"] == AIM)


def _verdict(one: dict[str, Any], say: Say) -> str:
    best = say(_quality.NAMES[one["best"]])
    if one["times"] is None:
        text = "At {budget} tokens: {share} of the facts; {best} has none."
        return say(text, budget=AIM, share=f"{one['share']:.2f}", best=best)
    text = "At {budget} tokens: {share} of the facts, {times} times as many as {best}."
    return say(
        text, budget=AIM, share=f"{one['share']:.2f}", times=f"{one['times']:.2f}", best=best
    )


def _cells(row: dict[str, Any], say: Say) -> tuple[str, ...]:
    way = _quality.NAMES[row["way"]]
    return (
        str(row["budget"]),
        say(way),
        f"{row['kept']}/{row['facts']}",
        f"{row['share']:.2f}",
        f"{row['stale_as_true']}/{row['stale']}",
        str(round(row["tokens"] / row["works"])),
    )
