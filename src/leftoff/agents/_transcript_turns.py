"""A transcript as turns: any client's reader, listened to while it counts."""

from __future__ import annotations

from leftoff.core import talk
from leftoff.core.tally import TALK
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from leftoff.agents import LogReader
    from leftoff.core.talk import Turn
    from leftoff.core.tally import Tally


def begin(reader: LogReader) -> Tally:
    """A tally of nothing that also hears what is said."""
    return {**reader.begin(), TALK: talk.begin()}


def turns(
    reader: LogReader, blocks: Iterable[bytes | memoryview], tally: Tally | None = None
) -> Iterator[Turn]:
    """The conversation in blocks of whole lines; a tally that is given has counted them then."""
    tally = begin(reader) if tally is None else tally
    is_aside = getattr(reader, "aside", None)
    number = 0
    for block in blocks:
        lines = bytes(block).split(b"\n")
        for at, line in enumerate(lines, number + 1):
            if line:
                when = _fed(reader, tally, line)
                aside = is_aside is not None and is_aside(line)
                talk.line_read(tally[TALK], when, aside=aside, line=at)
                yield from talk.ready(tally[TALK])
        number += len(lines) - 1  # each ends with one; the piece behind the last is empty
    yield from talk.ready(tally[TALK], end=True)


def _fed(reader: LogReader, tally: Tally, line: bytes) -> float:
    """Count a line; its time, else that of the lines before it."""
    before, tally["last"] = tally["last"], 0.0
    reader.feed(tally, line)
    when: float = tally["last"]
    tally["last"] = max(before, when)
    return when or before
