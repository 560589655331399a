"""What `make mutants` tells: by module, and all survivors."""

from __future__ import annotations

import os
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from operators import Mutant
from trial import AT_IMPORT, KILLED, SLOW, SURVIVED

EQUIVALENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "equivalent.toml")
"""Mutants that no test can kill, by name, with the reason."""


class Row(NamedTuple):
    module: str
    made: int
    killed: int
    survivors: tuple[str, ...]
    equivalent: int
    at_import: int

    @property
    def score(self) -> float:
        judged = self.killed + len(self.survivors)
        return self.killed / judged if judged else 1.0


def reasons() -> dict[str, str]:
    with open(EQUIVALENT, "rb") as file:
        return tomllib.load(file)


def rows_of(made: Mapping[str, Sequence[Mutant]], verdicts: Mapping[str, Any]) -> list[Row]:
    known = reasons()
    return [_row(module, each, verdicts, known) for module, each in made.items() if each]


def _row(
    module: str, made: Sequence[Mutant], verdicts: Mapping[str, Any], known: Mapping[str, str]
) -> Row:
    counts: Counter[str] = Counter()
    survivors = []
    for mutant in made:
        line = verdicts.get(mutant.name)
        verdict = line["verdict"] if line and line["text"] == mutant.text else ""
        if verdict == SURVIVED and mutant.name in known:
            verdict = "equivalent"
        elif verdict == SURVIVED:
            survivors.append(f"{mutant.line} {mutant.name}")
        counts[verdict] += 1
    killed = counts[KILLED] + counts[SLOW]
    return Row(module, len(made), killed, (*survivors,), counts["equivalent"], counts[AT_IMPORT])


def page_of(rows: Sequence[Row]) -> str:
    """The table, worst first, and what is left out."""
    lines = ["| module | mutants | killed | survived | equivalent | score |", "| --- " * 6 + "|"]
    for row in sorted(rows, key=lambda row: (row.score, row.module)):
        cells = row.module, row.made, row.killed, len(row.survivors), row.equivalent
        lines.append(f"| {' | '.join(map(str, cells))} | {row.score:.2f} |")
    return "\n".join([_total(rows), "", *lines])


def _total(rows: Sequence[Row]) -> str:
    made, killed = sum(row.made for row in rows), sum(row.killed for row in rows)
    survived = sum(len(row.survivors) for row in rows)
    score = killed / max(1, killed + survived)
    return f"**{made:,} mutants; {killed:,} of {killed + survived:,} killed: {score:.3f}.**"
