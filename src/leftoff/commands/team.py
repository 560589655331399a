"""team: work of many people and machines in one PostgreSQL that somebody of the team runs."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._options import refuse_others
from leftoff.core.team import LEVELS, VISIBILITIES
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.blocks import Block
    from leftoff.core.result import Result

SUMMARY = "Share statistics, checkpoints and texts with a team, through your own PostgreSQL."
EXAMPLES = (
    "leftoff team status",
    "leftoff team push",
    "leftoff team pull",
    "leftoff team share documents",
    "leftoff team share text --thread thread-1a2b3c4d",
    "leftoff team take ann/thread-1a2b3c4d",
)
STATUS, PUSH, PULL, SHARE, TAKE = "status", "push", "pull", "share", "take"
INIT, MIGRATE = "init", "migrate"
ACTIONS = (STATUS, PUSH, PULL, SHARE, TAKE, INIT, MIGRATE)
_TAKES = {
    PUSH: ("everywhere", "again"),
    SHARE: ("word", "thread", "visibility"),
    TAKE: ("word",),
}
_MODULES = {MIGRATE: INIT}
"""Actions that are not in a file of their own name."""


def arguments(parser: Any) -> None:
    """What to do, and what of."""
    parser.add_argument(
        "action", nargs="?", metavar="ACTION", choices=ACTIONS, help=", ".join(ACTIONS)
    )
    parser.add_argument(
        "word", nargs="?", metavar="WORD", help=f"share: {', '.join(LEVELS)}; take: the checkpoint"
    )
    parser.add_argument(
        "--everywhere", action="store_true", help="push: all projects on this machine"
    )
    parser.add_argument(
        "--again", action="store_true", help="push: also what was sent before, if it was lost there"
    )
    parser.add_argument("--thread", metavar="NAME", help="share: only this thread")
    parser.add_argument(
        "--visibility", metavar="WHO", choices=VISIBILITIES, help="share: private, team or public"
    )


def run(call: Call) -> Result:
    """Hand over to the action."""
    action = call.args.action or STATUS
    refuse_others(call.args, "team", action, _TAKES)
    result: Result = _module(action).run(call)
    return result._replace(data={"action": action, **result.data})


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Each action shows its own."""
    yield from _module(data["action"]).view(data, say)


def _module(action: str) -> Any:
    """One file for each action."""
    return __import__(f"leftoff.commands._team_{_MODULES.get(action, action)}", fromlist=["run"])
