"""On what kind of file system a folder is, by what the kernel tells."""

from __future__ import annotations

import os

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

NETWORK = frozenset(
    (
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "gfs2", "glusterfs"),
        *("lustre", "ocfs2", "virtiofs", "ncpfs", "davfs", "fuseblk"),
    )
)
TELLING = frozenset(
    (
        *("ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "bcachefs", "jfs", "reiserfs"),
        *("tmpfs", "ramfs", "overlay", "ecryptfs"),
    )
)
"""Those that nobody changes but by this kernel, which tells of it."""
TABLE = "/proc/self/mountinfo"


def is_local(folder: str, table: str = TABLE) -> bool:
    """Whether a folder is on a disk of this machine; False where nobody can tell."""
    kind = kind_of(folder, table)
    return bool(kind) and kind not in NETWORK and not kind.startswith("fuse")


def tell_of_changes(folders: Iterable[str], table: str = TABLE) -> bool:
    """Whether all that lies below some folders is where the kernel sees every change."""
    mounts = _mounts(table)
    for path in map(os.path.realpath, folders):
        below = {kind for place, kind in mounts if place.startswith(path.rstrip("/") + "/")}
        if not {_kind(path, mounts), *below} <= TELLING:
            return False
    return True


def kind_of(folder: str, table: str = TABLE) -> str:
    """The kind of file system that holds a folder; "" where the system does not tell."""
    return _kind(os.path.realpath(folder), _mounts(table))


def _kind(path: str, mounts: Iterable[tuple[str, str]]) -> str:
    best, kind = "", ""
    for place, this in mounts:
        inside = path == place or path.startswith(place.rstrip("/") + "/")
        if inside and len(place) >= len(best):  # of two at one place the later hides the other
            best, kind = place, this
    return kind


def _mounts(table: str) -> list[tuple[str, str]]:
    try:
        with open(table, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:
        return []
    return [
        (_spelt(left.split()[4]), right.split()[0]) for left, right in map(_halves, lines) if right
    ]


def _halves(line: str) -> tuple[str, str]:
    left, _, right = line.partition(" - ")
    return (left, right) if len(left.split()) > 4 and right.split() else ("", "")


def _spelt(text: str) -> str:
    """Spaces and their like are written in octal."""
    for code in ("040", "011", "012", "134"):
        text = text.replace(f"\\{code}", chr(int(code, 8)))
    return text
