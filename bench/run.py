"""`make bench`: what commands cost beside the bare interpreter, and statistics beside ccusage.

Times depend on the machine; the ratios are what the targets speak of.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from time import sleep
from typing import NamedTuple

import transcripts
from documents import make_project, make_threads
from measure import Command, Timing, measure, put_into

import hooks

VERBS = ("status", "validate", "next", "tree", "doctor")
PEER_VERBS = ("status", "validate", "next", "doctor")
COLD_VERBS = ("status",)
SIZES = (1, 100, 1000, 10000)
THREADS = 100
"""Of the project in which resume and save are measured."""
# No cache believes a file that changed less than two seconds ago.
SETTLED = 2.1
FLOOR = "python -I -S -c pass"
MET = {None: "", True: "yes", False: "no"}
BLOCK = "bench"


class Target(NamedTuple):
    ratio: float
    to: str
    """`floor`, `one`: the same command with one document, or `shell`: the floor in a shell."""


# From a pipe, with a warm cache.
_LISTS = {1: Target(3.5, "floor"), 1000: Target(2.5, "one"), 10000: Target(12.0, "one")}
TARGETS = {
    "status": _LISTS,
    "validate": _LISTS,
    "tree": {10000: Target(15.0, "floor")},
    "doctor": {10000: Target(60.0, "floor")},
    "resume": {THREADS: Target(5.0, "floor")},
    "hook prompt": {0: Target(1.3, "shell")},
    "hook stop": {0: Target(1.3, "shell")},
    "hook statusline": {0: Target(1.3, "shell")},
}


class Row(NamedTuple):
    command: str
    documents: int
    cache: str
    least_ms: float
    median_ms: float
    to_floor: float
    to_one: float
    to_shell: float
    target: str
    met: bool | None


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory(prefix="leftoff-bench-") as work:
        commands = list(_commands(work, options))
        sleep(SETTLED)
        timings = measure(commands, options.rounds)
        counted = _transcripts(work, options)
        os.chdir(os.sep)
    rows = _rows(timings)
    text = "\n\n".join([_table(rows, options), *_statistics(counted)])
    if options.json:
        told = {
            "machine": _machine(),
            "rows": [row._asdict() for row in rows],
            "transcripts": [row._asdict() for row in counted],
        }
        text = json.dumps(told, indent=2)
    print(text)
    if options.markdown and not options.json:
        put_into(options.markdown, BLOCK, text)


def _transcripts(work: str, options: argparse.Namespace) -> list[transcripts.Row]:
    """In rounds of their own, and fewer: each takes seconds."""
    if not options.megabytes:
        return []
    folder = os.path.join(work, "transcripts")
    os.mkdir(folder)
    rounds = max(3, options.rounds // 3)
    return transcripts.rows(folder, _program(), options.megabytes, rounds)


def _statistics(rows: list[transcripts.Row]) -> list[str]:
    """The second table, and what it lacks."""
    if not rows:
        return ["Statistics of transcripts were not measured (--megabytes 0)."]
    head = ("session stats --all", "MB", "min ms", "median ms", "memory MB", "x ccusage")
    cells = [(*head, "target", "met"), *map(_statistic, rows)]
    note = "ccusage was not measured: make clients installs it."
    return [_aligned(cells), *([] if rows[-1].what == transcripts.PEER else [note])]


def _statistic(row: transcripts.Row) -> tuple[str, ...]:
    times = f"{row.least_ms:.1f}", f"{row.median_ms:.1f}", f"{row.memory_mb:.0f}"
    ratio = f"{row.to_peer:.3f}" if row.to_peer else ""
    return (row.what, f"{row.megabytes:,}", *times, ratio, row.target, MET[row.met])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="how often each command runs")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of documents")
    parser.add_argument("--megabytes", type=int, default=1000, help="of transcripts")
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
    yield Command("leftoff --version", (*_program(), "--version"), work, env)
    yield from hooks.commands(work, env)
    yield from _continuity(work, env)
    for size in options.sizes:
        project = make_project(os.path.join(work, f"project-{size}"), size)
        state = os.path.join(work, f"state-{size}")
        ours = {**env, "LEFTOFF_STATE": state}
        for verb in VERBS:
            yield Command(verb, (*_program(), verb), project, ours, size)
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
    yield Command("resume", (*_program(), "resume", "--continue"), project, ours, THREADS)
    words = ("save", "--no-draft", "--question", "Which one?")
    yield Command("save", (*_program(), *words), project, ours, THREADS)


def _cold(project: str, state: str, env: dict[str, str], size: int) -> Iterator[Command]:
    """The first run ever: nothing in the state folder."""
    forget = partial(shutil.rmtree, state, ignore_errors=True)
    for verb in COLD_VERBS:
        argv, ours = (*_program(), verb), {**env, "LEFTOFF_STATE": state}
        yield Command(f"{verb} (cold)", argv, project, ours, size, forget, _every(size))


def _every(size: int) -> int:
    """Slow rows run in some rounds only, the slowest in the first one alone."""
    return {1000: 5, 10000: 1_000_000}.get(size, 1)


def _program() -> tuple[str, ...]:
    """The console script as pip installed it beside this interpreter."""
    script = os.path.join(os.path.dirname(sys.executable), "leftoff")
    if not os.access(script, os.X_OK):
        raise SystemExit(f"leftoff is not installed beside {sys.executable}: run make bench")
    return (script,)


def _has_peer(options: argparse.Namespace) -> bool:
    return bool(options.peer and shutil.which("node"))


def _rows(timings: list[Timing]) -> list[Row]:
    floor = timings[0].least
    ones = {t.command.label: t.least for t in timings if t.command.documents == 1}
    shell = next(t.least for t in timings if t.command.label == hooks.SHELL)
    return [_row(timing, floor, ones.get(timing.command.label, 0.0), shell) for timing in timings]


def _row(timing: Timing, floor: float, one: float, shell: float) -> Row:
    label, _, cache = timing.command.label.partition(" (")
    size = timing.command.documents
    least = timing.least
    to = {
        "floor": least / floor,
        "one": least / one if one else 0.0,
        "shell": least / shell if label.startswith("hook ") else 0.0,
    }
    target = None if cache else TARGETS.get(label, {}).get(size)
    met = target and to[target.to] <= target.ratio
    return Row(
        label,
        size,
        cache.rstrip(")") or ("warm" if size else ""),
        round(timing.least, 1),
        round(timing.middle, 1),
        *(round(ratio, 2) for ratio in to.values()),
        f"{target.ratio} x {target.to}" if target else "",
        met,
    )


def _table(rows: list[Row], options: argparse.Namespace) -> str:
    head = ("command", "documents", "cache", "min ms", "median ms", "x floor", "x 1 document")
    cells = [(*head, "x shell", "target", "met"), *map(_cells, rows)]
    return "\n".join([_aligned(cells), "", *_notes(options)])


def _aligned(cells: list[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = [_line(row, widths) for row in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def _cells(row: Row) -> tuple[str, ...]:
    documents = f"{row.documents:,}" if row.documents else ""
    to_one = f"{row.to_one:.2f}" if row.to_one else ""
    to_shell = f"{row.to_shell:.2f}" if row.to_shell else ""
    times = (f"{row.least_ms:.1f}", f"{row.median_ms:.1f}", f"{row.to_floor:.2f}")
    return (row.command, documents, row.cache, *times, to_one, to_shell, row.target, MET[row.met])


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return "| " + " | ".join(padded) + " |"


def _notes(options: argparse.Namespace) -> list[str]:
    where = "{system}, {processors} processors, Python {python}".format_map(_machine())
    how = f"{options.rounds} rounds in shuffled order; ratios are of the minimum."
    notes = [f"{where}, {how}"]
    if not _has_peer(options):
        notes.append("opchain's own CLI was not measured: it needs node and --peer FILE.")
    return notes


def _machine() -> dict[str, str | int]:
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count() or 0,
        "python": platform.python_version(),
    }


if __name__ == "__main__":
    main()
