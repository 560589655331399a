"""What tests share: the samples, real git repositories, and the program in and out of process."""

from __future__ import annotations

import importlib.util
import io
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE = os.path.join(ROOT, "src")

# Nothing else of the caller's environment reaches a test: no agent, no git and no leftoff setting,
# and no measuring of coverage, which would make each program that a test starts several times slower.
_PASSED_ON = {"PATH", "TMPDIR"}
_PASSED_ON_PREFIXES = ("PYTEST_", "LEFTOFF_LAWS")


def clean_environment(given: Mapping[str, str], home: str) -> dict[str, str]:
    """The environment of a person with an empty home folder, whatever the caller's looks like."""
    kept = {
        name: value
        for name, value in given.items()
        if name in _PASSED_ON or name.startswith(_PASSED_ON_PREFIXES)
    }
    return kept | {
        "HOME": home,
        "XDG_CONFIG_HOME": os.path.join(home, "config"),
        "XDG_STATE_HOME": os.path.join(home, "state"),
        "XDG_CACHE_HOME": os.path.join(home, "cache"),
        "XDG_DATA_HOME": os.path.join(home, "data"),
        "LEFTOFF_STATE": os.path.join(home, "state", "leftoff"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "TZ": "UTC",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "LEFTOFF_ARCHIVE": "off",  # no process behind a test's back, unless it is about that
    }


def snapshot(*folders: str) -> dict[str, tuple[int, int]]:
    """Every file at or below the folders with its size and time; a missing folder has none."""
    return {path: _print_of(path) for folder in folders for path in _files(folder)}


def _files(folder: str) -> Iterator[str]:
    if os.path.isfile(folder):
        yield folder
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in names)


def _print_of(path: str) -> tuple[int, int]:
    seen = os.lstat(path)
    return seen.st_size, seen.st_mtime_ns


def shared(*parts: str) -> str:
    """A path in the folder `shared` beside the repository; skips the test where it is absent."""
    path = os.path.join(os.path.dirname(ROOT), "shared", *parts)
    if not os.path.exists(path):
        pytest.skip(f"samples absent: shared/{'/'.join(parts)}")
    return path


def module_at(*parts: str) -> Any:
    """A file of the repository as a module of its own: no part of the package, or one anew."""
    path = os.path.join(ROOT, *parts)
    name = "_".join(parts).removesuffix(".py")  # some are called as modules that tests use
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def descriptors() -> set[int]:
    """What this process has open. Look for what is new: others' garbage is closed at any time."""
    found = set()
    for number in map(int, os.listdir("/dev/fd")):
        with suppress(OSError):  # that of the listing itself
            os.fstat(number)
            found.add(number)
    return found


def git(*argv: str, cwd: str) -> str:
    """What git printed; the test fails if git does."""
    done = subprocess.run(
        ["git", *argv], cwd=cwd, check=True, capture_output=True, encoding="utf-8"
    )
    return done.stdout


def repo(folder: str | os.PathLike[str]) -> str:
    """A git repository with one commit, by one author, at a fixed time."""
    root = os.path.join(folder, "project")
    os.makedirs(root)
    git("-c", "init.defaultBranch=main", "init", "--quiet", cwd=root)
    git("config", "user.name", "Test Person", cwd=root)
    git("config", "user.email", "test@example.invalid", cwd=root)
    git("config", "commit.gpgsign", "false", cwd=root)
    with open(os.path.join(root, "app.py"), "w", encoding="utf-8") as file:
        file.write("print('hello')\n")
    git("add", "app.py", cwd=root)
    git("commit", "--quiet", "--message", "Begin", "--date", "2026-01-01T00:00:00Z", cwd=root)
    return root


def leftoff(
    *argv: str, cwd: str | os.PathLike[str], env: Mapping[str, str] = {}, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """The program in a process of its own, from a pipe; `env` goes over the clean environment."""
    return subprocess.run(
        [sys.executable, "-m", "leftoff", *argv],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": SOURCE, "PYTHONWARNDEFAULTENCODING": "1", **env},
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def run(
    *argv: str, cwd: str | os.PathLike[str], env: Mapping[str, str] = {}, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """The same in this process: a hundred times faster, and a debugger can follow it."""
    from leftoff.entry.cli import main

    streams = io.StringIO(stdin), io.StringIO(), io.StringIO()
    code = main(list(argv), env={**os.environ, **env}, cwd=os.fspath(cwd), streams=streams)
    _, out, err = (stream.getvalue() for stream in streams)
    if "--json" in argv:
        from schemas import faults  # it needs ROOT from here

        assert not faults(json.loads(out)), "not as docs/schemas says"
    return subprocess.CompletedProcess(argv, code, out, err)


def alone(run: Callable[..., Awaitable[Any]], *given: Any) -> Any:
    """What comes of it in a thread of its own: in this one a browser's loop may be at work."""
    import anyio

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, run, *given).result()
