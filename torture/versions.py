"""`make torture`, the part with two versions of leftoff on one project at once.

The other one is the commit that last changed what `tests/upgrade` keeps of an earlier version, or
any that is named. Processes of both, half of them each, write into the same documents, save into
the same thread, and search, so that both keep the same index. Then both read all of it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import NamedTuple

import common
from stage import ROOT, SOURCE, environment, files, home, project, read

BLOCK = "torture-versions"
RETRY = (4, 6)
"""A conflict that is named, and a lock that others held: nothing was written, and it is said."""
THIS, OTHER = "this one", "the other one"


class Worked(NamedTuple):
    """Of one process: what was acknowledged, how often it was told no, and what should not be."""

    version: str
    kept: list[str]
    again: int
    wrong: list[str]


class Project:
    """A folder, and the sources that write into it."""

    def __init__(self, folder: str, sources: dict[str, str]) -> None:
        self.folder, self.sources = folder, sources
        os.makedirs(os.path.join(project(folder), ".git"))
        os.makedirs(home(folder))

    def run(self, version: str, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "leftoff", *words],
            cwd=project(self.folder),
            env={**environment(self.folder), "PYTHONPATH": self.sources[version]},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def begin(self) -> None:
        for words in (("init", "chk-one"), ("init", "oc-two", "--as", "skill"), ("save", "Begin")):
            done = self.run(OTHER, *words)
            if done.returncode:
                raise SystemExit(f"{words}: {done.stderr}")

    def work(self, version: str, worker: int, until: float) -> Worked:
        """One command after the other, each with a word of its own."""
        kept, again, wrong, number = [], 0, [], 0
        while monotonic() < until:
            number += 1
            mark = f"mark{worker}x{number}end"
            ways = (
                ("update", "chk-one", f"--decisions+={mark}"),
                ("update", "oc-two", f"--next_actions+={mark}"),
                ("save", f"Said {mark}", "--decision", mark, "--no-draft"),
                ("search", "Begin"),
            )
            words = ways[number % len(ways)]
            done = self.run(version, *words)
            if "Traceback" in done.stderr or done.returncode not in (0, 1, *RETRY):
                wrong.append(f"{words}: {done.returncode} {done.stderr[-400:]}")
            kept += [mark] if done.returncode == 0 and mark in "".join(words) else []
            again += done.returncode in RETRY
        return Worked(version, kept, again, wrong)

    def lost(self, marks: Sequence[str]) -> list[str]:
        """What was acknowledged and is in no document."""
        text = b"".join(map(read, files(project(self.folder)))).decode()
        return [mark for mark in marks if mark not in text]

    def wrong(self, mark: str) -> Iterator[str]:
        """What either version cannot do with what both have written."""
        for version in self.sources:
            seen = json.loads(self.run(version, "validate", "--json").stdout)
            yield from (f"{version}: {one}" for one in seen["findings"] if _is_damage(one))
            for words in (("status",), ("next",), ("session", "list")):
                if self.run(version, *words).returncode > 1:
                    yield f"{version}: {words}"
            if mark not in self.run(version, "search", mark, "--json").stdout.partition("hits")[2]:
                yield f"{version} does not find {mark}"


def _is_damage(finding: dict[str, str]) -> bool:
    """Whether something is wrong with a document beyond what nobody has filled in."""
    return finding["level"] == "error" and finding["slug"] != "empty-section"


def main() -> int:
    options = _options()
    with common.folder() as work:
        commit = options.commit or _git("log", "-1", "--format=%h", "--", "tests/upgrade/0.1.0")
        other = os.path.join(work, "other")
        _unpack(commit, other)
        both = {THIS: SOURCE, OTHER: os.path.join(other, "src")}
        place = Project(os.path.join(work, "scene"), both)
        place.begin()
        worked = _together(place, options)
        kept = [mark for one in worked for mark in one.kept]
        lost = place.lost(kept)
        wrong = [line for one in worked for line in one.wrong]
        wrong += place.wrong(kept[-1])
    parts = f"The other one is `{commit}`, for {options.seconds:g} seconds.", _table(worked, lost)
    broken = [*(f"lost: {mark}" for mark in lost), *wrong]
    return common.tell(options, BLOCK, parts, broken)


def _together(place: Project, options: argparse.Namespace) -> list[Worked]:
    until = monotonic() + options.seconds
    with ThreadPoolExecutor(options.processes) as pool:
        jobs = [
            pool.submit(place.work, (THIS, OTHER)[at % 2], at, until)
            for at in range(options.processes)
        ]
        return [job.result() for job in jobs]


def _table(worked: Sequence[Worked], lost: Sequence[str]) -> str:
    rows = []
    for version in (THIS, OTHER):
        own = [one for one in worked if one.version == version]
        gone = sum(mark in lost for one in own for mark in one.kept)
        counts = len(own), sum(len(one.kept) for one in own), sum(one.again for one in own), gone
        rows.append((version, *(f"{count:,}" for count in counts)))
    head = ("version", "processes", "writes acknowledged", "told to try again", "lost")
    return common.table(head, rows)


def _options() -> argparse.Namespace:
    parser = common.plain_parser(__doc__)
    parser.add_argument("--commit", default="", help="the other version")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--processes", type=int, default=8)
    return parser.parse_args()


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=True, text=True)
    return done.stdout.strip()


def _unpack(commit: str, folder: str) -> None:
    """The sources of a commit; no work tree of the repository is touched."""
    os.makedirs(folder)
    packed = os.path.join(folder, "src.tar")
    _git("archive", "--output", packed, commit, "src")
    subprocess.run(["tar", "-xf", packed, "-C", folder], check=True)


if __name__ == "__main__":
    sys.exit(main())
