"""`make torture`, the part with large inputs: one transcript of a gigabyte, and little memory.

Every process gets an address space (`RLIMIT_AS`) that the input does not fit into: a command that
took it in whole would fail. What it really held, its largest resident set, is told beside.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import NamedTuple

import common
from scenes_conversations import ID, WORD, transcript
from stage import ALONE, LATER, NOW, PROGRAM, environment, home, lay_project, project

BLOCK = "torture-memory"
MEGABYTES, LIMIT = 1000, 300
"""of the transcript; of the address space of each process"""
_MB = 1 << 20
_ROW = "The lanterns of a row have their price now, and so has the next one. "


class Held(NamedTuple):
    """How one command got along with so little."""

    command: str
    seconds: float
    resident: float
    """megabytes at most"""
    broken: list[str]


class Asked(NamedTuple):
    """A command, what it reads from a pipe, and a word that its answer holds."""

    words: Sequence[str]
    says: str
    stdin: str = ""


def main() -> int:
    options = _options()
    with common.folder() as work:
        found = [*run(os.path.realpath(work), options.megabytes, options.limit)]
    broken = [problem for one in found for problem in one.broken]
    return common.tell(options, BLOCK, _report(found, options.megabytes, options.limit), broken)


def _options() -> argparse.Namespace:
    parser = common.plain_parser(__doc__)
    parser.add_argument("--megabytes", type=int, default=MEGABYTES, help="of the transcript")
    parser.add_argument("--limit", type=int, default=LIMIT, help="megabytes of address space")
    return parser.parse_args()


def run(work: str, megabytes: int, limit: int) -> Iterator[Held]:
    """Every command that reads transcripts, one after the other, on one session."""
    folder = os.path.join(work, "large")
    lay(folder, megabytes)
    for one in asked(folder):
        found = held(folder, one, limit)
        common.progress(f"{found.command}: {found.resident:.0f} MB, {found.seconds:.0f} s")
        yield found


def lay(folder: str, megabytes: int) -> None:
    """A project, and one session about it."""
    lay_project(folder)
    path, size, turn = transcript(folder), 0, 0
    os.makedirs(os.path.dirname(path))
    with open(path, "w", encoding="utf-8") as file:
        while size < megabytes * _MB:
            size += sum(map(file.write, _lines(project(folder), turn)))
            turn += 1


def _lines(cwd: str, turn: int) -> Iterator[str]:
    at = f"2026-05-{1 + turn // 86400 % 28:02}T{turn // 3600 % 24:02}:{turn // 60 % 60:02}"
    common = {
        "sessionId": ID,
        "cwd": cwd,
        "gitBranch": "main",
        "timestamp": f"{at}:{turn % 60:02}Z",
    }
    prompt = {"role": "user", "content": f"{WORD if turn % 5000 == 0 else 'row'} {turn}"}
    said = {
        "id": f"m{turn}",
        "role": "assistant",
        "model": "claude-opus-5-5",
        "usage": {"input_tokens": 10, "output_tokens": 5},
        "content": [{"type": "text", "text": f"{turn}: " + _ROW * 56}],
    }
    more = {"requestId": f"r{turn}"}
    yield json.dumps({"type": "user", "uuid": f"u{turn}", "message": prompt, **common}) + "\n"
    whole = {"type": "assistant", "uuid": f"a{turn}", "message": said, **common, **more}
    yield json.dumps(whole) + "\n"


def asked(folder: str) -> list[Asked]:
    """What is run, in this order."""
    told_it = {"session_id": ID, "cwd": project(folder), "transcript_path": transcript(folder)}
    prompt = json.dumps({**told_it, "hook_event_name": "UserPromptSubmit", "prompt": "go on"})
    out = os.path.join(home(folder), "talk.md")
    return [
        Asked(("session", "stats", "--all", "--now", LATER), "claude-code"),
        Asked(("session", "info", ID, "--now", LATER), ID[:8]),
        Asked(("session", "archive", "--all", "--now", LATER), "1 new"),
        Asked(("index", "--rebuild", "--now", LATER), ""),
        Asked(("search", WORD, "--now", LATER), WORD),
        Asked(("recover", ID, "--thread", "prices", "--now", LATER), "saved"),
        Asked(("resume", "checkout", "--now", LATER), "leftoff"),
        Asked(("session", "export", ID, "--out", out, "--now", NOW), ""),
        Asked(("hook", "claude-code", "UserPromptSubmit"), "", prompt),
    ]


# The memory of a process counts from before it became the program: a small one must start it.
_BETWEEN = """
import os, sys
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(pid, 0)
os.write(1, b"\\n%d" % used.ru_maxrss)
os._exit(os.waitstatus_to_exitcode(status) & 255)
"""


def held(folder: str, one: Asked, limit: int) -> Held:
    """Run it with so many megabytes."""
    words = ["prlimit", f"--as={limit * _MB}", *PROGRAM, *one.words]
    start = perf_counter()
    done = subprocess.run(
        [*PROGRAM[:1], "-I", "-S", "-c", _BETWEEN, *words],
        cwd=project(folder),
        env=environment(folder) | ALONE,
        input=one.stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    said, _, most = done.stdout.rpartition("\n")
    name = " ".join(word for word in one.words[:2] if word != ID)
    broken = []
    if done.returncode or one.says not in said or "MemoryError" in said:
        broken.append(f"{name} ended with {done.returncode}: {said[-300:]}")
    return Held(name, perf_counter() - start, int(most) / 1024, broken)


def _report(found: Sequence[Held], megabytes: int, limit: int) -> Iterator[str]:
    failed = sum(bool(one.broken) for one in found)
    yield (
        f"**A transcript of {megabytes:,} MB, {limit} MB of address space for each process: "
        f"{len(found) - failed} of {len(found)} commands answered.**"
    )
    rows = (
        (f"`{one.command}`", f"{one.resident:.0f}", f"{one.seconds:.1f}", str(len(one.broken)))
        for one in found
    )
    yield common.table(("command", "resident MB at most", "seconds", "broken"), rows)


if __name__ == "__main__":
    sys.exit(main())
