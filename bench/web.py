"""`python bench/web.py`: what each page costs the server in a large project, beside a small one.

Both are made up of the same kind of threads and sessions; every page that discovery finds is asked
for. The figure is the CPU time of the server's process for one answer, the least of some rounds,
when its caches are warm; the rule is at most 3 times, and no page over 300 KB.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from time import process_time
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "src"), os.path.join(ROOT, "tests")]

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
        _session(root, env, n, threads)
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


def _session(root: str, env: dict[str, str], n: int, threads: int) -> None:
    """A journal and a short transcript, hours apart."""
    import histories

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
