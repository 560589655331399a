"""A project and a store with small formats of their own; no real format is involved."""

from __future__ import annotations

import os

import pytest

from leftoff.world.place import Place
from leftoff.world.store import Store
from world.fake_lens import install


@pytest.fixture
def root(tmp_path) -> str:
    """An empty project without git."""
    folder = os.path.realpath(tmp_path / "project")
    os.mkdir(folder)
    return folder


@pytest.fixture
def state(tmp_path) -> str:
    """A state folder that does not exist yet."""
    return os.path.realpath(tmp_path / "state")


@pytest.fixture
def store(root: str, state: str, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The store of the project, with the fake formats."""
    install(monkeypatch)
    return Store(Place(root, ""), state)
