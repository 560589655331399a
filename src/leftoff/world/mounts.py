"""On what kind of file system a folder is, by what the kernel tells."""

from __future__ import annotations

import os

NETWORK = frozenset(
    (
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "gfs2", "glusterfs"),
        *("lustre", "ocfs2", "virtiofs", "ncpfs", "davfs", "fuseblk"),
    )
)
TABLE = "/proc/self/mountinfo"


def is_local(folder: str, table: str = TABLE) -> bool:
    """Whether a folder is on a disk of this machine; False where nobody can tell."""
    kind = kind_of(folder, table)
    return bool(kind) and kind not in NETWORK and not kind.startswith("fuse")


def kind_of(folder: str, table: str = TABLE) -> str:
    """The kind of file system that holds a folder; "" where the system does not tell."""
    path = os.path.realpath(folder)
    best, kind = "", ""
    for place, this in _mounts(table):
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
