"""Thresholds from the settings: numbers and spans, and nothing else."""

from __future__ import annotations

import pytest

from leftoff.core.thresholds import TABLE, effective
from leftoff.errors import Usage

SPAN = next(key for key, row in TABLE.items() if row.unit == "seconds")
OTHER = next(key for key, row in TABLE.items() if row.unit != "seconds")


def test_a_number_counts_in_the_unit_of_its_row_and_a_span_in_seconds():
    assert effective({SPAN: "2h", OTHER: 3})[SPAN] == 7200
    assert effective({OTHER: 3})[OTHER] == 3


@pytest.mark.parametrize(
    ("key", "value"), [(SPAN, "soon"), (SPAN, True), (SPAN, -1), (OTHER, "2h"), (OTHER, [])]
)
def test_what_is_neither_is_refused_with_the_name_of_the_threshold(key, value):
    with pytest.raises(Usage, match=key):
        effective({key: value})
