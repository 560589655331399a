"""Times at the borders of the calendar and of the clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from leftoff.core.when import LONGEST, instant


@pytest.mark.parametrize("year", [1, 4, 100, 400, 1600, 1900, 1970, 2000, 2023, 2024, 2100, 9999])
def test_every_day_of_a_year_is_where_the_calendar_has_it(year):
    day = datetime(year, 1, 1, tzinfo=UTC)
    for _ in range(364):
        assert instant(f"{year:04}-{day:%m-%d}") == day.timestamp()
        day += timedelta(1)
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    assert (instant(f"{year:04}-02-29") is not None) is leap


@pytest.mark.parametrize("day", ["01-00", "01-32", "02-30", "04-31", "11-31", "12-32", "00-10"])
def test_a_day_that_no_month_has_is_none(day):
    assert instant(f"2024-{day}") is None
    assert instant("2024-01-31") is not None


@pytest.mark.parametrize(
    ("clock", "seconds"),
    [
        *(
            ("23:59", 86340),
            ("00:59:60", 3600),
            ("00:00:61", None),
            ("00:60", None),
            ("24:00", None),
        ),
        *(
            ("00:00+23:59", -86340),
            ("00:00-23:59", 86340),
            ("00:00+24", None),
            ("00:00+00:60", None),
        ),
        *(("00:00+23", -82800), ("00:00+0059", -3540), ("00:00+1:000", None), ("00:00+01:0", None)),
        *(("00:00Z9", None), ("00:00z1", None), ("00:00:00.5", 0.5), ("Z", None), ("+01", None)),
    ],
)
def test_a_clock_and_a_zone_end_where_they_end(clock, seconds):
    start = datetime(2026, 1, 5, tzinfo=UTC).timestamp()
    assert instant(f"2026-01-05T{clock}") == (None if seconds is None else start + seconds)


def test_a_fraction_has_as_many_digits_as_a_number_may_have():
    assert instant(f"1970-01-01T00:00:00.{'5' * LONGEST}") == pytest.approx(5 / 9)
    assert instant(f"1970-01-01T00:00:00.{'5' * (LONGEST + 1)}") is None
