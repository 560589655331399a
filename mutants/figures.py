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
GOAL = 0.9


class Row(NamedTuple):
    module: str
    made: int
    killed: int
    survivors: tuple[str, ...]
    equivalent: int
    at_import: int

    @property
    def judged(self) -> int:
        return self.killed + len(self.survivors)

    @property
    def score(self) -> float:
        return self.killed / self.judged if self.judged else 1.0


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
            survivors.append(mutant.name)
        counts[verdict] += 1
    killed = counts[KILLED] + counts[SLOW]
    return Row(module, len(made), killed, (*survivors,), counts["equivalent"], counts[AT_IMPORT])


def page_of(rows: Sequence[Row]) -> str:
    """The table, worst first; a module without anything to judge is not in it."""
    head = ("module", "mutants", "judged", "killed", "survived", "equivalent", "score")
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    for row in sorted((row for row in rows if row.judged), key=lambda row: (row.score, row.module)):
        cells = row.module, row.made, row.judged, row.killed, len(row.survivors), row.equivalent
        lines.append(f"| {' | '.join(map(str, cells))} | {row.score:.2f} |")
    return "\n".join([_total(rows), "", *lines])


def _total(rows: Sequence[Row]) -> str:
    made, killed = sum(row.made for row in rows), sum(row.killed for row in rows)
    judged, early = sum(row.judged for row in rows), sum(row.at_import for row in rows)
    scores = [row.score for row in rows if row.judged]
    good = sum(score >= GOAL for score in scores)
    return (
        f"**{made:,} mutants, {judged:,} judged, {killed:,} killed: "
        f"{killed / max(1, judged):.3f}.** "
        f"{good} of {len(scores)} modules have {GOAL} or more. "
        f"{early} mutants are of functions that run at import only."
    )


def survivors_of(rows: Sequence[Row]) -> str:
    """Each by its name, for whoever goes on."""
    return "".join(f"{name}\n" for row in rows for name in row.survivors)
