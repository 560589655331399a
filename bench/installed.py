"""leftoff as people have it: installed by README's commands, into an environment of its own.

The environment of the developers would not do: tools in it hook into the start of every Python,
and leftoff itself is found by a detour there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDER = os.path.join(ROOT, "build", "bench")


@cache
def program() -> tuple[str, ...]:
    """The console script of this code, installed anew."""
    if not os.path.exists(os.path.join(FOLDER, "bin", "pip")):
        _run(sys.executable, "-m", "venv", "--upgrade-deps", FOLDER)
    _install(".[all]")
    _install("--no-deps", "--force-reinstall", ".")  # the version is the same, the code is not
    return (os.path.join(FOLDER, "bin", "leftoff"),)


def _install(*words: str) -> None:
    _run(os.path.join(FOLDER, "bin", "pip"), "install", "--quiet", *words)


def _run(*argv: str) -> None:
    subprocess.run(argv, cwd=ROOT, check=True)
