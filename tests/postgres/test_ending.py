"""`make torture-team` leaves no PostgreSQL behind, however it is ended."""

from __future__ import annotations

import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic, sleep
from typing import TypeVar

import pytest

from postgres.server import binaries
from support import ROOT

T = TypeVar("T")

PATIENCE = 120.0


@pytest.fixture
def folder() -> Iterator[str]:
    """One that the user of the server can look into."""
    made = tempfile.mkdtemp(prefix="leftoff-end-")
    os.chmod(made, 0o755)
    yield made
    shutil.rmtree(made)


def waited_for(found: Callable[[], T]) -> T:
    end = monotonic() + PATIENCE
    while not (seen := found()):
        assert monotonic() < end
        sleep(0.02)
    return seen


def server_in(folder: str) -> int:
    """Its process, once it takes connections; `initdb` has such a file as well, for a moment."""
    for path in glob.glob(f"{folder}/*/data/postmaster.pid"):
        with suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
            if any(line.strip() == "ready" for line in lines):
                return int(lines[0])
    return 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_goes_with_who_started_it(folder, number):
    if not binaries():
        pytest.skip("PostgreSQL absent")
    program = os.path.join(ROOT, "torture", "team.py")
    running = subprocess.Popen(
        [sys.executable, program],
        env={**os.environ, "TMPDIR": folder},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    server = waited_for(lambda: server_in(folder))
    running.send_signal(number)
    assert running.wait(PATIENCE)
    assert not os.path.exists(f"/proc/{server}")
    assert os.listdir(folder) == []
