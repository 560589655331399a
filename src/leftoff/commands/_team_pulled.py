"""Checkpoints that were pulled from the team store, for who resumes, ranks or takes them."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.find_stream import find
from leftoff.errors import NotFound
from leftoff.record import TYPE_CHECKING
from leftoff.world import team_mirror

if TYPE_CHECKING:
    from leftoff.core.model import Checkpoint
    from leftoff.core.stream import Stream
    from leftoff.world.team_mirror import Foreign


def foreign(call: Call, name: str) -> Foreign | None:
    """What goes by `NAME`, or by `OWNER/NAME`; None for nothing. Ambiguous lists both people."""
    known = team_mirror.streams(call.store)
    owner, slash, rest = name.rpartition("/")
    if slash:
        known = [one for one in known if one.owner == owner]
    try:
        found = find([one.stream for one in known], rest)
    except NotFound:
        return None
    return next(one for one in known if one.stream is found)


def named(call: Call, name: str) -> Stream | None:
    """The same as a stream."""
    if not team_mirror.is_there(call.store.state, call.store.root):
        return None
    found = foreign(call, name)
    return found.stream if found else None


def author_of(call: Call, path: str) -> str:
    """Who pushed the document at a path; "" for one that was not pulled."""
    for one in team_mirror.streams(call.store):
        if one.stream.glance.path == path:
            return one.author
    return ""


def read(call: Call, stream: Stream) -> Checkpoint:
    """The whole checkpoint, out of all its files."""
    owner = next(
        one.owner
        for one in team_mirror.streams(call.store)
        if one.stream.glance.path == stream.glance.path
    )
    held = team_mirror.mirror(call.store, owner)
    parts = tuple(part.removeprefix(f"{held.root}/") for part in stream.parts)
    return held.read_stream(stream._replace(parts=parts))
