"""`make coverage`: how much of each layer the tests reach, and whether that is enough.

Combines what the processes of the tests left. A layer below its limit is told with the lines that
no test reaches, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing
from glob import glob
from typing import Any, NamedTuple

from coverage import Coverage
from report import aligned, measured, put_into

BLOCK = "coverage"
ALL = "all"
LIMITS = {"core": 100, "formats": 100, ALL: 95}
"""in percent of statements and branches together; other layers have none of their own"""


class Layer(NamedTuple):
    """What the tests reach of a folder of the package."""

    name: str
    statements: int = 0
    branches: int = 0
    reached: int = 0
    """statements and branches together"""
    missing: tuple[str, ...] = ()

    @property
    def percent(self) -> float:
        everything = self.statements + self.branches
        return 100 * self.reached / everything if everything else 100.0

    @property
    def too_little(self) -> bool:
        return self.percent < LIMITS.get(self.name, 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--markdown", metavar="FILE", help="put it into this file's block")
    parser.add_argument("--tests", default="tests", help="which tests ran, as pytest was told")
    args = parser.parse_args()
    layers = [*layers_of(_measured()["files"])]
    text = told(layers, args.tests)
    print(text)
    if args.markdown:
        put_into(args.markdown, BLOCK, text)
    return max(map(_complain, layers))


def _measured() -> dict[str, Any]:
    found = Coverage()
    name = found.config.data_file
    found.combine([path for path in sorted(glob(f"{name}.*")) if is_whole(path)], strict=True)
    found.save()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "coverage.json")
        found.json_report(outfile=path)
        with open(path, encoding="utf-8") as file:
            measured: dict[str, Any] = json.load(file)
            return measured


def is_whole(path: str) -> bool:
    """Whether a process came to the end of writing it: tests kill some that fork from theirs."""
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as data:
            data.execute("SELECT 1 FROM tracer")  # the table that coverage makes last
            return data.execute("PRAGMA quick_check").fetchone() == ("ok",)
    except sqlite3.DatabaseError:
        return False


def layers_of(files: Mapping[str, Any]) -> Iterator[Layer]:
    """The layers by name, then everything together."""
    by_layer: dict[str, list[str]] = {}
    for path in sorted(files):
        by_layer.setdefault(_layer(path), []).append(path)
    for name in sorted(by_layer):
        yield _sum(name, {path: files[path] for path in by_layer[name]})
    yield _sum(ALL, files)


def _layer(path: str) -> str:
    """The folder right below the package; the modules beside the folders are one layer."""
    folder, _, below = path.partition("src/leftoff/")[2].partition("/")
    return folder if below else "(top)"


def _sum(name: str, files: Mapping[str, Any]) -> Layer:
    totals = [one["summary"] for one in files.values()]
    return Layer(
        name,
        sum(one["num_statements"] for one in totals),
        sum(one["num_branches"] for one in totals),
        sum(one["covered_lines"] + one["covered_branches"] for one in totals),
        tuple(line for path in sorted(files) for line in _missing(path, files[path])),
    )


def _missing(path: str, one: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{path}:{line}" for line in one["missing_lines"])
    for start, end in one["missing_branches"]:
        yield f"{path}:{abs(start)} never goes to {end if end > 0 else 'its end'}"


def told(layers: list[Layer], tests: str) -> str:
    """The layers as a table, by which tests, and where they were measured."""
    rows = (
        [one.name, f"{one.statements:,}", f"{one.branches:,}", _shown(one.percent), _limit(one)]
        for one in layers
    )
    table = aligned(["layer", "statements", "branches", "reached", "at least"], rows)
    return f"{table}\n\nBy `{tests}`. {measured()}."


def _shown(percent: float) -> str:
    """Rounded down: 100 is only said of everything."""
    return f"{int(percent * 10) / 10:.1f} %"


def _limit(layer: Layer) -> str:
    return f"{LIMITS[layer.name]} %" if layer.name in LIMITS else ""


def _complain(layer: Layer) -> int:
    if not layer.too_little:
        return 0
    print(f"\n{layer.name} is below {_limit(layer)}; no test reaches:", *layer.missing, sep="\n  ")
    return 1


if __name__ == "__main__":
    sys.exit(main())
