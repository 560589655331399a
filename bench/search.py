"""Search over made-up transcripts: how fast the index is built, and a cold search beside ripgrep.

The text is English with some Chinese, in lines of Claude Code's. ripgrep reads the same files. It
is a package of Debian's; without it no ratio is told. A rare term stands in three messages.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import accumulate
from random import Random
from time import perf_counter
from typing import NamedTuple
from uuid import UUID

from installed import program
from measure import Command, measure
from report import MET, Goal, aligned, as_comment, measured

RATE, RATIO = 12.0, 0.3
"""megabytes a second; of ripgrep's time, with a thousand megabytes"""
RARE, HAN, TERM = "quokkaflux", "鹈鹕缓存", "断点"
TERMS = 500
EACH = 8_000_000
_LETTERS = "etaoinshrdlucmfwypvbgkjqxz"
_HAN = (
    "的一是不了在有人我他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可"
)
_HAN += (
    "里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已"
)


class Row(NamedTuple):
    what: str
    megabytes: float
    least_ms: float
    median_ms: float
    rate: float
    """megabytes a second, where something is built"""
    to_rg: float
    target: str
    met: bool | None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=64, help="of transcripts")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--rg", metavar="FILE", default=shutil.which("rg") or "")
    parser.add_argument("--goals", action="store_true", help="the targets too, as data")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="leftoff-search-") as work:
        found = [*rows(work, program(), options.megabytes, options.rounds, options.rg)]
        os.chdir(os.sep)
    head = ("what", "MB", "min ms", "median ms", "MB/s", "x rg", "target", "met")
    print(aligned(head, map(_cells, found)))
    print(f"{measured()}, {options.rounds} rounds in shuffled order; the index is built once")
    if not options.rg:
        print("ripgrep was not measured: it is not installed (Debian: ripgrep)")
    if options.goals:
        print(as_comment([goal(row) for row in found if row.target]))


def _cells(row: Row) -> tuple[str, ...]:
    numbers = (row.least_ms, row.median_ms, row.rate)
    shown = [f"{value:.1f}" if value else "" for value in numbers]
    ratio = f"{row.to_rg:.3f}" if row.to_rg else ""
    met = MET[row.met] if row.target else ""
    return (row.what, f"{row.megabytes:,.0f}", *shown, ratio, row.target, met)


def goal(row: Row) -> Goal:
    """A row with a target, for the table of them all; they speak of a thousand megabytes."""
    figure = f"{row.rate:.1f} MB/s" if row.rate else f"{row.to_rg:.3f} x rg"
    if row.target == str(TERMS):
        return Goal(5, f"{TERM} found", row.what.partition(" in ")[2], row.target, row.met)
    return Goal(5, f"{row.what}, {row.megabytes:,.0f} MB", figure, row.target, row.met)


def rows(
    work: str, program: tuple[str, ...], megabytes: int, rounds: int, rg: str = ""
) -> Iterator[Row]:
    """Build once, then ask in shuffled rounds."""
    project, logs = os.path.join(work, "project"), os.path.join(work, ".claude/projects/-bench")
    os.makedirs(project)
    os.makedirs(logs)
    size = write(logs, project, megabytes * 1_000_000) / 1e6
    env = {"PATH": os.defpath, "HOME": work, "LANG": "C.UTF-8"}
    env["LEFTOFF_ARCHIVE"] = "off"  # a copy that is made behind one command would slow the next
    env |= {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    start = perf_counter()
    _run((*program, "index", "--rebuild"), project, env)
    spent = perf_counter() - start
    rate = size / spent
    on_disk = os.path.getsize(os.path.join(work, ".local/state/leftoff/index.db")) / 1e6
    yield Row(
        "index --rebuild", size, spent * 1e3, spent * 1e3, rate, 0.0, f"{RATE} MB/s", rate >= RATE
    )
    yield Row("index.db", on_disk, 0.0, 0.0, 0.0, 0.0, "", None)
    told = json.loads(_run((*program, "search", TERM, "--json"), project, env))
    found = told["data"]["total"]
    yield Row(f"{TERM} in {found} of {TERMS}", size, 0, 0, 0, 0, f"{TERMS}", found == TERMS)
    yield from _searches(program, project, logs, env, size, rounds, rg)


def _searches(program, project, logs, env, size, rounds, rg) -> Iterator[Row]:  # noqa: PLR0913, PLR0917
    asked = {"rare": RARE, "Chinese": HAN, "two words": f"{RARE} second"}
    commands = [
        Command(f"search {what}", (*program, "search", *text.split()), project, env)
        for what, text in asked.items()
    ]
    commands.append(
        Command("python -I -S -c pass", (sys.executable, "-I", "-S", "-c", "pass"), project, env)
    )
    if rg:
        commands.append(Command("rg -c rare", (rg, "-c", RARE, logs), project, env))
    os.sync()  # the index was just written, and the texts before it
    timed = measure(commands, rounds)
    peer = next((one.least for one in timed if one.command.label == "rg -c rare"), 0.0)
    for one in timed:
        ours = one.command.label.startswith("search")
        ratio = one.least / peer if peer else 0.0
        met = ratio <= RATIO if ours and peer and size >= 1000 else None
        target = f"{RATIO} x rg" if ours else ""
        yield Row(one.command.label, size, one.least, one.middle, 0.0, ratio, target, met)


def write(folder: str, project: str, size: int) -> int:
    """Transcripts of about so many bytes; how many they have."""
    chance, done, number = Random(6), 0, 0
    pool = [*_paragraphs(chance, 20_000)]
    planted = {*range(3)}
    while done < size:
        path = os.path.join(folder, f"{UUID(int=number + 1, version=4)}.jsonl")
        begun = done
        with open(path, "wb") as file:
            while done - begun < EACH and done < size:
                text = " ".join(chance.choices(pool, k=chance.randrange(1, 6)))
                if number in planted:
                    planted.remove(number)
                    text += f" {RARE} {HAN} the second time"
                done += file.write(_line(text, project, number, done))
            for n in range(TERMS if number == 0 else 0):
                done += file.write(_line(f"这里{TERM}续传 {n}", project, 0, n))
        number += 1
    return done


def _line(text: str, project: str, number: int, key: int) -> bytes:
    told = {
        "type": "user",
        "timestamp": f"2026-11-{1 + key % 28:02}T10:{key // 28 % 60:02}:{key % 60:02}.000Z",
        "cwd": project,
        "sessionId": str(number),
        "uuid": f"{number}-{key}",
        "message": {"role": "user", "content": text},
    }
    return (json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _paragraphs(chance: Random, count: int) -> Iterator[str]:
    """Words as often as words are, code among them, and Chinese in one of twelve."""
    words = [
        "".join(chance.choices(_LETTERS, range(26, 0, -1), k=chance.randrange(2, 11)))
        for _ in range(60_000)
    ]
    often = [*accumulate(1 / (at + 10) for at in range(len(words)))]
    for at in range(count):
        if at % 12 == 0:
            yield "\uff0c".join(
                "".join(chance.choices(_HAN, k=chance.randrange(4, 15))) for _ in range(12)
            )
        else:
            said = chance.choices(words, cum_weights=often, k=chance.randrange(20, 120))
            yield " ".join(f"{word}_{at}()" if chance.random() < 0.03 else word for word in said)


def _run(argv: tuple[str, ...], cwd: str, env: dict[str, str]) -> str:
    done = subprocess.run(argv, cwd=cwd, env=env, check=True, capture_output=True, encoding="utf-8")
    return done.stdout


if __name__ == "__main__":
    main()
