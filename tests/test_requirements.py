"""The requirement manifest and the tests speak of the same rows, in both directions.

Marks are found in the syntax trees of the tests, so that the check needs no test to run.
"""

from __future__ import annotations

import ast
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import pytest

from support import ROOT, shared

BUILT = 6
"""The part of the work that is done; rows of later parts are open and say so."""
LAST = 7
TESTS = os.path.join(ROOT, "tests")


class Row(NamedTuple):
    id: str
    text: str
    part: int
    because: str = ""
    more: str = ""
    part_of_table: int = 0


def rows() -> list[Row]:
    with open(os.path.join(TESTS, "requirements", "manifest.toml"), "rb") as file:
        return list(parse(tomllib.load(file)))


def parse(manifest: Mapping[str, Any]) -> Iterator[Row]:
    """The rows of a manifest; see the top of the file for its form."""
    for format_name, tables in manifest.items():
        for table, entries in tables.items():
            for key, entry in entries.items():
                if key != "part":
                    fields = {"text": entry} if isinstance(entry, str) else entry
                    part = fields.get("part", entries["part"])
                    whole = {**fields, "part": part, "part_of_table": entries["part"]}
                    yield Row(f"{format_name}.{table}.{key}", **whole)


def marks() -> dict[str, list[str]]:
    """Each marked id with the tests that carry it, by their paths from here."""
    found: dict[str, list[str]] = {}
    for place, _, names in os.walk(TESTS):
        folder = os.path.relpath(place, TESTS).removeprefix(".") + "/" * (place != TESTS)
        for name in sorted(names):
            if name.startswith("test_") and name.endswith(".py"):
                with open(os.path.join(place, name), encoding="utf-8") as file:
                    for test, row in marked(file.read()):
                        found.setdefault(row, []).append(f"{folder}{name}::{test}")
    return found


def marked(source: str) -> Iterator[tuple[str, str]]:
    """(test, id) of every `@pytest.mark.req(...)` in a file, on functions and single parameters."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for call in (each for one in node.decorator_list for each in ast.walk(one)):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.req":
                    yield from ((node.name, ast.literal_eval(word)) for word in call.args)


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
