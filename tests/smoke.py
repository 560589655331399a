"""Builds wheel and sdist, installs them as README says into an empty environment, uses each there.

`make wheel` runs it. The install commands are README's own; both archives then take the place of
what those installed, so that everything else is fetched once.
"""

# ruff: noqa: T201  # a script: what it does is read in a log

from __future__ import annotations

import glob
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from typing import Any

from readme import ROOT, blocks

DIST, SMOKE = os.path.join(ROOT, "dist"), os.path.join(ROOT, "build", "smoke")
PASSED_ON = ("PATH", "TMPDIR", "LANG", "PIP_", "SSL_", "HTTP", "NO_PROXY", "no_proxy", "http")

DATA_ONLY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""Python 3.11.4 and later take it, and later ones ask for it; the archive is our own."""


def run(*words: str, cwd: str = ROOT) -> str:
    """What a program prints, as a person with an empty home folder runs it."""
    given = {name: value for name, value in os.environ.items() if name.startswith(PASSED_ON)}
    env = {**given, "HOME": SMOKE, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    print("$", *words[-1:] if words[0] == "sh" else words, flush=True)
    done = subprocess.run(words, cwd=cwd, env=env, stdout=subprocess.PIPE, encoding="utf-8")
    if done.returncode:
        raise SystemExit(f"exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def built() -> tuple[str, str]:
    """The wheel and the sdist, made anew."""
    shutil.rmtree(DIST, ignore_errors=True)
    run(sys.executable, "-m", "hatchling", "build", "-d", DIST)
    (wheel,), (sdist,) = (glob.glob(os.path.join(DIST, end)) for end in ("*.whl", "*.tar.gz"))
    return wheel, sdist


def from_sources(sdist: str) -> str:
    """The wheel that an installer would make of the sdist; it has to be the same."""
    with tarfile.open(sdist) as file:
        file.extractall(SMOKE, **DATA_ONLY)
    (folder,) = glob.glob(os.path.join(SMOKE, "leftoff-*"))
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", SMOKE, cwd=folder)
    return glob.glob(os.path.join(SMOKE, "*.whl"))[0]


def members(wheel: str) -> dict[str, int]:
    """The files in a wheel, each with its checksum."""
    with zipfile.ZipFile(wheel) as file:
        return {each.filename: each.CRC for each in file.infolist()}


def check_contents(wheel: str, sdist: str) -> None:
    """Every file of the package is in both: modules, pages of words, templates, plugins."""
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "src/leftoff")
    wanted = {path for path in listed.splitlines() if os.path.exists(os.path.join(ROOT, path))}
    inside = {f"src/{name}" for name in members(wheel)}
    with tarfile.open(sdist) as file:
        sources = {name.partition("/")[2] for name in file.getnames()}
    missing = sorted(wanted - inside) + sorted(wanted - sources)
    if missing or not wanted:
        raise SystemExit(f"not in the archives: {missing}")


def check_use(program: str) -> None:
    """The first things that anybody does with it."""
    example = run(program, "status", "--project", "docs/example")
    words = (
        (run(program, "--version"), "leftoff "),
        (example, "checkout"),
        (run(program, "status", "--project", "docs/example", "--lang", "zh"), "会话状态"),
        (run(program, "demo"), "○ invoices"),
        (run(program, "help"), "Every day"),
    )
    for said, wanted in words:
        if wanted not in said:
            raise SystemExit(f"{wanted!r} is missing in:\n{said}")


def main() -> None:
    shutil.rmtree(SMOKE, ignore_errors=True)
    os.makedirs(SMOKE)
    archives = built()
    check_contents(*archives)
    if "checkout" not in run("sh", "-ec", blocks()["install"]):
        raise SystemExit("README's first commands do not show the example project")
    tools = os.path.join(SMOKE, ".leftoff", "bin")
    pip = (os.path.join(tools, "python"), "-m", "pip", "--quiet")
    other = from_sources(archives[1])
    if members(other) != members(archives[0]):
        raise SystemExit("the sdist makes another wheel than the clone does")
    for wheel in (other, archives[0]):
        run(*pip, "uninstall", "--yes", "leftoff")
        run(*pip, "install", "--no-deps", "--no-index", wheel)
        check_use(os.path.join(tools, "leftoff"))
    shutil.rmtree(SMOKE)
    print("wheel and sdist: built, whole, installed, used")


if __name__ == "__main__":
    main()
