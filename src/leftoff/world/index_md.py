"""The generated INDEX.md of a folder of checkpoints: where it is, and whether it is true."""

from __future__ import annotations

from leftoff.core.index_md import TITLES, index, is_index
from leftoff.core.paths import stem_of
from leftoff.errors import Conflict
from leftoff.record import TYPE_CHECKING
from leftoff.world.edit_file import edit_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from leftoff.core.model import Checkpoint
    from leftoff.core.stream import Stream
    from leftoff.world.store import Store

INDEXED = 500
"""Up to so many checkpoints are read again to compare an index word by word."""


def outdated(store: Store, streams: Sequence[Stream]) -> Iterator[str]:
    """The generated indexes that are not what would be generated now."""
    for folder in TITLES:
        path = path_of(folder)
        old = store.raw_or_none(path) or ""
        if is_index(old) and not _is_true(store, streams, folder, old):
            yield path


def path_of(folder: str) -> str:
    """Where the index of `active` or `archive` is."""
    return f"checkpoints/{folder}/INDEX.md"


def text_of(store: Store, streams: Iterable[Stream], folder: str) -> str:
    """The index of a folder as it would be generated now."""
    listed: list[tuple[str, Checkpoint]] = [
        (_stem(stream), store.read_stream(stream)) for stream in members(streams, folder)
    ]
    return index(folder, listed)


def put(store: Store, path: str, old: str, new: str, now: float) -> str:
    """Write an index in the place of the old one, which is kept in the trash; where it is there.

    Conflict where somebody else wrote in between.
    """

    def replaced(text: str) -> str:
        if text != old:
            raise Conflict(f"{path} changed in the meantime", hint="run it again", where=path)
        return new

    kept = store.keep_copy(path, now) if old else ""
    edit_file(store, path, replaced)  # never a moment without an index
    return kept


def _is_true(store: Store, streams: Sequence[Stream], folder: str, old: str) -> bool:
    """Names and dates first: they need no document. The words only where that is quick."""
    own = members(streams, folder)
    rows = [line.split("|") for line in old.splitlines() if line.startswith("| ")][1:]
    listed = {(row[1].strip(), row[-2].strip()) for row in rows if len(row) > 3}
    if listed != {(_stem(stream), _date(stream)) for stream in own}:
        return False
    return len(own) > INDEXED or old == text_of(store, streams, folder)


def members(streams: Iterable[Stream], folder: str) -> list[Stream]:
    """The documents of a folder that its index lists."""
    start = f"checkpoints/{folder}/"
    return [s for s in streams if s.glance.path.startswith(start) and not s.glance.broken]


def _stem(stream: Stream) -> str:
    return stem_of(stream.glance.path)


def _date(stream: Stream) -> str:
    return (stream.glance.updated or stream.glance.created)[:10]
