"""What all tests of commands share."""

from __future__ import annotations

import pytest

from leftoff.commands import _events, _events_scene


@pytest.fixture(autouse=True)
def time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine under load is slow: what hooks leave out then is for the tests that say so."""
    monkeypatch.setattr(_events_scene, "ANSWER_WITHIN", 1e6)
    monkeypatch.setattr(_events_scene, "PATIENCE", 60.0)
    monkeypatch.setattr(_events, "END_PATIENCE", 60.0)
