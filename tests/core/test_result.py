"""How a command ends, by what it returns."""

from __future__ import annotations

import pytest

from leftoff.core.model import LEVELS, Finding
from leftoff.core.result import Result
from leftoff.errors import FormatError


@pytest.mark.parametrize("level", LEVELS)
def test_an_error_among_the_findings_fails_a_command_and_nothing_milder_does(level):
    mild = Finding("slug", LEVELS[-1], "", "text")
    result = Result({}, (mild, mild._replace(level=level)))
    assert result.code == (1 if level == "error" else 0)
    assert result._replace(failed=True).code == 1


def test_the_one_document_that_was_asked_for_and_is_broken_ends_a_command_as_reading_it_does():
    assert Result({}, broken=True).code == FormatError.code
    assert Result({}, failed=True, broken=True).code == FormatError.code
