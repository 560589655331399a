"""Durable writes beside plain ones: inside one process, and as whole commands.

    python bench/durable.py --folder /var/tmp

The folder decides what a flush costs: on a disk in memory it costs nothing, so /var/tmp is taken,
which is on a real one nearly everywhere. The document has 6 KB.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from itertools import count
from random import Random
from statistics import median
from time import perf_counter_ns
from typing import NamedTuple

from documents import make_project, make_threads
from installed import program
from measure import Command, measure
from report import aligned, put_into, rounds_note

from leftoff.world.files import write_atomic
from leftoff.world.place import find_place
from leftoff.world.store import Store

BLOCK = "bench-durable"
TIMES = 10
"""as many single writes as rounds of whole commands: they are short"""
DOCUMENT = ".checkpoints/skill-00000.checkpoint.json"
# The least that any Python program pays for a change: read, write aside, rename, and no flush.
PLAINLY = """
import posix, sys
path = sys.argv[1]
fd = posix.open(path, posix.O_RDONLY)
data = posix.read(fd, 1 << 20)
fd = posix.open(path + "~", posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC)
posix.write(fd, data)
posix.rename(path + "~", path)
"""
_number = count()


class Written(NamedTuple):
    what: str
    micros: list[float]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="how often each command runs")
    parser.add_argument("--folder", default="/var/tmp" if os.path.isdir("/var/tmp") else None)
    parser.add_argument("--markdown", type=os.path.abspath, metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="leftoff-durable-", dir=options.folder) as work:
        project = make_project(os.path.join(work, "project"), 1)
        inside = written(work, project, options.rounds * TIMES)
        whole = measure(commands(work, project), options.rounds)
        os.chdir(os.sep)
    text = "\n\n".join(
        [
            _inside(inside, options.rounds * TIMES),
            _whole(whole),
            rounds_note(options.rounds),
        ]
    )
    print(text)
    if options.markdown:
        put_into(options.markdown, BLOCK, text)


def written(work: str, project: str, rounds: int) -> list[Written]:
    """Every way of writing once in each round, in shuffled order."""
    with open(os.path.join(project, DOCUMENT), "rb") as file:
        data = file.read()
    store = Store(find_place(project), os.path.join(work, "state"))
    ways: dict[str, Callable[[], object]] = {
        "open, write (may be lost or torn)": partial(_plain, os.path.join(work, "a"), data),
        "write aside, rename (may be lost)": partial(_renamed, os.path.join(work, "b"), data),
        "leftoff's write, flushed": partial(write_atomic, os.path.join(work, "c"), data),
        "a change: lock, read, edit, check, write": partial(store.change, DOCUMENT, _edit),
    }
    found = [Written(what, []) for what in ways]
    chance = Random(rounds)
    for _ in range(rounds + 1):
        for each in chance.sample(found, len(found)):
            start = perf_counter_ns()
            ways[each.what]()
            each.micros.append((perf_counter_ns() - start) / 1000)
    return [each._replace(micros=each.micros[1:]) for each in found]  # the first made the file


def _plain(path: str, data: bytes) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.write(fd, data)
    os.close(fd)


def _renamed(path: str, data: bytes) -> None:
    _plain(f"{path}~", data)
    os.rename(f"{path}~", path)


def _edit(text: str) -> str:
    before, key, rest = text.partition('"step": "')
    return f"{before}{key}Step {next(_number)}{rest[rest.index(chr(34)) :]}"


def commands(work: str, project: str) -> list[Command]:
    """Each changes a document; the floor is the interpreter alone."""
    env = {"PATH": os.defpath, "HOME": work, "LANG": "C.UTF-8"}
    env["LEFTOFF_STATE"] = os.path.join(work, "state")
    threads = make_threads(os.path.join(work, "threads"), 1)
    (leftoff,) = program()
    bare = (sys.executable, "-I", "-S", "-c")
    copy = os.path.join(work, "copy.json")
    with open(os.path.join(project, DOCUMENT), "rb") as file:
        _plain(copy, file.read())
    # A text that is new each time comes from the shell's own process number.
    update = f"exec {leftoff} update skill-00000 --step=$$"
    save = f"exec {leftoff} save --no-draft --question $$"
    return [
        Command("python -I -S -c pass", (*bare, "pass"), work, env),
        Command("python: read, write aside, rename", (*bare, PLAINLY, copy), work, env),
        Command("leftoff update", ("/bin/sh", "-c", update), project, env),
        Command("leftoff save", ("/bin/sh", "-c", save), threads, env),
    ]


def _inside(found: list[Written], rounds: int) -> str:
    head = ("6 KB, inside one process", "min µs", "median µs", "x write aside, rename")
    plain = min(found[1].micros)
    rows = [
        (each.what, f"{min(each.micros):.0f}", f"{median(each.micros):.0f}", f"{ratio:.2f}")
        for each in found
        for ratio in [min(each.micros) / plain]
    ]
    return f"{aligned(head, rows)}\n\n{rounds} of each in shuffled order."


def _whole(timings) -> str:
    head = ("as whole commands", "min ms", "median ms", "x floor", "x plain")
    floor, plain = timings[0].least, timings[1].least
    rows = [
        (t.command.label, f"{t.least:.1f}", f"{t.middle:.1f}", *_ratios(t.least, floor, plain))
        for t in timings
    ]
    return aligned(head, rows)


def _ratios(least: float, floor: float, plain: float) -> tuple[str, str]:
    return f"{least / floor:.2f}", f"{least / plain:.2f}"


if __name__ == "__main__":
    main()
