"""Every system call of a command that writes, hit from outside by strace: killed, or refused.

A first run is only watched. Each of its calls that writes below the scene's folder is a point; for
each point and each harm the scene is made anew, the command runs once with that harm, and then
what must hold is checked. There is no test build: the program is the one that people run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

CALLS = (
    *("openat", "write", "pwrite64", "fsync", "fdatasync", "rename", "renameat", "renameat2"),
    *("link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "ftruncate"),
)
WRITERS = {"write", "pwrite64"}
KILL, SHORT = "kill", "short"
REFUSALS = ("ENOSPC", "EIO", "EACCES")
_LINE = re.compile(r"(?P<call>\w+)\((?P<rest>.*)")
_MAKES = ("O_CREAT", "O_WRONLY", "O_RDWR", "O_TRUNC")


class Ended(NamedTuple):
    """How a run ended."""

    code: int
    out: str
    err: str
    killed: bool


class Scene(Protocol):
    """A project before a command, the command, and what must hold whatever happened to it."""

    name: str

    def make(self, folder: str) -> None:
        """Lay everything down."""

    def command(self, folder: str) -> tuple[Sequence[str], str, dict[str, str]]:
        """Words, working folder, environment."""

    def broken(self, folder: str, ended: Ended) -> Iterator[str]:
        """Every promise that does not hold."""


class Point(NamedTuple):
    """The nth call of this name by the process itself."""

    call: str
    at: int


class Found(NamedTuple):
    """What came of one scene: how many runs of each harm, and what broke."""

    scene: str
    points: int
    runs: Counter[str]
    broken: list[str]


def torture(scene: Scene, work: str, every: int = 1) -> Found:
    """Hit each point (or each nth) with each harm."""
    points = watched(scene, work)
    runs: Counter[str] = Counter()
    broken: list[str] = []
    for point in points[::every]:
        for harm in harms(point):
            folder = os.path.join(work, "hit")
            ended = struck(scene, folder, point, harm)
            runs[harm] += 1
            broken += [f"{scene.name}: {harm} at {point.call} {point.at}: {one}" for one in (
                *never(ended, harm), *scene.broken(folder, ended)
            )]
            shutil.rmtree(folder)
    return Found(scene.name, len(points[::every]), runs, broken)


def harms(point: Point) -> tuple[str, ...]:
    return (KILL, *REFUSALS, *([SHORT] if point.call in WRITERS else []))


def never(ended: Ended, harm: str) -> Iterator[str]:
    """What no harm excuses."""
    if (harm == KILL) is not ended.killed:
        yield "it died of a signal" if ended.killed else "it was not hit: the run took another way"
    if "Traceback" in ended.err or ended.code == 70:
        yield f"it failed as a bug: {ended.err[-300:]}"


def watched(scene: Scene, work: str) -> list[Point]:
    """The points of a run that nothing happens to."""
    folder, log = os.path.join(work, "seen"), os.path.join(work, "calls")
    os.makedirs(folder)
    scene.make(folder)
    ended = run(scene, folder, ("-y", "-o", log))
    problems = [*never(ended, ""), *scene.broken(folder, ended)]
    if problems:
        raise SystemExit(f"{scene.name} fails without any harm: {problems}")
    with open(log, encoding="utf-8", errors="replace") as file:
        points = list(writes(file, folder))
    shutil.rmtree(folder)
    return points


def writes(lines: Iterator[str], folder: str) -> Iterator[Point]:
    """The calls that write below the folder, each with its number."""
    counts: Counter[str] = Counter()
    for line in lines:
        found = _LINE.match(line)
        if not found:
            continue
        counts[found["call"]] += 1
        opens = found["call"] != "openat" or any(flag in found["rest"] for flag in _MAKES)
        if opens and folder in found["rest"]:
            yield Point(found["call"], counts[found["call"]])


def struck(scene: Scene, folder: str, point: Point, harm: str) -> Ended:
    """One run with one harm."""
    os.makedirs(folder)
    scene.make(folder)
    how = {KILL: "signal=KILL", SHORT: "retval=0"}.get(harm, f"error={harm}")
    inject = f"inject={point.call}:{how}:when={point.at}"
    return run(scene, folder, ("-e", inject, "-o", os.devnull))


def run(scene: Scene, folder: str, options: Sequence[str]) -> Ended:
    words, cwd, env = scene.command(folder)
    # the program alone is watched: what git does in a child is git's
    argv = ["strace", "-qq", "-e", f"trace={','.join(CALLS)}", *options, *words]
    done = subprocess.run(
        argv, cwd=cwd, env=env, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    return Ended(done.returncode, done.stdout, done.stderr, done.returncode < 0)
