"""Times as documents have them: any zone, none, a date alone; read as `datetime` would."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leftoff.core.when import instant, stamp

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC).timestamp()


@pytest.mark.req("X.time.any-zone")
@pytest.mark.parametrize(
    "text",
    [
        "2026-01-05T12:00:00Z",
        "2026-01-05t12:00:00z",
        "2026-01-05T20:00:00+08:00",
        "2026-01-05T20:00:00+0800",
        "2026-01-05T20:00+08",
        "2026-01-05T08:30:00-03:30",
        "2026-01-05 12:00:00",
        "2026-01-05T12:00",
        "2026-01-05T12:00:00.000Z",
        "  2026-01-05 12:00:00 Z ",
        "2026-01-06T01:00:00+13:00",
    ],
)
def test_one_instant_in_many_spellings(text):
    assert instant(text) == NOON


@pytest.mark.req("X.time.any-zone")
def test_a_mixed_set_sorts_and_times_without_a_zone_count_as_utc():
    mixed = ["2026-01-05T12:00:00+08:00", "2026-01-05", "2026-01-05T05:00", "2026-01-05T03:00:00Z"]
    assert sorted(mixed, key=lambda text: instant(text) or 0) == [
        "2026-01-05",
        "2026-01-05T03:00:00Z",
        "2026-01-05T12:00:00+08:00",
        "2026-01-05T05:00",
    ]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "soon",
            "2026",
            "2026-13-45T99:99:99Z",
            "2026-02-29",
            "2026-01-05T",
            "2026-01-05X12:00",
        ),
        *("2026-01-05T25:00Z", "2026-01-05T12:60Z", "2026-01-05T12Z", "2026-01-05T12:00:00.Z"),
        *("2026-01-05T12:00:00+25:00", "2026-01-05T12:00:00+1", "２０２６-01-05", "2026-1-5"),
        *("2026-01-05T12:00:00+08:00:00", "-026-01-05", "2026-01-05T+2:00Z"),
    ],
)
def test_what_is_no_time_is_none(text):
    assert instant(text) is None


@given(
    st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)),  # noqa: DTZ001
    st.integers(-14 * 60, 14 * 60),
)
def test_it_reads_what_datetime_writes(moment: datetime, minutes: int):
    aware = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    found = instant(aware.isoformat())
    assert found is not None
    assert abs(found - (aware - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()) < 1e-3


@given(st.text())
def test_no_text_breaks_it(text: str):
    instant(text)
    instant(f"2026-01-05T{text}")


@pytest.mark.req("X.time.any-zone")
@given(st.integers(0, 4_000_000_000))
def test_a_written_time_is_utc_with_z_and_reads_back(now: int):
    assert stamp(now).endswith("Z")
    assert instant(stamp(now)) == now
