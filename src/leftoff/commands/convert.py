"""convert: write a checkpoint in another format, and say what that format cannot hold."""

from __future__ import annotations

from leftoff.commands import Call, plainly
from leftoff.commands._new_document import create, prepared, refuse_taken, texts_of
from leftoff.core.blocks import Block, Bullets, Line, Raw
from leftoff.core.find_stream import find
from leftoff.core.ids import check_name
from leftoff.core.model import Checkpoint, blank
from leftoff.core.result import Result
from leftoff.core.stream import join
from leftoff.core.texts import short
from leftoff.errors import Usage
from leftoff.formats import kinds, parts
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json

SUMMARY = "Write a checkpoint in another format; lists what that format cannot hold."
EXAMPLES = (
    "leftoff convert chk-auth --to skill",
    "leftoff convert oc-git-ops --to md --id chk-git --dry-run",
)


def arguments(parser: Any) -> None:
    """From where, to which format."""
    parser.add_argument("name", metavar="NAME", help="the checkpoint")
    parser.add_argument("--to", metavar="FORMAT", choices=kinds(), help=", ".join(kinds()))
    parser.add_argument("--id", metavar="ID", help="the id of the new document")
    parser.add_argument("--dry-run", action="store_true", help="print it, write nothing")


def run(call: Call) -> Result:
    """The original stays where it is; the new document must not exist yet."""
    if not call.args.to:
        raise Usage("--to is missing", hint=f"choose one of: {', '.join(kinds())}")
    stream = find(call.store.streams(), call.args.name)
    checkpoint = call.store.read_stream(stream)
    if call.args.id:
        checkpoint = checkpoint._replace(id=check_name(call.args.id))
    full = prepared(call, call.args.to, checkpoint, "converted")
    made = texts_of(call.args.to, full)
    held = join([lens.hold(full) for lens in parts(call.args.to)])
    lost = losses(full, held, stream.glance.format)
    if not call.args.dry_run:
        refuse_taken(call, call.args.to, full, "--id")
        create(call, made)
    data: dict[str, Json] = {
        "from": stream.glance.path,
        "documents": [{"path": path, "text": text} for path, text in made.items()],
        "lost": list(lost),
        "written": not call.args.dry_run,
    }
    return Result(data)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The new path, or with --dry-run the text; then what was lost."""
    for document in data["documents"]:
        if data["written"]:
            yield Line(f"✓ {data['from']} → {document['path']}", "good")
        else:
            yield Line(f"# {document['path']}", "strong")
            yield Raw(document["text"])
    if data["lost"]:
        yield Line(say("This format cannot hold:"), "warn")
        yield Bullets(tuple(data["lost"]))
    else:
        yield Line(say("Nothing is lost."), "dim")


def losses(checkpoint: Checkpoint, held: Checkpoint, source: str) -> list[str]:
    """Each field that did not come through whole, with what it was."""
    lost = []
    for field, was, now in zip(Checkpoint._fields, checkpoint, held, strict=True):
        # only a task's status is a text of its own; elsewhere the word repeats the status
        if was not in (now, blank(field)) and (field != "word" or source == "task"):
            lost.append(f"{field}: {_shown(was)}" + (f" → {_shown(now)}" if now else ""))
    return lost


def _shown(value: object) -> str:
    if isinstance(value, str):
        return short(value, 60)
    if isinstance(value, tuple):
        return plainly("{n} item(s)", n=len(value))
    return plainly("{n} key(s)", n=len(value)) if isinstance(value, dict) else str(value)
