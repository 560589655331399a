"""What the programs of this folder tell: tables, where and of what they were measured, the targets.

A block of docs/benchmarks.md ends with its goals in a comment, as data. The table at the top of the
page is made of those comments alone, whenever a block is written: it cannot say anything else than
the figures below it.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGETS = "targets"
"""the block that is made of the goals of all others"""
_STAT = "/proc/stat"
MET = {None: "not measured", True: "yes", False: "no"}
_GOALS = re.compile(r"^<!-- goals: (.*) -->$", re.MULTILINE)


class Goal(NamedTuple):
    """A target of a part of the work, and how far it is reached."""

    part: int
    what: str
    figure: str
    target: str
    met: bool | None
    """None where this machine could not measure it"""


def at_least(part: int, what: str, figure: float, limit: float, unit: str = "") -> Goal:
    """A goal for a figure: the larger the better."""
    shown = [f"{value:.{3 if limit < 1 else 2}f} {unit}".rstrip() for value in (figure, limit)]
    return Goal(part, what, *shown, figure >= limit)


def at_most(part: int, what: str, ratio: float, limit: float, to: str) -> Goal:
    """A goal for a ratio: the smaller the better."""
    digits = 3 if limit < 1 else 2
    return Goal(part, what, f"{ratio:.{digits}f} x {to}", f"{limit:g} x {to}", ratio <= limit)


def not_measured(part: int, what: str, target: str, why: str) -> Goal:
    return Goal(part, what, why, target, None)


def aligned(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table that reads well as text."""
    lines = [tuple(head), *map(tuple, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    drawn = [_line(line, widths) for line in lines]
    drawn.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(drawn)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return "| " + " | ".join(padded) + " |"


def measured() -> str:
    """Where something was measured, how much of that others had meanwhile, and of what code."""
    system = f"{platform.system()} {platform.machine()}"
    shared = f" ({stolen:.0%} taken by other machines)" if (stolen := _stolen()) else ""
    python = f"Python {platform.python_version()}"
    return f"{system}, {os.cpu_count()} processors{shared}, {python}; {_CODE}"


def code(folder: str = ROOT) -> str:
    """The day, and the commit whose code this is; whether that was changed since."""
    day = time.strftime("%Y-%m-%d", time.gmtime())
    commit = _git(folder, "rev-parse", "--short", "HEAD")
    changed = _git(folder, "status", "--porcelain", "--", "src") and ", with changes"
    return f"{day}, {commit}{changed}" if commit else day


def _git(folder: str, *words: str) -> str:
    """What git answers; nothing where it does not."""
    asked = ["git", "-C", folder, *words]
    return subprocess.run(asked, check=False, capture_output=True, encoding="utf-8").stdout.strip()


def _ticks() -> tuple[int, int]:
    """Processor time since the system began, and what of it went to others on the same hardware."""
    try:
        with open(_STAT, encoding="ascii") as file:
            counts = [int(word) for word in file.readline().split()[1:9]]
        return sum(counts), counts[-1]
    except (OSError, ValueError, IndexError):
        return 0, 0


def _stolen() -> float:
    """The share of that since this program began, in whole percent; 0 where nobody can tell."""
    (total, taken), (before, taken_before) = _ticks(), _BEGAN
    return round((taken - taken_before) / (total - before), 2) if total > before else 0.0


def rounds_note(rounds: int) -> str:
    """Under which conditions a table came about."""
    return f"{measured()}, {rounds} rounds in shuffled order; ratios are of the minimum."


def put_into(path: str, name: str, text: str, goals: Sequence[Goal] = ()) -> None:
    """Fill the block of that name in a page, and make the table of targets anew."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    whole = f"{text}\n\n{as_comment(goals)}" if goals else text
    page = _filled(page, name, whole, path)
    if f"<!-- generated: {TARGETS} -->" in page:
        page = _filled(page, TARGETS, summary(goals_of(page)), path)
    with open(path, "w", encoding="utf-8") as file:
        file.write(page)


def _filled(page: str, name: str, text: str, path: str) -> str:
    opening, closing = f"<!-- generated: {name} -->", "<!-- end -->"
    before, _, rest = page.partition(opening)
    inside, _, after = rest.partition(closing)
    if not after or "<!-- generated:" in inside:
        raise SystemExit(f"{path} has no block {opening} ... {closing}")
    return f"{before}{opening}\n\n{text}\n\n{closing}{after}"


def as_comment(goals: Sequence[Goal]) -> str:
    """The goals as data that a reader of the page does not see."""
    return f"<!-- goals: {json.dumps(goals, ensure_ascii=False)} -->"


def without_goals(text: str) -> str:
    """What a program printed, but for that."""
    return _GOALS.sub("", text).strip()


def goals_of(page: str) -> Iterator[Goal]:
    """Every goal that the blocks of a page hold."""
    for found in _GOALS.finditer(page):
        yield from (Goal(*each) for each in json.loads(found[1]))


def summary(goals: Iterable[Goal]) -> str:
    """The goals by parts, and how many of them are met."""
    known = sorted(goals, key=lambda each: each.part)
    head = ("part", "what", "figure", "target", "met")
    rows = [(str(g.part), g.what, g.figure, g.target, MET[g.met]) for g in known]
    met, missed = (sum(g.met is verdict for g in known) for verdict in (True, False))
    told = f"{met} met, {missed} not met, {len(known) - met - missed} not measured."
    return f"{aligned(head, rows)}\n\n{told}"


_BEGAN, _CODE = _ticks(), code()
"""As they were when this program began: files may be edited while it measures."""
