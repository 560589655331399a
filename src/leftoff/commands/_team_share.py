"""team share: what of a project or a thread goes to the team, and for whose eyes."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.find_stream import find
from leftoff.core.result import Result
from leftoff.core.team import LEVELS, PRIVATE, TEAM, UNKNOWN, Share
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world.team_exchange import project
from leftoff.world.team_state import choose, findings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.world.team_state import Shares

MEANS = {
    "off": "nothing is pushed",
    "figures": "statistics are pushed, and checkpoints that only you can see",
    "documents": "statistics and checkpoints are pushed",
    "text": "statistics, checkpoints and conversations are pushed, all redacted",
}


def run(call: Call) -> Result:
    """Choose, or (without a level) say what is chosen. Nothing is sent here: `team push` does."""
    origin, shares = project(call.store, call.env)
    if call.args.word:
        shares = choose(call.store.state, origin.project, lambda known: _chosen(call, known))
    elif call.args.thread or call.args.visibility:
        raise Usage("share needs a level", hint=f"one of {', '.join(LEVELS)}")
    return Result({"project": origin.project, **data_of(shares)}, (*findings(call.store.state),))


def _chosen(call: Call, shares: Shares) -> Shares:
    level = call.args.word
    if level not in LEVELS:
        raise Usage(f'share cannot be "{level}"', hint=f"one of {', '.join(LEVELS)}")
    share, thread = Share(level, call.args.visibility or TEAM), ""
    if call.args.thread:
        thread = find(call.store.streams(), call.args.thread).glance.id
    before = shares.of(thread)
    if thread:
        shares = shares._replace(threads={**shares.threads, thread: share})
    else:
        shares = shares._replace(project=share)
    # of what nobody here understands more may be there
    less = before == UNKNOWN or LEVELS.index(level) < LEVELS.index(before.level)
    takes = {*shares.withdraw, thread} if less else {*shares.withdraw}
    return shares._replace(withdraw=tuple(sorted(takes)))


def data_of(shares: Shares) -> dict[str, Json]:
    """The choices, as data."""
    threads: dict[str, Json] = {name: _said(one) for name, one in shares.threads.items()}
    return {"share": _said(shares.project), "threads": threads, "withdraw": [*shares.withdraw]}


def _said(share: Share) -> dict[str, Json]:
    return {"level": share.level, "visibility": share.visibility or PRIVATE}


def shown(share: dict[str, Any], say: Say) -> str:
    """A choice in words."""
    level, means = share["level"], MEANS[share["level"]]
    return f"{level} ({share['visibility']}): {say(means)}"


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The project's choice, those of threads, and what leaves the store."""
    yield Line(shown(data["share"], say), "strong")
    for thread, one in data["threads"].items():
        yield Line(f"  {thread}: {shown(one, say)}")
    if data["withdraw"]:
        yield Line(say("What is no longer shared leaves the store with the next push."), "warn")
