"""Servers on a port of this machine: an interrupt ends them, whenever it comes."""

from __future__ import annotations

import signal
from functools import partial

import pytest

from support import run


@pytest.fixture
def interrupted(monkeypatch):
    """An interrupt comes just when asyncio has taken over the handling of it."""
    handle = signal.signal

    def take_over(number, handler):
        before = handle(number, handler)
        if number == signal.SIGINT and isinstance(handler, partial):
            signal.raise_signal(number)
        return before

    monkeypatch.setattr(signal, "signal", take_over)


@pytest.mark.usefixtures("interrupted")
@pytest.mark.parametrize(
    ("words", "code"), [(("mcp", "--http"), 130), (("mcp",), 130), (("web",), 0)]
)
def test_an_interrupt_at_the_very_beginning_ends_a_server_like_any_other(root, words, code):
    assert run(*words, cwd=root).returncode == code
