"""Timing of whole processes: rounds in which every command runs once, in shuffled order.

Shuffled rounds spread whatever else the machine does evenly; the minimum is the figure compared.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from time import perf_counter_ns
from typing import NamedTuple


class Command(NamedTuple):
    """What to start, where, and what to do before the clock runs."""

    label: str
    argv: tuple[str, ...]
    cwd: str
    env: dict[str, str]
    documents: int = 0
    prepare: Callable[[], None] | None = None
    every: int = 1
    """Slow commands need not run in each round."""
    given: str = os.devnull
    """the file that it reads from its standard input"""


class Timing(NamedTuple):
    command: Command
    runs: list[float]
    memory: float
    """megabytes at most, of the largest of its processes"""

    @property
    def least(self) -> float:
        return min(self.runs)

    @property
    def middle(self) -> float:
        return median(self.runs)


def measure(commands: Sequence[Command], rounds: int) -> list[Timing]:
    """Every command's times in milliseconds."""
    for command in commands:
        if not command.prepare:
            _time(command)  # fills its cache, and fails early
    times: dict[int, list[float]] = {at: [] for at in range(len(commands))}
    memory = dict.fromkeys(times, 0.0)
    chance = Random(rounds)
    for number in range(rounds):
        order = [at for at in times if number % commands[at].every == 0]
        chance.shuffle(order)
        for at in order:
            spent, most = _time(commands[at])
            times[at].append(spent)
            memory[at] = max(memory[at], most)
    return [Timing(commands[at], runs, memory[at]) for at, runs in times.items()]


def _time(command: Command) -> tuple[float, float]:
    """Milliseconds and megabytes."""
    if command.prepare:
        command.prepare()
    os.chdir(command.cwd)  # posix_spawn has no folder of its own to start in
    start = perf_counter_ns()
    code, out, memory = _run(command)
    spent = (perf_counter_ns() - start) / 1e6
    if code:
        raise SystemExit(f"{command.label} ended with {code}:\n{out[-2000:].decode()}")
    return spent, memory


def _run(command: Command) -> tuple[int, bytes, float]:
    """Exit code, output and memory of a process that writes into a pipe, as under an agent."""
    reader, writer = os.pipe()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, command.given, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, writer, 1),
        (os.POSIX_SPAWN_DUP2, writer, 2),
        (os.POSIX_SPAWN_CLOSE, reader),
        (os.POSIX_SPAWN_CLOSE, writer),
    ]
    pid = os.posix_spawn(command.argv[0], command.argv, command.env, file_actions=actions)
    os.close(writer)
    # only its end: what this process holds counts as memory of those that it starts
    out = b"".join(deque(iter(lambda: os.read(reader, 1 << 16), b""), maxlen=128))
    os.close(reader)
    _, status, used = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), out, used.ru_maxrss / 1024
