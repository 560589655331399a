"""What the clock makes doubtful: exactly at its limits, not a second before."""

from __future__ import annotations

import pytest

from leftoff.core.age_checks import findings, stale_days
from leftoff.core.model import COMPLETE, IN_PROGRESS
from leftoff.core.stream import Glance
from leftoff.core.when import DAY

LIMITS = {
    "stale.checkpoint": 5 * DAY,
    "stale.created": 7 * DAY,
    "stale.delta": 3 * DAY,
    "future.updated": 60.0,
}
NOW = 100 * DAY


def stream(**given):
    return Glance("p", given.pop("format", "md"), "x", status=IN_PROGRESS, **given)


def told(**given):
    return [
        (found.slug, found.level, found.text) for found in findings(stream(**given), NOW, LIMITS)
    ]


@pytest.mark.parametrize(
    ("age", "days"), [(5 * DAY, 0), (5 * DAY + 1, 5), (6.9 * DAY, 6), (0, 0), (-9 * DAY, 0)]
)
def test_a_stream_is_stale_after_its_limit_by_whole_days(age, days):
    assert stale_days(stream(touched=NOW - age), NOW, LIMITS) == days


def test_only_work_in_progress_with_a_time_grows_stale():
    assert stale_days(stream(), NOW, LIMITS) == 0
    assert stale_days(stream(touched=1.0)._replace(status=COMPLETE), NOW, LIMITS) == 0


def test_a_time_in_the_future_is_told_beyond_the_allowed_skew():
    text = "updated_at (later) is in the future — clock skew or a typo?"
    assert told(updated="later", touched=NOW + 60.5) == [("future", "warning", text)]
    assert told(updated="later", touched=NOW + 60) == []
    assert told(touched=NOW + 600) == []


def test_a_time_that_cannot_be_read_is_in_no_future():
    assert [*findings(stream(updated="?"), -60.0, LIMITS)] == []


def test_a_markdown_checkpoint_and_its_delta_are_old_after_their_limits_by_whole_days():
    assert told(born=NOW - 7 * DAY) == []
    assert told(born=NOW - 7.9 * DAY) == [
        ("old", "advice", "Checkpoint is 7 days old (consider refreshing if still active)")
    ]
    assert told(updated="u", touched=NOW - 3 * DAY) == []
    assert told(updated="u", touched=NOW - 3.9 * DAY) == [
        ("old-delta", "advice", "Last delta was 3 days ago (consider updating)")
    ]
    assert told(touched=NOW - 9 * DAY) == []
    assert told(format="skill", born=1.0, updated="u", touched=1.0) == []
