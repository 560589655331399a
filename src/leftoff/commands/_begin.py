"""A checkpoint begins: what `init NAME` and `fork` share, from their options to the new files."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._editing import set_word
from leftoff.commands._new_document import SKILL, create, prepared, refuse_taken, texts_of
from leftoff.commands._redaction import warned
from leftoff.core.blocks import Block, Line, Raw
from leftoff.core.carry import carry
from leftoff.core.find_stream import find
from leftoff.core.ids import check_name
from leftoff.core.lineage import unknown_parent
from leftoff.core.model import Checkpoint, Item
from leftoff.core.result import Result
from leftoff.core.stream import current
from leftoff.core.thread import FORMAT as THREAD
from leftoff.core.when import stamp
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream


class Request(Record):
    """What is to begin: its name, format, whom it comes from, and what is known of it."""

    name: str
    kind: str
    source: str
    given: Mapping[str, Any]
    current: bool = False
    dry_run: bool = False


def arguments(parser: Any) -> None:
    """What may be known of a new checkpoint."""
    parser.add_argument("--anchor", metavar="TEXT", help="the turn or phase it goes up to")
    parser.add_argument("--problem", metavar="TEXT", help="the problem to solve")
    parser.add_argument("--intent", metavar="TEXT", help="what the user wants to achieve")
    parser.add_argument("--context", metavar="TEXT", help="stack, configuration, environment")
    parser.add_argument("--summary", metavar="TEXT", help="what exists now")
    parser.add_argument(
        "--decision", action="append", metavar="TEXT", help="a decision (repeatable)"
    )
    parser.add_argument(
        "--next", action="append", metavar="TEXT", help="a next action (repeatable)"
    )
    parser.add_argument("--current", action="store_true", help="make it the current one")


def given(args: Any) -> dict[str, Any]:
    """What the options say, by model field."""
    texts = {"problem": args.problem, "intent": args.intent, "context": args.context}
    texts |= {"summary": args.summary, "stage": args.anchor}
    said: dict[str, Any] = {field: text for field, text in texts.items() if text is not None}
    if args.decision:
        said["decisions"] = tuple(Item(text) for text in args.decision)
    if args.next:
        said["next_actions"] = tuple(Item(text) for text in args.next)
    return said


def begin(call: Call, request: Request) -> Result:
    """Write the new files; where one of them is there already, nothing is changed."""
    check_name(request.name, "checkpoint name")
    streams = call.store.streams()
    checkpoint = _fresh(call, streams, request)
    refuse_taken(call, request.kind, checkpoint, "NAME")
    made = texts_of(request.kind, checkpoint)
    if request.dry_run:
        texts: list[Json] = [{"path": path, "text": text} for path, text in made.items()]
        return Result({"paths": [*made], "documents": texts, "dry_run": True})
    found = create(call, made)
    for other in current(streams) if request.current else ():
        set_word(call, other.glance.path, "active")
    orphaned = unknown_parent([s.glance for s in streams], checkpoint.parent)
    secret = warned(request.given.values(), next(iter(made)))
    return Result({"paths": [*made], "dry_run": False}, (*found, *orphaned, *secret))


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The new files, or what would be in them."""
    for document in data.get("documents", ()):
        yield Line(f"# {document['path']}", "strong")
        yield Raw(document["text"])
    for path in () if data["dry_run"] else data["paths"]:
        yield Line("✓ " + say("created {path}", path=path), "good")


def _fresh(call: Call, streams: list[Stream], request: Request) -> Checkpoint:
    """The new checkpoint: what is given, on top of what the older one hands on."""
    now = stamp(call.now)
    if request.source:
        previous = call.store.read_stream(find(streams, request.source))
        made = carry(previous, request.name, now, request.given)
    else:
        made = Checkpoint(id=request.name, created=now)._replace(**request.given)
    if request.kind in {SKILL, THREAD}:
        return prepared(call, request.kind, made, "scaffolded")
    return made._replace(word="current" if request.current else "active", updated="")
