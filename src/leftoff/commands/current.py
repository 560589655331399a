"""current: which Markdown checkpoint is the immediate focus; exactly one at a time."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line
from leftoff.core.find import find
from leftoff.core.model import ARCHIVED
from leftoff.core.result import Result
from leftoff.core.together import current, several_current
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
    """Turn every other current one into active first, so that there are never two."""
    streams = call.store.streams()
    if not call.args.name and not call.args.clear:
        found = tuple(finding for _, finding in several_current(streams)[:1])
        return Result({"current": [_fact(stream) for stream in current(streams)]}, found)
    wanted = _wanted(call, streams) if call.args.name else None
    for stream in current(streams):
        if stream != wanted:
            _set(call, stream, "active")
    if wanted:
        _set(call, wanted, "current")
    return Result({"current": [_fact(wanted)] if wanted else [], "set": True})


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Name and path."""
    for fact in data["current"]:
        yield Line(say("Current: {id}", id=fact["id"]), "strong")
        yield Line(f"  {fact['path']}", "dim")
    if not data["current"]:
        yield Line(say("No checkpoint is current."))


def _wanted(call: Call, streams: list[Stream]) -> Stream:
    stream = find([s for s in streams if s.glance.format == "md"], call.args.name)
    if stream.glance.status == ARCHIVED:
        raise Usage(f"{stream.glance.id} is archived", hint="only an active checkpoint is current")
    return stream


def _set(call: Call, stream: Stream, word: str) -> None:
    path = stream.glance.path
    lens = call.store.lens_at(path)
    call.store.change(
        path, lambda text: lens.write(lens.read(text, path)._replace(word=word), text, path)
    )


def _fact(stream: Stream) -> Json:
    return {"id": stream.glance.id, "path": stream.glance.path}
