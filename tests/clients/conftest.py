"""Tests with real clients: each in a box, marked `client`, and never more than two at once."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

import pytest

from clients.box import Box
from clients.box import box as a_box

pytest.register_assert_rewrite("clients.work")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Two groups, by name: a group stays on one worker, however many there are.

    They come first: a group is not split, so that it had better not begin last.
    """
    ours = {item for item in items if "tests/clients/" in item.nodeid}
    for item in ours:
        item.add_marker("client")
        item.add_marker(pytest.mark.xdist_group(f"clients {crc32(item.nodeid.encode()) % 2}"))
    items.sort(key=lambda item: item not in ours)


@pytest.fixture
def box() -> Iterator[Box]:
    """A home, a project, a state folder, a model and a network for this test alone."""
    with a_box() as made:
        yield made
