"""bench-resume: what a new session would know of the work here, beside what others would tell."""

from __future__ import annotations

from leftoff.commands import Call, _quality, _sessions
from leftoff.core import recover as r
from leftoff.core.blocks import Block, Line, Table
from leftoff.core.find import find
from leftoff.core.model import ARCHIVED
from leftoff.core.quality import BUDGETS, Score, score, share, total
from leftoff.core.result import Result
from leftoff.core.stream import broken
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.commands._quality import Work
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream

SUMMARY = "Measure how much of what must survive a new session would be told, and at what price."
EXAMPLES = (
    "leftoff bench-resume",
    "leftoff bench-resume checkout",
    "leftoff bench-resume --sessions 20 --json",
)
MOST = 10


def arguments(parser: Any) -> None:
    """Which work, and how many sessions beside it."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="one checkpoint (default: all)")
    text = f"how many of the last sessions that nobody saved (default: {MOST})"
    parser.add_argument("--sessions", metavar="N", help=text)


def run(call: Call) -> Result:
    """Let every way tell every work within every budget, and count."""
    most = _number(call.args.sessions)
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
    by_way: dict[tuple[int, str], list[Score]] = {}
    for budget, way, _, found in scored:
        by_way.setdefault((budget, way), []).append(found)
    totals: list[Json] = [
        {"budget": budget, "way": way, "works": len(found), **_figures(total(found))}
        for (budget, way), found in sorted(by_way.items(), key=_order)
    ]
    return Result({"rows": rows, "totals": totals}, broken(streams))


def _number(given: str | None) -> int:
    if given is None:
        return MOST
    if not (given.isascii() and given.isdigit() and len(given) < 6):
        raise Usage(f'--sessions cannot be "{given[:40]}"', hint="give a number")
    return int(given)


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


def _order(entry: tuple[tuple[int, str], Any]) -> tuple[int, int]:
    (budget, way), _ = entry
    return budget, _quality.WAYS.index(way)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A row for each budget and way."""
    if not data["totals"]:
        yield Line(
            say("There is nothing to measure: no checkpoint, and no session that left work.")
        )
        return
    columns = ("Budget", "Told by", "Works", "Facts kept", "Share", "Stale told as true", "Tokens")
    rows = tuple(_cells(row, say) for row in data["totals"])
    yield Table(tuple(map(say, columns)), rows)
    yield Line("")
    yield Line(say("Tokens are about so many for each work; see docs/benchmarks.md."), "dim")


def _cells(row: dict[str, Any], say: Say) -> tuple[str, ...]:
    way = _quality.NAMES[row["way"]]
    return (
        str(row["budget"]),
        say(way),
        str(row["works"]),
        f"{row['kept']}/{row['facts']}",
        f"{row['share']:.2f}",
        f"{row['stale_as_true']}/{row['stale']}",
        str(round(row["tokens"] / row["works"])),
    )
