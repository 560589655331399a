"""Rows for the archive: all of it on first sight, with nothing new, with a bit; beside `zstd -3`.

    python bench/archive.py --megabytes 200

The peer compresses the same bytes into the same number of files in this interpreter, and flushes
each: what is left of the ratio is redaction, images, notes and the start of the program.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from glob import glob
from random import Random
from typing import NamedTuple

from installed import program
from measure import Command, measure
from report import Goal, aligned, as_comment, measured
from transcripts import PIECE, make_transcripts, write_session

FULL, NOTHING, MORE, PEER = "session archive --all", "nothing new", "256 KB more", "zstd -3 alone"
WORDS = ("session", "archive", "--all")
GROWS = 1.5
"""times the memory for ten times as much: it is to stay the same"""
ALONE = """
import glob, os, sys, zstandard
source, target = sys.argv[1:]
os.makedirs(target, exist_ok=True)
for number, path in enumerate(glob.glob(source + "/projects/*/*.jsonl")):
    with open(path, "rb") as file, open(f"{target}/{number}.zst", "wb") as out:
        zstandard.ZstdCompressor(level=3, write_checksum=True).copy_stream(file, out)
        os.fsync(out.fileno())
"""


class Row(NamedTuple):
    what: str
    megabytes: int
    least_ms: float
    median_ms: float
    rate: float
    """MB/s of what is read; 0 where nothing is"""
    memory_mb: float
    to_peer: float
    stored_mb: float


def rows(work: str, program: tuple[str, ...], megabytes: int, rounds: int) -> list[Row]:
    """Everything measured, in rounds."""
    config = make_transcripts(os.path.join(work, "claude"), megabytes)
    env = {"PATH": os.defpath, "HOME": work, "LANG": "C.UTF-8", "CLAUDE_CONFIG_DIR": config}
    env["LEFTOFF_ARCHIVE"] = "off"  # what is measured is asked for, not done behind commands
    env |= {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    cold, warm, alone = (os.path.join(work, name) for name in ("cold", "warm", "alone"))
    first = {**env, "LEFTOFF_STATE": cold}
    later = {**env, "LEFTOFF_STATE": warm}
    argv = (*program, *WORDS)
    commands = [
        Command(FULL, argv, work, first, megabytes, partial(_forget, cold)),
        Command(NOTHING, argv, work, later, megabytes, partial(_run, argv, work, later)),
        Command(MORE, argv, work, later, megabytes, partial(_grow, argv, work, later)),
        Command(
            PEER,
            (sys.executable, "-I", "-c", ALONE, config, alone),
            work,
            env,
            megabytes,
            partial(_forget, alone),
        ),
    ]
    timings = measure(commands, rounds)
    size = sum(map(os.path.getsize, glob(f"{config}/projects/*/*.jsonl"))) / 1e6
    peer = timings[-1].least
    read = {FULL: size, PEER: size, MORE: PIECE / 1e6, NOTHING: 0.0}
    stored = {FULL: _size(f"{cold}/archive/*/*.zst"), PEER: _size(f"{alone}/*.zst")}
    return [
        Row(
            timing.command.label,
            megabytes,
            round(timing.least, 1),
            round(timing.middle, 1),
            round(read[timing.command.label] / timing.least * 1000, 1),
            round(timing.memory),
            round(timing.least / peer, 2),
            round(stored.get(timing.command.label, 0.0), 1),
        )
        for timing in timings
    ]


def _forget(folder: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _run(argv: tuple[str, ...], work: str, env: dict[str, str]) -> None:
    subprocess.run(argv, cwd=work, env=env, check=True, capture_output=True)


def _grow(argv: tuple[str, ...], work: str, env: dict[str, str]) -> None:
    """One session went on since all was archived."""
    _run(argv, work, env)
    path = min(glob(f"{env['CLAUDE_CONFIG_DIR']}/projects/*/*.jsonl"))
    with open(path, "ab") as file:
        write_session(file, Random(file.tell()), os.path.basename(path)[:36], PIECE)


def _size(pattern: str) -> float:
    return sum(map(os.path.getsize, glob(pattern))) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[1000], help="of transcripts")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--goals", action="store_true", help="the targets too, as data")
    options = parser.parse_args()
    found: list[Row] = []
    for size in options.megabytes:
        with tempfile.TemporaryDirectory(prefix="leftoff-bench-") as work:
            found += rows(work, program(), size, options.rounds)
            os.chdir(os.sep)
    head = ("what", "MB", "min ms", "median ms", "MB/s", "memory MB", "x zstd -3", "stored MB")
    print(aligned(head, (tuple(map(str, row)) for row in found)))
    print(f"{measured()}, {options.rounds} rounds in shuffled order")
    if options.goals:
        print(as_comment([*goals(found)]))


def goals(found: list[Row]) -> Iterator[Goal]:
    """Memory does not grow with what is archived; the rate is told, no target is set for it."""
    full = {row.megabytes: row.memory_mb for row in found if row.what == FULL}
    small, large = min(full), max(full)
    if small < large:
        figure = f"{full[large]:.0f} MB, {full[small]:.0f} MB for {small:,} MB"
        met = full[large] <= full[small] * GROWS
        yield Goal(5, f"memory, archive of {large:,} MB", figure, "does not grow", met)


if __name__ == "__main__":
    main()
