"""What the redactor finds and what it costs, per kind of text.

`--figures` scores the labelled corpus; without it, speed over generated transcripts, in CPU time of
one core.
"""

from __future__ import annotations

import argparse
import os
import sys
from io import BytesIO
from random import Random
from time import process_time

import transcripts
from report import Goal, as_comment, at_least

from leftoff.core.redact_lines import cleaned

BLOCK = 1 << 20
"""bytes that are cleaned at a time, cut at a line's end"""
SHARE, RATE = 0.98, 20.0
"""of secrets found and of finds that are secrets; megabytes a second of one core"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", action="store_true", help="recall and precision")
    parser.add_argument("--part", choices=("tune", "held"), default="held")
    parser.add_argument("--show", action="store_true", help="what was missed or taken wrongly")
    parser.add_argument("--megabytes", type=int, default=20)
    parser.add_argument("--goals", action="store_true", help="the targets too, as data")
    parser.add_argument("files", nargs="*", help="transcripts to measure instead of generated ones")
    options = parser.parse_args()
    if options.figures:
        goals = _print_figures(options.part, options.show)
    else:
        goals = _print_speed(options.files, options.megabytes)
    if options.goals:
        print(as_comment(goals))


def _print_figures(part: str, show: bool) -> list[Goal]:
    from redaction_corpus import score

    told = score(part)
    if show:
        print(*told.wrong, sep="\n")
    print(f"{told.part}: {told.found + told.missed.total()} secrets, {told.friends} false friends")
    print(f"recall {told.recall:.4f}, missed {dict(told.missed)}")
    print(f"precision {told.precision:.4f}, taken {dict(told.taken)}")
    figures = {"recall": told.recall, "precision": told.precision}
    return [at_least(5, f"redaction, {name}", one, SHARE) for name, one in figures.items()]


def _print_speed(files: list[str], megabytes: int) -> list[Goal]:
    if files:
        texts = {os.path.basename(path): _read(path) for path in files}
    else:
        texts = {"generated transcripts": generated(megabytes)}
    for name, data in texts.items():
        spent, changed = speed(data)
        rate = len(data) / 1e6 / spent
        print(f"{name}: {len(data) / 1e6:.1f} MB, {rate:.1f} MB/s, {changed} blocks changed")
    return [at_least(5, "redaction, one core", rate, RATE, "MB/s")]


def speed(data: bytes) -> tuple[float, int]:
    """Seconds of CPU, and how many blocks held something."""
    changed, at = 0, 0
    before = process_time()
    while at < len(data):
        end = data.find(b"\n", min(at + BLOCK, len(data) - 1)) + 1 or len(data)
        block = data[at:end]
        changed += cleaned(block).data != block
        at = end
    return process_time() - before, changed


def generated(megabytes: int) -> bytes:
    """Transcripts as the other figures use them."""
    file = BytesIO()
    session = "00000000-0000-4000-8000-000000000000"
    transcripts.write_session(file, Random(megabytes), session, megabytes * 1_000_000)
    return file.getvalue()


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


if __name__ == "__main__":
    sys.path.append(os.path.join(os.path.dirname(__file__), os.pardir, "tests"))
    main()
