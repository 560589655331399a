"""show: the exact document; or, for another skill, only what siblings may read."""

from __future__ import annotations

from leftoff.commands import Call, _verdicts
from leftoff.core.blocks import Block, Line, Raw
from leftoff.core.find_stream import find
from leftoff.core.ids import check_name
from leftoff.core.result import Result
from leftoff.core.stream import broken
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.stream import Stream

SUMMARY = "Print a checkpoint exactly as it is on disk."
EXAMPLES = (
    "leftoff show oc-git-ops",
    "leftoff show",
    "leftoff show oc-app-architect --as-reader oc-deploy-ops",
)

# seed A, cross-skill reads: header, progress, table, primer and blockers; never skill_state
PUBLIC = (
    "id",
    "name",
    "project",
    "created",
    "updated",
    "status",
    "phase",
    "stage",
    "problem",
    "intent",
    "summary",
    "progress",
    "decisions",
    "artifacts",
    "rules",
    "blockers",
    "next_actions",
    "refs",
    "parent",
)


def arguments(parser: Any) -> None:
    """NAME, and who reads."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="one checkpoint (default: all)")
    parser.add_argument("--as-reader", metavar="SKILL", help="only what this sibling may read")


def run(call: Call) -> Result:
    """Read the text; a broken document is shown all the same, with the reason."""
    streams = call.store.streams()
    wanted = [find(streams, call.args.name)] if call.args.name else streams
    reader = call.args.as_reader and check_name(call.args.as_reader, "skill name")
    if reader:
        return Result(_for_reader(call, wanted, reader), broken(wanted))
    documents: list[Json] = [
        {"path": path, "format": stream.glance.format, "text": text}
        for stream in wanted
        for path, text in call.store.texts(stream)
    ]
    notes = _verdicts.strangers(call, [path for stream in wanted for path in stream.parts])
    data: dict[str, Json] = {"one": bool(call.args.name), "documents": documents}
    named = bool(call.args.name and wanted[0].glance.broken)
    return Result(data, (*broken(wanted), *notes), broken=named)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The bytes; several documents get a line with their path before each."""
    if "public" in data:
        yield from _public_lines(data, say)
        return
    documents = data["documents"]
    if not documents and not data["one"]:
        yield Line(say("No checkpoints here yet."))
    alone = data["one"] and len(documents) == 1
    for document in documents:
        if not alone:
            yield Line(f"# {document['path']}", "strong")
        yield Raw(document["text"])
        if not alone:
            yield Line("" if document["text"].endswith("\n") else "\n")


def _for_reader(call: Call, streams: list[Stream], reader: str) -> dict[str, Json]:
    may_read = call.settings.readers.get(reader, ())
    shown: list[Json] = [
        public(call.store.read_stream(stream)) for stream in streams if not stream.glance.broken
    ]
    return {"reader": reader, "reads": list(may_read), "public": shown}


def public(checkpoint: Checkpoint, fields: Sequence[str] = PUBLIC) -> dict[str, Json]:
    """What a sibling sees: the named fields, never private state or unknown keys."""
    said: dict[str, Json] = {}
    for field in fields:
        value = getattr(checkpoint, field)
        if value:
            said[field] = value if isinstance(value, str) else [_item(item) for item in value]
    return said


def _item(item: Any) -> Json:
    return {"text": item.text, **({"id": item.id} if item.id else {}), **item.attrs}


def _public_lines(data: dict[str, Any], say: Say) -> Iterator[Block]:
    for checkpoint in data["public"]:
        for field, value in checkpoint.items():
            if isinstance(value, str):
                yield Line(f"{field}: {value}")
            else:
                yield Line(f"{field}:")
                yield from (Line(f"  - {_flat(item)}") for item in value)
        yield Line("")
    if data["reads"]:
        others = ", ".join(data["reads"])
        yield Line(say("{reader} reads: {others}", reader=data["reader"], others=others), "dim")


def _flat(item: dict[str, Any]) -> str:
    more = ", ".join(f"{key}: {value}" for key, value in item.items() if key != "text")
    return " ".join(part for part in (item["text"], f"({more})" if more else "") if part)
