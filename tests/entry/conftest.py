"""What is shown, whichever way one comes in."""

from __future__ import annotations

import pytest

from projects import put_all


@pytest.fixture
def root(root: str) -> str:
    """The project, with a document of each format."""
    put_all(root)
    return root
