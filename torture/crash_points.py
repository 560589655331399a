"""Every system call of a command that writes, hit from outside by strace: killed, or refused.

A first run is only watched. Each of its calls that writes below the scene's folder is a point; for
each point and each harm the scene is laid anew, the command runs once with that harm, and then what
must hold is checked. There is no test build: the program is the one that people run.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from time import sleep
from typing import NamedTuple, Protocol

CALLS = (
    *("openat", "write", "pwrite64", "fsync", "fdatasync", "rename", "renameat", "renameat2"),
    *("link", "linkat", "unlink", "unlinkat", "mkdir", "mkdirat", "rmdir", "ftruncate"),
    *("fchmod", "fchmodat", "utimensat"),
    *("sendto", "recvfrom"),
)
FLUSHES = {"fsync", "fdatasync"}
PLACING = {"rename", "renameat", "renameat2", "link", "linkat"}
WRITERS = {"write", "pwrite64", "sendto"}
TALKS = {"sendto", "recvfrom"}
"""Words with a server. The kernel takes what is sent, or a part of it, or the connection is gone:
then there is no answer either."""
KILL, NOTHING, FULL, GONE = "kill", "write of nothing", "file too large", "connection lost"
REFUSALS = ("ENOSPC", "EIO", "EACCES")
HARMS = (KILL, *REFUSALS, NOTHING, FULL, GONE)
LIMITS = (0, 100, 1000, 4000)
"""Bytes after which no file may grow: the write that gets there is cut short, the next refused."""
PATIENCE = 1000
"""Hundredths of a second for what a run left behind."""
TRIES = 3
"""How often a run is made again that took another way and did not come to its point."""
KEPT = ("project/", "home/.", "home/state/pending/", "home/state/archive/")
"""What must survive a power cut: documents, the clients' own settings, prompts and records that
wait for the next session, and archived sessions. All else can be made again, `REMADE` too."""
REMADE = "home/state/archive/totals"
_LINE = re.compile(r"(?P<call>\w+)\((?:AT_FDCWD<[^>]*>, )?(?P<rest>.*)")
_HALF = ".leftoff-"
_PATHS = re.compile(r'"([^"]*)"')
_MAKES = ("O_CREAT", "O_WRONLY", "O_RDWR", "O_TRUNC")
_HOW = {KILL: "signal=KILL", NOTHING: "retval=0", GONE: "error=ECONNRESET"}


class Ended(NamedTuple):
    """How a run ended."""

    code: int
    out: str
    err: str
    killed: bool
    unflushed: bool = False
    """the disk refused to flush what was written"""


class Command(NamedTuple):
    """What is run, and where; `inside`: the program is started by it, behind the words $TRACED."""

    words: Sequence[str]
    cwd: str
    env: dict[str, str]
    stdin: str = ""
    inside: bool = False

    def behind(self, prefix: Sequence[str]) -> Command:
        """The same with the program behind these words."""
        if self.inside:
            return self._replace(env={**self.env, "TRACED": " ".join(prefix)})
        return self._replace(words=(*prefix, *self.words))


class Scene(Protocol):
    """A project before a command, the command, and what must hold whatever happened to it."""

    name: str

    def lay(self, folder: str) -> None:
        """Put everything into an empty folder; it is copied from then on."""

    def command(self, folder: str) -> Command:
        """What is hit, with all that lies outside of the folder laid for one run."""

    def broken(self, folder: str, ended: Ended) -> Iterable[str]:
        """Every promise that does not hold; asked of a run without any harm first."""


class Point(NamedTuple):
    """The nth call of this name by the process itself, on that path."""

    call: str
    at: int
    path: str


class Found(NamedTuple):
    """What came of one scene: its points, the runs of each harm, those that missed, what broke."""

    scene: str
    points: int
    runs: Counter[str]
    missed: int
    broken: list[str]


class _Trial(NamedTuple):
    """A scene in its folder, and the place it is copied from."""

    scene: Scene
    work: str

    @property
    def folder(self) -> str:
        # always the same: paths stand in launchers, settings and journals
        return os.path.join(self.work, "scene")

    def lay(self) -> None:
        os.makedirs(self.folder)
        self.scene.lay(self.folder)
        shutil.copytree(self.folder, os.path.join(self.work, "laid"), symlinks=True)

    def lay_again(self) -> None:
        _wait_for_children(self.folder)  # what the last run was judged by started some, too
        shutil.rmtree(self.folder)
        shutil.copytree(os.path.join(self.work, "laid"), self.folder, symlinks=True)

    def run(self, options: Sequence[str] = (), limit: int | None = None) -> tuple[Ended, list[str]]:
        """How it ended, and the calls that strace saw."""
        log = os.path.join(self.work, "calls")
        # the program alone is watched: what git does in a child is git's, and the child of ours,
        # which follows sessions, is a scene of its own
        prefix = ["strace", "-q", "-y", "-s", "0", "-e", f"trace={','.join(CALLS)}", "-o", log]
        prefix += options
        if limit is not None:
            prefix = ["prlimit", f"--fsize={limit}"]
        command = self.scene.command(self.folder).behind(prefix)
        done = subprocess.run(
            command.words,
            cwd=command.cwd,
            env=command.env,
            input=command.stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        _wait_for_children(self.folder)
        lines = [] if limit is not None else _lines(log)
        killed = done.returncode < 0 or any("+++ killed by" in line for line in lines[-1:])
        return Ended(done.returncode, done.stdout, done.stderr, killed), lines


def torture(scene: Scene, work: str, every: int = 1) -> Found:
    """Hit each point (or each nth) with each harm."""
    trial = _Trial(scene, work)
    trial.lay()
    points = _watched(trial)[::every]
    runs: Counter[str] = Counter()
    broken: list[str] = []
    missed = 0
    for point in points:
        for harm in _harms(point):
            ended = _struck(trial, point, harm)
            missed += ended is None
            if ended:
                runs[harm] += 1
                broken += _judged(trial, ended, harm, f"{harm} at {point.call} {point.path}")
    for limit in LIMITS:
        trial.lay_again()
        ended, _ = trial.run(limit=limit)
        runs[FULL] += 1
        broken += _judged(trial, ended, FULL, f"{FULL} at {limit} bytes")
    return Found(scene.name, len(points), runs, missed, broken)


def _judged(trial: _Trial, ended: Ended, harm: str, at: str) -> list[str]:
    problems = *_never(ended, harm), *trial.scene.broken(trial.folder, ended)
    return [f"{trial.scene.name}: {at}: {problem}" for problem in problems]


def _harms(point: Point) -> tuple[str, ...]:
    if point.call in TALKS:
        return (KILL, NOTHING if point.call in WRITERS else GONE)
    return (KILL, *REFUSALS, *([NOTHING] if point.call in WRITERS else []))


def _never(ended: Ended, harm: str) -> Iterator[str]:
    """What no harm excuses."""
    if ended.killed and harm != KILL:
        yield "it died of a signal"
    if "Traceback" in ended.err or ended.code == 70:
        yield f"it failed as a bug: {ended.err[-300:]}"


def _watched(trial: _Trial) -> list[Point]:
    """The points of a run that nothing happens to; a copy is a scene whose caches are cold."""
    trial.lay_again()
    ended, lines = trial.run()
    problems = [*_judged(trial, ended, "", "no harm"), *_unflushed(lines, trial.folder)]
    if ended.code or problems:
        raise SystemExit(f"{trial.scene.name} fails without any harm: {ended} {problems}")
    return list(_writes(lines, trial.folder))


def _unflushed(lines: Iterable[str], folder: str) -> Iterator[str]:
    """What takes its place before it is on the disk, or whose place is not, of what is kept.

    A kill does not show it: what a dead process wrote is the system's, and only power goes.
    """
    flushed: set[str] = set()
    open_places: dict[str, str] = {}
    for line in lines:
        found = _LINE.match(line)
        if not found or " = -1 " in line:
            continue
        if found["call"] in FLUSHES:
            path = _path(found["rest"], folder)
            flushed.add(path)
            open_places.pop(path, None)
        elif found["call"] in PLACING:
            source, target = _PATHS.findall(found["rest"])[:2]
            ours = _HALF in source and _is_kept(os.path.relpath(target, folder))
            if ours and os.path.relpath(source, folder) not in flushed:
                yield f"{target} took its place before it was flushed"
            if ours:
                open_places[os.path.relpath(os.path.dirname(target), folder)] = target
    yield from (f"the folder of {target} was not flushed" for target in open_places.values())


def _is_kept(path: str) -> bool:
    return path.startswith(KEPT) and path != REMADE and _HALF not in path


def _writes(lines: Iterable[str], folder: str) -> Iterator[Point]:
    """The calls that write below the folder, each with its number."""
    counts: Counter[str] = Counter()
    for line in lines:
        found = _LINE.match(line)
        if not found:
            continue
        call, rest = found["call"], found["rest"]
        counts[call] += 1
        if _is_point(call, rest, folder):
            yield Point(call, counts[call], _path(rest, folder))


def _is_point(call: str, rest: str, folder: str) -> bool:
    """Whether a call writes below the scene's folder, or is a word with a server."""
    if call in TALKS:
        return "<socket:" in rest
    writes = call != "openat" or any(flag in rest for flag in _MAKES)
    return writes and folder in rest


def _path(rest: str, folder: str) -> str:
    """The last one that is named, relative to the scene."""
    if folder not in rest:
        return "a server"
    return re.split(r'[">]', rest.rpartition(folder + "/")[2])[0]


def _struck(trial: _Trial, point: Point, harm: str) -> Ended | None:
    """One run with one harm; None where the run never came to that point."""
    how = _HOW.get(harm, f"error={harm}")
    options = ("-e", f"inject={point.call}:{how}:when={point.at}")
    for _ in range(TRIES):
        trial.lay_again()
        ended, lines = trial.run(options)
        struck = [line for line in lines if "(INJECTED)" in line]
        if ended.killed or any(_writes(struck, trial.folder)):
            return ended._replace(unflushed=point.call in FLUSHES and harm in REFUSALS)
    return None


def _wait_for_children(folder: str) -> None:
    """What was killed may have left a process behind that goes on by itself, and writes."""
    for _ in range(PATIENCE):
        if not any(_is_about(pid, folder) for pid in filter(str.isdigit, os.listdir("/proc"))):
            return
        sleep(0.01)


def _is_about(pid: str, folder: str) -> bool:
    """Whether a process that lives has the folder in its environment, as all of a scene have."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return os.fsencode(folder) in file.read()
    except OSError:
        return False  # it has ended meanwhile, or is nobody's


def _lines(log: str) -> list[str]:
    with open(log, encoding="utf-8", errors="replace") as file:
        return file.readlines()
