"""What the tests of the readers share: lines in, statistics out, by one pass and line by line."""

from __future__ import annotations

import json
import marshal
from typing import TYPE_CHECKING, Any

from leftoff.core.stats import Stats
from support import shared

if TYPE_CHECKING:
    from leftoff.agents import LogReader


def counted(reader: LogReader, *told: Any) -> Stats:
    """The statistics of lines: objects, or bytes that stand for themselves."""
    block = b"".join(map(_line, told))
    whole = _fed(reader, [block])
    assert whole == _fed(reader, block.splitlines(keepends=True)), "a split changes the sum"
    return whole


def _fed(reader: LogReader, blocks: list[bytes]) -> Stats:
    tally = reader.begin()
    for block in blocks:
        reader.feed(tally, block)
        tally = marshal.loads(marshal.dumps(tally))
    return reader.stats(tally)


def _line(told: Any) -> bytes:
    return told if isinstance(told, bytes) else json.dumps(told).encode() + b"\n"


def fixture(*parts: str) -> tuple[bytes, list[Any]]:
    """A transcript of a real client, and its lines for counting by hand."""
    with open(shared("clients", "fixtures", *parts), "rb") as file:
        raw = file.read()
    return raw, [json.loads(line) for line in raw.splitlines()] if parts[-1].endswith("l") else []
