"""uninstall: take back what leftoff set up here. Checkpoints and their history stay."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.model import Finding
from leftoff.core.result import Result
from leftoff.record import TYPE_CHECKING
from leftoff.world import client_setup, merge_setup
from leftoff.world.merge_setup import Step

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.world.setup_ledger import Undone

SUMMARY = "Remove what leftoff set up (hooks, merge driver); checkpoints and journals stay."
EXAMPLES = ("leftoff uninstall --dry-run", "leftoff uninstall")


def arguments(parser: Any) -> None:
    """Do it, or only say it."""
    parser.add_argument("--dry-run", action="store_true", help="show what would be done")


def run(call: Call) -> Result:
    """Ask every part of the setup to undo itself; a second run finds nothing."""
    dry = bool(call.args.dry_run)
    hooks = client_setup.take_back(call.store.state, call.env, call.store.root, dry=dry)
    done = [Step(one.entry.path, one.state) for one in hooks.files if not one.failed]
    done += [Step(path, "removed") for path in hooks.launcher]
    done += merge_setup.remove(call.store, call.env, call.now, dry=dry)
    steps: list[Json] = [{"what": step.what, "state": step.state} for step in done]
    data: dict[str, Json] = {"root": call.store.root, "dry_run": dry, "steps": steps}
    return Result(data, tuple(_left(hooks.files)))


def _left(files: tuple[Undone, ...]) -> Iterator[Finding]:
    """The files that could not be taken back, and why."""
    for one in files:
        if one.failed:
            text = f"still calls leftoff: {one.failed}"
            yield Finding("setup", "error", one.entry.path, text, "fix that, then run it again")


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A line for each thing."""
    would = say("would be ") if data["dry_run"] else ""
    for step in data["steps"]:
        yield Line(f"✓ {step['what']}: {would}{say(step['state'])}", "good")
    if not data["steps"]:
        yield Line(say("Nothing is set up here."))
