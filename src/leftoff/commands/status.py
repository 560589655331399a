"""status: where did I leave off? All formats in one table, most urgent first."""

from __future__ import annotations

from leftoff.commands import Call, _advice, _verdicts
from leftoff.core.blocks import Block, Bullets, Heading, Line, Table
from leftoff.core.claims import WORDS
from leftoff.core.find import find
from leftoff.core.model import ARCHIVED, NEEDS_DECISION
from leftoff.core.overview import age_words, facts, row
from leftoff.core.rank import in_order
from leftoff.core.result import Result
from leftoff.core.stream import broken
from leftoff.core.texts import cut, short
from leftoff.core.thresholds import since as after
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.core.stream import Glance, Stream

SUMMARY = "Show where work was left off: every checkpoint, most urgent first."
EXAMPLES = (
    "leftoff status",
    "leftoff status --brief",
    "leftoff status oc-git-ops",
    "leftoff status --since 2d",
)
FINDINGS_IN_VIEW = True
LONGEST = 4000  # characters of a summary in the overview
IN_DETAIL = 100  # past that many, the most urgent in detail and the rest as rows of the table


def arguments(parser: Any) -> None:
    """NAME limits it to one checkpoint, in full."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="only this checkpoint, in full")
    parser.add_argument("--brief", action="store_true", help="only the first item and the blockers")
    parser.add_argument("--since", metavar="T", help="details only of what changed since T (or 2d)")
    parser.add_argument("--all", action="store_true", help="archived ones too, all in detail")


def run(call: Call) -> Result:
    """Gather every stream, rank them, and say what waits for a person."""
    if call.args.name and (call.args.brief or call.args.since or call.args.all):
        raise Usage("NAME shows one checkpoint in full", hint="leave NAME or the other option out")
    streams = call.store.streams()
    if call.args.name:
        return _one(call, streams, find(streams, call.args.name))
    since = after(call.args.since, call.now) if call.args.since else None
    thread = call.store.current_thread()
    shown = [s.glance for s in streams if call.args.all or s.glance.status != ARCHIVED]
    ordered = in_order(shown)
    detailed = _detailed(ordered, since, everything=bool(call.args.all))
    data: dict[str, Json] = {
        "root": call.store.root,
        "brief": bool(call.args.brief),
        "since": call.args.since,
        "streams": [*_told(call, ordered, detailed, thread)],
        "detailed": [stream.path for stream in detailed],
        "archived": len(streams) - len(shown),
    }
    if call.args.brief:
        data["next"] = _first(call, streams)
    else:
        data |= _judged(call, streams, detailed)
    return Result(data, broken(streams))


def _told(
    call: Call, ordered: Sequence[Glance], detailed: Sequence[Glance], thread: str
) -> Iterator[dict[str, Json]]:
    """Each stream as a row, those in detail with all there is to say."""
    limits, whole = call.settings.limits, {stream.path for stream in detailed}
    for stream in ordered:
        tell = facts if stream.path in whole else row
        yield tell(stream, call.now, limits, thread)


def _first(call: Call, streams: Sequence[Stream]) -> Json:
    """The same answer that `next` gives."""
    first = next(_advice.gather(call, streams).advised, None)
    return _advice.entry(call, streams, first) if first else None


def _judged(call: Call, streams: Sequence[Stream], shown: Sequence[Glance]) -> dict[str, Json]:
    """What the world says to the claims of each stream that is shown in detail, by its path."""
    known = _verdicts.facts_for(call, streams, shown)
    each = known._replace(degraded="")  # said once, for all of them
    said = {one.path: _verdicts.data_of(one, each) for one in shown if not one.broken}
    return {"verdicts": {**said}, "degraded": known.degraded}


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The banner, the table, then each stream; or the first one only."""
    if "stream" in data:
        yield from _named(data, say)
        return
    streams = data["streams"]
    if not streams:
        yield Line(say("No checkpoints here yet."))
        yield Line(say('Begin with "leftoff init", or "leftoff update NAME --status=in_progress".'))
        return
    yield from _banner(streams, say)
    if data["brief"]:
        yield from _brief(data, say)
        return
    yield Heading(say("Session state"))
    yield Line("")
    yield _table(streams, say)
    detailed = set(data["detailed"])
    for stream in streams:
        if stream["path"] in detailed:
            yield from _section(stream, data["verdicts"].get(stream["path"]), say)
    yield from _left_out(data, say)


def _left_out(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """What the details do not show, and how to see it."""
    if data["degraded"]:
        yield Line("")
        yield Line(say("not everything was checked: {why}", why=data["degraded"]), "warn")
    if data["since"]:
        yield Line("")
        yield Line(say("(details only of what changed since {since})", since=data["since"]), "dim")
    elif len(data["detailed"]) < len(data["streams"]):
        yield Line("")
        text = "(details of the {n} most urgent; leftoff status NAME, or --all, shows the others)"
        yield Line(say(text, n=len(data["detailed"])), "dim")


def _detailed(ordered: Sequence[Glance], since: float | None, *, everything: bool) -> list[Glance]:
    """What is shown in full: all of it in a project that a person can still read."""
    changed = [stream for stream in ordered if _changed(stream, since)]
    return changed if everything else changed[:IN_DETAIL]


def _changed(stream: Glance, since: float | None) -> bool:
    if since is None or stream.broken:
        return True
    return stream.touched is not None and stream.touched >= since


def _one(call: Call, streams: Sequence[Stream], stream: Stream) -> Result:
    if stream.glance.broken:
        call.store.read(stream.glance.path)  # raises with the line and the reason
    checkpoint = call.store.read_stream(stream)
    limits, thread = call.settings.limits, call.store.current_thread()
    rows: list[Json] = [
        {"id": row.id, "label": row.text, "status": row.get("status")}
        for row in checkpoint.progress
    ]
    known = _verdicts.facts_for(call, streams, [stream.glance], deep=True)
    data: dict[str, Json] = {
        "stream": facts(stream.glance, call.now, limits, thread),
        "rows": rows,
        "verdicts": _verdicts.data_of(stream.glance, known),
    }
    return Result(data)


def _banner(streams: Sequence[Any], say: Say) -> Iterator[Block]:
    waiting = [(s["id"], b) for s in streams for b in s.get("blockers", ()) if _asks(s, b)]
    if waiting:
        text = (
            "{n} decision waiting on you:" if len(waiting) == 1 else "{n} decisions waiting on you:"
        )
        yield Line("⛔ " + say(text, n=len(waiting)), "bad")
        yield Bullets(tuple(f"[{name}] {blocker['description']}" for name, blocker in waiting))
        yield Line("")


def _asks(stream: Any, blocker: Any) -> bool:
    return bool(stream["decisions_waiting"]) and blocker["needs"] == NEEDS_DECISION


def _brief(data: Any, say: Say) -> Iterator[Block]:
    streams = data["streams"]
    for stream in streams:
        if "broken" in stream:
            yield Line(f"✗ {stream['path']}: {stream['broken']}", "bad")
    if data["next"]:
        yield from _advice.lines(data["next"], say, short=True)
    else:
        yield Line(say("Nothing is waiting to be done here."))
    blocked = [f"[{s['id']}] {_blocker(b)}" for s in streams for b in s.get("blockers", ())]
    if blocked:
        yield Line(say("Open blockers:"))
        yield Bullets(tuple(blocked))


def _table(streams: Sequence[Any], say: Say) -> Table:
    columns = ("Name", "Format", "Status", "Phase", "Step", "Updated (UTC)", "Age")
    rows = tuple(_cells(stream, say) for stream in streams)
    tones = tuple(map(_tone, streams))
    return Table(tuple(say(column) for column in columns), rows, tones, elastic=(3, 4))


def _cells(stream: Any, say: Say) -> tuple[str, ...]:
    if "broken" in stream:
        return (stream["id"], stream["format"], say("broken"), "", "", "", stream["broken"])
    days = stream["stale_days"]
    old = say("stale ({n}d)", n=days) if days else age_words(stream["age_seconds"])
    updated = stream["updated"][:16].replace("T", " ")
    word = "current" if stream["current"] else stream["status"]
    return (
        short(stream["id"], 80),
        stream["format"],
        word,
        short(stream["phase"], 40),
        short(stream["step"], 40),
        updated,
        old,
    )


def _tone(stream: Any) -> str:
    if "broken" in stream or stream["status"] in {"failed", "blocked"}:
        return "bad"
    if stream["stale_days"]:
        return "warn"
    return "good" if stream["status"] == "complete" else "plain"


def _section(stream: Any, verdicts: Any, say: Say) -> Iterator[Block]:
    yield Heading(stream["id"] or stream["path"], 2)
    if "broken" in stream:
        yield Line(f"✗ {stream['path']}: {stream['broken']}", "bad")
        return
    if stream["name"]:
        yield Line(stream["name"], "strong")
    # Among many, one that is as long as a book would hide the others; NAME shows all of it.
    told = stream["summary"] if verdicts is None else cut(stream["summary"], LONGEST)
    yield Line(told or say("(no summary)"))
    yield from _facts(stream, say)
    if verdicts:
        yield from _verdicts.lines(verdicts, say)
    if stream["next_actions"]:
        yield Line("")
        yield Line(say("Next actions:"), "strong")
        yield Bullets(tuple(a["text"] for a in stream["next_actions"]), numbered=True)
    if stream["blockers"]:
        yield Line("")
        yield Line(say("Blockers:"), "strong")
        yield Bullets(tuple(_blocker(blocker) for blocker in stream["blockers"]))


def _facts(stream: Any, say: Say) -> Iterator[Block]:
    progress = stream["progress"]
    if progress["total"]:
        yield Line(say("Progress: {done}/{total} done", **progress))
    if stream["pm"]:
        yield Line(f"PM: {stream['pm']}")
    if stream["over_budget"]:
        yield Line(say("Over budget."), "warn")
    if stream["conflicts"]:
        text = say("{n} unresolved conflict(s): see leftoff validate", n=stream["conflicts"])
        yield Line(text, "bad")


def _blocker(blocker: Any) -> str:
    needs = f" (needs: {blocker['needs']})" if blocker["needs"] else ""
    return f"{blocker['id']}: {blocker['description']}{needs}"


def _named(data: Any, say: Say) -> Iterator[Block]:
    stream, rows, verdicts = data["stream"], data["rows"], data["verdicts"]
    yield from _banner([stream], say)
    yield Heading(stream["id"])
    yield Line(f"{stream['path']} · {', '.join(_cells(stream, say)[1:])}", "dim")
    yield from list(_section(stream, None, say))[1:]
    if rows:
        yield Line("")
        yield Line(say("Plan:"), "strong")
        mark = {"complete": "[x]", "in_progress": "[>]", "blocked": "[!]", "failed": "[!]"}
        yield Bullets(
            tuple(f"{mark.get(r['status'], '[ ]')} {r['id']}: {r['label']}" for r in rows)
        )
    yield Line("")
    text = "{confirmed} claims confirmed, {contradicted} contradicted, {unknown} unknown"
    yield Line(say(text, **{word: verdicts[word] for word in WORDS}), "strong")
    yield from _verdicts.lines(verdicts, say, whole=True)
