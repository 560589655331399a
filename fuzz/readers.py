"""Fuzz the readers, guided by coverage: `make fuzz`, or this file with a Python that has atheris.

Each target runs for `--seconds` in a process of its own and is told by its name; without names all
do. What is found is written below `fuzz/found` and shown again by `--again FILE`. What was learnt
stays in `fuzz/corpus`, so that the next run goes on from there.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
BLOCK = "fuzz"
_RUNS = re.compile(r"^stat::number_of_executed_units: (\d+)", re.MULTILINE)
_REACHED = re.compile(r"^#\d+\s.*\bcov: (\d+) ft: \d+ corp: (\d+)/", re.MULTILINE)
_SECONDS = re.compile(r"^Done \d+ runs? in (\d+) second", re.MULTILINE)


class Fuzzed(NamedTuple):
    """What came of one target, in the fuzzer's own figures; 0 where it did not get to tell one."""

    name: str
    runs: int
    seconds: int
    edges: int
    """places in the instrumented code from which it went to another, seen with these inputs"""
    inputs: int
    """kept, because each reached something that none before it had"""
    finding: str
    """"" for none; the fuzzer stops at the first one"""


def main() -> int:
    options = _options()
    if options.inside:
        return _fuzz(options.inside, options.seconds)
    from targets import TARGETS

    wanted = options.names or [""]
    names = [name for name in TARGETS if name.startswith(tuple(wanted))]
    if options.again:
        with open(options.again, "rb") as file:
            TARGETS[names[0]][0](file.read())
        print(f"{names[0]}: nothing is wrong")
        return 0
    known = {one.name: one for one in noted(options.results)}
    done = [known.get(name) or _run(name, options) for name in names]
    _tell(done, options)
    return 1 if any(one.finding for one in done) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="targets; a beginning of a name stands for all")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--again", help="run one target on this file alone, and say what happens")
    parser.add_argument(
        "--markdown", type=os.path.abspath, metavar="FILE", help="put it into this file's block"
    )
    parser.add_argument(
        "--results", default="", metavar="FILE", help="note targets here; those in it are not run"
    )
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    return parser.parse_args()


def noted(path: str) -> Iterator[Fuzzed]:
    """What an earlier run noted."""
    if path and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            yield from (Fuzzed(*json.loads(line)) for line in file)


def _note(path: str, one: Fuzzed) -> None:
    """What was found has to be looked for again, once it is repaired."""
    if path and not one.finding:
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps(one) + "\n")


def _run(name: str, options: argparse.Namespace) -> Fuzzed:
    """One target in a process that may die; a line on how it went."""
    seconds = str(options.seconds)
    words = [sys.executable, os.path.abspath(__file__), "--inside", name, "--seconds", seconds]
    done = subprocess.run(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
    )
    one = fuzzed(name, done.returncode, done.stdout)
    print(f"{name:24} {one.runs:>9} runs  {'FOUND' if one.finding else 'ok'}", flush=True)
    if one.finding:
        before, mark, after = done.stdout.partition("Uncaught Python exception")
        print(f"{mark}{after[:3000]}" if mark else before[-3000:])
    _note(options.results, one)
    return one


def fuzzed(name: str, code: int, said: str) -> Fuzzed:
    """What the output of the fuzzer amounts to; one that never ran is a finding, too."""
    runs, seconds = (_last(each, said)[0] for each in (_RUNS, _SECONDS))
    edges, inputs = _last(_REACHED, said, 2)
    after = said.partition("Uncaught Python exception")[2].splitlines()
    why = next((line for line in after[1:] if line.strip()), f"it ended with {code}")
    finding = why if code else "" if runs else "it never ran"
    return Fuzzed(name, runs, seconds, edges, inputs, finding)


def _last(pattern: re.Pattern[str], said: str, figures: int = 1) -> list[int]:
    """The figures where they were told last."""
    found = [match.groups() for match in pattern.finditer(said)]
    return [int(figure) for figure in found[-1]] if found else [0] * figures


def _tell(done: Sequence[Fuzzed], options: argparse.Namespace) -> None:
    sys.path.append(os.path.join(ROOT, "bench"))
    from report import aligned, measured, put_into

    head = ("target", "executions", "seconds", "edges reached", "inputs kept", "findings")
    text = "\n\n".join([_summary(done), aligned(head, _rows(done)), f"{measured()}."])
    print(text)
    if options.markdown:
        put_into(options.markdown, BLOCK, text)


def _summary(done: Sequence[Fuzzed]) -> str:
    runs, found = sum(one.runs for one in done), sum(bool(one.finding) for one in done)
    seconds = sum(one.seconds for one in done)
    return (
        f"**{len(done)} targets, {runs:,} executions in {seconds:,} seconds; {found} findings.**"
        f" {_engine()}"
    )


def _engine() -> str:
    from importlib.metadata import version

    return f"By atheris {version('atheris')}."


def _rows(done: Sequence[Fuzzed]) -> Iterator[Sequence[str]]:
    for one in done:
        figures = one.runs, one.seconds, one.edges, one.inputs
        found = f"1: `{one.finding[:80]}`" if one.finding else "0"
        yield f"`{one.name}`", *(f"{figure:,}" for figure in figures), found


def _fuzz(name: str, seconds: int) -> int:
    """Inside that process: never returns but through the fuzzer."""
    import atheris

    with atheris.instrument_imports(include=["leftoff"]):
        from targets import TARGETS
    run, seeds = TARGETS[name]
    corpus = os.path.join(HERE, "corpus", name)
    found = os.path.join(HERE, "found", f"{name}-")
    for folder in (corpus, os.path.dirname(found)):
        os.makedirs(folder, exist_ok=True)
    for at, seed in enumerate(seeds):
        with open(os.path.join(corpus, f"seed-{at}"), "wb") as file:
            file.write(seed)
    limits = ["-max_len=8192", "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1"]
    words = [name, *limits, f"-max_total_time={seconds}", f"-artifact_prefix={found}", corpus]
    atheris.Setup(words, run)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.path.insert(0, os.path.join(ROOT, "src"))
    sys.exit(main())
