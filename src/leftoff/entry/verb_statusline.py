"""statusline: the way in for a client's status bar, or for somebody's script that composes one."""

from __future__ import annotations

import os

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

SUMMARY = "Print one line about the session for a client's status bar: place, context use, advice."
EXAMPLES = (
    "leftoff statusline < payload.json",
    "leftoff statusline --segment < payload.json   # as a part of another line",
)


def arguments(parser: Any) -> None:
    """Whole or as a part; the client's JSON comes on stdin."""
    parser.add_argument("agent", nargs="?", metavar="AGENT", help="the client (claude-code)")
    parser.add_argument("--segment", action="store_true", help="leave out the model and the cost")


def run(words: Sequence[str], env: Mapping[str, str]) -> int:
    """As the launcher does it: there is always a line, and never an error."""
    from leftoff.entry.hook import STATUSLINE
    from leftoff.entry.hook import run as take_in
    from leftoff.entry.statusline import FALLBACK
    from leftoff.world.state import state_dir

    if os.isatty(0):  # somebody tries it: no client writes here, and nothing has failed
        print(FALLBACK)
        return 0
    options = [word for word in words if word.startswith("-")]
    agent = next((word for word in words if not word.startswith("-")), "claude-code")
    take_in([agent, STATUSLINE, *options], state_dir(env))
    return 0
