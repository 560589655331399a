"""The manifest of requirements, and the tests that carry their ids.

Marks are found in the syntax trees of the tests, so that nothing has to run.
"""

from __future__ import annotations

import ast
import os
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)


class Row(NamedTuple):
    id: str
    text: str
    part: int
    because: str = ""
    more: str = ""
    part_of_table: int = 0


def rows() -> list[Row]:
    with open(os.path.join(HERE, "manifest.toml"), "rb") as file:
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


@cache
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
