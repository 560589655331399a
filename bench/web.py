"""`make bench-web`: what each page costs the server in a large project, beside a small one.

Both are made up of the same kind of threads and sessions; every page that discovery finds is asked
for. The figure is the CPU time of the server's process for one answer, the least of some rounds.
*Warm*: the same page again at once. *Later*: everything that is kept for a while has expired, and
nothing changed. *Saved*: before each answer a checkpoint is written. *At work*: before each answer
a session goes on, as hooks and a client write it. A search looks for another word each time. Once a
minute an answer waits for a look at all files: each round makes one such answer and then one
without, and the two are told apart.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import median
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "src"), os.path.join(ROOT, "tests")]

import httpx  # noqa: E402
from report import Goal, aligned, at_most, put_into, rounds_note  # noqa: E402

import histories  # noqa: E402
from support import clean_environment, repo  # noqa: E402

BLOCK = "bench-web"
SMALL, LARGE = (100, 10), (10_000, 1_000)
"""Sessions and threads."""
MOST_TIMES, MOST_BYTES = 3.0, 300_000
NOW = 1_786_190_400.0
HOUR = 3600.0
WARM, LATER, SAVED, AT_WORK = SCENES = "warm", "later", "saved", "at work"
_ORDER = Random(6)
UNCOUNTED = 2
"""Rounds of each scene: in the first, expensive answers from before may still be in use."""
Of = Callable[[list[float]], float]
EXPIRES, PAUSE = 30, 90
"""Seconds by which a signal sets the server's clock on: nothing is kept so long without a look at
what changed; or without a look at everything."""
SERVE = f"""
import signal, sys, time
ahead, clock = [0], time.monotonic
time.monotonic = lambda: clock() + ahead[0]
signal.signal(signal.SIGUSR1, lambda *_: ahead.__setitem__(0, ahead[0] + {EXPIRES}))
signal.signal(signal.SIGUSR2, lambda *_: ahead.__setitem__(0, ahead[0] + {PAUSE}))
from leftoff.__main__ import main
main()
"""
DOCUMENT = """# Checkpoint: Thread {n}

**Thread ID**: {id}
**Saved**: 2026-08-{day:02}T10:00:00Z
**Branch**: main

## Current Task

Part {n} of the work

## Completed Work

The first half of part {n} is written and tested.

## Key Decisions

| Decision | Rationale | Session |
|----------|-----------|---------|
| Keep it small | it is read more than written | #001 |

## Next Steps (Priority Order)

1. [P1] Write step one of part {n}
2. [P2] Write the docs
"""


class Row(NamedTuple):
    """A page: for each scene the milliseconds with few and with many, and its largest size."""

    page: str
    cost: dict[str, tuple[float, float]]
    size: int
    half: dict[str, tuple[float, float]]
    """the same by the medians"""
    looked: dict[str, tuple[float, float]]
    """by the medians, of the answers that waited for a look at all files"""

    def times(self, scene: str) -> float:
        few, many = self.cost[scene]
        return many / few


class Spent(NamedTuple):
    """Milliseconds of one answer, and how long it is; those of the one that looked everywhere."""

    plain: float
    looked: float
    size: int


class Server:
    """`leftoff web` in a process of its own, whose CPU time the system counts (Linux)."""

    def __init__(self, root: str, env: dict[str, str]) -> None:
        argv = [sys.executable, "-c", SERVE, "web", "--json", "--now", "2026-08-08T12:00:00Z"]
        given = {**env, "PYTHONPATH": os.path.join(ROOT, "src")}
        self._root, self._env, self._count = root, env, 0
        self._run = subprocess.Popen(argv, cwd=root, env=given, stdout=subprocess.PIPE, text=True)
        self._clock = (~self._run.pid << 3) | 2  # Linux: the CPU time of another process
        told = ""
        while not told.endswith("\n}\n"):
            told += self._run.stdout.readline()
        address = json.loads(told)["data"]["address"]
        # a connection for each answer: one that is kept would be closed when the clock is set on
        self.client = httpx.Client(
            base_url=address.partition("?")[0],
            trust_env=False,
            timeout=120,
            limits=httpx.Limits(max_keepalive_connections=0),
        )
        self.client.get(address, follow_redirects=True).raise_for_status()
        self.started = self.spent()

    def spent(self) -> float:
        """Milliseconds of CPU time so far."""
        return time.clock_gettime(self._clock) * 1000

    def cost(self, scene: str, path: str) -> Spent:
        """Of two answers: one that waits for a look at everything, and one right after it."""
        looked, _ = self._cost(scene, path, signal.SIGUSR2) if scene != WARM else (0.0, 0)
        plain, size = self._cost(scene, path, signal.SIGUSR1)
        return Spent(plain, looked, size)

    def _cost(self, scene: str, path: str, time_goes_on: signal.Signals) -> tuple[float, int]:
        self._count += 1
        if scene != WARM:
            self._change(scene)
            self._run.send_signal(time_goes_on)
        if path.startswith("/search"):
            path = f"/search?q=written+-{self._count if scene != WARM else 0}x"
        before = self.spent()
        answer = self.client.get(path).raise_for_status()
        return self.spent() - before, len(answer.content)

    def _change(self, scene: str) -> None:
        if scene == SAVED:
            path = f"{self._root}/.checkpoints/threads/thread-00000005/CHECKPOINT.md"
            text = DOCUMENT.format(n=5, id="thread-00000005", day=6)
            _replaced(path, f"{text}3. [P3] Write part {self._count}\n")
        if scene == AT_WORK:
            state = os.path.join(self._env["HOME"], ".local", "state", "leftoff")
            state = self._env.get("LEFTOFF_STATE", state)
            own = os.path.join(state, "sessions", "claude-code", histories.ident(0))
            projects = os.path.join(self._env["HOME"], ".claude", "projects", "*")
            _longer(f"{own}.jsonl")
            _longer(glob.glob(os.path.join(projects, f"{histories.ident(0)}.jsonl"))[0])
            _replaced(f"{own}.now", '{"v": 1}\n')

    def end(self) -> None:
        self.client.close()
        self._run.send_signal(signal.SIGINT)
        self._run.wait(30)


def _replaced(path: str, text: str) -> None:
    """As leftoff writes: beside it, then in its place."""
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(f"{path}.new", path)


def _longer(path: str) -> None:
    """By a line like its last."""
    with open(path, "r+", encoding="utf-8") as file:
        file.write(file.read().splitlines()[-1] + "\n")


def pages() -> list[str]:
    """Every page; the holes of the routes hold a session, a thread."""
    from leftoff.entry.web.pages import every_page

    holes = {"name": "thread-00000003", "agent": "claude-code", "id": histories.ident(3)}
    return [re.sub(r"\{(\w+)[^}]*\}", lambda hole: holes[hole[1]], p.ROUTE) for p in every_page()]


def measure(few: Server, many: Server, path: str, rounds: int) -> Row:
    """The least and the middle of some rounds, in each scene and on each side."""
    size, found = 0, Row(path, {}, 0, {}, {})
    for scene in SCENES:
        spent: tuple[list[Spent], list[Spent]] = ([], [])
        for n in range(rounds + UNCOUNTED):
            for at in _ORDER.sample((0, 1), 2):
                one = (few, many)[at].cost(scene, path)
                spent[at].extend([one] if n >= UNCOUNTED else [])
                size = max(size, one.size)
        found.cost[scene], found.half[scene] = (
            _both(spent, least, "plain") for least in (min, median)
        )
        found.looked[scene] = _both(spent, median, "looked")
    return found._replace(size=size)


def _both(spent: Sequence[Sequence[Spent]], of: Of, name: str) -> tuple[float, float]:
    few, many = (of([getattr(one, name) for one in side]) for side in spent)
    return few, many


def goals(rows: list[Row]) -> list[Goal]:
    """The slowest page of each scene, and the longest page."""
    found = []
    for scene in SCENES:
        worst = max(rows, key=lambda row: row.times(scene))
        what = f"every page, {scene}; the slowest: {_short(worst.page)}"
        found.append(at_most(6, what, worst.times(scene), MOST_TIMES, "with 100 sessions"))
    longest = max(row.size for row in rows)
    shown, limit = (f"{size / 1000:.0f} KB" for size in (longest, MOST_BYTES))
    return [*found, Goal(6, "the longest page", shown, limit, longest <= MOST_BYTES)]


def beside(rows: list[Row]) -> Iterator[str]:
    """What the least does not say: the medians, and the answers that looked everywhere."""
    times, scene, row = _steepest(rows, "half")
    yield f"By the medians of these rows {_costliest(row, scene)}: {times:.2f} times."
    times, scene, row = _steepest(rows, "looked")
    few, many = row.looked[scene]
    yield (
        "Once a minute an answer waits for a look at every file. By the medians of those answers"
        f" {_costliest(row, scene)}: {few:.0f} → {many:.0f} ms, {times:.2f} times."
    )


def _steepest(rows: list[Row], kind: str) -> tuple[float, str, Row]:
    found = (
        (many / few, scene, row)
        for row in rows
        for scene, (few, many) in getattr(row, kind).items()
        if few
    )
    return max(found, key=lambda one: one[0])


def _costliest(row: Row, scene: str) -> str:
    return f"the one that grows most is {_short(row.page)}, {scene}"


def table(rows: list[Row]) -> str:
    head = ("page", *(f"{scene}: ms, times" for scene in SCENES), "KB")
    return aligned(
        head, ((_short(row.page), *_cells(row), f"{row.size / 1000:.0f}") for row in rows)
    )


def _cells(row: Row) -> list[str]:
    return [
        f"{few:.1f} → {many:.1f}, {row.times(scene):.1f}" for scene, (few, many) in row.cost.items()
    ]


def _short(page: str) -> str:
    """Without the names that fill its holes."""
    return f"`{page}`" if page.count("/") < 2 else f"`/{page.split('/')[1]}/…`"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--large", type=int, nargs=2, default=LARGE, metavar="N")
    parser.add_argument("--markdown", type=os.path.abspath, metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        servers = []
        for name, sizes in (("small", SMALL), ("large", options.large)):
            os.makedirs(os.path.join(work, name))
            servers.append(Server(*make(os.path.join(work, name), *sizes)))
        try:
            rows = [measure(*servers, page, options.rounds) for page in pages()]
        finally:
            for server in servers:
                server.end()
    first = " → ".join(f"{server.started:.0f}" for server in servers)
    started = f"Starting the server for the first time ever, up to its first page: {first} ms."
    started = " ".join([started, *beside(rows)])
    text = f"{table(rows)}\n\n{started}\n\n{rounds_note(options.rounds)}"
    print(text)
    if options.markdown:
        put_into(options.markdown, BLOCK, text, goals(rows))


def make(work: str, sessions: int, threads: int) -> tuple[str, dict[str, str]]:
    """A project with that many; its folder and the environment of its person."""
    home = os.path.join(work, "home")
    os.makedirs(home)
    env = clean_environment(os.environ, home)
    os.environ.update(env)
    os.makedirs(os.path.join(home, ".claude"))
    with open(os.path.join(home, ".claude", "settings.json"), "w", encoding="utf-8") as file:
        json.dump({"cleanupPeriodDays": 3650}, file)  # who has that many keeps them
    root = repo(work)
    for n in range(threads):
        _thread(root, n)
    for n in range(sessions):
        _session(root, n, threads)
    return root, env


def _thread(root: str, n: int) -> None:
    name = f"thread-{n:08x}"
    folder = os.path.join(root, ".checkpoints", "threads", name)
    os.makedirs(folder)
    said = {"threadId": name, "name": f"Thread {n}", "createdAt": "2026-08-01T10:00:00Z"}
    said |= {"config": {"checkpointEnabled": True}, "sessions": []}
    with open(os.path.join(folder, "thread.json"), "w", encoding="utf-8") as file:
        json.dump(said, file, indent=2)
    with open(os.path.join(folder, "CHECKPOINT.md"), "w", encoding="utf-8") as file:
        file.write(DOCUMENT.format(n=n, id=name, day=1 + n % 7))


def _session(root: str, n: int, threads: int) -> None:
    """A journal and a short transcript, hours apart."""
    ago = (n + 2) * HOUR
    talk = histories.Talk(n, root)
    talk.ask(ago + 300, f"Please write part {n}")
    talk.answer(ago + 200, "Done.", 20_000 + n, ("Edit", {"file_path": f"{root}/app.py"}))
    talk.answer(ago + 100, f"Part {n} is written.", 30_000)
    path = talk.save()
    begun = histories.started(ago + 320, root, transcript=path)
    bound = (ago + 310, "bind", {"thread": f"thread-{n % threads:08x}"})
    ended = (ago + 90, "end", {"reason": "exit"})
    for file in (path, histories.journal(n, begun, bound, ended)):
        os.utime(file, (NOW - ago, NOW - ago))


if __name__ == "__main__":
    main()
