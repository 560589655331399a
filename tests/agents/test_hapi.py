"""Hapi runs other clients: its captured payloads are theirs, and it has none of its own."""

from __future__ import annotations

import pytest

from agents.captured import hooks, payload
from leftoff.agents import claude_code, hapi
from leftoff.core import event as e
from leftoff.core.session import HAPI_PROMPT


@pytest.mark.parametrize("name", hooks("hapi"))
def test_what_happens_under_it_is_told_by_the_client_that_it_runs(name):
    given = payload("hapi", name)
    assert hapi.parse(e.STOP, given) is None
    assert claude_code.parse(e.STOP, given).session == given["session_id"]


def test_its_ghost_is_described():
    assert payload("hapi", "UserPromptSubmit")["prompt"] == HAPI_PROMPT


def test_it_registers_and_says_nothing():
    assert hapi.HOOKS == ()
    assert hapi.reply(e.START, e.CONTEXT, "t") == ""
    assert hapi.usage(b"{}") is None
    assert hapi.CANNOT
