"""What sources say, read by a second process while this one writes the index.

The child reads them in the order in which they will be asked for, and no further ahead than a pipe
holds. Whatever goes wrong with it, the rest is read here: it is only there to be sooner.
"""

from __future__ import annotations

import marshal
import os

from leftoff.core.search_hits import Passage
from leftoff.core.search_words import spaced
from leftoff.record import TYPE_CHECKING
from leftoff.world import forking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import BinaryIO

    from leftoff.core.search_hits import Source
    from leftoff.world.search_scan import Shelf

WORTH = 16 << 20
"""bytes to read for which a second process pays"""
_BATCH = 256
_PIPE = 1 << 20
_SET_SIZE = 1031  # F_SETPIPE_SZ


class Reader:
    """Passages by another process, for sources asked for in the order in which they were given."""

    def __init__(self, shelf: Shelf, sources: Sequence[Source]) -> None:
        self._shelf = shelf
        self._pid, self._pipe = _started(shelf, sources)

    def passages(self, source: Source) -> Iterator[Passage]:
        """What a source says; by ourselves from where the other process stopped."""
        count = 0
        while (some := self._batch()) is not None:
            if not some:
                return
            yield from map(Passage._make, some)
            count += len(some)
        from itertools import islice

        yield from islice(iter(self._shelf.passages(source)), count, None)

    def _batch(self) -> list[tuple[str, str, float, int, str]] | None:
        """Some passages, none at the end of a source; None when nothing comes any more."""
        if self._pipe is None:
            return None
        try:
            found = marshal.load(self._pipe)  # noqa: S302  # our own child's
        except (EOFError, ValueError, TypeError, OSError):
            self.close()
            return None
        return found if isinstance(found, list) else None

    def close(self) -> None:
        """The other process ends; it holds nothing that would be lost."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._pid:
            os.waitpid(self._pid, 0)  # a closed pipe ends it
            self._pid = 0


def _started(shelf: Shelf, sources: Sequence[Source]) -> tuple[int, BinaryIO | None]:
    reader, writer = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        return 0, None
    if pid:
        os.close(writer)
        return pid, open(reader, "rb", buffering=_PIPE)  # closed by `close`
    try:
        os.close(reader)
        _tell(shelf, sources, writer)
    finally:
        os._exit(0)  # nothing of the parent's may be flushed or undone here


def _tell(shelf: Shelf, sources: Iterable[Source], writer: int) -> None:
    _widen(writer)
    with open(writer, "wb", buffering=0) as pipe:
        for source in sources:
            some: list[tuple[object, ...]] = []
            for passage in shelf.passages(source):
                # the process that writes has more to do than this one
                some.append((*passage[:-1], spaced(passage.text)))
                if len(some) == _BATCH:
                    _put(pipe.fileno(), some)
                    some = []
            if source in shelf.damaged:
                return  # the one that asked reads it itself, and then knows that, too
            if some:
                _put(pipe.fileno(), some)
            _put(pipe.fileno(), [])


def _put(fd: int, some: list[tuple[object, ...]]) -> None:
    data = memoryview(marshal.dumps(some))
    while data:
        data = data[os.write(fd, data) :]


def _widen(fd: int) -> None:
    """A pipe that holds more lets both run; where the system has no such thing, it is slower."""
    from fcntl import fcntl

    try:
        fcntl(fd, _SET_SIZE, _PIPE)
    except OSError:
        return


def is_worth(sources: Iterable[Source]) -> bool:
    """Whether there is much to read, and a processor that has nothing else to do."""
    return sum(one.size for one in sources) >= WORTH and forking.pays()
