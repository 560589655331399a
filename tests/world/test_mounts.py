"""On what kind of file system a folder is; SQLite's log needs shared memory."""

from __future__ import annotations

import os

import pytest

from leftoff.world.mounts import is_local, kind_of, tell_of_changes

TABLE = """22 1 0:20 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 0:30 / /net rw - nfs4 server:/export rw
31 30 0:31 / /net/with\\040space rw - fuse.sshfs me@there: rw
32 22 0:32 / /local rw - tmpfs tmpfs rw
33 32 0:33 / /local rw - 9p host rw
broken line
"""


@pytest.fixture
def table(tmp_path):
    path = os.path.join(tmp_path, "mountinfo")
    with open(path, "w", encoding="utf-8") as file:
        file.write(TABLE)
    return path


@pytest.mark.parametrize(
    ("folder", "kind", "local"),
    [
        ("/home/x", "ext4", True),
        ("/net", "nfs4", False),
        ("/net/deep/er", "nfs4", False),
        ("/net/with space/x", "fuse.sshfs", False),
        ("/network", "ext4", True),
        ("/local/x", "9p", False),
    ],
)
def test_the_innermost_and_latest_mount_decides(table, folder, kind, local):
    assert kind_of(folder, table) == kind
    assert is_local(folder, table) is local


def test_where_nobody_can_tell_it_is_not_local():
    assert not is_local("/", "/nowhere/mountinfo")


@pytest.mark.parametrize(
    ("folders", "told"),
    [
        (["/home/x", "/srv"], True),
        (["/home/x", "/net/x"], False),
        (["/net/deep"], False),
        (["/local"], False),
        (["/"], False),  # something else lies below
    ],
)
def test_who_tells_of_every_change(table, folders, told):
    assert tell_of_changes(folders, table) == told


def test_without_a_table_nobody_tells(tmp_path):
    assert not tell_of_changes(["/home"], str(tmp_path / "none"))
