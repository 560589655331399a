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
from time import monotonic, sleep

import pytest

from postgres.server import binaries
from support import ROOT

PATIENCE = 120.0


@pytest.fixture
def folder() -> Iterator[str]:
    """One that the user of the server can look into."""
    made = tempfile.mkdtemp(prefix="leftoff-end-")
    os.chmod(made, 0o755)
    yield made
    shutil.rmtree(made)


def wait_for(condition: Callable[[], object]) -> None:
    end = monotonic() + PATIENCE
    while not condition():
        assert monotonic() < end
        sleep(0.02)


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
    wait_for(lambda: glob.glob(f"{folder}/*/data/postmaster.pid"))
    with open(glob.glob(f"{folder}/*/data/postmaster.pid")[0], encoding="utf-8") as file:
        server = int(file.readline())
    running.send_signal(number)
    assert running.wait(PATIENCE)
    assert not os.path.exists(f"/proc/{server}")
    assert os.listdir(folder) == []
