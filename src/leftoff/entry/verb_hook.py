"""hook: the way in for clients that call the program itself instead of the launcher of `setup`."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

SUMMARY = "Handle one event of a client. Its hooks run this; it always exits with 0."
EXAMPLES = (
    "leftoff hook claude-code start < payload.json",
    "leftoff hook codex prompt < payload.json",
    "LEFTOFF=off claude   # no hook does anything in this session",
)


def arguments(parser: Any) -> None:
    """Who calls, and what happened; the payload comes on stdin."""
    parser.add_argument("agent", metavar="AGENT", help="the client: claude-code, codex and so on")
    parser.add_argument(
        "event",
        metavar="EVENT",
        help="start, prompt, stop, compacting, summary, compacted or end",
    )


def run(words: Sequence[str], env: Mapping[str, str]) -> int:
    """As the launcher does it. Wrong words are a line in hook.log: an error would stop a client."""
    from leftoff.entry.hook import run as take_in
    from leftoff.world.state import state_dir

    take_in([word for word in words if not word.startswith("-")], state_dir(env))
    return 0
