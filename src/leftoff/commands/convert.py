"""convert: write a checkpoint in another format, and say what that format cannot hold."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._scaffold import scaffold
from leftoff.core.blocks import Block, Bullets, Line, Raw
from leftoff.core.find import find
from leftoff.core.ids import check_name
from leftoff.core.model import Checkpoint, blank
from leftoff.core.result import Result
from leftoff.core.stream import join
from leftoff.core.when import stamp
from leftoff.errors import Usage
from leftoff.formats import lenses
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.formats import Lens

SUMMARY = "Write a checkpoint in another format; lists what that format cannot hold."
EXAMPLES = (
    "leftoff convert chk-auth --to skill",
    "leftoff convert oc-git-ops --to md --id chk-git --dry-run",
)
FORMATS = ("skill", "md", "task", "session", "thread")
PARTS = {"thread": ("thread", "thread.json")}


def arguments(parser: Any) -> None:
    """From where, to which format."""
    parser.add_argument("name", metavar="NAME", help="the checkpoint")
    parser.add_argument("--to", metavar="FORMAT", choices=FORMATS, help=", ".join(FORMATS))
    parser.add_argument("--id", metavar="ID", help="the id of the new document")
    parser.add_argument("--dry-run", action="store_true", help="print it, write nothing")


def run(call: Call) -> Result:
    """The original stays where it is; the new document must not exist yet."""
    if not call.args.to:
        raise Usage("--to is missing", hint=f"choose one of: {', '.join(FORMATS)}")
    stream = find(call.store.streams(), call.args.name)
    checkpoint = call.store.read_stream(stream)
    if call.args.id:
        checkpoint = checkpoint._replace(id=check_name(call.args.id))
    checkpoint = _dated(checkpoint, stamp(call.now))
    targets = _targets(call.args.to)
    texts = {lens.path(lens.hold(checkpoint)): (lens, checkpoint) for lens in targets}
    made = {path: lens.write(c, "", path) for path, (lens, c) in texts.items()}
    lost = losses(checkpoint, join([lens.hold(checkpoint) for lens in targets]))
    found = [f for path, (lens, _) in texts.items() for f in lens.check(made[path], path)]
    if not call.args.dry_run:
        for path, text in made.items():
            call.store.create(path, text)
        if any(path.startswith(".checkpoints/") for path in made):
            scaffold(call.store)
    data: dict[str, Json] = {
        "from": stream.glance.path,
        "documents": [{"path": path, "text": text} for path, text in made.items()],
        "lost": list(lost),
        "written": not call.args.dry_run,
    }
    return Result(data, tuple(f._replace(level="warning") for f in found if f.level == "error"))


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The new path, or with --dry-run the text; then what was lost."""
    for document in data["documents"]:
        if data["written"]:
            yield Line(f"✓ {data['from']} → {document['path']}", "good")
        else:
            yield Line(f"# {document['path']}", "strong")
            yield Raw(document["text"])
    if data["lost"]:
        yield Line(say("Not held by this format:"), "warn")
        yield Bullets(tuple(data["lost"]))
    else:
        yield Line(say("Nothing is lost."), "dim")


def losses(checkpoint: Checkpoint, held: Checkpoint) -> list[str]:
    """Each field that did not come through whole, with what it was."""
    lost = []
    for field, was, now in zip(Checkpoint._fields, checkpoint, held, strict=True):
        if was not in (now, blank(field)) and field != "word":
            lost.append(f"{field}: {_shown(was)}" + (f" → {_shown(now)}" if now else ""))
    return lost


def _targets(name: str) -> list[Lens]:
    known = {lens.NAME: lens for lens in lenses()}
    return [known[part] for part in PARTS.get(name, (name,))]


def _dated(checkpoint: Checkpoint, now: str) -> Checkpoint:
    """Formats need a birthday; a document without one is born now."""
    created = checkpoint.created or checkpoint.updated or now
    return checkpoint._replace(created=created, updated=checkpoint.updated or created)


def _shown(value: object) -> str:
    if isinstance(value, str):
        return value if len(value) <= 60 else value[:59] + "…"
    if isinstance(value, tuple):
        return f"{len(value)} item(s)"
    return f"{len(value)} key(s)" if isinstance(value, dict) else str(value)
