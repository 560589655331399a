"""reset: put a checkpoint aside and start fresh; nothing is deleted, and --undo brings it back."""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.find_stream import find, readable
from leftoff.core.ids import check_name
from leftoff.core.result import Result
from leftoff.core.when import stamp
from leftoff.errors import Conflict, LeftoffError, NotFound
from leftoff.formats.skill import SUFFIX
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.world.trash import Trashed

SUMMARY = "Archive a checkpoint and start fresh (skills: to .checkpoints/history)."
EXAMPLES = ("leftoff reset oc-git-ops", "leftoff reset oc-git-ops --undo")
HISTORY = ".checkpoints/history"


def arguments(parser: Any) -> None:
    """Which one."""
    parser.add_argument("name", metavar="NAME", help="the checkpoint")
    parser.add_argument("--undo", action="store_true", help="bring the last one back")


def run(call: Call) -> Result:
    """Move the files; each part of a thread goes along."""
    if call.args.undo:
        return _undo(call)
    stream = readable(find(call.store.streams(), call.args.name, exact=True))
    if stream.glance.format == "skill":
        # the file's own name: --undo must find the way back, whatever the text calls itself
        skill = os.path.basename(stream.glance.path).removesuffix(SUFFIX)
        name = f"{skill}.{stamp(call.now).replace(':', '-')}{SUFFIX}"
        moved = [(path, call.store.move(path, HISTORY, name)) for path in stream.parts]
    else:
        of = stream.glance.full_name  # --undo takes it by the same name
        moved = [(path, call.store.trash(path, call.now, of)) for path in stream.parts]
    return Result({"moved": [{"from": old, "to": new} for old, new in moved], "undone": False})


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Where each file went."""
    for move in data["moved"]:
        yield Line(f"✓ {move['from']} → {move['to']}", "good")
    if not data["undone"]:
        yield Line(say("The next write starts a fresh checkpoint."), "dim")


def _undo(call: Call) -> Result:
    """The newest one put aside back into place, if its place is free."""
    kind, _, name = call.args.name.rpartition(":")
    if "/" not in name:  # what no file of the history is called, the trash may know as a path
        check_name(name)
    kept = _newest_in_history(call, name) if kind in ("", "skill") else ""
    trashed = _in_trash(call, sure=bool(kept))
    if kept and (not trashed or _stamp_of(kept, name)[0] >= _as_stamp(trashed[0].at)):
        moved = [_from_history(call, kept, name)]
    else:
        moved = _from_trash(call, trashed)
    if not moved:
        hint = f"see the folders {HISTORY} and {call.store.state}/trash"
        raise NotFound(f"nothing named {name} was put aside", hint=hint)
    return Result({"moved": [{"from": old, "to": new} for old, new in moved], "undone": True})


def _in_trash(call: Call, *, sure: bool) -> Sequence[Trashed]:
    """What went there under that name; a broken note counts only where nothing else is `sure`."""
    try:
        return call.store.in_trash(call.args.name)
    except LeftoffError:
        if sure:
            return ()
        raise


def _from_history(call: Call, kept: str, name: str) -> tuple[str, str]:
    old, path = f"{HISTORY}/{kept}", f".checkpoints/{name}{SUFFIX}"
    if call.store.exists(path):
        raise Conflict(f"{path} exists", hint=f"it was left as it is; the older one is {old}")
    return old, call.store.move(old, ".checkpoints", f"{name}{SUFFIX}")


def _from_trash(call: Call, trashed: Sequence[Trashed]) -> list[tuple[str, str]]:
    """What went there last, with the other parts of it; all of it or none."""
    last = [one for one in trashed if _aside(one) == _aside(trashed[0])]
    for one in last:
        if call.store.exists(one.origin):
            text = f"{one.origin} exists again; it was left as it is"
            raise Conflict(text, where=one.origin)
    return [(one.path, call.store.restore(one.path)) for one in last]


def _aside(one: Trashed) -> tuple[str, str, str]:
    """What the parts of one checkpoint share that were put aside together."""
    return one.at, one.of, os.path.dirname(one.origin)


def _newest_in_history(call: Call, name: str) -> str:
    kept = [file for file in call.store.files_in(HISTORY) if _stamp_of(file, name)[0]]
    return max(kept, key=lambda file: _stamp_of(file, name), default="")


def _as_stamp(at: str) -> str:
    """The time of a note of the trash, as the name of a file in the history has it."""
    return at.removesuffix("Z").replace(":", "-")


def _stamp_of(file: str, name: str) -> tuple[str, int]:
    """When a history file of this skill was put aside, and which it was in that second.

    What `prune --rotate` moved there is called alike, but for its ending.
    """
    if not (file.startswith(f"{name}.") and file.endswith(SUFFIX)):
        return ("", 0)
    when, _, number = file[len(name) + 1 : -len(SUFFIX)].partition("Z")
    if len(when) != len("2026-01-31T00-00-00"):
        return ("", 0)
    return (when, int(number[1:]) if number[1:].isdecimal() else 0)
