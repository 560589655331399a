"""All streams of a project: from the glance cache where files did not change, else read anew."""

from __future__ import annotations

import os

from leftoff.record import TYPE_CHECKING
from leftoff.world import glance_cache, scan

if TYPE_CHECKING:
    from leftoff.core.stream import Stream
    from leftoff.world.scan import Candidate, Look, Table


def streams(
    root: str, state: str, now: int, fields: tuple[str, ...] = ()
) -> tuple[Table, list[Stream]]:
    """The table of formats, and every stream, sorted by path; `fields` as in `Store.streams`."""
    with glance_cache.Uncollected():
        stamp = scan.formats_stamp()
        kept = glance_cache.load(state, root, stamp, fields)
        table = kept.table if kept else scan.lens_table()
        found = scan.look(root, table)
        if kept and glance_cache.covers(kept, found.files):
            made = glance_cache.unpack(kept)
        else:
            fresh = glance_cache.empty(root, stamp, table)
            made = _refreshed(state, fresh, found.files, now)
        return table, in_order(found, made)


def in_order(found: Look, made: list[Stream]) -> list[Stream]:
    """Sorted by path, with what may not be read and without strangers."""
    if found.refused:
        from leftoff.world.read_streams import refused_stream

        made += [refused_stream(refused) for refused in found.refused]
    made.sort(key=_path_of)
    if made and not made[0].glance.path:
        made = [stream for stream in made if stream.glance.path]
    return _distinct(made) if os.path.lexists(f"{found.root}/{scan.ALIAS}") else made


def _refreshed(
    state: str, empty: glance_cache.Saved, files: list[Candidate], now: int
) -> list[Stream]:
    """Read what changed, or may have, since the cache was made; keep what was read."""
    kept = glance_cache.load(state, empty.root, empty.stamp)
    saved = kept or empty
    fresh, news = glance_cache.refresh(saved, files, now)
    if news or not kept:
        glance_cache.save(state, glance_cache.pack(saved, now, fresh))
    return list(fresh.values())


def _path_of(stream: Stream) -> str:
    return stream.glance.path


def _distinct(streams: list[Stream]) -> list[Stream]:
    """Without a copy of a thread's checkpoint at the root, which is not a second stream."""
    names = {(s.glance.format, s.glance.id) for s in streams if s.glance.path != scan.ALIAS}
    return [
        s
        for s in streams
        if s.glance.path != scan.ALIAS or (s.glance.format, s.glance.id) not in names
    ]
