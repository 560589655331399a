"""A store for tests of what only several processes show."""

from __future__ import annotations

import os
from collections.abc import Iterator
from tempfile import TemporaryDirectory

import pytest

from leftoff.world.place import Place
from leftoff.world.store import Store
from world.fake_lens import install, lay, note

# In memory a flush takes no time, so that a kill hits any step of a write, not only the flush.
_MEMORY = "/dev/shm"


@pytest.fixture
def store(tmp_path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store with one document, in memory where the system offers that."""
    install(monkeypatch)
    base = _MEMORY if os.access(_MEMORY, os.W_OK) else tmp_path
    with TemporaryDirectory(dir=base, prefix="leftoff-test-") as folder:
        root = os.path.realpath(os.path.join(folder, "project"))
        lay(root, {".checkpoints/a.checkpoint.json": note()})
        yield Store(Place(root, ""), os.path.realpath(os.path.join(folder, "state")))
