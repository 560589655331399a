"""How many instructions the everyday paths execute, counted by valgrind's callgrind.

A clock tells of the machine and of what else it does; a count tells of the program. The same Python
build gives nearly the same count anywhere, another build another one, so counts are kept by build
in instructions.json, and for a build that is not in there the ratio to the bare interpreter decides.

    python tests/instructions.py    # records the counts of this interpreter
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from typing import Any

from hooks import QUIET, SESSION, answer, installed, payload, transcript
from leftoff.world import launcher, now_file
from support import ROOT, SOURCE, clean_environment, repo

RECORD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "instructions.json")
BARE, STATUS = "bare", "status"
EVENTS = ("prompt", "stop")
PATIENCE = 300
# `status` as its console script runs it. The documents of a test are seconds old, and caches
# believe no file that is: here they do.
CODE = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from leftoff.world import checkpoint_cache, glance_cache
glance_cache.RACY = checkpoint_cache.RACY = 0
from leftoff.__main__ import main
main()
"""
_COLLECTED = re.compile(r"^==\d+== Collected : (\d+)", re.MULTILINE)


def build() -> str:
    """Names a build of Python: version, processor, and a sum of how it was compiled."""
    made = (*platform.python_build(), platform.python_compiler())
    made += (sysconfig.get_config_var("CONFIG_ARGS") or "",)
    sign = hashlib.sha256(repr(made).encode()).hexdigest()[:12]
    return f"{platform.python_implementation()} {platform.python_version()} {platform.machine()} {sign}"


def collected(report: str) -> int:
    """The count in what callgrind says at the end."""
    found = _COLLECTED.search(report)
    if not found:
        raise ValueError(f"callgrind told no count:\n{report[-2000:]}")
    return int(found[1])


def verdict(what: str, counts: Mapping[str, int], record: Mapping[str, Any], named: str) -> str:
    """Why a count is too high; empty if it is not."""
    known = record["counts"].get(named)
    expected = known[what] if known else counts[BARE] * _largest_ratio(what, record)
    ratio = counts[what] / expected
    if ratio <= record["margin"]:
        return ""
    return f"{what}: {counts[what]:,} instructions, {ratio:.2f} x the {expected:,.0f} expected"


def _largest_ratio(what: str, record: Mapping[str, Any]) -> float:
    """The largest ratio to the bare interpreter among the builds that are known."""
    return max(each[what] / each[BARE] for each in record["counts"].values())


def counted(folder: str) -> dict[str, int]:
    """The count of each path, with warm caches; everything is made in the folder."""
    home = os.path.join(folder, "home")
    os.makedirs(home)
    env = {**clean_environment(os.environ, home), "PYTHONHASHSEED": "0"}
    env |= {"PYTHONDONTWRITEBYTECODE": "1", "LEFTOFF_ARCHIVE": "off"}
    project = repo(folder)
    shutil.copytree(os.path.join(ROOT, "docs", "example"), project, dirs_exist_ok=True)
    bare = (sys.executable, "-I", "-S", "-c")
    found = {BARE: _count((*bare, "pass"), env, project)}
    status = (*bare, CODE, SOURCE, "status")
    for _ in range(2):  # facts about the repository are kept by the first, and used by the second
        subprocess.run(status, cwd=project, env=env, check=True, capture_output=True)
    found[STATUS] = _count(status, env, project)
    return found | _hooks(folder, project, env)


def _hooks(folder: str, project: str, env: dict[str, str]) -> dict[str, int]:
    """The turns of a session that has a transcript of a megabyte; each is a new event."""
    state = env["LEFTOFF_STATE"]
    installed(state)
    line = answer(50_000, text="word " * 400)
    path = transcript(folder, line * ((1 << 20) // len(line)))
    now_file.write(state, "claude-code", SESSION, {**QUIET, "root": project})
    found = {}
    for event in EVENTS:
        argv = (sys.executable, "-I", "-S", os.path.join(state, launcher.LAUNCHER))
        for key in ("warm", "counted"):
            told = payload(transcript_path=path, cwd=project, prompt_id=key)
            data = json.dumps(told).encode()
            words = (*argv, "claude-code", event)
            if key == "warm":
                subprocess.run(words, cwd=project, env=env, input=data, check=True)
            else:
                found[f"hook {event}"] = _count(words, env, project, data)
    return found


def _count(argv: tuple[str, ...], env: dict[str, str], cwd: str, data: bytes = b"") -> int:
    words = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *argv)
    done = subprocess.run(
        words, cwd=cwd, env=env, input=data, capture_output=True, timeout=PATIENCE, check=True
    )
    return collected(done.stderr.decode("utf-8", "replace"))


def main() -> None:
    with open(RECORD, encoding="utf-8") as file:
        record = json.load(file)
    with tempfile.TemporaryDirectory() as folder:
        counts = counted(folder)
    record["counts"] = dict(sorted({**record["counts"], build(): counts}.items()))
    with open(RECORD, "w", encoding="utf-8") as file:
        file.write(json.dumps(record, indent=2) + "\n")
    told = {what: round(count / counts[BARE], 3) for what, count in counts.items()}
    sys.stdout.write(f"{build()}: {counts}, beside the bare interpreter {told}\n")


if __name__ == "__main__":
    main()
