"""What several files of tests begin with."""

from __future__ import annotations

import pytest

from events import Client


@pytest.fixture
def client(root):
    return Client(root)
