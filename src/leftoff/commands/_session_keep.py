"""session keep: put what a session achieved into a checkpoint, before nobody remembers it."""

from __future__ import annotations

import os

from leftoff.commands import _sessions
from leftoff.commands._new_document import create, prepared, refuse_taken, texts_of
from leftoff.commands._redaction import by_own_rules
from leftoff.core import session as s
from leftoff.core.blocks import Block, Line
from leftoff.core.ids import check_name, slug
from leftoff.core.model import DRAFT, Checkpoint, Item
from leftoff.core.paths import from_root, path_in
from leftoff.core.redact import redact
from leftoff.core.result import Result
from leftoff.core.texts import cut
from leftoff.core.when import stamp
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Call, Say
    from leftoff.core.session import Session

MOST_FILES = 200


def run(call: Call) -> Result:
    """A new checkpoint in this project; one that is there is never written over."""
    if not (call.args.id or call.args.session):
        raise Usage("ID is missing", hint="leftoff session list shows them")
    one = _sessions.choose(call, _sessions.gather(call, curves=False)).session
    kind = call.args.kind or "md"
    label = by_own_rules(call, redact(s.label(one)), one.root)
    name = check_name(call.args.name or slug(label[:40], one.id), "checkpoint name")
    left = _by_own_rules(call, _checkpoint_of(one, name, call.store.root), one.root)
    if kind == "task":
        left = left._replace(name="")  # a task save is found by its name, which was given
    kept = prepared(call, kind, left, "kept from a session")
    refuse_taken(call, kind, kept, "--name")
    texts = texts_of(kind, kept)
    told = create(call, texts)
    return Result({"paths": [*texts], "from": one.name}, (*told, *_sessions.findings([one])))


def _by_own_rules(call: Call, left: Checkpoint, folder: str) -> Checkpoint:
    """Its texts; what something is found by stays."""
    made = by_own_rules(call, left, folder)
    return made._replace(id=left.id, artifacts=left.artifacts, branch=left.branch, refs=left.refs)


def _checkpoint_of(one: Session, name: str, root: str) -> Checkpoint:
    """What a session leaves behind, without secrets; what nobody stated is marked as a draft."""
    stated = s.next_steps(one)
    drafted = () if stated else s.open_tasks(one)
    steps = tuple(Item(redact(text)) for text in stated) + tuple(
        Item(redact(text), attrs={DRAFT: True}) for text in drafted
    )
    asked = redact(cut(one.stats.asked, 400))
    title = redact(s.label(one))
    return Checkpoint(
        id=name,
        name=cut(title, 80),
        created=stamp(one.started) if one.started else "",
        updated=stamp(one.ended or one.seen),
        stage=redact(one.outcomes[-1].task) if one.outcomes else "",
        problem=asked,
        intent=asked,
        summary=redact(s.accomplished(one)),
        decisions=tuple(Item(redact(text)) for text in s.decisions(one)),
        next_actions=steps,
        artifacts=tuple(Item(path) for path in _files(one, root)),
        branch=one.branch,
        commit=one.commit,
        refs=(Item(one.name, attrs={"type": "external", "hint": "the session"}),),
        history=(Item(f"Session {one.id} of {one.agent}", attrs={"at": stamp(one.started)}),),
    )


def _files(one: Session, root: str) -> list[str]:
    """Paths inside the project, relative to it: a checkpoint travels."""
    inside = (path for path in from_root(s.files(one), root) if not os.path.isabs(path))
    return [path for path in inside if path_in(path)][:MOST_FILES]


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """The new files."""
    for path in data["paths"]:
        yield Line("✓ " + say("created {path}", path=path), "good")
