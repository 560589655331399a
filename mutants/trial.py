"""The tests as a judge of mutants: collected once, then run in a child for each of them.

A child takes over the loaded modules, puts the mutant's code into the function, and runs the tests
that reach it, the quick ones first, until one fails. Nothing has run before the fork, so that no
cache holds what the function said as it was.
"""

from __future__ import annotations

import gc
import os
import resource
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, Phase, settings

KILLED, SURVIVED, SLOW, BROKEN = "killed", "survived", "too slow", "broken"
AT_IMPORT = "at import"
OUTCOMES = PASSED, SKIPPED, FAILED = "passed", "skipped", "failed"
KILLER = "killer"
PATIENCE = 120
"""Seconds of the clock after which a child is stopped: it waits for something."""
CPU, MEMORY = 10, 4 << 30
"""Seconds of the processor and bytes beyond which a child is in an endless loop."""


class Task(NamedTuple):
    """A mutant to judge: where it is, its code, and the tests in their order."""

    name: str
    path: str
    function: str
    tests: tuple[str, ...]
    code: Callable[[], CodeType]
    """the whole module with the mutant in it"""


Running = dict[int, tuple[Task, float, str]]


class Judge:
    """A plugin of pytest that does with the collected tests what `work` says."""

    def __init__(self, work: Callable[[Judge], None]) -> None:
        self.work = work
        self.items: dict[str, pytest.Item] = {}
        self.config: Any = None

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Few examples, none made smaller: whether one fails is all that counts."""
        settings.register_profile(
            "mutants",
            derandomize=True,
            deadline=None,
            database=None,
            max_examples=15,
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=list(HealthCheck),
        )
        settings.load_profile("mutants")
        self.config = config

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        self.work(self)
        return True


def collect(paths: Sequence[str], work: Callable[[Judge], None]) -> None:
    """Collect these tests, and let `work` have them."""
    quiet = ["-q", "-q", "-s", "--assert=plain", "--tb=no", "-p", "no:randomly", "-p", "no:xdist"]
    code = pytest.main([*quiet, "-p", "no:cacheprovider", *paths], plugins=[Judge(work)])
    if code not in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit(f"the tests could not be collected: {code!r}")


Seen = Callable[[pytest.Item, str, float], None]


def passes(items: Sequence[pytest.Item], seen: Seen, *, stop: bool = True) -> bool:
    """Run them until one fails; `seen` hears how each ended, and how long it took."""
    for at, item in enumerate(items):
        after = items[at + 1] if at + 1 < len(items) else None
        reports = runtestprotocol(item, log=False, nextitem=after)
        outcome = max((report.outcome for report in reports), key=OUTCOMES.index)
        seen(item, outcome, sum(report.duration for report in reports))
        if outcome == FAILED and stop:
            return False
    return True


def reach(judge: Judge, package: str, told: Callable[[dict[str, Any]], None]) -> None:
    """Tell for each test how it ended, how long it took and which functions of ours it called."""
    with _calls() as calls:

        def seen(item: pytest.Item, outcome: str, seconds: float) -> None:
            found = sorted(_names(calls, package))
            line = {"test": item.nodeid, "outcome": outcome, "seconds": round(seconds, 4)}
            told({**line, "calls": found})
            calls.clear()
            _watch(calls)  # a test that fills the stack makes the tracer fail, and so takes it off

        passes(list(judge.items.values()), seen, stop=False)


def called_by(work: Callable[[], object], package: str) -> set[str]:
    """The functions of ours that run while it works."""
    with _calls() as calls:
        work()
    return _names(calls, package)


@contextmanager
def _calls() -> Iterator[set[CodeType]]:
    calls: set[CodeType] = set()
    _watch(calls)
    try:
        yield calls
    finally:
        sys.settrace(None)


def _watch(calls: set[CodeType]) -> None:
    sys.settrace(lambda frame, _event, _arg: calls.add(frame.f_code))


def _names(calls: set[CodeType], package: str) -> set[str]:
    return {of_code(code, package) for code in tuple(calls)} - {""}  # this very line calls


def of_code(code: CodeType, package: str) -> str:
    """`core/merge:function` of code below the package; of what stands in a function, that one."""
    if not code.co_filename.startswith(package):
        return ""
    name = code.co_qualname.partition(".<locals>")[0]
    return f"{code.co_filename[len(package) : -3]}:{name}" if not name.startswith("<") else ""


def judge_all(
    judge: Judge, tasks: Sequence[Task], jobs: int, work: str
) -> Iterator[tuple[Task, str, str]]:
    """Every mutant with its verdict and the test that killed it."""
    functions = _functions()
    gc.collect()
    gc.freeze()
    running: Running = {}
    waiting = list(reversed(tasks))
    while waiting or running:
        while waiting and len(running) < jobs:
            task, folder = waiting.pop(), tempfile.mkdtemp(dir=work)
            pid = os.fork()
            if not pid:
                _child(judge, task, functions, folder)
            running[pid] = task, monotonic() + PATIENCE, folder
        yield from _ended(running)


def _ended(running: Running) -> Iterator[tuple[Task, str, str]]:
    for pid, (task, until, folder) in list(running.items()):
        done, status = os.waitpid(pid, os.WNOHANG)
        if not done and monotonic() < until:
            continue
        _stop(pid)
        if not done:
            os.waitpid(pid, 0)
        del running[pid]
        yield task, _verdict(status) if done else SLOW, _read(os.path.join(folder, KILLER))
        shutil.rmtree(folder, ignore_errors=True)
    sleep(0.002)


def _verdict(status: int) -> str:
    if not os.WIFEXITED(status):
        return SLOW
    return {0: SURVIVED, 1: KILLED}.get(os.WEXITSTATUS(status), BROKEN)


def _stop(pid: int) -> None:
    """The child's group: what its tests started ends with it."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _child(judge: Judge, task: Task, functions: Mapping[Any, list[Any]], folder: str) -> None:
    code = 3
    try:
        os.setsid()
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        resource.setrlimit(resource.RLIMIT_CPU, (CPU, CPU + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        judge.config._tmp_path_factory._basetemp = Path(folder)
        _mutate(task, functions)

        def seen(item: pytest.Item, outcome: str, _: float) -> None:
            if outcome == FAILED:
                with open(os.path.join(folder, KILLER), "w", encoding="utf-8") as file:
                    file.write(item.nodeid)

        items = [judge.items[test] for test in task.tests if test in judge.items]
        code = 0 if passes(items, seen) else 1
    finally:
        os._exit(code)


def _mutate(task: Task, functions: Mapping[Any, list[Any]]) -> None:
    """The other code for every function object that has the old one."""
    for code in _codes(task.code()):
        for function in functions.get((task.path, code.co_qualname, code.co_firstlineno), ()):
            if code.co_qualname == task.function:
                function.__code__ = code


def _codes(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _codes(one)


def _functions() -> dict[tuple[str, str, int], list[FunctionType]]:
    """Every function that is loaded, by where its code comes from."""
    found: dict[tuple[str, str, int], list[FunctionType]] = {}
    for each in gc.get_objects():
        if type(each) is FunctionType:
            code = each.__code__
            key = code.co_filename, code.co_qualname, code.co_firstlineno
            found.setdefault(key, []).append(each)
    return found
