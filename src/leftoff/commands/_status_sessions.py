"""The sessions that `status` shows: the last ones here, without any setup, or of every project."""

from __future__ import annotations

import os

from leftoff.commands import _paging, _sessions
from leftoff.core.blocks import Block, Heading, Line, Table
from leftoff.core.model import ARCHIVED, COMPLETE
from leftoff.core.result import Result
from leftoff.core.session import accomplished, achieved
from leftoff.core.texts import flat, short
from leftoff.core.when import stamp
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING
from leftoff.world.place import family, find_place
from leftoff.world.sessions import latest
from leftoff.world.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json
    from leftoff.core.session import Session

SHOWN = 3
NEWEST = 10
ROOM = 4 << 20
"""Bytes of transcripts that a glance reads where they were never read; of more only the end."""
COUNTED_PROJECTS = 40
COUNTED = ("format", "id", "status", "broken")


def here(call: Call) -> list[Json]:
    """The last sessions of this project, and where each stopped."""
    state, root = call.store.state, call.store.root
    found = latest(state, call.env, root, SHOWN, room=ROOM, now=call.now)
    limits = call.settings.limits
    return [row(one, call.now, limits) for one in found]


def newest(call: Call) -> list[Json]:
    """A few more of them, for the price of these however many there are."""
    known, numbers = _sessions.listed(call)
    limits = call.settings.limits
    some = known.rows(numbers[:NEWEST])
    found = _sessions.read(call, some)
    return [row(one, call.now, limits) for one in found]


def expiring_here(call: Call) -> Json:
    """How many transcripts Claude Code deletes within days, and from which day on."""
    from leftoff.world.claude_home import expiring

    store = call.store
    found = expiring(call.env, store.root, store.state, call.now, store.server_sessions)
    return {"count": found.number, "from": stamp(found.at)[:10]} if found else None


def expiring_line(found: Any, say: Say) -> Iterator[Block]:
    """The same in a line."""
    if found:
        text = "⚠ Claude Code deletes {count} transcript(s) of this project from {day} on"
        yield Line(say(text, count=found["count"], day=found["from"]), "warn")
        yield Line("  " + say("to keep copies: leftoff session archive --expiring"), "dim")


def everywhere(call: Call) -> Result:
    """One line for each project that a journal or a transcript knows."""
    wanted = _paging.part(call)
    if wanted:
        return _some_projects(call, wanted)
    known, limits = _sessions.gather(call, everywhere=True, curves=False), call.settings.limits
    keys = {root: _project(root, call) for root in {one.root for one in known}}
    newest: dict[str, Session] = {}
    counts: dict[str, int] = {}
    for one in known:  # newest first
        key = keys[one.root]
        newest.setdefault(key, one)
        counts[key] = counts.get(key, 0) + 1
    rows: list[Json] = []
    for at, (key, one) in enumerate(newest.items()):
        waiting = _open(one.root, call) if at < COUNTED_PROJECTS else None
        more: dict[str, Json] = {"sessions": counts[key], "open_checkpoints": waiting}
        rows.append({**row(one, call.now, limits), **more})
    return Result({"projects": rows}, _sessions.findings(newest.values()))


def _some_projects(call: Call, wanted: _paging.Part) -> Result:
    """A page of them: only the newest session of each is read."""
    known = _sessions.catalogued(call)
    counts: dict[str, int] = {}
    first: dict[str, int] = {}
    for folder, number, many in known.firsts():
        key = _project(folder, call)
        counts[key] = counts.get(key, 0) + many
        first[key] = min(number, first.get(key, number))
    keys = sorted(first, key=first.__getitem__)
    limits = call.settings.limits
    rows: list[Json] = []
    for key in keys[wanted.slice]:
        found = _sessions.read(call, known.rows([first[key]]))
        for one in found:
            more: dict[str, Json] = {"sessions": counts[key]}
            more["open_checkpoints"] = (
                _open(one.root, call) if len(rows) < COUNTED_PROJECTS else None
            )
            rows.append({**row(one, call.now, limits), **more})
    return Result({"projects": rows, "total": len(keys)})


def row(one: Session, now: float, limits: Mapping[str, float]) -> dict[str, Json]:
    """A session as every overview tells it."""
    trouble: list[Json] = [f.text for f in _sessions.findings([one]) if f.level == "warning"]
    return {
        **_sessions.facts(one, now, limits),
        "done": accomplished(one),
        "stopped": _sessions.stopped_at(one),
        "trouble": trouble,
    }


def _project(root: str, call: Call) -> str:
    """What the working trees of a project share; the bare path where the folder is gone."""
    if not os.path.isdir(root):
        return root
    return family(find_place(root, call.env.get("HOME", "")))


def _open(root: str, call: Call) -> int | None:
    """How many checkpoints are under way there; None where that folder is gone or unreadable."""
    if not os.path.isdir(root):
        return None
    try:
        store = Store(find_place(root, call.env.get("HOME", "")), call.store.state)
        store.listed = call.store.listed
        streams = store.streams(COUNTED)
    except (LeftoffError, OSError):
        return None
    return sum(one.glance.status not in {ARCHIVED, COMPLETE} for one in streams)


def lines(rows: Sequence[Any], say: Say, title: str = "") -> Iterator[Block]:
    """The last sessions, one line each, with what was done and where it stopped below."""
    if not rows:
        return
    yield Heading(title or say("Last sessions here"), 2)
    for each in rows:
        about = short(each["about"], 80)
        yield Line(f"- {' · '.join(filter(None, (head(each, say), about)))}")
        done = short(achieved(each["done"], say), 160)
        words = "; ".join(filter(None, (done, _sessions.stop_words(each["stopped"], say))))
        if words:
            yield Line(f"  {words}", "dim")
        yield from troubles([each])
    yield Line(say("(more: leftoff session list --all)"), "dim")


def head(row: Any, say: Say) -> str:
    """Who, when, on which branch."""
    when = say("{age} ago", age=_sessions.when_words(row, say))
    running = say("still running") if row["alive"] else ""
    return " · ".join(filter(None, (row["agent"], when, short(row["branch"] or "", 40), running)))


def projects(rows: Sequence[Any], say: Say) -> Iterator[Block]:
    """A table of all projects, the one worked on last first."""
    if not rows:
        yield Line(say("No agent session is known on this machine."))
        return
    columns = ("Project", "Seen", "Agent", "Branch", "Open", "Where it stopped")
    cells = tuple(_cells(each, say) for each in rows)
    yield Table(tuple(say(column) for column in columns), cells)
    yield from troubles(rows)


def troubles(rows: Sequence[Any]) -> Iterator[Block]:
    """What could not be read of sessions."""
    for each in rows:
        for text in each["trouble"]:
            yield Line(f"  ⚠ {each['agent']} {each['id']}: {text}", "warn")


def _cells(row: Any, say: Say) -> tuple[str, ...]:
    waiting = "-" if row["open_checkpoints"] is None else str(row["open_checkpoints"])
    stop = {**row["stopped"], "said": None}  # what it was about says more here
    is_known = any(stop[word] for word in ("next", "open_task", "failed"))
    about = "" if is_known else row["about"]
    stopped = "; ".join(filter(None, (about, _sessions.stop_words(stop, say))))
    seen = _sessions.when_words(row, say)
    return (
        flat(row["root"] or "-"),
        seen,
        row["agent"],
        short(row["branch"] or "-", 40),
        waiting,
        short(stopped, 90),
    )
