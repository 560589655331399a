"""reset: put a checkpoint aside and start fresh; nothing is deleted, and --undo brings it back."""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.find_stream import find, readable
from leftoff.core.ids import check_name
from leftoff.core.result import Result
from leftoff.core.when import stamp
from leftoff.errors import Conflict, NotFound
from leftoff.formats.skill import SUFFIX
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say

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
        moved = [(path, call.store.trash(path, call.now)) for path in stream.parts]
    return Result({"moved": [{"from": old, "to": new} for old, new in moved], "undone": False})


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Where each file went."""
    for move in data["moved"]:
        yield Line(f"✓ {move['from']} → {move['to']}", "good")
    if not data["undone"]:
        yield Line(say("The next write starts a fresh checkpoint."), "dim")


def _undo(call: Call) -> Result:
    """The newest one put aside back into place, if its place is free."""
    name = check_name(call.args.name)
    path = f".checkpoints/{name}{SUFFIX}"
    kept = [file for file in call.store.files_in(HISTORY) if _stamp_of(file, name)[0]]
    if kept:
        old = f"{HISTORY}/{max(kept, key=lambda file: _stamp_of(file, name))}"
        if call.store.exists(path):
            raise Conflict(f"{path} exists", hint=f"it was left as it is; the older one is {old}")
        moved = [(old, call.store.move(old, ".checkpoints", f"{name}{SUFFIX}"))]
    else:
        trashed = call.store.in_trash(name)
        origin = {os.path.basename(path): path for path in reversed(trashed)}
        moved = [(old, call.store.restore(old)) for old in origin.values()]
    if not moved:
        raise NotFound(f"nothing named {name} was put aside", hint=f"see the folder {HISTORY}")
    return Result({"moved": [{"from": old, "to": new} for old, new in moved], "undone": True})


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
