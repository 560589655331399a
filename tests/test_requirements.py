"""The requirement manifest and the tests speak of the same rows, in both directions."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from requirements.broken import Breakage, breakages, drawn
from requirements.rows import Row, marked, marks, parse, rows
from support import ROOT, shared

BUILT = LAST = 7
"""The part of the work that is done, the last one: no row waits for another."""


def without_test(all_rows: list[Row], seen: Mapping[str, object]) -> list[Row]:
    return [row for row in all_rows if row.part <= BUILT and row.id not in seen]


def test_every_row_of_a_built_part_has_a_test():
    missing = without_test(rows(), marks())
    assert not missing, f"{len(missing)} rows have no test:\n" + "\n".join(
        f"{row.id}: {row.text}" for row in missing
    )


def test_every_mark_names_a_row():
    unknown = {row: tests for row, tests in marks().items() if row not in {r.id for r in rows()}}
    assert not unknown


def test_the_manifest_has_the_rows_of_the_requirements():
    with open(shared("requirements.md"), encoding="utf-8") as file:
        asked = re.findall(r"^\| ([A-EX]\.[a-z0-9.-]+) \|", file.read(), re.MULTILINE)
    assert sorted(row.id for row in rows()) == sorted(asked)


def test_a_row_that_waits_longer_than_its_table_says_why():
    late = [row for row in rows() if row.part > row.part_of_table]
    assert late
    assert not [row.id for row in late if not row.because]


def test_every_row_has_a_sentence_and_a_part():
    wrong = [row.id for row in rows() if not row.text.endswith(".") or not 1 <= row.part <= LAST]
    assert not wrong


def test_a_built_row_without_a_test_is_found():
    manifest = {"A": {"x": {"part": BUILT, "one": "One.", "two": {"text": "Two.", "part": 9}}}}
    one, two = parse(manifest)
    assert (one.id, two.id) == ("A.x.one", "A.x.two")
    assert without_test([one, two], {}) == [one]
    assert without_test([one, two], {"A.x.one": []}) == []


ONE_PARAMETER = "pytest.param(1, marks=pytest.mark.req('A.x.y'))"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("@pytest.mark.req('A.x.y', 'A.x.z')\ndef test_a(): pass", ["A.x.y", "A.x.z"]),
        (f"@pytest.mark.parametrize('a', [{ONE_PARAMETER}])\ndef test_a(a): pass", ["A.x.y"]),
        ("@pytest.mark.req('A.x.y')\ndef helper(): pass", []),
        ("def test_a(): pass", []),
    ],
)
def test_marks_are_found_where_they_stand(source: str, found: list[str]):
    assert [row for _, row in marked(source)] == found


# Requirements broken on purpose (`make broken`)


def test_what_is_broken_on_purpose_was_drawn_by_lot_from_every_area():
    assert [one.id for one in breakages()] == drawn(row.id for row in rows())
    assert len(breakages()) >= 40


@pytest.mark.parametrize("one", breakages(), ids=lambda one: one.id)
def test_what_is_to_be_broken_stands_in_the_code_once(one: Breakage):
    assert one.text(ROOT).count(one.old) == 1
    assert one.new != one.old
