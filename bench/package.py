"""The package: how large it is, how long it takes to install, how many modules commands load.

A wheel is built and installed into an empty environment: alone, and with all that it needs, which
comes from wherever pip is set up to look (that row tells of the network, too). Modules are those
that Python itself reports (`-X importtime`), without the ones that every interpreter loads.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Iterator, Sequence
from statistics import median
from time import perf_counter, sleep

from documents import make_project, make_threads
from report import aligned, measured, put_into

from leftoff.world import launcher, now_file

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = "bench-package"
SESSION = "11111111-1111-4111-8111-111111111111"
VERBS = (("status",), ("next",), ("validate",), ("tree",), ("resume", "--continue"))
EVENTS = ("prompt", "stop")
# No cache believes a file that changed less than two seconds ago.
SETTLED = 2.1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="how often it is installed")
    parser.add_argument("--markdown", type=os.path.abspath, metavar="FILE")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="leftoff-package-") as work:
        wheel = built(work)
        parts = [_sizes(wheel), *_installed(wheel, work, options.rounds), _modules(work)]
    text = "\n\n".join([*parts, f"{measured()}; {options.rounds} installations of each kind."])
    print(text)
    if options.markdown:
        put_into(options.markdown, BLOCK, text)


def built(work: str) -> str:
    argv = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", work)
    subprocess.run(argv, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = glob.glob(os.path.join(work, "*.whl"))
    return wheel


def _sizes(wheel: str) -> str:
    with zipfile.ZipFile(wheel) as file:
        inside = file.infolist()
    size = os.path.getsize(wheel) / 1000
    unpacked = sum(each.file_size for each in inside) / 1000
    rows = [("wheel", f"{size:.0f} KB"), ("unpacked", f"{unpacked:.0f} KB")]
    return aligned(("what", "size"), [*rows, ("files in it", str(len(inside)))])


def _installed(wheel: str, work: str, rounds: int) -> Iterator[str]:
    """The times of pip, into a new environment each."""
    rows = []
    ways = {"alone (--no-deps)": ("--no-deps", "--no-index"), "with what it needs": ()}
    for what, words in ways.items():
        try:
            spent = [_install(wheel, work, words) for _ in range(rounds)]
        except subprocess.CalledProcessError:
            rows.append((f"pip install, {what}", "not measured: pip could not", ""))
        else:
            rows.append((f"pip install, {what}", f"{min(spent):.1f}", f"{median(spent):.1f}"))
    yield aligned(("installing", "min s", "median s"), rows)


def _install(wheel: str, work: str, words: Sequence[str]) -> float:
    folder = os.path.join(work, "environment")
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    argv = (os.path.join(folder, "bin", "python"), "-m", "pip", "install", "--quiet", *words, wheel)
    start = perf_counter()
    subprocess.run(argv, check=True, capture_output=True)
    return perf_counter() - start


def _modules(work: str) -> str:
    """What is loaded with warm caches, beyond the interpreter."""
    head = ("loads", "modules", "of leftoff", "of the standard library", "of others")
    return aligned(head, (_counted(what, names) for what, names in _loaded(work)))


def _loaded(work: str) -> Iterator[tuple[str, set[str]]]:
    state = os.path.join(work, "state")
    env = {"PATH": os.defpath, "HOME": work, "LANG": "C.UTF-8", "LEFTOFF_STATE": state}
    project = make_project(os.path.join(work, "project"), 100)
    threads = make_threads(os.path.join(work, "threads"), 100)
    sleep(SETTLED)
    script = os.path.join(os.path.dirname(sys.executable), "leftoff")
    bare = imported((sys.executable, "-c", "pass"), env, work)
    for words in VERBS:
        where = threads if words[0] == "resume" else project
        argv = (sys.executable, script, *words)
        for _ in range(2):  # the first one fills the caches
            names = imported(argv, env, where)
        yield " ".join(words), names - bare
    bare = imported((sys.executable, "-I", "-S", "-c", "pass"), env, work)
    launcher.write(state, sys.executable)
    quiet = {"window": 200_000, "advise": 70, "block": 0, "noticed": False, "watch": []}
    for event in EVENTS:
        now_file.write(state, "claude-code", SESSION, {"root": project, **quiet})
        argv = (sys.executable, "-I", "-S", os.path.join(state, launcher.LAUNCHER))
        told = json.dumps({"session_id": SESSION, "cwd": project, "prompt_id": event}).encode()
        yield f"hook {event}", imported((*argv, "claude-code", event), env, project, told) - bare


def imported(argv: Sequence[str], env: dict[str, str], cwd: str, data: bytes = b"") -> set[str]:
    """Every module that a Python process loads; its first word is the interpreter."""
    words = (argv[0], "-X", "importtime", *argv[1:])
    done = subprocess.run(words, cwd=cwd, env=env, input=data, capture_output=True, check=True)
    return set(names(done.stderr.decode()))


def names(report: str) -> Iterator[str]:
    """The modules that a report of `-X importtime` is about."""
    for line in report.splitlines():
        if line.startswith("import time:") and not line.endswith("imported package"):
            yield line.rpartition("|")[2].strip()


def _counted(what: str, loaded: set[str]) -> tuple[str, ...]:
    tops = [name.partition(".")[0] for name in loaded]
    ours = sum(top == "leftoff" for top in tops)
    theirs = sum(top in sys.stdlib_module_names for top in tops)
    return what, str(len(tops)), str(ours), str(theirs), str(len(tops) - ours - theirs)


if __name__ == "__main__":
    main()
