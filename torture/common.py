"""What the programs of this folder have in common: where they work, and how they tell of it."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bench"))

from crash_points import HARMS, Found, Scene, torture
from report import measured, put_into

MEMORY = "/dev/shm"
"""A flush takes no time there, and nothing else is different."""
SHOWN = 20


def plain_parser(about: str | None) -> argparse.ArgumentParser:
    """The option of every program here."""
    made = argparse.ArgumentParser(description=about)
    made.add_argument(
        "--markdown", type=os.path.abspath, metavar="FILE", help="put it into this file's block"
    )
    return made


def parser(about: str | None) -> argparse.ArgumentParser:
    """Those of programs with scenes, too."""
    made = plain_parser(about)
    made.add_argument("--scene", action="append", default=[], metavar="NAME", help="these only")
    made.add_argument("--every", type=int, default=1, metavar="N", help="each nth point only")
    made.add_argument("--jobs", type=int, default=1, metavar="N", help="scenes at a time")
    made.add_argument(
        "--results", default="", metavar="FILE", help="note scenes here; those in it are not run"
    )
    return made


def folder() -> tempfile.TemporaryDirectory[str]:
    base = MEMORY if os.access(MEMORY, os.W_OK) else None
    return tempfile.TemporaryDirectory(prefix="leftoff-torture-", dir=base)


def progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def tortured(scenes: Iterable[Scene], options: argparse.Namespace) -> Iterator[Found]:
    """What came of each scene, of this run or, where it kept notes, of one before."""
    done = {one.scene: one for one in _noted(options.results)}
    wanted = (one for one in scenes if not options.scene or one.name in {*options.scene, *done})

    def found(one: Scene) -> Found:
        return done.get(one.name) or _tortured(one, options)

    if options.jobs == 1:
        yield from map(found, wanted)  # in this thread, where a signal to end is heard at once
        return
    with ThreadPoolExecutor(options.jobs) as pool:  # a thread only waits for its processes
        yield from pool.map(found, wanted)


def _tortured(scene: Scene, options: argparse.Namespace) -> Found:
    with folder() as work:
        found = torture(scene, os.path.realpath(work), options.every)
    progress(f"{found.scene}: {found.points} points, {len(found.broken)} broken")
    _note(options.results, found)
    return found


def _noted(path: str) -> Iterator[Found]:
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for scene, points, runs, missed, broken in map(json.loads, file):
                yield Found(scene, points, Counter(runs), missed, broken)


def _note(path: str, found: Found) -> None:
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")


# The report


def summary(found: Sequence[Found], every: int, broken: int) -> str:
    """All scenes in one sentence; `broken` promises, of whatever else there was too."""
    runs = sum(sum(one.runs.values()) for one in found)
    points, missed = sum(one.points for one in found), sum(one.missed for one in found)
    which = "every point" if every == 1 else f"each {every}th point"
    return (
        f"**{len(found)} scenes, {points:,} points ({which}), {runs:,} runs with a fault;"
        f" {broken} broken promises.** {missed} runs took another path and never reached"
        " their point."
    )


def scenes_table(found: Sequence[Found]) -> str:
    harms = [harm for harm in HARMS if any(one.runs[harm] for one in found)]
    rows = (
        (one.scene, str(one.points), *(str(one.runs[harm]) for harm in harms), str(len(one.broken)))
        for one in found
    )
    return table(("scene", "points", *harms, "broken"), rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def tell(options: argparse.Namespace, block: str, parts: Iterable[str], broken: list[str]) -> int:
    """Print it, put it into the page's block, and say whether all is well, as an exit code."""
    faults = "\n".join(f"- {problem[:300]!r}" for problem in broken[:SHOWN])
    text = "\n\n".join(filter(None, [*parts, f"{measured()}.", faults]))
    print(text)
    if options.markdown:
        put_into(options.markdown, block, text)
    return 1 if broken else 0
