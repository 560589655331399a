"""A save into a document of another format, where somebody prefers that to threads."""

from __future__ import annotations

import os

from leftoff.commands._new_document import SKILL, prepared, refuse_taken, scaffold
from leftoff.commands._save_writing import Saved, into_document, with_draft
from leftoff.commands._trusted import trust_written
from leftoff.core import compose
from leftoff.core.find_stream import find, names, still_open
from leftoff.core.ids import check_name, slug
from leftoff.core.model import IN_PROGRESS, Checkpoint
from leftoff.core.new_checkpoint import spoken, with_ids
from leftoff.core.stream import current
from leftoff.core.when import stamp
from leftoff.errors import Ambiguous
from leftoff.formats import named
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.commands import Call
    from leftoff.commands._save_writing import SaveRequest
    from leftoff.core.stream import Stream


def target(call: Call, kind: str) -> str:
    """The document that a save goes to; "" where a new one is to begin."""
    streams = [one for one in call.store.streams() if one.glance.format == kind]
    name = call.args.name or ""
    if name:
        known = any(name in names(one) for one in streams)
        return still_open(find(streams, name, exact=True)).glance.path if known else ""
    near = current(streams) if kind == "md" else _busy(streams)
    if len(near) > 1:
        raise Ambiguous(
            f"{len(near)} checkpoints are in progress",
            hint="say which with --name",
            choices=tuple(one.glance.id for one in near),
        )
    return near[0].glance.path if near else ""


def _busy(streams: Sequence[Stream]) -> list[Stream]:
    return [one for one in streams if one.glance.status == IN_PROGRESS]


def go_on(call: Call, kind: str, path: str, request: SaveRequest) -> Saved:
    """The words laid on what a document says."""
    return into_document(call, path, request, with_ids if kind == SKILL else None)


def begin(call: Call, kind: str, request: SaveRequest) -> Saved:
    """A new document with the words that were given and what was drafted."""
    lens, project = named(kind), os.path.basename(call.store.root)
    name = check_name(call.args.name or slug(request.label, project), "checkpoint name")
    born = compose.applied(Checkpoint(id=name, created=stamp(call.now)), request.given)
    born = with_draft(born, request.seen)
    if kind == SKILL:
        born = prepared(call, SKILL, born, "saved")
    else:
        word = "" if current(call.store.streams()) else "current"
        born = spoken(born._replace(word=word), lens.hold(born), "saved")
    refuse_taken(call, kind, born, "--name")
    path = lens.path(born)
    made = call.store.create(path, lens.write(born, "", path), check=kind == SKILL)
    if path.startswith(".checkpoints/"):
        scaffold(call.store)
    checks = [item.get("done_when") for item in request.given.get("next_actions", ())]
    found = (*made.findings, *trust_written(call, None, made.checkpoint, checks))
    size = len(made.text.encode("utf-8", "replace"))
    return Saved(made.path, made.checkpoint, size, changed=True, findings=found)
