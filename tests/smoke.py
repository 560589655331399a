"""Builds wheel and sdist, installs them as README says into an empty environment, uses each there.

`make wheel` runs it. The install commands are README's own; both archives then take the place of
what those installed, so that everything else is fetched once.
"""

# ruff: noqa: T201  # a script: what it does is read in a log

from __future__ import annotations

import glob
import json
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

REFUSED = 2
"""How a command ends that does not take what it was given."""

DATA_ONLY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""Python 3.11.4 and later take it, and later ones ask for it; the archive is our own."""


def run(*words: str, cwd: str = ROOT, code: int = 0) -> str:
    """What a program prints, as a person with an empty home folder runs it."""
    given = {name: value for name, value in os.environ.items() if name.startswith(PASSED_ON)}
    env = {**given, "HOME": SMOKE, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    print("$", *words[-1:] if words[0] == "sh" else words, flush=True)
    done = subprocess.run(words, cwd=cwd, env=env, stdout=subprocess.PIPE, encoding="utf-8")
    if done.returncode != code:
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
    ours = (
        "-c",
        f"safe.directory={ROOT}",
    )  # a container's root works on a clone of somebody else's
    words = ("ls-files", "--cached", "--others", "--exclude-standard", "src/leftoff")
    listed = run("git", *ours, *words)
    wanted = {path for path in listed.splitlines() if os.path.exists(os.path.join(ROOT, path))}
    inside = {f"src/{name}" for name in members(wheel)}
    with tarfile.open(sdist) as file:
        sources = {name.partition("/")[2] for name in file.getnames()}
    missing = sorted(wanted - inside) + sorted(wanted - sources)
    if missing or not wanted:
        raise SystemExit(f"not in the archives: {missing}")


def check_use(*program: str) -> None:
    """The first things that anybody does with it."""
    example = run(*program, "status", "--project", "docs/example")
    words = (
        (run(*program, "--version"), "leftoff "),
        (example, "checkout"),
        (run(*program, "status", "--project", "docs/example", "--lang", "zh"), "会话状态"),
        (run(*program, "demo"), "○ invoices"),
        (run(*program, "help"), "Every day"),
    )
    for said, wanted in words:
        if wanted not in said:
            raise SystemExit(f"{wanted!r} is missing in:\n{said}")


def check_script(path: str) -> None:
    """What pip writes to start the program; that of an old pip costs every command 5 ms more."""
    with open(path, encoding="utf-8") as file:
        script = file.read()
    if "import re\n" in script:
        raise SystemExit(
            f"README's commands left a script that loads more than it needs:\n{script}"
        )


def check_passing(wheel: str, python: str) -> None:
    """As `uvx` runs it, in an environment that nobody keeps: all but what would outlive that.

    uv knows nothing of pip's settings, so pip fetches what is needed.
    """
    place, needed = os.path.join(SMOKE, ".uv"), os.path.join(SMOKE, "needed")
    run(python, "-m", "venv", place)
    run(os.path.join(place, "bin", "python"), "-m", "pip", "--quiet", "install", "uv")
    run(python, "-m", "pip", "--quiet", "download", "--dest", needed, wheel)
    uvx = (os.path.join(place, "bin", "uv"), "tool", "run", "--quiet", "--python", python)
    program = (*uvx, "--no-index", "--find-links", needed, "--from", wheel, "leftoff")
    check_use(*program)
    said = run(*program, "setup", "--agent", "claude-code", "--json", code=REFUSED)
    if "uvx" not in json.loads(said)["error"]["message"] or glob.glob(f"{SMOKE}/.claude*"):
        raise SystemExit(f"setup did not refuse an interpreter that goes:\n{said}")


def main() -> None:
    shutil.rmtree(SMOKE, ignore_errors=True)
    os.makedirs(SMOKE)
    archives = built()
    check_contents(*archives)
    if "checkout" not in run("sh", "-ec", blocks()["install"]):
        raise SystemExit("README's first commands do not show the example project")
    tools = os.path.join(SMOKE, ".leftoff", "bin")
    check_script(os.path.join(tools, "leftoff"))
    pip = (os.path.join(tools, "python"), "-m", "pip", "--quiet")
    other = from_sources(archives[1])
    if members(other) != members(archives[0]):
        raise SystemExit("the sdist makes another wheel than the clone does")
    for wheel in (other, archives[0]):
        run(*pip, "uninstall", "--yes", "leftoff")
        run(*pip, "install", "--no-deps", "--no-index", wheel)
        check_use(os.path.join(tools, "leftoff"))
    check_passing(archives[0], os.path.join(tools, "python"))
    shutil.rmtree(SMOKE)
    print("wheel and sdist: built, whole, installed, used; run by uvx")


if __name__ == "__main__":
    main()
