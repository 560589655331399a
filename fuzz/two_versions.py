"""Two versions of leftoff on one project at once: nothing that either acknowledged is lost.

    git worktree add /some/where OLD && python fuzz/two_versions.py /some/where/src --seconds 60

Processes of both, half of them each, add decisions and next actions to the same documents and save
into the same thread; then both versions read all of it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from time import monotonic

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(os.path.dirname(HERE), "src")
RETRY = (4, 6)
"""A conflict that is named, and a lock that others held: nothing was written, and it is said."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", help="the folder `src` of the other version")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        versions = [SOURCE, os.path.abspath(options.other)]
        place.begin(versions[0])
        end = monotonic() + options.seconds
        with ThreadPoolExecutor(options.workers) as pool:
            jobs = [
                pool.submit(place.work, versions[at % 2], at, end) for at in range(options.workers)
            ]
            done = [job.result() for job in jobs]
        return place.verdict(versions, done)


def _is_damage(finding: dict[str, str]) -> bool:
    """Whether something is wrong with a document beyond what nobody has filled in."""
    return finding["level"] == "error" and finding["slug"] != "empty-section"


def _has(source: str, verb: str) -> bool:
    return os.path.exists(os.path.join(source, "leftoff", "commands", f"{verb}.py"))


class Place:
    """A project and a home of its own."""

    def __init__(self, folder: str) -> None:
        self.root, self.home = os.path.join(folder, "project"), os.path.join(folder, "home")
        os.makedirs(os.path.join(self.root, ".git"))
        os.makedirs(self.home)

    def run(self, source: str, *words: str) -> subprocess.CompletedProcess[str]:
        env = {"PATH": os.environ["PATH"], "HOME": self.home, "PYTHONPATH": source}
        env |= {"LANG": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
        argv = [sys.executable, "-m", "leftoff", *words]
        return subprocess.run(argv, cwd=self.root, env=env, capture_output=True, encoding="utf-8")

    def begin(self, source: str) -> None:
        for words in (("init", "chk-one"), ("init", "oc-two", "--as", "skill"), ("save", "Begin")):
            done = self.run(source, *words)
            assert done.returncode == 0, done.stderr

    def work(self, source: str, worker: int, end: float) -> tuple[list[str], int, list[str]]:
        """What was acknowledged, how often it was told to try again, and what should not be."""
        kept, again, wrong, number = [], 0, [], 0
        while monotonic() < end:
            number += 1
            mark = f"mark-{worker}-{number}-end"
            ways = (
                ("update", "chk-one", f"--decisions+={mark}"),
                ("update", "oc-two", f"--next_actions+={mark}"),
                ("save", f"Said {mark}", "--decision", mark),
            )
            words = ways[number % (3 if _has(source, "save") else 2)]
            done = self.run(source, *words)
            if "Traceback" in done.stderr or done.returncode not in (0, 1, *RETRY):
                wrong.append(f"{words}: {done.returncode} {done.stderr[-400:]}")
            kept += [mark] if done.returncode == 0 else []
            again += done.returncode in RETRY
        return kept, again, wrong

    def verdict(self, versions: list[str], done: list[tuple[list[str], int, list[str]]]) -> int:
        text = ""
        for place, _, names in os.walk(self.root):
            for name in names:
                with open(os.path.join(place, name), encoding="utf-8") as file:
                    text += file.read()
        kept = [mark for one, _, _ in done for mark in one]
        lost = [mark for mark in kept if mark not in text]
        wrong = [line for _, _, each in done for line in each]
        for source in versions:
            seen = self.run(source, "validate", "--json")
            errors = [one for one in json.loads(seen.stdout)["findings"] if _is_damage(one)]
            wrong += [f"{source}: {one}" for one in errors]
            wrong += [
                f"{source}: {words}"
                for words in ("status", "next")
                if self.run(source, words).returncode > 1
            ]
        print(f"{len(kept)} writes acknowledged, {sum(one[1] for one in done)} told to try again")
        print(f"{len(lost)} lost: {lost[:5]}")
        print("\n".join(wrong[:10]) or "nothing went wrong")
        return 1 if lost or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
