"""From a clone to a resumed session in real Claude Code, by the commands that stand in README.

Two things are not literal, so that no test needs the net: what `pip install` fetches from an index
is linked from where the tests run, and pip itself is not brought up to date. `make wheel` runs
those lines as they stand.
"""

from __future__ import annotations

import glob
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import distribution
from typing import Any

from clients import test_continuity as killed
from clients.box import Box, require, wait_for, wait_for_us
from clients.driver import install as install_client
from clients.drivers import CLAUDE
from clients.terminal import terminal
from readme import ROOT, commands

FRESH_PIP = " --upgrade-deps"
FETCHES = "~/.leftoff/bin/pip install '.[all]'"


def wheel(box: Box) -> str:
    """What an installer builds of the clone."""
    words = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", box.tmp)
    done = subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return glob.glob(f"{box.tmp}/*.whl")[0]


def needed(name: str) -> Iterator[str]:
    """A package and all that it needs, without extras."""
    yield name
    for wanted in distribution(name).requires or ():
        if "extra ==" not in wanted and "python_version <" not in wanted:
            yield from needed(re.split(r"[^\w.-]", wanted)[0])


def link_packages(site: str) -> None:
    """What leftoff needs at the least, as if it had been fetched."""
    for name in {*needed("leftoff")} - {"leftoff"}:
        found = distribution(name)
        tops = {file.parts[0] for file in found.files or () if file.parts[0] != ".."}
        for top in tops - {"__pycache__"}:
            os.symlink(found.locate_file(top), os.path.join(site, top))


def run(box: Box, *lines: str) -> str:
    """Lines of README in a shell, in the clone."""
    script = "\n".join(lines)
    done = box.run("sh", "-ec", script, cwd=ROOT)
    assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
    return done.stdout


def follow_install(box: Box) -> None:
    """The first block of README."""
    first, fetches, last = commands("install")
    assert (first, fetches) == (f"python3 -m venv{FRESH_PIP} ~/.leftoff", FETCHES)
    run(box, first.replace(FRESH_PIP, ""))
    link_packages(glob.glob(f"{box.home}/.leftoff/lib/python3*/site-packages")[0])
    built = shlex.quote(wheel(box))
    run(box, f"~/.leftoff/bin/pip install --quiet --no-index --no-deps {built}")
    assert "checkout" in run(box, last)


def follow_setup(box: Box) -> str:
    """The second block, on a terminal, where a person agrees; the PATH that it sets."""
    path, tour, setup = commands("setup")
    assert "○ invoices" in run(box, path, tour)
    with terminal(box, "sh", "-ec", f"{path}\n{setup}", env=box.env()) as screen:
        wait_for_us("the question", lambda: "Write this?" in screen.drawn)
        screen.type("1")
        settings = f"{box.home}/.claude/settings.json"
        wait_for_us("the hooks", lambda: b"launch.py" in box.files()[settings])
    return run(box, path, 'echo "$PATH"').strip()


def test_from_a_clone_to_a_resumed_session_by_the_commands_of_readme(box: Box):
    require("claude")
    install_client(box, CLAUDE)
    os.remove(f"{box.bin}/leftoff")  # the box's own: here there is only what README installs
    os.symlink(os.path.realpath(sys.executable), f"{box.bin}/python3")
    follow_install(box)
    path = follow_setup(box)
    assert commands("work") == ["claude", "claude"]

    killed.stop_in_the_middle(box)

    before = len(box.model.asked)
    box.model.script()
    with terminal(box, "sh", "-c", "claude", env={**CLAUDE.env(box), "PATH": path}) as screen:
        wait_for("the prompt", lambda: "❯" in screen.drawn)
        screen.type(killed.FRESH)
        wait_for("the request", lambda: any(_is_fresh(each) for each in box.model.asked[before:]))
    asked = next(each for each in box.model.asked[before:] if _is_fresh(each))
    brief = "".join(re.findall(r"<leftoff id=.*?</leftoff>\n", asked.text, re.DOTALL))
    killed.check(brief)
    assert not glob.glob(f"{box.state}/*"), "all of it is in the person's own home"


def _is_fresh(asked: Any) -> bool:
    """Whether this request is the person's, not one that the client makes for itself."""
    return bool(asked.offered) and killed.FRESH in asked.text
