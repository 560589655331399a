"""`make broken`: would a test tell, if a requirement no longer held?

Each breakage of broken.toml is made in a copy of the repository, and the tests that carry the
requirement's id run there: one has to fail. Real clients are left alone where other tests carry it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "tests"), os.path.join(ROOT, "bench")]

from report import measured, put_into

from requirements.rows import marks, rows
from support import clean_environment

BLOCK = "broken"
SEEDS, ONE_IN, FEWEST = (8, 18), 9, 5
"""How the sample is drawn: twice one in nine of each area, and no fewer than five each time."""
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", "actual")
FAILED, PASSED = 1, 0


class Breakage(NamedTuple):
    """What is changed where, and what then no longer holds."""

    id: str
    so: str
    file: str
    old: str
    new: str

    def text(self, root: str) -> str:
        with open(os.path.join(root, self.file), encoding="utf-8") as file:
            return file.read()

    def put(self, root: str, text: str) -> None:
        with open(os.path.join(root, self.file), "w", encoding="utf-8") as file:
            file.write(text)


class Seen(NamedTuple):
    """What came of one: the first test that failed; "" if none did."""

    breakage: Breakage
    tests: int
    by: str


def breakages() -> list[Breakage]:
    with open(os.path.join(HERE, "broken.toml"), "rb") as file:
        return [Breakage(name, **said) for name, said in tomllib.load(file).items()]


def drawn(ids: Iterable[str]) -> list[str]:
    """The sample: by lot, from each area; the second lot from what the first one left."""
    left, found = sorted(ids), list[str]()
    for seed in SEEDS:
        found += _lot(left, seed)
        left = [one for one in left if one not in found]
    return found


def _lot(ids: Sequence[str], seed: int) -> Iterator[str]:
    areas: dict[str, list[str]] = {}
    for one in ids:
        areas.setdefault(one.partition(".")[0], []).append(one)
    for own in areas.values():
        yield from sorted(Random(seed).sample(own, max(FEWEST, round(len(own) / ONE_IN))))


def main() -> int:
    options = _options()
    every = [one for one in breakages() if not options.only or one.id in options.only]
    with tempfile.TemporaryDirectory(prefix="leftoff-broken-") as work:
        root = _copied(work)
        seen = [*_looked(root, every, options.results)]
    text = "\n\n".join(_report(seen))
    print(text)
    if options.markdown:
        put_into(options.markdown, BLOCK, text)
    return 0 if all(one.by for one in seen) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", metavar="ID", help="these only")
    parser.add_argument(
        "--results", default="", metavar="FILE", help="note who saw it; what is in it is not run"
    )
    parser.add_argument("--markdown", type=os.path.abspath, metavar="FILE")
    return parser.parse_args()


def _copied(work: str) -> str:
    """The repository again, with the samples beside it where they are."""
    root = os.path.join(work, "leftoff")
    shutil.copytree(ROOT, root, symlinks=True, ignore=LEFT_OUT)
    samples = os.path.join(os.path.dirname(ROOT), "shared")
    if os.path.exists(samples):
        os.symlink(samples, os.path.join(work, "shared"))
    return root


def _looked(root: str, every: Sequence[Breakage], notes: str) -> Iterator[Seen]:
    """What came of each, of this run or, where it kept notes, of one before."""
    known = dict(_noted(notes))
    _whole(root, [one for one in every if one.id not in known])
    for one in every:
        if one.id in known:
            yield Seen(one, len(_tests(one.id)), known[one.id])
            continue
        seen = _seen(root, one)
        print(f"{one.id}: {seen.by or 'NOT SEEN'}", file=sys.stderr, flush=True)
        if notes and seen.by:
            with open(notes, "a", encoding="utf-8") as file:
                file.write(f"{one.id}: {seen.by}\n")
        yield seen


def _noted(path: str) -> Iterator[tuple[str, str]]:
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                name, _, by = line.strip().partition(": ")
                yield name, by


def _whole(root: str, every: Sequence[Breakage]) -> None:
    """With nothing broken all of these tests pass; else a failure would say nothing."""
    tests = sorted({test for one in every for test in _tests(one.id)})
    code, told = _run(root, tests) if tests else (PASSED, "")
    if code != PASSED:
        raise SystemExit(f"tests fail with nothing broken:\n{told[-3000:]}")


def _tests(requirement: str) -> list[str]:
    carrying = marks()[requirement]
    return [test for test in carrying if not test.startswith("clients/")] or carrying


def _seen(root: str, one: Breakage) -> Seen:
    text, tests = one.text(root), _tests(one.id)
    one.put(root, text.replace(one.old, one.new))
    try:
        code, told = _run(root, tests)
    finally:
        one.put(root, text)
    if code not in {PASSED, FAILED}:
        raise SystemExit(f"{one.id} breaks more than it says:\n{told[-3000:]}")
    return Seen(one, len(tests), next(_failures(told), "") if code == FAILED else "")


def _run(root: str, tests: Sequence[str]) -> tuple[int, str]:
    env = clean_environment(os.environ, os.path.dirname(root))
    env |= {"PYTHONPATH": os.path.join(root, "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    words = ["-m", "pytest", "-x", "-q", "--tb=line", "-p", "no:cacheprovider", "-p", "no:randomly"]
    done = subprocess.run(
        [sys.executable, *words, *(os.path.join("tests", test) for test in tests)],
        cwd=root,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return done.returncode, done.stdout


def _failures(told: str) -> Iterator[str]:
    for line in told.splitlines():
        if line.startswith(("FAILED ", "ERROR ")):  # a fixture may have looked first
            path, _, test = line.split()[1].partition("::")
            yield f"{path.removeprefix('tests/')}: {test.partition('[')[0]}"


def _report(seen: Sequence[Seen]) -> Iterator[str]:
    missed = [one.breakage.id for one in seen if not one.by]
    yield (
        f"**{len(seen)} requirements broken, {len(seen) - len(missed)} seen by a test that carries"
        f" their id.** Drawn by lot from all {len(rows())}, {len(SEEDS)} times one in {ONE_IN} of each area."
    )
    lines = ["| requirement | broken on purpose | tests | seen by |", "| --- | --- | --- | --- |"]
    lines += (
        f"| {one.breakage.id} | {one.breakage.so} | {one.tests} | {_shown(one.by)} |"
        for one in seen
    )
    yield "\n".join(lines)
    yield f"{measured()}."


def _shown(by: str) -> str:
    return f"`{by}`" if by else "nobody"


if __name__ == "__main__":
    sys.exit(main())
