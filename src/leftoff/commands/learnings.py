"""learnings: what archived checkpoints taught, newest first; LEARNINGS.md need not be opened."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._options import number_option
from leftoff.core.blocks import Block, Heading, Line
from leftoff.core.learnings import blocks, newest_first
from leftoff.core.paths import LEARNINGS
from leftoff.core.result import Result
from leftoff.core.stream import broken
from leftoff.core.thresholds import since
from leftoff.core.when import instant
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json

SUMMARY = "Show what archived checkpoints taught, newest first."
EXAMPLES = ("leftoff learnings", "leftoff learnings --since 30d", "leftoff learnings --limit 5")


def arguments(parser: Any) -> None:
    """How far back."""
    parser.add_argument("--since", metavar="T", help="only what was learned since T (or 30d)")
    parser.add_argument("--limit", metavar="N", help="at most N blocks")


def run(call: Call) -> Result:
    """Every block, those written by hand too: without a date they are always recent enough."""
    limit = None if call.args.limit is None else number_option("--limit", call.args.limit)
    oldest = since(call.args.since, call.now) if call.args.since else float("-inf")
    text = call.store.raw(LEARNINGS) if call.store.exists(LEARNINGS) else ""
    found = newest_first(blocks(text))
    recent = [one for one in found if not one.date or (instant(one.date) or 0.0) >= oldest]
    kept = recent if limit is None else recent[:limit]
    shown: list[Json] = [{"date": one.date, "id": one.id, "lines": [*one.lines]} for one in kept]
    data: dict[str, Json] = {
        "path": LEARNINGS,
        "blocks": shown,
        "left_out": len(found) - len(kept),
    }
    return Result(data, broken(call.store.streams()))


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The blocks as they stand in the file."""
    for block in data["blocks"]:
        if block["id"]:
            yield Heading(f"{block['date']} — {block['id']}", 2)
        yield Line("\n".join(block["lines"]))
    if data["left_out"]:
        yield Line(say("({n} older: {path})", n=data["left_out"], path=data["path"]), "dim")
    if not data["blocks"] and not data["left_out"]:
        yield Line(say("No learnings were recorded yet."))
