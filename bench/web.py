"""`python bench/web.py`: what each page costs the server in a large project, beside a small one.

Both are made up of the same kind of threads and sessions; every page that discovery finds is asked
for. The figure is the CPU time of the server's process for one answer, the least of some rounds,
when its caches are warm; the rule is at most 3 times, and no page over 300 KB.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "src"), os.path.join(ROOT, "tests")]

import httpx  # noqa: E402
from measure import put_into  # noqa: E402

import histories  # noqa: E402
from support import clean_environment, repo  # noqa: E402

SMALL, LARGE = (100, 10), (10_000, 1_000)
"""Sessions and threads."""
MOST_TIMES, MOST_BYTES = 3.0, 300_000
NOW = 1_786_190_400.0
HOUR = 3600.0
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
    page: str
    small: float
    large: float
    size: int

    @property
    def times(self) -> float:
        return self.large / self.small


class Server:
    """`leftoff web` in a process of its own, whose CPU time the system counts (Linux)."""

    def __init__(self, root: str, env: dict[str, str]) -> None:
        argv = [sys.executable, "-m", "leftoff", "web", "--json", "--now", "2026-08-08T12:00:00Z"]
        given = {**env, "PYTHONPATH": os.path.join(ROOT, "src")}
        self._run = subprocess.Popen(argv, cwd=root, env=given, stdout=subprocess.PIPE, text=True)
        told = ""
        while not told.endswith("\n}\n"):
            told += self._run.stdout.readline()
        address = json.loads(told)["data"]["address"]
        self.client = httpx.Client(base_url=address.partition("?")[0], trust_env=False, timeout=120)
        self.client.get(address)

    def spent(self) -> float:
        """Milliseconds of CPU time so far."""
        with open(f"/proc/{self._run.pid}/stat", encoding="ascii") as file:
            user, system = file.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") * 1000

    def end(self) -> None:
        self.client.close()
        self._run.send_signal(signal.SIGINT)
        self._run.wait(30)


def pages() -> list[str]:
    """Every page; the holes of the routes hold a session, a thread."""
    from leftoff.entry.web.pages import every_page

    holes = {"name": "thread-00000003", "agent": "claude-code", "id": histories.ident(3)}
    names = (re.sub(r"\{(\w+)[^}]*\}", lambda hole: holes[hole[1]], p.ROUTE) for p in every_page())
    return [f"{name}?q=written" if name == "/search" else name for name in names]


def measure(one: Server, other: Server, path: str, rounds: int, each: int) -> Row:
    """The least of some rounds, on each side; a round is so many answers."""
    least = [float("inf")] * 2
    size = 0
    for server in (one, other):
        server.client.get(path).raise_for_status()  # caches are made
    for _ in range(rounds):
        for at, server in enumerate((one, other)):
            before = server.spent()
            for _ in range(each):
                size = max(size, len(server.client.get(path).raise_for_status().content))
            least[at] = min(least[at], (server.spent() - before) / each)
    return Row(path, *least, size)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--each", type=int, default=20, help="answers in a round")
    parser.add_argument("--large", type=int, nargs=2, default=LARGE, metavar="N")
    parser.add_argument("--markdown", type=os.path.abspath, metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        servers = []
        for name, sizes in (("small", SMALL), ("large", options.large)):
            os.makedirs(os.path.join(work, name))
            servers.append(Server(*make(os.path.join(work, name), *sizes)))
        try:
            rows = [measure(*servers, page, options.rounds, options.each) for page in pages()]
        finally:
            for server in servers:
                server.end()
    lines = ["| page | small ms | large ms | times | KB |", "|---|--:|--:|--:|--:|"]
    lines += [
        f"| {r.page} | {r.small:.1f} | {r.large:.1f} | {r.times:.1f} | {r.size / 1000:.0f} |"
        for r in rows
    ]
    print("\n".join(lines))
    if options.markdown:
        put_into(options.markdown, "bench-web", "\n".join(lines))
    bad = [r.page for r in rows if r.times > MOST_TIMES or r.size > MOST_BYTES]
    if bad:
        raise SystemExit(f"too dear: {', '.join(bad)}")


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
