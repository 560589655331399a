"""What time alone makes doubtful: the checks of a document that need the clock.

They are apart from the formats' own checks because those are cached and these must never be.
"""

from __future__ import annotations

from leftoff.core.model import IN_PROGRESS, Finding
from leftoff.core.rank import last_touched
from leftoff.core.when import DAY, age
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leftoff.core.stream import Glance


def stale_days(stream: Glance, now: float, limits: Mapping[str, float]) -> int:
    """How many days an in-progress stream has been left alone, when that is too many; else 0."""
    since = age(last_touched(stream), now)
    if stream.status != IN_PROGRESS or since is None or since <= limits["stale.checkpoint"]:
        return 0
    return int(since // DAY)


def findings(stream: Glance, now: float, limits: Mapping[str, float]) -> Iterator[Finding]:
    """The clock's findings of one stream."""
    ahead = -(age(stream.updated, now) or 0.0)
    if ahead > limits["future.updated"]:
        text = f"updated_at ({stream.updated}) is in the future — clock skew or a typo?"
        yield Finding("future", "warning", "updated", text)
    if stream.format == "md" and stream.status == IN_PROGRESS:
        yield from _markdown_age(stream, now, limits)


def _markdown_age(stream: Glance, now: float, limits: Mapping[str, float]) -> Iterator[Finding]:
    created, delta = age(stream.created, now), age(stream.updated, now)
    if created is not None and created > limits["stale.created"]:
        text = f"Checkpoint is {int(created // DAY)} days old (consider refreshing if still active)"
        yield Finding("old", "advice", "created", text)
    if delta is not None and delta > limits["stale.delta"]:
        text = f"Last delta was {int(delta // DAY)} days ago (consider updating)"
        yield Finding("old-delta", "advice", "last_delta", text)
