"""prune: keep a checkpoint dense: fold old entries, drop dead pointers, rotate telemetry."""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.commands.reset import HISTORY
from leftoff.core.blocks import Block, Bullets, Line
from leftoff.core.carry import rotate, trim
from leftoff.core.find_stream import find, readable
from leftoff.core.model import ARCHIVED
from leftoff.core.paths import path_in
from leftoff.core.result import Result
from leftoff.core.when import stamp
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world.refusals import refuse_newer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Checkpoint
    from leftoff.formats import Lens

SUMMARY = (
    "Fold old entries of a checkpoint, rotate telemetry, remove old sessions from the archive."
)
EXAMPLES = (
    "leftoff prune oc-git-ops --dry-run",
    "leftoff prune oc-git-ops --rotate merged_prs",
    "leftoff prune chk-auth",
    "leftoff prune --archive --dry-run",
)


def arguments(parser: Any) -> None:
    """Which checkpoint, and what to rotate."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="the checkpoint")
    parser.add_argument(
        "--archive", action="store_true", help="sessions past archive.keep and archive.max_size"
    )
    parser.add_argument(
        "--rotate", action="append", metavar="KEY", help="move this skill_state key to history"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would be done")


def run(call: Call) -> Result:
    """One write of the document; rotated telemetry is on disk before it leaves the document."""
    if call.args.archive:
        from leftoff.commands import _prune_archive

        return _prune_archive.run(call)
    if call.args.name is None:
        raise Usage("prune needs a NAME", hint="leftoff list has them; --archive is about sessions")
    stream = readable(find(call.store.streams(), call.args.name))
    path = stream.glance.path
    lens = call.store.lens_at(path)
    document = call.store.read(path)
    before = document.checkpoint
    trail = lens.NAME == "md" and before.status != ARCHIVED
    gone = _gone(call.store.root, before) if trail else frozenset[str]()
    _, words = trim(before, gone=gone)
    moved = _moved(before, call.args.rotate)
    said = [*words, *(f"skill_state.{key} to {HISTORY}" for key in moved)]
    if said and not call.args.dry_run:
        refuse_newer(path, document.findings)  # first: what is rotated is on disk before the change
        if gone:
            call.store.keep_copy(path, call.now)
        call.store.change(path, lambda text: _pruned(call, lens, text, path, gone))
    return Result({"path": path, "done": list(said), "dry_run": bool(call.args.dry_run)})


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """What was folded, dropped or moved."""
    if "sessions" in data:
        from leftoff.commands import _prune_archive

        yield from _prune_archive.view(data, say)
        return
    if not data["done"]:
        yield Line(say("{path} is already compact.", path=data["path"]))
        return
    head = "{path}: would do" if data["dry_run"] else "{path}:"
    yield Line(say(head, path=data["path"]))
    yield Bullets(tuple(data["done"]))


def _gone(root: str, checkpoint: Checkpoint) -> frozenset[str]:
    """The files named by trail and breadcrumbs that are not there any more.

    Only plain relative paths count: a URL, a glob, a line number or a note is no file, and a file
    that the trail calls deleted is meant to be gone.
    """
    files = [item.text for item in checkpoint.artifacts if item.get("status") != "deleted"]
    files += [item.text for item in checkpoint.refs if item.get("type") == "file"]
    plain = [path for path in files if path_in(path) == path]
    return frozenset(path for path in plain if not os.path.exists(os.path.join(root, path)))


def _moved(checkpoint: Checkpoint, keys: list[str]) -> dict[str, Any]:
    unknown = [key for key in keys if key not in checkpoint.private]
    if unknown:
        known = ", ".join(checkpoint.private) or "none"
        raise Usage(f'skill_state has no key "{unknown[0]}"', hint=f"it has: {known}")
    return dict(rotate(checkpoint.private, keys)[1])


def _keep(call: Call, name: str, moved: dict[str, Any]) -> None:
    from leftoff.formats._json_text import dumps

    now = stamp(call.now)
    text = dumps({"skill": name, "rotated_at": now, **moved})
    stem, number = f"{HISTORY}/{name}.{now.replace(':', '-')}", 0
    while not call.store.create_missing(f"{stem}{f'-{number}' if number else ''}.json", text):
        number += 1


def _pruned(call: Call, lens: Lens, text: str, path: str, gone: frozenset[str]) -> str:
    checkpoint, _ = trim(lens.read(text, path), gone=gone)
    kept, moved = rotate(checkpoint.private, call.args.rotate)
    if moved:  # as it is now, under the lock: others may have added to it since it was read
        _keep(call, checkpoint.id, moved)
    after = checkpoint._replace(private=kept)
    if lens.STAMPS:
        after = after._replace(updated=stamp(call.now))
    return lens.write(after, text, path)
