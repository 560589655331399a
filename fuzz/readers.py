"""Fuzz the readers, guided by coverage: `make fuzz`, or this file with a Python that has atheris.

Each target runs for `--seconds` in a process of its own and is told by its name; without names all
do. What is found is written below `fuzz/found` and shown again by `--again FILE`. What was learnt
stays in `fuzz/corpus`, so that the next run goes on from there.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
_LAST = re.compile(r"Done (\d+) runs? in (\d+) second|stat::number_of_executed_units: (\d+)")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="targets; a beginning of a name stands for all")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--again", help="run one target on this file alone, and say what happens")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    options = parser.parse_args()
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
    failed = [name for name in names if not _run(name, options.seconds)]
    print(f"{len(names)} targets, {len(failed)} with a finding: {' '.join(failed)}")
    return 1 if failed else 0


def _run(name: str, seconds: int) -> bool:
    """One target in a process that may die; a line on how it went."""
    words = [sys.executable, os.path.abspath(__file__), "--inside", name, "--seconds", str(seconds)]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", errors="replace")
    ran = max((int(one or two) for one, _, two in _LAST.findall(done.stderr)), default=0)
    print(f"{name:24} {ran:>9} runs  {'ok' if not done.returncode else 'FOUND'}", flush=True)
    if done.returncode:
        said = (done.stdout + done.stderr).partition("Uncaught Python exception")[2]
        lines = [line for line in said.splitlines() if "INFO: Instrumenting" not in line]
        print("\n".join(lines)[:3000])
    return not done.returncode


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
    sys.path.insert(0, os.path.join(os.path.dirname(HERE), "src"))
    sys.exit(main())
