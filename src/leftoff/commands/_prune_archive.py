"""prune --archive: sessions that the settings keep no longer leave the archive, for the trash."""

from __future__ import annotations

from leftoff.core.blocks import Block, Line, Table
from leftoff.core.result import Result
from leftoff.core.retention import AGE, leaving
from leftoff.core.texts import bytes_words
from leftoff.core.when import DAY, stamp
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world import archive_tombstones
from leftoff.world.archive_upkeep import image_sizes, kept, note_totals, sweep_images, take_out

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json
    from leftoff.core.retention import Leaving

SHOWN = 50


def run(call: Call) -> Result:
    """Say what would go; without --dry-run it goes, each with its tombstone."""
    if call.args.name is not None or call.args.rotate:
        raise Usage("--archive is about sessions", hint="leave NAME and --rotate out")
    state, policy = call.store.state, call.settings.archive
    plan = [*leaving(kept(state), image_sizes(state), call.now, policy)]
    if not call.args.dry_run:
        sessions = ((one.kept.agent, one.kept.session) for one in plan)
        take_out(state, sessions, archive_tombstones.PRUNED, call.now)
        sweep_images(state, call.now)
        note_totals(state)
    data: dict[str, Json] = {
        "sessions": [_row(one) for one in plan],
        "frees": sum(one.frees for one in plan),
        "keep_days": policy.keep / DAY,
        "max_size": policy.max_size,
        "dry_run": bool(call.args.dry_run),
    }
    return Result(data)


def _row(one: Leaving) -> dict[str, Json]:
    return {
        "agent": one.kept.agent,
        "id": one.kept.session,
        "seen": stamp(one.kept.seen),
        "why": one.why,
        "frees": one.frees,
    }


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Which sessions, and the room they take."""
    rows, size = data["sessions"], bytes_words(data["frees"])
    if not rows:
        yield Line(say("Every session in the archive is within the limits of the settings."))
        return
    text = "{n} session(s) would go to the trash ({size}):"
    if not data["dry_run"]:
        text = "{n} session(s) went to the trash ({size}):"
    yield Line(say(text, n=len(rows), size=size))
    cells = tuple(_cells(row, say) for row in rows[:SHOWN])
    yield Table((say("Agent"), say("Session"), say("Seen"), say("Why"), say("Size")), cells)
    if len(rows) > SHOWN:
        yield Line(say("(and {n} more; --json has all)", n=len(rows) - SHOWN), "dim")


def _cells(row: Any, say: Say) -> tuple[str, ...]:
    why = say("too old") if row["why"] == AGE else say("too much")
    return row["agent"], row["id"], row["seen"][:10], why, bytes_words(row["frees"])
