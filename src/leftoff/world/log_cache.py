"""What was counted in each transcript, kept so that only what is new need be read.

One file has what every reader wants of all transcripts, by columns; the tallies, which only a
transcript that grew needs, are in a few others. All can be deleted at any time.
"""

from __future__ import annotations

import marshal
import os
from contextlib import suppress
from zlib import crc32

from leftoff.core.stats import Compaction, Failure, HookCost, Stats, Task, Tokens
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import cache_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from leftoff.core.tally import Tally

SHARDS = 16
YOUNG = 200
"""transcripts whose last reading is kept in a file of its own, since that of all is long"""


class Row(Record):
    """How a transcript was when it was read, how far, and what ties it to others."""

    agent: str
    inode: int
    size: int
    mtime_ns: int
    offset: int
    check: int
    """of its first bytes and of those before `offset`"""
    start: int = 0
    """where its own part begins; before that stands the history that a fork copied"""
    parent: str = ""
    head: int = 0
    began: float = 0.0


_HEAD = cache_file.head_of(f"logs 2 {Row._fields} {Stats._fields}")
_COLUMNS = ("rows", "stats", "curves", "keys")


def _places(**records: Any) -> tuple[tuple[int, Any], ...]:
    """Where in the statistics other records stand, which marshal does not know."""
    return tuple((Stats._fields.index(name), record) for name, record in records.items())


_NESTED = _places(compactions=Compaction, tasks=Task, failures=Failure)
_INSIDE = _places(tokens=Tokens, hooks=HookCost)


class Digest(Record):
    """What one reading of a transcript leaves to keep, ready for marshal and cheap to hand on."""

    path: str
    row: Row
    tally: bytes
    stats: bytes
    curve: bytes
    keys: bytes


class Logs(Record):
    """Columns by path: rows, and marshalled statistics, curves and keys of answers."""

    rows: dict[str, Row]
    """plain tuples, made into records one by one where they are wanted"""
    stats: dict[str, bytes]
    curves: dict[str, bytes]
    keys: dict[str, bytes]


def load(state: str, *, curves: bool = True, keys: bool = False) -> Logs:
    """The columns that are wanted; the others, and all where nothing is kept, are empty."""
    wanted = ("rows", "stats", *(["curves"] * curves), *(["keys"] * keys))
    logs = _columns(_index(state), wanted)
    young: Any = _columns(_young(state), wanted)._asdict()
    for name, column in logs._asdict().items():
        column.update(young[name])
    return logs


def _columns(path: str, wanted: Sequence[str] = _COLUMNS) -> Logs:
    parts = cache_file.load(path, _HEAD, wanted) or {}
    return Logs(*(marshal.loads(parts[name]) if name in parts else {} for name in _COLUMNS))  # noqa: S302


def put(logs: Logs, fresh: Iterable[Digest], wanted: Sequence[str] = _COLUMNS) -> None:
    """These readings take their places in the columns."""
    columns: Any = logs._asdict()
    for one in fresh:
        values = (tuple(one.row), *one[3:])
        for name, value in zip(_COLUMNS, values, strict=True):
            if name in wanted:
                columns[name][one.path] = value


def row_of(logs: Logs, path: str) -> Row | None:
    """What is known of a transcript."""
    found = logs.rows.get(path)
    return Row._make(found) if found else None


def stats_of(logs: Logs, path: str) -> Stats:
    """The statistics that are kept; without curve where that column was not loaded."""
    return with_curve(stats_in(logs.stats[path]), logs.curves.get(path))


def with_curve(stats: Stats, kept: bytes | None) -> Stats:
    """The statistics with the curve that was kept for them, if any was."""
    if kept is None:
        return stats
    from leftoff.core.tally import curve_of

    return stats._replace(curve=curve_of(marshal.loads(kept)))  # noqa: S302


def stats_in(body: bytes) -> Stats:
    """One of the column `stats`."""
    values = marshal.loads(body)  # noqa: S302  # checked by `cache_file`
    for at, record in _NESTED:
        if values[at]:
            values[at] = tuple(map(record._make, values[at]))
    for at, record in _INSIDE:
        values[at] = record._make(values[at])
    return Stats._make(values)


def _plain(stats: Stats) -> bytes:
    values: list[Any] = [*stats]
    for at, _ in (*_NESTED, *_INSIDE):
        values[at] = _bare(values[at])
    return marshal.dumps(values)


def digest(path: str, row: Row, version: int, tally: Tally, stats: Stats) -> Digest:
    """All of a reading, in the form in which it is kept; without `version` not the tally."""
    from array import array

    from leftoff.core.tally import points

    keys = array("Q", [key for key in tally["answers"] if key > 0]).tobytes()
    curve = marshal.dumps(points(tally))
    whole = (*_stamp(row), version, {**tally, "curve": curve})
    body = marshal.dumps(whole) if version else b""
    return Digest(path, row, body, _plain(stats), curve, keys)


def _bare(value: Any) -> Any:
    """Plain tuples in the place of records, which marshal does not know."""
    return tuple(map(_bare, value)) if isinstance(value, tuple) else value


def _stamp(row: Row) -> tuple[int, int]:
    """What ties a tally to the row that was kept with it."""
    return row.offset, row.check


def tallies(state: str, rows: Mapping[str, Row]) -> dict[str, bytes]:
    """The tallies of transcripts that were read before, for `tally_in`."""
    found = {}
    for shard, paths in _by_shard(rows).items():
        parts = cache_file.load(_shard(state, shard), _HEAD) or {}
        found.update({path: parts[path] for path in paths if path in parts})
    return found


def tally_in(body: bytes, row: Row, version: int) -> Tally | None:
    """The tally, if it is the one of that reading and of that version of its reader."""
    if not body:
        return None
    *stamp, tally = marshal.loads(body)  # noqa: S302  # checked by `cache_file`
    if tuple(stamp) != (*_stamp(row), version):
        return None
    curve = marshal.loads(tally["curve"])  # noqa: S302  # its last point may still change
    return {**tally, "curve": curve[:-1] if tally["point"] else curve}


def save(state: str, fresh: Sequence[Digest]) -> None:
    """Keep these readings: beside all the others until they are many, for sessions grow often."""
    young = _columns(_young(state))
    put(young, fresh)
    few = len(young.rows) <= YOUNG and os.path.exists(_index(state))
    logs = young if few else _whole(state, fresh)
    _save_tallies(state, {one.path: one.tally for one in fresh}, None if few else logs)
    parts = {name: marshal.dumps(column) for name, column in logs._asdict().items()}
    cache_file.save(_young(state) if few else _index(state), _HEAD, parts)
    if not few and young.rows:
        with suppress(OSError):
            os.unlink(_young(state))


def _whole(state: str, fresh: Sequence[Digest]) -> Logs:
    """All columns with these readings in them, without transcripts that are gone."""
    logs = load(state, keys=True)
    put(logs, fresh)
    known = logs.rows.keys() - {one.path for one in fresh}  # those were there a moment ago
    for path in [path for path in known if not os.path.exists(path.partition("#")[0])]:
        for column in logs:
            column.pop(path, None)
    return logs


def _save_tallies(state: str, fresh: Mapping[str, bytes], logs: Logs | None) -> None:
    """With the others; where all that is known is told, without those of transcripts gone."""
    for shard, paths in _by_shard(fresh).items():
        before = cache_file.load(_shard(state, shard), _HEAD) or {}
        parts = before | {path: fresh[path] for path in paths}
        there = parts.keys() if logs is None else logs.rows.keys()
        still = {path: part for path, part in parts.items() if part and path in there}
        if still != before:
            cache_file.save(_shard(state, shard), _HEAD, still)


def _by_shard(paths: Iterable[str]) -> dict[int, list[str]]:
    shards: dict[int, list[str]] = {}
    for path in paths:
        shards.setdefault(crc32(os.fsencode(path)) % SHARDS, []).append(path)
    return shards


def _index(state: str) -> str:
    return os.path.join(state, "cache", "logs.bin")


def _young(state: str) -> str:
    return os.path.join(state, "cache", "logs-young.bin")


def _shard(state: str, number: int) -> str:
    return os.path.join(state, "cache", f"logs-{number:02}.bin")
