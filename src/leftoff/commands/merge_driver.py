"""merge-driver: git calls this for a checkpoint that both sides changed."""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.merge import merge
from leftoff.core.model import Checkpoint, Finding
from leftoff.core.result import Result
from leftoff.errors import FormatError
from leftoff.record import TYPE_CHECKING
from leftoff.world.files import read_text, write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.formats import Lens

SUMMARY = "Merge three versions of a checkpoint by field, as git's merge driver (0 merged, 1 not)."
EXAMPLES = ("leftoff merge-driver %O %A %B %P   (in git config: see leftoff init --merge-driver)",)


def arguments(parser: Any) -> None:
    """As git passes them."""
    parser.add_argument("base", metavar="BASE", help="%%O: the common ancestor")
    parser.add_argument("ours", metavar="OURS", help="%%A: our version; the result goes here")
    parser.add_argument("theirs", metavar="THEIRS", help="%%B: their version")
    parser.add_argument("path", metavar="PATH", help="%%P: where it belongs in the project")


def run(call: Call) -> Result:
    """Write the merged document; what stays open is recorded in it and makes the exit code 1."""
    path = call.args.path
    ours_path = os.path.join(call.cwd, call.args.ours)
    ours, theirs = (read_text(os.path.join(call.cwd, p))[0] for p in (ours_path, call.args.theirs))
    lens = call.store.lens_for(path, ours)
    base = _base(lens, read_text(os.path.join(call.cwd, call.args.base))[0], path)
    merged = merge(base, lens.read(ours, path), lens.read(theirs, path))
    text = lens.write(merged.checkpoint, ours, path)
    call.store.log_losers(path, merged.losers)  # before the write: losing one would be final
    write_atomic(ours_path, text.encode())
    open_paths = [item.id for item in merged.conflicts]
    found = tuple(
        Finding(
            "conflict",
            "error",
            path,
            f"both sides changed {where}",
            f"--resolve {where}=ours or {where}=theirs",
        )
        for where in open_paths
    )
    return Result({"path": path, "conflicts": list(open_paths)}, found)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """What is still open; nothing when all merged, as git expects of a driver."""
    if data["conflicts"]:
        yield Line(
            say(
                "{path}: still open: {paths}", path=data["path"], paths=", ".join(data["conflicts"])
            )
        )


def _base(lens: Lens, text: str, path: str) -> Checkpoint:
    """The common ancestor; an unreadable or missing one is a checkpoint that says nothing."""
    try:
        return lens.read(text, path)
    except FormatError:
        return Checkpoint("")
