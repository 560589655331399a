"""list: every checkpoint of the project, a line each; or the files or tickets they name."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.core.blocks import Block, Line, Table
from leftoff.core.model import Finding
from leftoff.core.overview import age_words, facts, standing
from leftoff.core.paths import file_in
from leftoff.core.result import Result
from leftoff.core.stream import broken
from leftoff.core.texts import labelled
from leftoff.core.when import instant
from leftoff.errors import LeftoffError, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world.facts import authors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.stream import Stream

SUMMARY = "List the checkpoints of all formats, including archived ones."
EXAMPLES = ("leftoff list", "leftoff list --files", "leftoff list --pm")


def arguments(parser: Any) -> None:
    """What to list."""
    parser.add_argument("--files", action="store_true", help="the files that checkpoints name")
    parser.add_argument("--pm", action="store_true", help="the tickets that checkpoints carry")


def run(call: Call) -> Result:
    """Read every stream; a broken one is a line of its own."""
    if call.args.files and call.args.pm:
        raise Usage("--files and --pm are two separate lists", hint="ask for one of them at a time")
    streams = call.store.streams()
    if call.args.files:
        return _files(call, streams)
    if call.args.pm:
        return Result(_tickets(call, streams), broken(streams))
    limits, thread = call.settings.limits, call.store.current_thread()
    others = authors(call.store, [stream.glance.path for stream in streams], call.env)
    documents = [
        {
            **facts(stream.glance, call.now, limits, thread),
            "author": others.get(stream.glance.path, ""),
        }
        for stream in streams
    ]
    data: dict[str, Json] = {"root": call.store.root, "documents": [*documents]}
    return Result(data, broken(streams))


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """One line a document, file or ticket."""
    if "files" in data:
        yield from (Line(path) for path in data["files"])
    elif "tickets" in data:
        yield from _ticket_lines(data, say)
    elif not data["documents"]:
        yield Line(say("No checkpoints here yet."))
    else:
        columns = ("Format", "Name", "Status", "Age", "Path")
        rows = tuple(_row(document, say) for document in data["documents"])
        yield Table(tuple(say(column) for column in columns), rows)


def _row(document: Any, say: Say) -> tuple[str, ...]:
    if "broken" in document:
        reason = f"{document['path']}  ({document['broken']})"
        return (document["format"], document["id"], say("broken"), "-", reason)
    age = age_words(document["age_seconds"], say)
    by = say("last committed by {name}", name=document["author"]) if document["author"] else ""
    path = f"{document['path']}  ({by})" if by else document["path"]
    name = labelled(document["id"], document["name"])
    return (document["format"], name, standing(document), age, path)


def _checkpoints(call: Call, streams: Sequence[Stream]) -> Iterator[tuple[str, Checkpoint]]:
    for stream in streams:
        if not stream.glance.broken:
            yield stream.glance.id, call.store.read_stream(stream)


def _files(call: Call, streams: Sequence[Stream]) -> Result:
    """The sorted union of all named files, without the notes people put behind a path."""
    found = {
        item.text: file_in(item.text, lambda path: _is_here(call, path))
        for _, checkpoint in _checkpoints(call, streams)
        for item in checkpoint.artifacts
        if item.text.strip()
    }
    notes = _notes(sorted(text for text, path in found.items() if not path))
    files: list[Json] = [*sorted({*found.values()} - {""})]
    return Result({"files": files}, (*notes, *broken(streams)))


def _notes(prose: Sequence[str]) -> list[Finding]:
    if not prose:
        return []
    from leftoff.core.quote import quoted  # seldom, and it loads what finds secrets

    return [Finding("no-file", "info", "", f'"{quoted(one, 100)}" names no file') for one in prose]


def _is_here(call: Call, path: str) -> bool:
    try:
        return call.store.exists(path)
    except LeftoffError:  # it leads out of the project
        return False


def _tickets(call: Call, streams: Sequence[Stream]) -> dict[str, Json]:
    """Every ticket with its owner, and the newest `source` one; never from private state."""
    tickets: list[dict[str, Json]] = [
        {"owner": owner, "id": ref.id, **ref.attrs}
        for owner, checkpoint in _checkpoints(call, streams)
        for ref in checkpoint.refs
        if ref.get("provider")
    ]
    sources = [ticket for ticket in tickets if ticket.get("role") == "source"]
    newest = max(sources, key=lambda t: instant(str(t.get("first_seen_at", ""))) or 0, default=None)
    return {"tickets": [*tickets], "source": newest}


def _ticket_lines(data: dict[str, Any], say: Say) -> Iterator[Block]:
    if not data["tickets"]:
        yield Line(say("No checkpoint carries a ticket."))
        return
    columns = tuple(say(name) for name in ("Ticket", "Role", "Provider", "Owner", "URL"))
    keys = ("id", "role", "provider", "owner", "url")
    rows = tuple(tuple(str(ticket.get(key, "")) for key in keys) for ticket in data["tickets"])
    yield Table(columns, rows)
    if data["source"]:
        yield Line(say("Newest source ticket: {id}", id=data["source"]["id"]))
