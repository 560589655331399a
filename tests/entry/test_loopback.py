"""Servers: an interrupt ends them, whenever it comes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support import SOURCE

INTERRUPTED = """
import runpy, signal, sys
from functools import partial

handle = signal.signal

def take_over(number, handler):
    before = handle(number, handler)
    if number == signal.SIGINT and isinstance(handler, partial):
        signal.raise_signal(number)
        print("interrupted", file=sys.stderr)
    return before

signal.signal = take_over
runpy.run_module("leftoff", run_name="__main__", alter_sys=True)
"""
"""An interrupt comes just when asyncio has taken over the handling of it."""


@pytest.mark.parametrize(
    ("words", "code"), [(("mcp", "--http"), 130), (("mcp",), 130), (("web",), 0)]
)
def test_an_interrupt_at_the_very_beginning_ends_a_server_like_any_other(root, words, code):
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, *words],
        cwd=root,
        env={**os.environ, "PYTHONPATH": SOURCE},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == code, done.stderr
    assert "interrupted" in done.stderr
    assert "Traceback" not in done.stderr
