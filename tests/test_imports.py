"""What the everyday verbs load from a pipe. The set is asserted, not a clock: sets do not flicker."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from typing import NamedTuple
from uuid import UUID

import pytest

from support import ROOT, SOURCE, repo
from world.transcript_files import ask

# Runs the program as its console script does, then leaves the names of all loaded modules behind.
# -I -S keeps out what site and its .pth files load; third-party packages stay within reach.
PROBE = """
import sys
source, packages, report, *argv = sys.argv[1:]
sys.path[:0] = [source]
sys.path.append(packages)
sys.argv = ["leftoff", *argv]
from leftoff.world import glance_cache
glance_cache.RACY = 0  # else a file is trusted only two seconds after it changed: a sleep, here
from leftoff.world import checkpoint_cache
checkpoint_cache.RACY = 0
import os
leave = os._exit
def tell_and_leave(code):
    loaded = sorted(sys.modules)
    with open(report, "w", encoding="utf-8") as file:
        file.write("\\n".join(loaded))
    leave(code)
os._exit = tell_and_leave
from leftoff.__main__ import main
main()
"""

# Each of these costs a good part of a whole `status`; docs/dependencies.md has the prices.
TOO_EXPENSIVE = {
    *("argparse", "asyncio", "dataclasses", "datetime", "inspect", "json", "logging", "pathlib"),
    *("rich", "subprocess", "tomllib", "typing"),
}
EVERYDAY = [
    (),
    ("status",),
    ("status", "--brief"),
    ("status", "checkout"),
    ("next",),
    ("resume",),
    ("resume", "checkout"),
    ("save", "Half of it", "--no-draft"),
    ("thread", "list"),
    ("tree",),
    ("list",),
    ("validate",),
    ("update", "checkout", "--phase=receipts"),
    ("update", "chk-search", "--anchor=ranking"),
    ("done", "checkout"),
    ("done", "chk-search"),
]


class Run(NamedTuple):
    code: int
    out: str
    err: str
    loaded: frozenset[str]


@pytest.fixture
def project(tmp_path) -> str:
    """The example project, in a working tree of its own."""
    root = os.path.join(tmp_path, "project")
    shutil.copytree(os.path.join(ROOT, "docs", "example"), repo(tmp_path), dirs_exist_ok=True)
    return root


def probe(root: str, *argv: str) -> Run:
    report = os.path.join(os.path.dirname(root), "loaded")
    packages = sysconfig.get_path("purelib")
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", PROBE, SOURCE, packages, report, *argv],
        cwd=root,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    if not os.path.exists(report):
        pytest.fail(f"leftoff {' '.join(argv)} did not come to its end:\n{done.stderr}")
    with open(report, encoding="utf-8") as file:
        loaded = frozenset(file.read().split("\n"))
    os.remove(report)
    return Run(done.returncode, done.stdout, done.stderr, loaded)


def third_party(loaded: frozenset[str]) -> set[str]:
    tops = {name.partition(".")[0] for name in loaded}
    return tops - sys.stdlib_module_names - {"leftoff", "__main__"}


def lenses(loaded: frozenset[str]) -> set[str]:
    """The formats of documents, and what those share; small records of sessions are none."""
    found = {name for name in loaded if name.startswith("leftoff.formats.")}
    return found - {"leftoff.formats._sentinel"}


@pytest.mark.req("A.proto.no-deps")
@pytest.mark.parametrize("argv", EVERYDAY, ids=" ".join)
def test_an_everyday_verb_loads_the_standard_library_alone_and_of_it_nothing_expensive(
    project, argv
):
    run = probe(project, *argv)
    assert run.code == 0, run.err
    assert run.out
    assert not third_party(run.loaded)
    assert not run.loaded & TOO_EXPENSIVE


@pytest.mark.parametrize(
    "argv",
    [("status",), ("next",), ("tree",), ("list",), ("validate",), ("resume", "chk-search")],
    ids=" ".join,
)
def test_with_a_warm_cache_a_reading_verb_loads_no_format_and_no_regular_expressions(project, argv):
    cold = probe(project, *argv, "--now", "2026-05-07T09:00:00Z")
    assert lenses(cold.loaded)
    warm = probe(project, *argv, "--now", "2026-05-07T09:00:00Z")
    assert warm.out == cold.out
    assert not lenses(warm.loaded)
    # a brief passes the redactor, which tries a pattern where a text has one of its words: not here
    assert not {"re", "enum"} & warm.loaded


def test_a_search_that_only_asks_the_index_loads_no_more_than_that_takes(tmp_path, home):
    project = repo(tmp_path)
    logs = os.path.join(home, ".claude", "projects", "-p")
    os.makedirs(logs)
    with open(os.path.join(logs, f"{UUID(int=1)}.jsonl"), "wb") as file:
        file.write(ask(1, "the checkout of parcels" + "，包裹已付款" * 1000, cwd=project))
    probe(project, "search", "checkout")
    state = os.environ["LEFTOFF_STATE"]
    os.makedirs(os.path.join(state, "archive"))  # as anybody has it by now
    run = probe(project, "search", "checkout")
    assert "checkout" in run.out
    assert not run.loaded & (
        TOO_EXPENSIVE | {"functools", "collections", "operator", "sqlite3", "re"}
    )
    ours = (
        "settings",
        "sessions",
        "index_update",
        "archive_copy",
        "archive_tombstones",
        "opencode_db",
    )
    assert not {f"leftoff.world.{name}" for name in ours} & run.loaded
    assert not {"leftoff.core.find_stream", "leftoff.core.thresholds"} & run.loaded


def test_statistics_with_nothing_new_load_no_more_than_a_look_takes(tmp_path, home):
    project = repo(tmp_path)
    logs = os.path.join(home, ".claude", "projects", "-p")
    os.makedirs(logs)
    with open(os.path.join(logs, f"{UUID(int=1)}.jsonl"), "wb") as file:
        file.write(ask(1, "the checkout of parcels", cwd=project))
    first = probe(project, "session", "stats", "--all")
    again = probe(project, "session", "stats", "--all")
    assert "leftoff.world.sessions" in first.loaded
    assert again.out == first.out
    assert not again.loaded & (
        TOO_EXPENSIVE | {"functools", "collections", "operator", "re", "enum"}
    )
    ours = ("settings", "sessions", "opencode_db", "log_cache", "transcripts")
    assert not {f"leftoff.world.{name}" for name in ours} & again.loaded


def test_what_the_driver_of_sqlite_got_in_place_of_functools_does_not_stay():
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from leftoff.world.sqlite_driver import sqlite3\n"
        "db = sqlite3.connect(':memory:', cached_statements=2, isolation_level=None)\n"
        "told = [db.execute(f'select {n % 5}').fetchone()[0] for n in range(20)]\n"
        "assert told == [n % 5 for n in range(20)]\n"
        "assert 'functools' not in sys.modules\n"
        "import functools; assert functools.partial and functools.reduce\n"
    )
    subprocess.run([sys.executable, "-I", "-S", "-c", code, SOURCE], check=True, timeout=60)


def test_the_version_is_told_without_loading_a_command_or_a_format(project):
    run = probe(project, "--version")
    assert run.out.startswith("leftoff ")
    assert not lenses(run.loaded)
    assert not {name for name in run.loaded if name.startswith("leftoff.commands.")}


def test_the_probe_sees_what_is_third_party_or_expensive(project):
    with open(os.path.join(project, ".checkpoints", "config.toml"), "w", encoding="utf-8") as file:
        file.write("[thresholds]\n")
    assert "tomllib" in probe(project, "status").loaded
    assert third_party(frozenset({"rich.console", "os.path", "leftoff.core"})) == {"rich"}
