"""delta: append a dated change to a Markdown checkpoint, in the file itself."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._redaction import warned
from leftoff.core import delta
from leftoff.core.blocks import Block, Line, Raw
from leftoff.core.find_stream import find, readable, still_open
from leftoff.core.model import Finding, Item
from leftoff.core.redact import redacted
from leftoff.core.result import Result
from leftoff.core.when import stamp
from leftoff.errors import GitError, Usage
from leftoff.record import TYPE_CHECKING
from leftoff.world import git

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.delta import Artifact
    from leftoff.core.model import Json
    from leftoff.core.stream import Glance, Stream

SUMMARY = "Append a delta to a Markdown checkpoint: what changed, which files, since when."
PATIENCE = 5.0  # seconds for each question to git; the person can name the files
EXAMPLES = (
    "leftoff delta chk-auth --what 'Tokens are refreshed before they expire'",
    "leftoff delta chk-auth --what 'Timer replaced' --artifact 'src/auth.py:modified:new timer'",
    "leftoff delta chk-auth --what 'Phase 2 done' --transition 'Phase 2:in progress:complete'",
)
MOST_ROWS = 100


def arguments(parser: Any) -> None:
    """What changed; the files come from git unless they are given."""
    parser.add_argument("name", metavar="NAME", help="the checkpoint")
    parser.add_argument("--what", metavar="TEXT", help="what changed, in one sentence")
    parser.add_argument(
        "--artifact", action="append", metavar="PATH:ACTION:TEXT", help="a file (repeatable)"
    )
    parser.add_argument(
        "--transition",
        action="append",
        metavar="ITEM:BEFORE:AFTER",
        help="a step whose state changed (repeatable)",
    )
    parser.add_argument("--dry-run", action="store_true", help="show the delta, write nothing")


def run(call: Call) -> Result:
    """One write: the delta at its place, the same time in the header."""
    if not (call.args.what or "").strip():
        raise Usage("a delta says what changed", hint="give it: --what TEXT")
    given = [delta.artifact(text) for text in call.args.artifact]
    moved = [delta.transition(text) for text in call.args.transition]
    stream = _stream(call)
    artifacts = given or changed(call, stream.glance)
    text = delta.body(call.args.what, artifacts[:MOST_ROWS], moved)
    path = stream.glance.path
    lens = call.store.lens_at(path)
    times = [delta.free_time(call.now, {d.id for d in call.store.read(path).checkpoint.deltas})]

    def edit(old: str) -> str:
        before = lens.read(old, path)
        times.append(delta.free_time(call.now, {one.id for one in before.deltas}))
        deltas = (*before.deltas, Item(text, times[-1]))
        return lens.write(before._replace(deltas=deltas, updated=times[-1]), old, path)

    if not call.args.dry_run:
        call.store.change(path, edit)
    data: dict[str, Json] = {
        "id": stream.glance.id,
        "path": path,
        "at": times[-1],
        "text": text,
        "artifacts": [one._asdict() for one in artifacts[:MOST_ROWS]],
        "dry_run": bool(call.args.dry_run),
    }
    said = (call.args.what, *call.args.artifact, *call.args.transition)
    return Result(data, (*_left_out(path, len(artifacts) - MOST_ROWS), *warned(said, path)))


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """Where it went, or what it would be."""
    if data["dry_run"]:
        yield Raw(f"---\n\n## Delta: {data['at']}\n\n{data['text']}\n")
    else:
        yield Line("✓ " + say("{path}: delta {at} added", path=data["path"], at=data["at"]), "good")


def changed(call: Call, one: Glance) -> list[Artifact]:
    """The files that git saw change since the checkpoint's last stamp; none without git."""
    since = delta.last_stamp(one)
    if not call.store.place.git or since is None:
        return []
    names = ("-z", "--no-renames", "--relative", "--name-status")
    words = ("--reverse", "--format=%x01%s")
    found = delta.changes(
        _said(call, "log", *words, f"--since={stamp(since)}", *names),
        _said(call, "diff", *names, "HEAD", "--"),
        _said(call, "ls-files", "-z", "--others", "--exclude-standard"),
    )
    return redacted(found)


def _said(call: Call, *words: str) -> str:
    try:
        return git.run(call.store.root, *words, env=call.env, patience=PATIENCE)
    except GitError:  # no commit yet, or no git: the person names the files
        return ""


def _stream(call: Call) -> Stream:
    stream = readable(find(call.store.streams(), call.args.name))
    name, kind = stream.glance.id, stream.glance.format
    if kind != "md":
        hint = f'say what is true now: "leftoff update {name} --KEY=VALUE"'
        raise Usage(
            f"{name} is a {kind} document; only Markdown checkpoints have deltas", hint=hint
        )
    return still_open(stream)


def _left_out(path: str, more: int) -> tuple[Finding, ...]:
    if more <= 0:
        return ()
    text = f"{more} more files changed than a delta can list"
    return (Finding("many-artifacts", "info", path, text, "name those that matter: --artifact"),)
