"""update: change fields of one checkpoint, all together or not at all, validated before writing."""

from __future__ import annotations

from leftoff.commands import Call
from leftoff.commands._new_document import scaffold
from leftoff.commands._redaction import warned
from leftoff.commands._trusted import trust_written
from leftoff.core import assignments
from leftoff.core.blocks import Block, Line
from leftoff.core.find_stream import did_you_mean, find, names, readable
from leftoff.core.ids import check_name
from leftoff.core.merge import SIDES
from leftoff.core.model import Checkpoint, Finding
from leftoff.core.new_checkpoint import grown
from leftoff.core.resolve_conflict import resolve
from leftoff.core.result import Result
from leftoff.core.thresholds import DEFAULTS
from leftoff.core.when import stamp
from leftoff.errors import FormatError, Invalid, LeftoffError, NotFound, Usage
from leftoff.formats import Change, named
from leftoff.formats._json_text import loads
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream
    from leftoff.formats import Lens
    from leftoff.world.store import Document

SUMMARY = "Change fields of a checkpoint: replace, append, or set JSON, on dotted paths."
EXAMPLES = (
    "leftoff update oc-git-ops --step=review --progress_summary='Two PRs merged.'",
    "leftoff update oc-git-ops --context_primer.key_decisions+='Squash merges only'",
    "leftoff update oc-git-ops --cost.total_usd:json=4.2 --progress_table.sprint-2.status=complete",
    "leftoff update oc-git-ops --pm linear:PLAT-4471:source",
    "leftoff update chk-auth --anchor='phase 2' --decisions+='Use RS256'",
)
FREE = True


class _Edit(Record):
    """What one call asks for."""

    changes: tuple[Change, ...]
    resolutions: tuple[tuple[str, str], ...]
    now: str


def arguments(parser: Any) -> None:
    """NAME, then assignments as `--key=value`."""
    parser.add_argument("name", metavar="NAME", help="the checkpoint; a new skill gets a new file")
    parser.add_argument("--owner", metavar="SKILL", help="refuse unless this skill owns it")
    parser.add_argument("--new-key", action="store_true", help="allow an unknown top-level key")
    parser.add_argument("--pm", action="append", metavar="REF", help="PROVIDER:ID[:ROLE[:URL]]")
    parser.add_argument(
        "--resolve", action="append", metavar="PATH=SIDE", help="resolve a conflict: ours or theirs"
    )


def run(call: Call) -> Result:
    """Find or begin the document, apply every change in one write."""
    streams = call.store.streams()
    stream = _known(streams, call.args.name)
    name = stream.glance.id if stream else call.args.name
    edit = _edit(call, name)
    if call.args.owner and call.args.owner != name:
        raise Invalid(
            f"{name} belongs to another skill than {call.args.owner}",
            hint='write to your own checkpoint and point to the other with "--depends_on=..."',
        )
    if stream is None:
        return _begin(call, name, edit, streams)
    path = _part(call, stream, edit)
    lens = call.store.lens_at(path)
    before = call.store.raw(path)
    _check_parts(call, stream, lens, edit)
    document = _written(call, path, edit)
    if document.checkpoint.name != lens.read(before, path).name:
        named_so = Change(("name",), "=", document.checkpoint.name)
        for part in stream.parts:  # each has the name, and other programs read it there
            _written(call, part, _Edit((named_so,), (), edit.now))
    found = (*_findings(call, document), *_trust_given(call, lens, path, before, edit))
    found = (*found, *warned(_words(edit), path))
    return _result(path, found, created=False, changed=document.text != before)


def _known(streams: Sequence[Stream], given: str) -> Stream | None:
    """The stream that is meant; None where the name is that of a new one.

    Writers never guess from a prefix: a new skill's name may well begin another's.
    """
    if ":" in given or any(given in (*names(one), one.glance.path) for one in streams):
        return readable(find(streams, given, exact=True))
    check_name(given, "checkpoint name")
    return None


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """One line, as the seeds' tools print it."""
    if data["created"]:
        yield Line("✓ " + say("created {path}", path=data["path"]), "good")
    elif data["changed"]:
        yield Line("✓ " + say("wrote {path}", path=data["path"]), "good")
    else:
        yield Line(say("nothing to change in {path}", path=data["path"]))


def _edit(call: Call, owner: str) -> _Edit:
    now = stamp(call.now)
    parsed = [assignments.parse(word, _json) for word in call.args.rest]
    changes = [Change(a.path, a.op, a.value, bool(call.args.new_key)) for a in parsed]
    changes += [Change(("pm_refs",), "+=", _ticket(word, owner, now)) for word in call.args.pm]
    resolutions = tuple(_resolution(word) for word in call.args.resolve)
    if not changes and not resolutions:
        hint = f'say what is true now: "leftoff update {call.args.name} --KEY=VALUE"'
        raise Usage("there is nothing to change", hint=hint)
    return _Edit(tuple(changes), resolutions, now)


def _findings(call: Call, document: Document) -> Sequence[Finding]:
    """What is to be said of the document as it is now, sizes by the limits that are set here."""
    limits = call.settings.limits
    if limits is DEFAULTS:
        return document.findings
    from leftoff.core.glance import glance
    from leftoff.core.sizes import judged
    from leftoff.core.stream import Stream

    size = len(document.text.encode())
    seen = glance(document.checkpoint, document.path, document.format, size)
    return judged(Stream(seen, (document.path,), document.findings), limits)


def _words(edit: _Edit) -> list[object]:
    """What somebody gave: a name such as `password` tells of its value."""
    return [f"{change.path[-1]}={change.value}" for change in edit.changes]


def _json(text: str) -> Json:
    try:
        return loads(text)
    except FormatError as error:
        hint = "texts need quotes: --key:json='\"x\"'"
        raise Usage(f"the value is not JSON: {error.message}", hint=hint) from error


def _ticket(word: str, owner: str, now: str) -> Json:
    provider, _, rest = word.partition(":")
    ticket, _, rest = rest.partition(":")
    role, _, url = rest.partition(":")
    if not provider or not ticket:
        raise Usage(f'"{word}" is not a ticket', hint="write linear:PLAT-4471:source")
    return {
        "provider": provider,
        "id": ticket,
        "url": url,
        "role": role or "linked",
        "created_by_skill": owner,
        "first_seen_at": now,
    }


def _resolution(word: str) -> tuple[str, str]:
    path, _, side = word.rpartition("=")
    if not path or side not in SIDES:
        raise Usage(f'"{word}" resolves nothing', hint="write --resolve PATH=ours or PATH=theirs")
    return path, side


def _part(call: Call, stream: Stream, edit: _Edit) -> str:
    """The file of a stream that has the fields: a thread's settings are not in its Markdown."""
    refused: LeftoffError | None = None
    for path in stream.parts:
        document, lens = call.store.read(path), call.store.lens_at(path)
        _refuse_stamp(lens, edit.changes)
        try:
            lens.assign(document.text, path, edit.changes)
            _check_recorded(document.checkpoint, edit)
        except (Usage, NotFound) as error:
            refused = refused or error
        else:
            return path
    raise refused or Usage(f"{stream.glance.id} cannot be written", where=stream.glance.path)


def _check_parts(call: Call, stream: Stream, lens: Lens, edit: _Edit) -> None:
    """A new name goes into every part: one that is broken is told before any of them changes."""
    if any(change.path[0] in {"name", lens.HOLDS.get("name")} for change in edit.changes):
        for part in stream.parts:
            call.store.read(part)


def _written(call: Call, path: str, edit: _Edit) -> Document:
    lens = call.store.lens_at(path)
    return call.store.change(path, lambda text: _apply(lens, text, path, edit))


def _check_recorded(checkpoint: Checkpoint, edit: _Edit) -> None:
    """NotFound unless every conflict that is to be settled stands in this very part."""
    for where, side in edit.resolutions:
        resolve(checkpoint, where, side)


def _refuse_stamp(lens: Lens, changes: Sequence[Change]) -> None:
    own = {"updated", lens.HOLDS["updated"]} if lens.STAMPS else set[str]()
    for change in changes:
        if change.path[0] in own:
            raise Usage(f'"{change.path[0]}" is set by every write', hint="leave it out")


def _apply(lens: Lens, text: str, path: str, edit: _Edit) -> str:
    changed = lens.assign(text, path, edit.changes) if edit.changes else text
    if edit.resolutions:
        checkpoint = lens.read(changed, path)
        for where, side in edit.resolutions:
            checkpoint = resolve(checkpoint, where, side)
        changed = lens.write(checkpoint, changed, path)
    if changed == text or not lens.STAMPS:
        return changed
    return lens.write(lens.read(changed, path)._replace(updated=edit.now), changed, path)


def _trust_given(
    call: Call, lens: Lens, path: str, before: str, edit: _Edit
) -> tuple[Finding, ...]:
    """Trust what the assignments alone bring: a settled conflict may bring a stranger's command."""
    if not any("done_when" in f"{change.path} {change.value}" for change in edit.changes):
        return ()
    after = lens.assign(before, path, edit.changes)
    values = [change.value for change in edit.changes]
    return trust_written(call, lens.read(before, path), lens.read(after, path), values)


def _begin(call: Call, name: str, edit: _Edit, streams: Sequence[Stream]) -> Result:
    """A never-seen skill needs no registration: its first update makes the file."""
    lens = named("skill")
    born = Checkpoint(id=name, created=edit.now, updated=edit.now)
    fresh = grown(born, call.store.root, "scaffolded")
    path = lens.path(fresh)
    close = did_you_mean(name, (one for stream in streams for one in names(stream)))
    try:
        text = _apply(lens, lens.write(fresh, "", path), path, edit)
    except Usage as error:  # more likely a slip in the name than a new skill
        text = f'there is no checkpoint "{name}", and a new one cannot start like this: '
        raise Usage(
            text + error.message, hint=close or error.hint, choices=error.choices
        ) from error
    document = call.store.create(path, text, check=True)
    values = [change.value for change in edit.changes]
    unkept = trust_written(call, None, document.checkpoint, values)
    scaffold(call.store)
    note = Finding("similar", "info", path, f"this is a new checkpoint; {close}")
    found = (*_findings(call, document), *unkept, *((note,) if close else ()))
    found = (*found, *warned(_words(edit), path))
    return _result(path, found, created=True, changed=True)


def _result(path: str, found: Sequence[Finding], *, created: bool, changed: bool) -> Result:
    # what was wrong before this write is told, and does not fail it
    told = tuple(f._replace(level="warning") if f.level == "error" else f for f in found)
    return Result({"path": path, "created": created, "changed": changed}, told)
