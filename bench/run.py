"""`make bench`: what commands cost beside the bare interpreter, statistics beside other programs.

Times depend on the machine; the ratios are what the targets speak of. How both grow is drawn.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from time import sleep
from typing import NamedTuple

import growth
import transcripts
from documents import make_project, make_threads
from installed import program
from measure import Command, Timing, measure
from report import Goal, aligned, at_most, measured, put_into, rounds_note

VERBS = {
    "status": (),
    "next": (),
    "validate": (),
    "tree": (),
    "doctor": (),
    "resume": ("skill-00000", "--continue"),
}
PEER_VERBS = ("status", "validate", "next", "doctor")
COLD_VERBS = ("status",)
SIZES = (1, 10, 100, 1000, 10000)
MEGABYTES = (1, 10, 100, 1000)
ROUNDS = 16
"""Of statistics, at the least."""
THREADS = 100
"""Of the project in which resume and save are measured."""
# No cache believes a file that changed less than two seconds ago.
SETTLED = 2.1
FLOOR = "python -I -S -c pass"
MET = {None: "", True: "yes", False: "no"}
BLOCK = "bench"
RESUME, DEMO = "resume, of threads", "demo"
DEMO_SECONDS = 15.0
GROWTH = "pictures/growth.svg"
"""beside the page"""


class Target(NamedTuple):
    part: int
    ratio: float
    to: str
    """`floor`, or `one`: the same command with one document"""


# From a pipe, with a warm cache.
_LISTS = {1: Target(1, 3.5, "floor"), 1000: Target(1, 2.5, "one"), 10000: Target(1, 12.0, "one")}
TARGETS = {
    "status": _LISTS,
    "validate": _LISTS,
    "tree": {10000: Target(2, 15.0, "floor")},
    "doctor": {10000: Target(2, 60.0, "floor")},
    RESUME: {THREADS: Target(4, 5.0, "floor")},
}


class Row(NamedTuple):
    command: str
    documents: int
    cache: str
    least_ms: float
    median_ms: float
    to_floor: float
    to_one: float
    goal: Goal | None


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="leftoff-bench-", ignore_cleanup_errors=True) as work:
        commands = list(_commands(work, options))
        sleep(SETTLED)
        timings = measure(commands, options.rounds)
        counted = _transcripts(work, options)
        os.chdir(os.sep)
    rows = _rows(timings)
    tables = [_table(rows, options), *_statistics(counted, options)]
    curves = _curves(rows, counted)
    text = "\n\n".join([*tables, *([_growth(curves)] if curves else [])])
    if options.json:
        told = {
            "machine": measured(),
            "rows": [row._asdict() for row in rows],
            "transcripts": [row._asdict() for row in counted],
        }
        text = json.dumps(told, indent=2)
    print(text)
    if options.markdown and not options.json:
        _put(options.markdown, text, rows, counted, curves)


def _put(page: str, text: str, rows: list[Row], counted: list[transcripts.Row], curves) -> None:
    """The block of the page, and the picture beside it."""
    goals = [row.goal for row in rows if row.goal]
    put_into(page, BLOCK, text, [*goals, *transcripts.goals(counted)])
    if curves:
        with open(os.path.join(os.path.dirname(page), GROWTH), "w", encoding="utf-8") as file:
            file.write(growth.picture(curves))


def _transcripts(work: str, options: argparse.Namespace) -> list[transcripts.Row]:
    """In rounds of their own: of two processes, or two threads, the least of a few is luck."""
    rounds = max(ROUNDS, options.rounds // 3)
    found = []
    for size in filter(None, options.megabytes):
        folder = os.path.join(work, f"transcripts-{size}")
        os.mkdir(folder)
        found += transcripts.rows(folder, program(), size, rounds)
        shutil.rmtree(folder, ignore_errors=True)
    return found


def _statistics(rows: list[transcripts.Row], options: argparse.Namespace) -> list[str]:
    """The second table, and what it lacks."""
    if not rows:
        return ["Statistics of transcripts were not measured (--megabytes 0)."]
    head = ("session stats --all", "MB", "min ms", "median ms", "memory MB", "x ccusage")
    table = aligned((*head, "target", "met"), map(_statistic, rows))
    notes = [rounds_note(max(3, options.rounds // 3))]
    notes += [f"{name} was not measured: {how}." for name, how in transcripts.absent()]
    return [table, "\n".join(notes)]


def _statistic(row: transcripts.Row) -> tuple[str, ...]:
    times = f"{row.least_ms:.1f}", f"{row.median_ms:.1f}", f"{row.memory_mb:.0f}"
    ratio = f"{row.to_peer:.3f}" if row.to_peer else ""
    return (row.what, f"{row.megabytes:,}", *times, ratio, row.target, MET[row.met])


def _curves(rows: list[Row], counted: list[transcripts.Row]) -> dict[str, dict[str, growth.Points]]:
    """What is drawn: a curve needs two sizes at least."""
    verbs: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        if row.command in VERBS and row.cache == "warm":
            verbs.setdefault(row.command, []).append((row.documents, row.least_ms))
    stats: dict[str, list[tuple[float, float]]] = {}
    for each in counted:
        name = f"stats, {each.what}" if each.what in transcripts.OURS else each.what
        stats.setdefault(name, []).append((each.megabytes, each.least_ms))
    charts = {"documents, warm cache": verbs, "MB of transcripts": stats}
    drawn = {name: {k: v for k, v in some.items() if len(v) > 1} for name, some in charts.items()}
    return {name: some for name, some in drawn.items() if some}


def _growth(curves: dict[str, dict[str, growth.Points]]) -> str:
    """The exponents in words, under the picture."""
    head = ("what", "over", "from", "to", "exponent")
    rows = [
        (name, over, f"{points[0][0]:,}", f"{points[-1][0]:,}", f"{growth.exponent(points):.2f}")
        for over, some in curves.items()
        for name, points in some.items()
    ]
    note = f"Fitted by least squares to the logarithms of the upper {growth.DECADES} decades."
    return f"![How the cost grows]({GROWTH})\n\n{aligned(head, rows)}\n\n{note}"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="how often each command runs")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of documents")
    parser.add_argument(
        "--megabytes", type=int, nargs="+", default=MEGABYTES, help="of transcripts; 0 for none"
    )
    parser.add_argument("--json", action="store_true", help="the rows as JSON")
    parser.add_argument(
        "--markdown",
        type=os.path.abspath,
        metavar="FILE",
        help="put the table into this file's block",
    )
    parser.add_argument("--peer", metavar="FILE", help="opchain's checkpoint CLI, run with node")
    return parser.parse_args()


def _commands(work: str, options: argparse.Namespace) -> Iterator[Command]:
    env = {"PATH": os.defpath, "HOME": work, "LANG": "C.UTF-8", "LEFTOFF_ARCHIVE": "off"}
    yield Command(FLOOR, (sys.executable, "-I", "-S", "-c", "pass"), work, env)
    yield Command("leftoff --version", (*program(), "--version"), work, env)
    yield Command(DEMO, (*program(), "demo"), work, env, every=5)
    yield from _continuity(work, env)
    for size in options.sizes:
        project = make_project(os.path.join(work, f"project-{size}"), size)
        state = os.path.join(work, f"state-{size}")
        ours = {**env, "LEFTOFF_STATE": state}
        for verb, words in VERBS.items():
            yield Command(verb, (*program(), verb, *words), project, ours, size)
        yield from _cold(project, os.path.join(work, f"cold-{size}"), env, size)
        if _has_peer(options):
            node = shutil.which("node") or ""
            for verb in PEER_VERBS:
                argv = (node, os.path.abspath(options.peer), verb)
                yield Command(f"opchain {verb}", argv, project, env, size, every=_every(size))


def _continuity(work: str, env: dict[str, str]) -> Iterator[Command]:
    """Going on with one of many threads, and saving into it; a save that says nothing new."""
    project = make_threads(os.path.join(work, "threads"), THREADS)
    ours = {**env, "LEFTOFF_STATE": os.path.join(work, "state-threads")}
    yield Command(RESUME, (*program(), "resume", "--continue"), project, ours, THREADS)
    words = ("save", "--no-draft", "--question", "Which one?")
    yield Command("save", (*program(), *words), project, ours, THREADS)


def _cold(project: str, state: str, env: dict[str, str], size: int) -> Iterator[Command]:
    """The first run ever: nothing in the state folder."""
    forget = partial(shutil.rmtree, state, ignore_errors=True)
    for verb in COLD_VERBS:
        argv, ours = (*program(), verb), {**env, "LEFTOFF_STATE": state}
        yield Command(f"{verb} (cold)", argv, project, ours, size, forget, _every(size))


def _every(size: int) -> int:
    """Slow rows run in some rounds only, the slowest in the first one alone."""
    return {1000: 5, 10000: 1_000_000}.get(size, 1)


def _has_peer(options: argparse.Namespace) -> bool:
    return bool(options.peer and shutil.which("node"))


def _rows(timings: list[Timing]) -> list[Row]:
    floor = timings[0].least
    ones = {t.command.label: t.least for t in timings if t.command.documents == 1}
    return [_row(timing, floor, ones.get(timing.command.label, 0.0)) for timing in timings]


def _row(timing: Timing, floor: float, one: float) -> Row:
    label, _, cache = timing.command.label.partition(" (")
    size, least = timing.command.documents, timing.least
    to = {"floor": least / floor, "one": least / one if one else 0.0}
    target = None if cache else TARGETS.get(label, {}).get(size)
    goal = None
    if target and to[target.to]:
        what = f"`{label.partition(',')[0]}`, {_amount(label, size)}"
        goal = at_most(target.part, what, to[target.to], target.ratio, target.to)
    if label == DEMO:
        met = least / 1000 < DEMO_SECONDS
        goal = Goal(6, "`demo`", f"{least / 1000:.1f} s", f"{DEMO_SECONDS:g} s", met)
    return Row(
        label,
        size,
        cache.rstrip(")") or ("warm" if size else ""),
        round(timing.least, 1),
        round(timing.middle, 1),
        *(round(ratio, 2) for ratio in to.values()),
        goal,
    )


def _amount(label: str, size: int) -> str:
    if label == RESUME:
        return f"one of {size:,} threads"
    return f"{size:,} document{'s' if size > 1 else ''}"


def _table(rows: list[Row], options: argparse.Namespace) -> str:
    head = ("command", "documents", "cache", "min ms", "median ms", "x floor", "x 1 document")
    return "\n".join([aligned((*head, "target", "met"), map(_cells, rows)), "", *_notes(options)])


def _cells(row: Row) -> tuple[str, ...]:
    documents = f"{row.documents:,}" if row.documents else ""
    to_one = f"{row.to_one:.2f}" if row.to_one else ""
    times = (f"{row.least_ms:.1f}", f"{row.median_ms:.1f}", f"{row.to_floor:.2f}")
    verdict = (row.goal.target, MET[row.goal.met]) if row.goal else ("", "")
    return (row.command, documents, row.cache, *times, to_one, *verdict)


def _notes(options: argparse.Namespace) -> list[str]:
    notes = [rounds_note(options.rounds)]
    if not _has_peer(options):
        notes.append("opchain's own CLI was not measured: it needs node and --peer FILE.")
    return notes


if __name__ == "__main__":
    main()
