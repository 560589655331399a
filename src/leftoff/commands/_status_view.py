"""How status shows streams: the banner, the table, one after the other, or one in full."""

from __future__ import annotations

from leftoff.commands import _verdicts, _work_queue
from leftoff.core.blocks import Block, Bullets, Heading, Line, Table
from leftoff.core.claims import WORDS
from leftoff.core.model import NEEDS_DECISION
from leftoff.core.overview import age_words, standing
from leftoff.core.texts import cut, labelled, short
from leftoff.core.thread import POINTER
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from leftoff.commands import Say

LONGEST = 4000  # characters of a summary in the overview


def banner(streams: Sequence[Any], say: Say) -> Iterator[Block]:
    """What waits for a decision, before all else."""
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


def brief(data: Any, say: Say) -> Iterator[Block]:
    """The first thing to do, and what is in the way."""
    if not data["checkpoints"]:
        yield Line(say("No checkpoints here yet."))
        return
    streams = data["streams"]
    yield from banner(streams, say)
    for stream in streams:
        if "broken" in stream:
            yield Line(f"✗ {stream['path']}: {stream['broken']}", "bad")
    yield from broken_parts(streams)
    unread = sum("broken" in stream for stream in streams)
    if data["next"]:
        yield from _work_queue.lines(data["next"], say, short=True)
    elif unread:
        text = "What to do here is not known: {n} checkpoint(s) cannot be read."
        yield Line(say(text, n=unread), "warn")
    else:
        yield Line(say("There is nothing to do here."))
    blocked = [f"[{s['id']}] {_blocker(b)}" for s in streams for b in s.get("blockers", ())]
    if blocked:
        yield Line(say("Open blockers:"))
        yield Bullets(tuple(blocked))


def lost_pointer(data: Mapping[str, Any], say: Say) -> Iterator[Block]:
    """What names the current thread, and names none that is here."""
    if "lost_pointer" in data:
        text = '{pointer} names "{name}", but there is no such thread here'
        yield Line("⚠ " + say(text, pointer=POINTER, name=short(data["lost_pointer"])), "warn")


def broken_parts(streams: Sequence[Any]) -> Iterator[Block]:
    """The files that cannot be read of streams of which the rest is shown."""
    for stream in streams:
        if "broken_part" in stream:
            yield Line(f"✗ {stream['broken_part']}", "bad")


def several_in_focus(streams: Sequence[Any], say: Say) -> Iterator[Block]:
    """More than one Markdown checkpoint that calls itself current, where only one can be."""
    names = [s["id"] for s in streams if s["format"] == "md" and s.get("current")]
    if len(names) > 1:
        text = "{n} checkpoints have status current, expected at most 1: {names}"
        fix = say("leftoff current NAME keeps one")
        yield Line(f"⚠ {say(text, n=len(names), names=', '.join(names))} ({fix})", "warn")


def table(streams: Sequence[Any], say: Say) -> Table:
    """One row for each stream."""
    columns = ("Name", "Format", "Status", "Phase", "Step", "Updated (UTC)", "Age")
    rows = tuple(_cells(stream, say) for stream in streams)
    tones = tuple(map(_tone, streams))
    return Table(tuple(say(column) for column in columns), rows, tones, elastic=(3, 4))


def _cells(stream: Any, say: Say) -> tuple[str, ...]:
    if "broken" in stream:
        return (stream["id"], stream["format"], say("broken"), "", "", "", stream["broken"])
    days = stream["stale_days"]
    old = say("stale ({n}d)", n=days) if days else age_words(stream["age_seconds"], say)
    updated = stream["updated"][:16].replace("T", " ")
    return (
        labelled(short(stream["id"], 80), stream["name"]),
        stream["format"],
        standing(stream),
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


def section(stream: Any, verdicts: Any, say: Say) -> Iterator[Block]:
    """A stream in detail, under its heading."""
    yield Heading(stream["id"] or stream["path"], 2)
    if "broken" in stream:
        yield Line(f"✗ {stream['path']}: {stream['broken']}", "bad")
        return
    if stream["name"] not in {"", stream["summary"]}:  # a first save has no other name yet
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
        texts = (a["text"] for a in stream["next_actions"])
        shown = texts if verdicts is None else (cut(text, LONGEST) for text in texts)
        yield Bullets(tuple(shown), numbered=True)
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
    name = f"{blocker['id']}: " if blocker["id"] else ""
    return f"{name}{blocker['description']}{needs}"


def named(data: Any, say: Say) -> Iterator[Block]:
    """One stream in full, with its plan and every verdict."""
    stream, rows, verdicts = data["stream"], data["rows"], data["verdicts"]
    yield from banner([stream], say)
    yield Heading(stream["id"])
    said = filter(None, _cells(stream, say)[1:])
    yield Line(f"{stream['path']} · {', '.join(said)}", "dim")
    yield from broken_parts([stream])
    for line in data["run"]:
        yield Line(line, "warn")
    yield from list(section(stream, None, say))[1:]
    if rows:
        yield Line("")
        yield Line(say("Plan:"), "strong")
        mark = {"complete": "[x]", "in_progress": "[>]", "blocked": "[!]", "failed": "[!]"}
        yield Bullets(
            tuple(f"{mark.get(r['status'], '[ ]')} {r['id']}: {r['label']}" for r in rows)
        )
    yield Line("")
    text = "{confirmed} claim(s) confirmed, {contradicted} contradicted, {unknown} unknown"
    yield Line(say(text, **{word: verdicts[word] for word in WORDS}), "strong")
    yield from _verdicts.lines(verdicts, say, whole=True)


def page(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A part of a long list."""
    if data["streams"]:
        yield table(data["streams"], say)
    yield from broken_parts(data["streams"])
    yield Line(say("{n} of {all}", n=len(data["streams"]), all=data["total"]), "dim")
