"""The last few checkpoints that were read in full, cached on disk: `resume` then loads no format.

Anybody may delete it. An entry is believed only while its files are the same by inode, size and
both times, and while the formats are those that read it.
"""

from __future__ import annotations

import os
from time import time_ns

from leftoff.core.model import Checkpoint, Item
from leftoff.record import TYPE_CHECKING
from leftoff.world import cache_file, scan
from leftoff.world.glance_cache import RACY
from leftoff.world.state import place_key

if TYPE_CHECKING:
    from typing import Any

    from leftoff.core.stream import Stream
    from leftoff.world.store import Store

    Files = tuple[tuple[int, int, int, int], ...]

MOST = 8
_HEAD = cache_file.head_of(f"whole 1 {Checkpoint._fields}")


def read_stream(store: Store, stream: Stream) -> Checkpoint:
    """The checkpoint of a stream out of its good parts; what was kept, where that is still true."""
    path = os.path.join(store.state, "cache", f"{place_key(store.root)}.whole.bin")
    key = (store.root, scan.formats_stamp(), *stream.parts)
    files = _files(store, stream)
    rows: dict[Any, Any] = cache_file.load_value(path, _HEAD) or {}
    at, known, said = rows.get(key, (0, (), None))
    if said is not None and known == files and _newest(files) <= at - RACY:
        return _made(said)
    now, read = time_ns(), store.read_good(stream)
    if files and _newest(files) <= now - RACY and files == _files(store, stream):
        others = {other: row for other, row in rows.items() if other != key}
        last = dict([*others.items()][-(MOST - 1) :])
        cache_file.save_value(path, _HEAD, {**last, key: (now, files, _plain(read))})
    return read


def _files(store: Store, stream: Stream) -> Files:
    """How the files are now; nothing where one cannot be seen."""
    found = []
    for part in stream.parts:
        try:
            seen = os.stat(os.path.join(store.root, part))
        except OSError:
            return ()
        found.append((seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns))
    return tuple(found)


def _newest(files: Files) -> int:
    return max((max(file[2:]) for file in files), default=0)


def _plain(c: Checkpoint) -> tuple[object, ...]:
    return tuple(tuple(map(tuple, value)) if isinstance(value, tuple) else value for value in c)


def _made(said: tuple[Any, ...]) -> Checkpoint:
    values = (tuple(map(Item._make, v)) if isinstance(v, tuple) else v for v in said)
    return Checkpoint._make(values)
