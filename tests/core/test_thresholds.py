"""Thresholds from the settings: numbers and spans, and nothing else."""

from __future__ import annotations

import pytest

from leftoff.core.thresholds import TABLE, effective, since, size, span
from leftoff.errors import Usage

SPAN = next(key for key, row in TABLE.items() if row.unit == "seconds")
OTHER = next(key for key, row in TABLE.items() if row.unit != "seconds")


def test_a_number_counts_in_the_unit_of_its_row_and_a_span_in_seconds():
    assert effective({SPAN: "2h", OTHER: 3})[SPAN] == 7200
    assert effective({OTHER: 3})[OTHER] == 3


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[(SPAN, "soon"), (SPAN, True), (SPAN, -1), (OTHER, "2h"), (OTHER, [])],
        # what Python takes for a number, or for a digit, and no clock counts to
        *[(SPAN, "²d"), (SPAN, "9" * 400 + "d"), (SPAN, "9" * 15 + "d"), (SPAN, 10**400)],
        *[(OTHER, float("inf")), (OTHER, float("nan")), (OTHER, 1e300)],
    ],
)
def test_what_is_neither_is_refused_with_the_name_of_the_threshold(key, value):
    with pytest.raises(Usage, match=key):
        effective({key: value})


@pytest.mark.parametrize("text", ["", "d", "7", "0x", "0", "²d", "-1d", "1e9d", "9" * 400 + "d"])
def test_a_span_is_a_number_of_a_unit_and_within_all_time(text):
    assert span(text) is None
    with pytest.raises(Usage):
        since(text, 1e9)


@pytest.mark.parametrize("text", ["", "GB", "20", "0XB", "²GB", "-1GB", "9" * 400 + "GB"])
def test_a_size_is_a_number_of_a_unit_that_a_disk_may_have(text):
    assert size(text) is None


def test_nothing_is_a_span_and_a_size_too():
    assert (span("0d"), size("0GB"), size("1.5 gb")) == (0.0, 0, 1_500_000_000)
