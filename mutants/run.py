"""`make mutants`: does a test fail when a function of core, or of the hook, is made wrong?

Everything runs in a copy of the working tree, so that files may be edited meanwhile. What was found
is noted in `.mutants`: a run that was stopped goes on, and one after a change judges again what the
change concerns.
"""

from __future__ import annotations

import argparse
import ast
import glob
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path[:0] = [HERE, os.path.join(ROOT, "bench")]

from figures import page_of, rows_of, survivors_of
from notes import Notes, Test, digest
from operators import Mutant, mutants, put
from report import measured, put_into
from trial import AT_IMPORT, KILLED, SURVIVED, Judge, Task, called_by, collect, judge_all, reach

BLOCK = "mutants"
MEMORY = "/dev/shm"
TESTS = ("core", "laws", "formats", "agents", "commands", "world", "entry", "test_merge_samples.py")
"""Those that run in one process."""
HOOK = ("entry/hook", "world/journal", "world/now_file", "agents/_payload")
"""What every turn loads beside core and the client's own module."""
LIMITS = 5.0, 0.5
"""Seconds that the tests of one mutant may take unharmed, in all and each: the quickest ones."""


def main() -> int:
    options = _options()
    notes = Notes(os.path.join(ROOT, ".mutants"))
    with tempfile.TemporaryDirectory(dir=MEMORY if os.path.isdir(MEMORY) else None) as work:
        copy = _copy(os.path.realpath(work))
        if not options.as_learnt:
            _in_child(partial(_learn, copy, notes))
        _in_child(partial(_judge, copy, notes, options))
    rows = rows_of({module: _of(ROOT, module) for module in _modules()}, notes.verdicts())
    page = f"{page_of(rows)}\n\n{measured()}."
    print(page)
    if options.markdown:
        put_into(options.markdown, BLOCK, page)
        with open(os.path.join(HERE, "survivors.txt"), "w", encoding="utf-8") as file:
            file.write(survivors_of(rows))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", nargs="*", default=[], metavar="MODULE", help="these, in this order"
    )
    parser.add_argument("--as-learnt", action="store_true", help="do not look for new tests")
    parser.add_argument("--jobs", type=int, default=2, help="mutants at a time")
    parser.add_argument(
        "--markdown", type=os.path.abspath, metavar="FILE", help="put it into this file's block"
    )
    return parser.parse_args()


def _modules() -> list[str]:
    package = os.path.join(ROOT, "src", "leftoff")
    core = sorted(glob.glob(os.path.join(package, "core", "*.py")))
    return [*(os.path.relpath(path, package)[:-3] for path in core), *HOOK]


def _copy(work: str) -> str:
    """The working tree as it is, with the samples beside it where there are some."""
    copy = os.path.join(work, "leftoff")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True).stdout
    for name in filter(None, os.fsdecode(names).split("\0")):
        if os.path.lexists(os.path.join(ROOT, name)):
            os.makedirs(os.path.dirname(os.path.join(copy, name)), exist_ok=True)
            shutil.copy2(os.path.join(ROOT, name), os.path.join(copy, name), follow_symlinks=False)
    beside = os.path.join(os.path.dirname(ROOT), "shared")
    if os.path.isdir(beside):
        os.symlink(beside, os.path.join(work, "shared"))
    return copy


def _in_child(work: Callable[[], None]) -> None:
    """Each has the package of the copy, and nothing that another loaded."""
    sys.stdout.flush()
    pid = os.fork()
    if not pid:
        code = 1
        try:
            work()
            code = 0
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    if status:
        raise SystemExit("stopped")


def _enter(copy: str) -> str:
    os.chdir(copy)
    os.environ["PYTHONPATH"] = os.path.join(copy, "src")
    sys.path.insert(0, os.path.join(copy, "src"))
    return os.path.join(copy, "src", "leftoff", "")


def _load(modules: Sequence[str]) -> None:
    for module in modules:
        importlib.import_module("leftoff." + module.replace("/", "."))


def _test_files(copy: str) -> Iterator[str]:
    for part in TESTS:
        path = os.path.join(copy, "tests", part)
        found = [path] if part.endswith(".py") else glob.glob(os.path.join(path, "test_*.py"))
        yield from (os.path.relpath(each, copy) for each in sorted(found))


def _learn(copy: str, notes: Notes) -> None:
    """Which functions each test calls; only of test files that changed since."""
    package, known = _enter(copy), notes.digests()
    files = {file: digest(_text(file)) for file in _test_files(copy)}
    new = [file for file in files if known.get(file) != files[file]]
    lines: dict[str, list[dict[str, Any]]] = {file: [] for file in new}

    def told(line: dict[str, Any]) -> None:
        file = line["test"].partition("::")[0]
        for done in [each for each in lines if each != file and lines[each]]:
            notes.learnt(done, files[done], lines.pop(done))
        lines[file].append(line)

    if new:
        _load(_modules())  # what runs at import is no test's doing
        print(f"{len(new)} test files to learn from", file=sys.stderr, flush=True)
        collect(new, lambda judge: reach(judge, package, told))
    for file, found in lines.items():
        notes.learnt(file, files[file], found)


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _of(root: str, module: str) -> list[Mutant]:
    return [
        *mutants(module, ast.parse(_text(os.path.join(root, "src", "leftoff", f"{module}.py"))))
    ]


def _judge(copy: str, notes: Notes, options: argparse.Namespace) -> None:
    package = _enter(copy)
    modules = [*filter(_modules().__contains__, options.only)] or _modules()
    at_import = called_by(lambda: _load(modules), package)
    plan = Plan(copy, notes, at_import)
    tasks = [task for module in modules for task in plan.tasks(module)]
    files = sorted({test.partition("::")[0] for task in tasks for test in task.tests})
    print(f"{len(tasks)} mutants to judge, {len(files)} test files", file=sys.stderr)
    if tasks:
        collect(files, lambda judge: _judged(judge, tasks, notes, plan, options.jobs))


def _judged(judge: Judge, tasks: Sequence[Task], notes: Notes, plan: Plan, jobs: int) -> None:
    work = tempfile.mkdtemp(dir=os.path.dirname(plan.copy))
    for number, (task, verdict, killer) in enumerate(judge_all(judge, tasks, jobs, work)):
        notes.judged({**plan.line(task), "verdict": verdict, "killer": killer})
        if verdict != KILLED or number % 100 == 0:
            print(f"{number} {verdict} {task.name}", file=sys.stderr, flush=True)
    killers = {line["killer"] for line in notes.verdicts().values()}
    _control(judge, sorted(killers & judge.items.keys()), work)


def _control(judge: Judge, killers: Sequence[str], work: str) -> None:
    """A test that fails unharmed has killed nothing."""
    parts = [killers[at : at + 50] for at in range(0, len(killers), 50)]
    unharmed = [Task("", "", "", tuple(part), partial(compile, "", "", "exec")) for part in parts]
    for _, verdict, failed in judge_all(judge, unharmed, 1, work):
        if verdict != SURVIVED:
            raise SystemExit(f"{verdict} without a mutant: {failed}")


class Plan:
    """What is to be judged, and by which tests."""

    def __init__(self, copy: str, notes: Notes, at_import: set[str]) -> None:
        self.copy, self.notes, self.at_import = copy, notes, at_import
        self.tests, self.known = notes.tests(), notes.verdicts()
        self.digests = notes.digests()
        self.lines: dict[str, dict[str, Any]] = {}

    def tasks(self, module: str) -> Iterator[Task]:
        """The mutants of a module that have to be judged, those that need no test at once."""
        path = os.path.join(self.copy, "src", "leftoff", f"{module}.py")
        text = _text(path)
        for at, mutant in enumerate(mutants(module, ast.parse(text))):
            function = f"{module}:{mutant.function}"
            known = self._known(mutant)
            tests = self._chosen(module, function, known["tests"])
            if known["verdict"] not in {"", SURVIVED, AT_IMPORT} or (
                known["verdict"] and not tests
            ):
                continue
            files = {file: self.digests[file] for file in map(_file, tests)}
            line = {"name": mutant.name, "text": mutant.text, "tests": {**known["tests"], **files}}
            if not tests:
                never = AT_IMPORT if function in self.at_import else SURVIVED
                self.notes.judged({**line, "verdict": never, "killer": ""})
                continue
            self.lines[mutant.name] = line
            code = partial(_compiled, module, text, at, path)
            names = tuple(test.name for test in tests)
            yield Task(mutant.name, path, mutant.function, names, code)

    def line(self, task: Task) -> dict[str, Any]:
        return self.lines[task.name]

    def _known(self, mutant: Mutant) -> dict[str, Any]:
        """The verdict on this very mutant, and the test files that did not kill it."""
        known = self.known.get(mutant.name)
        return known if known and known["text"] == mutant.text else {"verdict": "", "tests": {}}

    def _chosen(self, module: str, function: str, seen: Mapping[str, str]) -> list[Test]:
        """The quickest that it has not survived yet; those of the module itself before others."""
        name = os.path.basename(module)
        own = tuple(f"tests/{folder}/test_{name}" for folder in ("core", "world", "entry"))
        reaching = self.tests.get(function, [])
        reaching = [test for test in reaching if seen.get(_file(test)) != self.digests[_file(test)]]
        left, longest = LIMITS
        chosen = []
        for test in sorted(reaching, key=lambda test: (not test.name.startswith(own), test)):
            if not chosen or test.seconds < min(left, longest):
                left -= test.seconds
                chosen.append(test)
        return chosen


def _file(test: Test) -> str:
    return test.name.partition("::")[0]


def _compiled(module: str, text: str, at: int, path: str) -> Any:
    tree = ast.parse(text)
    put([*mutants(module, tree)][at])
    return compile(tree, path, "exec", dont_inherit=True)


if __name__ == "__main__":
    sys.exit(main())
