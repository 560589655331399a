"""uninstall: take back what leftoff set up here. Checkpoints and their history stay."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.result import Result
from leftoff.record import TYPE_CHECKING
from leftoff.world import merge_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.world.merge_setup import Step

SUMMARY = "Take back what leftoff set up in this project; checkpoints stay as they are."
EXAMPLES = ("leftoff uninstall --dry-run", "leftoff uninstall")


def arguments(parser: Any) -> None:
    """Do it, or only say it."""
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")


def run(call: Call) -> Result:
    """Ask every part of the setup to undo itself; a second run finds nothing."""
    dry = bool(call.args.dry_run)
    steps: list[Json] = [
        {"what": step.what, "state": step.state}
        for remove in REMOVERS
        for step in remove(call, dry)
    ]
    return Result({"root": call.store.root, "dry_run": dry, "steps": steps})


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A line for each thing."""
    would = say("would be ") if data["dry_run"] else ""
    for step in data["steps"]:
        yield Line(f"✓ {step['what']}: {would}{say(step['state'])}", "good")
    if not data["steps"]:
        yield Line(say("Nothing is set up here."))


def _merge_driver(call: Call, dry: bool) -> list[Step]:
    return merge_setup.remove(call.store, call.env, call.now, dry=dry)


REMOVERS: tuple[Callable[[Call, bool], list[Step]], ...] = (_merge_driver,)
