"""A hook on a busy machine: how long a client waits for it, beside so many busy loops."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import quantiles
from time import perf_counter
from typing import NamedTuple

from scenes_hooks import Hooked

RUNS, LOOPS = 200, 8


class Waited(NamedTuple):
    """Milliseconds that a client waited, and what was not an answer."""

    loops: int
    runs: int
    half: float
    p99: float
    worst: float
    broken: list[str]


def waited(work: str, loops: int, runs: int = RUNS) -> Waited:
    """Prompts of one session, one after the other."""
    folder = os.path.join(work, "loaded")
    os.mkdir(folder)
    hook = Hooked("claude-code", "UserPromptSubmit")
    hook.lay(folder)
    times, broken = [], []
    with _busy(loops):
        for number in range(runs):
            start = perf_counter()
            done = hook.fire(folder, hook.event, prompt="go on", prompt_id=f"p{number}")
            times.append((perf_counter() - start) * 1000)
            if done.returncode:
                broken.append(f"prompt {number} ended with {done.returncode}")
    cuts = quantiles(times, n=100)
    return Waited(loops, runs, cuts[49], cuts[98], max(times), broken)


@contextmanager
def _busy(loops: int) -> Iterator[None]:
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for one in running:
            one.kill()
            one.wait()
