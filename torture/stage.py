"""What every scene stands on: a person's home, a project, and the program to ask about them."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from leftoff.core.caller import Caller, Process
from leftoff.entry.cli import main
from leftoff.world.trash import is_trashed

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = os.path.join(ROOT, "src")
EXAMPLE = os.path.join(ROOT, "docs", "example")
NOW, LATER = "2026-05-07T09:00:00Z", "2026-05-07T10:00:00Z"
TEMPORARY = ".leftoff-"
PERSON = Caller(False, (Process(2, "bash", ("-bash",)), Process(1, "init", ("init",))))
PROGRAM = (sys.executable, "-m", "leftoff")
ALONE = {"LEFTOFF_ARCHIVE": "off"}
"""Nobody follows the sessions: a follower of one run would be at work in the next one's scene."""


class Told(NamedTuple):
    """What a command said."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)["data"]


def project(folder: str) -> str:
    return os.path.join(folder, "project")


def home(folder: str) -> str:
    return os.path.join(folder, "home")


def state(folder: str) -> str:
    return os.path.join(folder, "home", "state")


def environment(folder: str) -> dict[str, str]:
    """A person with an empty home and nothing of the caller's."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": home(folder),
        "LEFTOFF_STATE": state(folder),
        "PYTHONPATH": SOURCE,
        "PYTHONDONTWRITEBYTECODE": "1",  # another run would take another way
        "PYTHONHASHSEED": "0",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.invalid",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.invalid",
    }


def lay_project(folder: str) -> None:
    """The shop of the docs, all of it committed."""
    os.makedirs(home(folder))
    shutil.copytree(EXAMPLE, project(folder))
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "Begin", "--date", NOW)


def git(folder: str, *words: str) -> subprocess.CompletedProcess[str]:
    done = try_git(folder, *words)
    if done.returncode:
        raise SystemExit(f"git {' '.join(words)}: {done.stderr}")
    return done


def try_git(folder: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", *words],
        cwd=project(folder),
        env=environment(folder),
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )


def ask(folder: str, *words: str, **more: str) -> Told:
    """The program with nothing in its way, in this process: the harm is over."""
    streams = io.StringIO(), io.StringIO(), io.StringIO()
    code = main(
        [*words],
        env={**environment(folder), **ALONE, **more},
        cwd=project(folder),
        streams=streams,
        caller=lambda: PERSON,
    )
    return Told(code, streams[1].getvalue(), streams[2].getvalue())


def must(folder: str, *words: str, **more: str) -> Told:
    """The same, for what a scene stands on."""
    told = ask(folder, *words, **more)
    if told.code:
        raise SystemExit(f"leftoff {' '.join(words)}: {told.err}{told.out}")
    return told


def documents(folder: str) -> dict[str, bytes]:
    """Everything of the project but what git keeps and what is half done."""
    root = project(folder)
    paths = (path for path in files(root) if not path.startswith(f"{root}/.git/"))
    return {os.path.relpath(path, root): read(path) for path in paths if TEMPORARY not in path}


def files(top: str) -> Iterator[str]:
    for place, _, names in os.walk(top):
        yield from (os.path.join(place, name) for name in names)


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def kept_aside(folder: str) -> list[bytes]:
    """What lies in the trash."""
    return [read(path) for path in files(os.path.join(state(folder), "trash"))]


def litter(folder: str) -> list[str]:
    """Temporary files that nobody has put aside."""
    found = (path for path in files(folder) if TEMPORARY in path and path.endswith(".tmp"))
    return [os.path.relpath(path, folder) for path in found if not is_trashed(path)]


def half_in(folder: str, places: Collection[str]) -> list[str]:
    """Those of them that lie in folders of the project."""
    root = os.path.relpath(project(folder), folder)
    own = {os.path.normpath(os.path.join(root, place)) for place in places}
    return [path for path in litter(folder) if os.path.dirname(path) in own]


def swept(folder: str) -> Iterator[str]:
    """Let `doctor` put aside what no write came by to sweep; what it leaves is broken."""
    if not litter(folder):
        return
    plan = ask(folder, "doctor", "--fix", "--json", "--now", LATER).data["plan"]
    done = ask(folder, "doctor", "--apply", plan["id"], "--json", "--now", LATER)
    failed = [step["failed"] for step in done.data["applied"] if step["failed"]]
    yield from (f"doctor: {why}" for why in failed)
    yield from (f"{path} was left behind" for path in litter(folder))
