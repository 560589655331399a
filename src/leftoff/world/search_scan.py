"""A search without an index: every passage of every source is looked at."""

from __future__ import annotations

from leftoff.core.search_hits import Found, Hit, first
from leftoff.core.search_words import matcher
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol

    from leftoff.core.search_hits import Passage, Source, Wanted

    class Shelf(Protocol):
        """Where passages come from."""

        damaged: dict[Source, str]
        """those that were not read to their end"""

        def passages(self, source: Source) -> Iterable[Passage]:
            """What a source says, in its order."""


SLACK = 1000
"""Hits that are kept beyond those that will be shown, before the later ones are let go."""


def find(
    shelf: Shelf,
    sources: Iterable[Source],
    wanted: Wanted,
    limit: int,
    told: Callable[[Source], None] | None = None,
) -> Found:
    """The first hits and their number; memory is held for those that may be shown."""
    kept: list[Hit] = []
    total = 0
    for source in sources:
        for hit in _in_source(shelf, source, wanted):
            kept.append(hit)
            total += 1
            if len(kept) > limit + SLACK:
                kept = [*first(kept, limit)]
        if told:
            told(source)
    return Found(first(kept, limit), total)


def _in_source(shelf: Shelf, source: Source, wanted: Wanted) -> Iterator[Hit]:
    fits, counts = matcher(wanted.query).fits, wanted.counts
    for number, passage in enumerate(shelf.passages(source)):
        if counts(passage.kind, passage.at) and fits(passage.text):
            yield Hit(source, passage, number)


def together(parts: Iterable[Found], limit: int) -> Found:
    """What several stores found, as one answer."""
    found = [*parts]
    hits = [hit for one in found for hit in one.hits]
    return Found(first(hits, limit), sum(one.total for one in found))
