"""reset: put a checkpoint aside and start fresh; nothing is deleted, and --undo brings it back."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.find import find
from leftoff.core.ids import check_name
from leftoff.core.result import Result
from leftoff.core.when import stamp
from leftoff.errors import Conflict, NotFound
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say

SUMMARY = "Archive a checkpoint and start fresh (skills: to .checkpoints/history)."
EXAMPLES = ("leftoff reset oc-git-ops", "leftoff reset oc-git-ops --undo")
HISTORY = ".checkpoints/history"
SUFFIX = ".checkpoint.json"


def arguments(parser: Any) -> None:
    """Which one."""
    parser.add_argument("name", metavar="NAME", help="the checkpoint")
    parser.add_argument("--undo", action="store_true", help="bring the last one back")


def run(call: Call) -> Result:
    """Move the files; each part of a thread goes along."""
    if call.args.undo:
        return _undo(call)
    stream = find(call.store.streams(), call.args.name)
    if stream.glance.format == "skill":
        name = f"{stream.glance.id}.{stamp(call.now).replace(':', '-')}{SUFFIX}"
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
    """The newest history file of a skill back into place, if its place is free."""
    name = check_name(call.args.name, "skill name")
    path = f".checkpoints/{name}{SUFFIX}"
    kept = call.store.files_in(HISTORY)
    mine = [f for f in kept if f.startswith(f"{name}.2") and f.endswith(SUFFIX)]
    if not mine:
        raise NotFound(f"no archived checkpoint of {name}", hint=f"see the folder {HISTORY}")
    if call.store.exists(path):
        raise Conflict(f"{path} exists", hint=f'run "leftoff reset {name}" first, then undo again')
    old = f"{HISTORY}/{max(mine)}"
    new = call.store.move(old, ".checkpoints", f"{name}{SUFFIX}")
    return Result({"moved": [{"from": old, "to": new}], "undone": True})
