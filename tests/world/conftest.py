"""A project and a store with small formats of their own; no real format is involved."""

from __future__ import annotations

import os
import sys

import pytest

from leftoff.world import cache_file, mounts
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


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of a test were written just now, which is too new to be trusted."""
    monkeypatch.setattr(cache_file, "TICK", -1e9)


@pytest.fixture
def clock() -> list[float]:
    """The time of a server, to be set on."""
    return [0.0]


@pytest.fixture(params=["told", "asks", "in vain"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whether the system tells of changes; nobody asks it; or it is asked, but does not."""
    if request.param == "told" and sys.platform != "linux":
        pytest.skip("only Linux has inotify")
    monkeypatch.setattr(mounts, "tell_of_changes", lambda _: request.param == "told")
    return request.param
