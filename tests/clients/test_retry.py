"""A second try is for what a client did wrong, and for nothing else."""

from __future__ import annotations

import os
import subprocess
import sys

from support import ROOT, SOURCE

TESTS = """
import pytest
from clients.box import ClientFailed

pytestmark = pytest.mark.client
TRIES = {"client": 0, "ours": 0}


def test_of_a_client():
    TRIES["client"] += 1
    if TRIES["client"] == 1:
        raise ClientFailed("it did not start")


def test_of_ours():
    TRIES["ours"] += 1
    if TRIES["ours"] > 9:
        raise ClientFailed("a line that the report shows")
    assert TRIES["ours"] == 2
"""


def test_only_what_a_client_did_wrong_is_tried_again(tmp_path):
    path = tmp_path / "test_tries.py"
    path.write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = client\n", encoding="utf-8")
    tests = os.path.join(ROOT, "tests")
    words = ("-m", "pytest", "-p", "clients.retry", "-p", "no:cacheprovider", "-n0", str(path))
    done = subprocess.run(
        [sys.executable, *words],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join((tests, SOURCE))},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "raise ClientFailed" in done.stdout
    assert "1 tests tried again because a client failed" in done.stdout
    assert "test_of_a_client: clients.box.ClientFailed: it did not start" in done.stdout
