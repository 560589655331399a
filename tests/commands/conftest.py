"""What several files of tests begin with."""

from __future__ import annotations

import os

import pytest

from events import Client


@pytest.fixture
def client(root):
    return Client(root)


@pytest.fixture
def state():
    return os.environ["LEFTOFF_STATE"]
