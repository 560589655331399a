"""What `leftoff` says where nobody ever saved: who worked here, where it stopped, how to go on.

It is the first thing that a newcomer sees, and it needs no setup: all of it comes from history that
the clients keep on disk anyway, and one look at git.
"""

from __future__ import annotations

import os

from leftoff.commands import _sessions, _status_sessions
from leftoff.core import session as s
from leftoff.core.blocks import Block, Heading, Line, Table
from leftoff.core.ids import start_of
from leftoff.core.texts import flat, short
from leftoff.record import TYPE_CHECKING
from leftoff.world.agent_traces import any_here, anything_left
from leftoff.world.dirty import PATIENCE, uncommitted
from leftoff.world.place import find_place
from leftoff.world.sessions import latest
from leftoff.world.state import place_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.model import Json
    from leftoff.world.place import Place

FILES = 4
"""Names of files in a line; of more the number is told."""


def facts(call: Call) -> dict[str, Json]:
    """The last sessions, the newest with how to go on; what is not committed; what was left."""
    state, root = call.store.state, call.store.root
    known = any_here(state, call.env)
    rows = [*_rows(call)] if known else []
    dirty = uncommitted(_tree(call, rows[0]), call.env, PATIENCE) if rows else None
    left = _left(call) if anything_left(state, root, place_key(root)) else ()
    return {
        "sessions": [*rows],
        "uncommitted": None if dirty is None else [*dirty],
        "left": bool(left),
        "left_by_newest": bool(rows) and rows[0]["id"] in left,
        "hooked": os.path.exists(os.path.join(state, "hook", "launch.py")),
        "elsewhere": known,
    }


def _rows(call: Call) -> Iterator[dict[str, Json]]:
    """The last sessions with their files, and the client's own command to go on."""
    state, root, limits = call.store.state, call.store.root, call.settings.limits
    for one in latest(
        state, call.env, root, _status_sessions.SHOWN, room=_status_sessions.ROOM, now=call.now
    ):
        command = _sessions.native(one)
        go_on = _way_to(call, one.cwd or one.root) + command if command else None
        more: dict[str, Json] = {"changed": [*s.files(one)], "go_on": go_on}
        way = _way_to(call, one.root)  # a draft is checked against the tree that it is made in
        yield {**_status_sessions.row(one, call.now, limits), **more, "way": way}


def _tree(call: Call, newest: Mapping[str, Json]) -> Place:
    """The working tree that the newest session was in: of one repository there may be several."""
    root, here = str(newest["root"]), call.store.place
    if root in {"", here.root} or not os.path.isdir(root):
        return here
    return find_place(root, call.env.get("HOME", ""))


def _way_to(call: Call, folder: str) -> str:
    """What comes before a command that is for a session's own folder, where that is another one."""
    if folder in {"", call.cwd, call.store.root} or not os.path.isdir(folder):
        return ""
    from leftoff.world.launcher import quoted  # nearly all of them were right here

    return f"cd {quoted(folder)} && " if folder.isprintable() else ""


def _left(call: Call) -> tuple[str, ...]:
    """The sessions that left what `resume` would give out."""
    from leftoff.world.pending import waiting  # only where the folder of what waits holds something

    records = waiting(call.store, (), call.now, call.settings.limits).records
    return tuple(one.session for one in records)


def view(data: Mapping[str, Any], say: Say) -> Iterator[Block]:
    """The newest session as a page, older ones as lines, and what to run now."""
    if not data["sessions"]:
        yield from _empty(data, say)
        return
    newest, *older = data["sessions"]
    yield Heading(say("Where you left off"))
    yield Line("")
    yield from _newest(newest, data["uncommitted"], say)
    yield Line("")
    yield from _ways_on(newest, data, say)
    if older:
        yield from _status_sessions.lines(older, say, title=say("Before that"))


def _newest(row: Any, dirty: Sequence[str] | None, say: Say) -> Iterator[Block]:
    stop = row["stopped"]
    yield Line(_status_sessions.head(row, say), "strong")
    told = (
        (say("About"), short(row["about"], 200)),
        (say("Changed"), _some(row["changed"], say)),
        (say("Open"), short(flat(stop["next"] or stop["open_task"] or ""), 200)),
        (say("Failed"), flat(stop["failed"] or "")),
        (say("Said last"), flat(stop["said"] or "")),
        (say("Uncommitted"), say("nothing") if dirty == [] else _some(dirty or (), say)),
    )
    yield _pairs(told)
    yield from _status_sessions.troubles([row])


def _ways_on(row: Any, data: Mapping[str, Any], say: Say) -> Iterator[Block]:
    """The one thing to run now, then the others."""
    ident = f"{row['agent']}/{start_of(row['id'])}"
    recover = f"{row['way']}leftoff recover {ident}"
    yield _pairs(
        (
            (say("Continue there"), row["go_on"] or ""),
            (
                say("Continue anywhere"),
                "leftoff resume"
                if data["left_by_newest"]
                else say("{command}, then leftoff resume", command=recover),
            ),
            (
                say("Left for you"),
                "leftoff resume --list" if data["left"] and not data["left_by_newest"] else "",
            ),
            (say("See all of it"), f"leftoff session info {ident}"),
            (
                say("From now on"),
                ""
                if data["hooked"]
                else say("leftoff setup: every new session starts with this, checked"),
            ),
        )
    )


def _empty(data: Mapping[str, Any], say: Say) -> Iterator[Block]:
    """Nobody worked here: what leftoff can do, in the order in which people want it."""
    text = "No checkpoints here yet, and no agent session worked in this project."
    if data["archived"]:
        text = "Nothing is open here: {n} archived, see leftoff list."
    yield Line(say(text, n=data["archived"]))
    yield Line("")
    yield _pairs(
        (
            (say("Left for you"), "leftoff resume" if data["left"] else ""),
            (say("See how it works"), "leftoff demo"),
            (
                say("With your agents"),
                ""
                if data["hooked"]
                else say("leftoff setup: sessions are recorded and start with a brief"),
            ),
            (say("By hand"), say('leftoff save "what you are doing, and what is next"')),
            (say("Other projects"), "leftoff status --everywhere" if data["elsewhere"] else ""),
        )
    )


def _some(names: Sequence[str], say: Say) -> str:
    """The first names, and how many more there are."""
    shown = ", ".join(short(flat(name), 60) for name in names[:FILES])
    more = len(names) - FILES
    return say("{files} and {n} more", files=shown, n=more) if more > 0 else shown


def _pairs(told: Sequence[tuple[str, str]]) -> Table:
    """Labels and texts below each other; a label with nothing to say is left out."""
    return Table(("", ""), tuple((f"  {label}", text) for label, text in told if text))
