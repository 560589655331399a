"""Documents become streams: each file through the lens that claims it, a thread out of its parts.

A broken document is a stream too, one that says why; only what is no document gives none.
"""

from __future__ import annotations

import os

from leftoff.core.glance import glance
from leftoff.core.model import Finding
from leftoff.core.stream import Glance, Stream, join
from leftoff.core.when import DAY
from leftoff.errors import FormatError, LeftoffError, NotFound
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import decode, modified, read_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.core.model import Checkpoint
    from leftoff.world.scan import Candidate, Refused


DATE = len("2026-01-01")


class _Part(Record):
    """One file of a stream: its checkpoint, or why it has none."""

    path: str
    format: str
    checkpoint: Checkpoint | None
    findings: tuple[Finding, ...]
    broken: str = ""
    size: int = 0


def stream_of(root: str, path: str, name: str) -> Stream:
    """The stream that a single file makes."""
    part = _read_part(root, path, [name])
    if part is None:
        raise NotFound(f"there is no {path}", where=path)
    return _timed(root, _stream([part]))


def stream_of_files(root: str, files: Sequence[Candidate]) -> Stream | None:
    """The stream that the files of one group make; None when none of them is a document."""
    names: dict[str, list[str]] = {}
    for path, name, _ in files:
        names.setdefault(path, []).append(name)
    read = [_read_part(root, path, some) for path, some in names.items()]
    parts = sorted(filter(None, read), key=lambda part: part.format)
    return _timed(root, _stream(parts)) if parts else None


def refused_stream(refused: Refused) -> Stream:
    """What may not be looked at, as a broken stream with nothing in it that anybody may open."""
    return _stream([_broken_part(*refused)])._replace(parts=())


def _read_part(root: str, path: str, names: Sequence[str]) -> _Part | None:
    """A file through the first lens that claims it; None for a stranger's."""
    from leftoff.formats import named  # a warm cache needs no format at all

    try:
        data = read_bytes(os.path.join(root, path))
    except NotFound:
        return None
    except LeftoffError as error:
        return _broken_part(path, names[0], error.message)
    # Whose it was meant to be shows even in a text with damaged bytes.
    legible = data.decode("utf-8", "replace")
    one = next((one for one in map(named, names) if one.mine(legible, path)), None)
    if one is None:
        return None
    try:
        text = decode(data, path)
        read, found = one.read(text, path), tuple(one.check(text, path))
        return _Part(path, one.NAME, read, found, size=len(data))
    except FormatError as error:
        at = f"line {error.line}: " if error.line and not error.message.startswith("line ") else ""
        return _broken_part(path, one.NAME, at + error.message, error)


def _broken_part(
    path: str, format_name: str, reason: str, error: FormatError | None = None
) -> _Part:
    line, fix = (error.line, error.hint) if error else (0, "")
    finding = Finding("broken", "error", "", reason, fix, line)
    return _Part(path, format_name, None, (finding,), reason)


def _stream(parts: Sequence[_Part]) -> Stream:
    """One stream out of its parts; a broken one shows, the others still speak."""
    path, name = parts[0].path, parts[0].format.partition(".")[0]
    known = [part.checkpoint for part in parts if part.checkpoint]
    blind = Glance(path, name, _guess_id(path, name))
    seen = glance(join(known), path, name, parts[0].size) if known else blind
    broken = next((part for part in parts if part.broken), None)
    if broken:
        at = f"{broken.path.rpartition('/')[2]}: " if broken.path != path else ""
        lesser = broken.path if parts[0].checkpoint else ""
        seen = seen._replace(broken=at + broken.broken, broken_part=lesser)
    found = [finding for part in parts for finding in _labelled(part, path)]
    return Stream(seen, tuple(part.path for part in parts), tuple(found))


def _timed(root: str, stream: Stream) -> Stream:
    """With the time of the file where the document tells only the day, and it is that day.

    Else all of a day's work would count as done after a save that was made in the evening.
    """
    seen = stream.glance
    if seen.touched is None or len((seen.updated or seen.created).strip()) > DATE:
        return stream
    at = modified(os.path.join(root, seen.path))
    of_that_day = 0 <= at - seen.touched < DAY
    return stream._replace(glance=seen._replace(touched=at)) if of_that_day else stream


def _labelled(part: _Part, main: str) -> Sequence[Finding]:
    """The findings of a part; those of another file than the stream's own say which."""
    if part.path == main:
        return part.findings
    name = part.path.rpartition("/")[2]
    return [f._replace(where=f"{name}: {f.where}" if f.where else name) for f in part.findings]


def _guess_id(path: str, format_name: str) -> str:
    """The id of a document that cannot be read: its file's name; for a thread its folder's."""
    folder, _, name = path.rpartition("/")
    if format_name == "thread" and folder:
        return folder.rpartition("/")[2]
    return name.removesuffix(".json").removesuffix(".md").removesuffix(".checkpoint")
