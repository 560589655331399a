"""current: which Markdown checkpoint is the immediate focus; exactly one at a time."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._editing import set_word
from leftoff.core.blocks import Block, Line
from leftoff.core.find_stream import find, readable
from leftoff.core.model import ARCHIVED
from leftoff.core.result import Result
from leftoff.core.stream import broken, current, several_current
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream

SUMMARY = "Show or set the current Markdown checkpoint."
EXAMPLES = ("leftoff current", "leftoff current chk-auth", "leftoff current --clear")


def arguments(parser: Any) -> None:
    """Which one is to be current."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="make this one current")
    parser.add_argument("--clear", action="store_true", help="no checkpoint is current")


def run(call: Call) -> Result:
    """Make one current and every other active; two at once last only for that moment."""
    if call.args.name and call.args.clear:
        raise Usage("NAME and --clear cannot be used together", hint="give one of them")
    streams = call.store.streams()
    if not call.args.name and not call.args.clear:
        now = [_fact(stream) for stream in current(streams)]
        return Result({"current": now}, (*several_current(streams), *broken(streams)))
    wanted = _wanted(call, streams) if call.args.name else None
    if wanted:
        set_word(call, wanted.glance.path, "current")  # first: if this fails, nothing has changed
    for stream in current(streams):
        if stream != wanted:
            set_word(call, stream.glance.path, "active")
    return Result({"current": [_fact(wanted)] if wanted else [], "set": True}, broken(streams))


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Name and path."""
    for fact in data["current"]:
        yield Line(say("Current: {id}", id=fact["id"]), "strong")
        yield Line(f"  {fact['path']}", "dim")
    if not data["current"]:
        yield Line(say("No checkpoint is current."))


def _wanted(call: Call, streams: list[Stream]) -> Stream:
    stream = readable(find(streams, call.args.name))
    if stream.glance.format != "md":
        text = f"{stream.glance.id} is a {stream.glance.format} document"
        raise Usage(text, hint="only a Markdown checkpoint can be current")
    if stream.glance.status == ARCHIVED:
        hint = f"to continue from it: leftoff fork {stream.glance.id} NEWNAME"
        raise Usage(f"{stream.glance.id} is archived", hint=hint)
    return stream


def _fact(stream: Stream) -> Json:
    return {"id": stream.glance.id, "path": stream.glance.path}
