"""Checks of a document that need the clock: stale, old, or dated in the future.

They are apart from the formats' own checks because those are cached and these must never be.
"""

from __future__ import annotations

from leftoff.core.model import IN_PROGRESS, Finding
from leftoff.core.when import DAY
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leftoff.core.stream import Glance


def stale_days(stream: Glance, now: float, limits: Mapping[str, float]) -> int:
    """How many days an in-progress stream has been left alone, when that is too many; else 0."""
    if stream.status != IN_PROGRESS or stream.touched is None:
        return 0
    since = now - stream.touched
    return int(since / DAY) if since > limits["stale.checkpoint"] else 0


def findings(stream: Glance, now: float, limits: Mapping[str, float]) -> Iterator[Finding]:
    """The clock's findings of one stream."""
    if stream.updated and (stream.touched or 0.0) - now > limits["future.updated"]:
        text = f"updated_at ({stream.updated}) is in the future — clock skew or a typo?"
        yield Finding("future", "warning", "updated", text)
    if stream.format == "md" and stream.status == IN_PROGRESS:
        yield from _markdown_age(stream, now, limits)


def _markdown_age(stream: Glance, now: float, limits: Mapping[str, float]) -> Iterator[Finding]:
    if stream.born is not None and now - stream.born > limits["stale.created"]:
        days = int((now - stream.born) / DAY)
        text = f"Checkpoint is {days} days old (consider refreshing if still active)"
        yield Finding("old", "advice", "created", text)
    delta = stream.touched if stream.updated else None
    if delta is not None and now - delta > limits["stale.delta"]:
        text = f"Last delta was {int((now - delta) / DAY)} days ago (consider updating)"
        yield Finding("old-delta", "advice", "last_delta", text)
