"""The glances of a project's documents, cached on disk, so that lists need not read the documents.

The cache can be deleted at any time. It is believed only when it is whole and of this version, an
entry only while its files are the same by inode, size and both times. It holds nothing that ages.
It is kept by columns, since few values of one kind load faster than many of mixed ones, and since
a command that asks for three fields then loads three.
"""

from __future__ import annotations

import gc
import marshal
import os
from itertools import repeat

from leftoff.core.model import Finding
from leftoff.core.stream import Glance, Stream
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import cache_file
from leftoff.world.state import place_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeAlias, TypeVar

    T = TypeVar("T")

    from leftoff.world.scan import Candidate, Stamp, Table

    Group: TypeAlias = tuple[Candidate, ...]
    Streams: TypeAlias = Mapping[Group, Stream]

_HEAD = cache_file.head_of(f"documents 4 {Glance._fields} {Finding._fields}")

# The form of marshal that depends on values alone, not on who else holds them.
_PLAIN = 0

# A file that changed twice within one tick of its clock looks unchanged; no tick is longer.
RACY = 2_000_000_000

STRANGER = Stream(Glance("", "", ""), ())
"""In the place of a stream, for files that are no document: nobody need read them again."""

# The parts of a cache that are no column.
_META, _LOOK = "<meta>", "<look>"
_BLANK = {**Glance("", "", "")._asdict(), "parts": (), "findings": ()}


class Saved(Record):
    """What a cache holds: when the files were looked at and how they were; columns, marshalled."""

    root: str
    stamp: Stamp
    scanned: int
    newest: int
    table: Table
    files: bytes
    columns: Mapping[str, bytes]


class Uncollected:
    """A block that builds many values which all live on; looking for garbage in it finds none."""

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_on:
            gc.enable()


def cache_path(state: str, root: str) -> str:
    """Where the cache of a project is."""
    return os.path.join(state, "cache", f"{place_key(root)}.bin")


def load(state: str, root: str, stamp: Stamp, fields: Sequence[str] = ()) -> Saved | None:
    """The cache, with all columns or those of `fields`; None when there is none to be trusted."""
    wanted = (_META, _LOOK, "path", *fields) if fields else ()
    parts = cache_file.load(cache_path(state, root), _HEAD, wanted)
    if not parts:
        return None
    meta = marshal.loads(parts.pop(_META))  # noqa: S302  # checked by `cache_file`
    saved = Saved._make((*meta, parts.pop(_LOOK), parts))
    # Two projects may share a file name; and a changed format reads its documents differently.
    return saved if (saved.root, saved.stamp) == (root, stamp) else None


def save(state: str, saved: Saved) -> None:
    """Keep it for the next time, if that is possible; nothing depends on it."""
    meta: Any = saved[:-2]
    parts = {_META: marshal.dumps(meta), _LOOK: saved.files, **saved.columns}
    cache_file.save(cache_path(state, saved.root), _HEAD, parts)


def empty(root: str, stamp: Stamp, table: Table) -> Saved:
    """A cache of nothing yet."""
    return pack(Saved(root, stamp, 0, 0, table, b"", {}), 0, {})


def pack(saved: Saved, scanned: int, streams: Streams) -> Saved:
    """The cache of what the groups of files say now."""
    files = [file for group in streams for file in group]
    rows = [_row(stream) for stream in streams.values()]
    columns = zip(*rows, strict=True) if rows else ((),) * len(_BLANK)
    packed = {name: marshal.dumps(column) for name, column in zip(_BLANK, columns, strict=True)}
    plain = marshal.dumps(sorted(files), _PLAIN)
    return saved._replace(scanned=scanned, newest=_newest(files), files=plain, columns=packed)


def covers(saved: Saved, files: list[Candidate]) -> bool:
    """Whether not one file came, went, changed, or may have changed unseen."""
    settled = saved.newest <= saved.scanned - RACY
    return settled and marshal.dumps(files, _PLAIN) == saved.files


def unpack(saved: Saved) -> list[Stream]:
    """The streams in the order of their groups; fields whose column was not loaded are blank."""
    paths = _column(saved, "path")
    columns = {
        name: _column(saved, name) if name in saved.columns else (blank,) * len(paths)
        for name, blank in _BLANK.items()
    }
    rows = zip(*(columns[name] for name in Glance._fields), strict=True)
    findings = columns["findings"]
    if any(findings):
        findings = tuple(tuple(map(Finding._make, found)) for found in findings)
    return _made(Stream, zip(_made(Glance, rows), columns["parts"], findings, strict=True))


def _made(record: type[T], rows: Iterable[tuple[object, ...]]) -> list[T]:
    """What `record._make` makes of each row, ten thousand times, without a call in Python each."""
    make: Any = tuple.__new__
    return list(map(make, repeat(record), rows))


def refresh(
    saved: Saved, files: Sequence[Candidate], scanned: int
) -> tuple[dict[Group, Stream], bool]:
    """The streams as the files are now, and whether to keep them spares the next run any work."""
    before = grouped(files_of(saved), saved.table)
    old = dict(zip(before, unpack(saved), strict=True))
    made = renewed(saved.root, grouped(files, saved.table), old, saved.scanned)
    settled = scanned - RACY
    news = any(
        _newest(group) <= settled or group not in old or old[group] != stream
        for group, stream in made.items()
        if stream is not old.get(group)
    )
    return made, news or len(made) != len(old)


def renewed(root: str, groups: Iterable[Group], old: Streams, scanned: int) -> dict[Group, Stream]:
    """What groups of files say; only what changed since `old` was scanned, or may have, is read."""
    from leftoff.world.read_streams import stream_of_files  # a warm cache needs no format at all

    certain = scanned - RACY
    made: dict[Group, Stream] = {}
    for group in groups:
        known = old.get(group) if _newest(group) <= certain else None
        made[group] = known or stream_of_files(root, group) or STRANGER
    return made


def files_of(saved: Saved) -> list[Candidate]:
    """The files that a cache tells of, as they were."""
    return marshal.loads(saved.files)  # type: ignore[no-any-return]  # noqa: S302  # checked by `load`


def grouped(files: Sequence[Candidate], table: Table) -> list[Group]:
    """Files by stream. Formats named `x` and `x.part` make one stream of what shares a folder."""
    in_parts = {name.partition(".")[0] for name, _ in table if "." in name}
    by_folder = {name for name, _ in table if name.partition(".")[0] in in_parts}
    groups: dict[str, Group] = {}
    for file in files:
        path, name, _ = file
        key = path.rpartition("/")[0] + "/" if name in by_folder else path
        groups[key] = (*groups[key], file) if key in groups else (file,)
    return list(groups.values())


def _newest(files: Sequence[Candidate]) -> int:
    return max((max(file[3:]) for _, _, file in files), default=0)


def _column(saved: Saved, name: str) -> tuple[Any, ...]:
    return marshal.loads(saved.columns[name])  # type: ignore[no-any-return]  # noqa: S302


def _row(stream: Stream) -> tuple[object, ...]:
    return (*stream.glance, stream.parts, tuple(map(tuple, stream.findings)))
