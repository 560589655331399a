"""Images out of transcripts: stored once, by their hash, however often a client wrote them down.

In the copy a mark stands in their place, which is plain text for all who read it; an original that
happens to hold such a mark has it doubled there, so that a copy can be told back exactly.
"""

from __future__ import annotations

import os
import re
from binascii import Error, a2b_base64, b2a_base64

from leftoff.record import TYPE_CHECKING
from leftoff.world.archive import IMAGES, folder
from leftoff.world.files import Staged, read_bytes, tag
from leftoff.world.state import ensure

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = b"leftoff:image:"
SMALLEST = 1024
"""Letters from which an image is worth a file of its own."""
_STARTS = (b"iVBORw0KGg", b"/9j/", b"R0lGOD", b"UklGR", b"JVBERi0")
"""How PNG, JPEG, GIF, WebP and PDF begin when they are spelt in letters."""
_LETTERS = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
_MARKED = re.compile(MARK + rb"(?::|([0-9a-f]{64}))")


def cut(data: bytes, state: str) -> tuple[bytes, list[str]]:
    """Lines with a mark for each image, all of which are on the disk by then; their hashes."""
    data = data.replace(MARK, MARK + b":")
    parts, at, found = [], 0, list[str]()
    for start, end in sorted(_spans(data)):
        if start < at:
            continue  # inside of another
        name = _stored(data[start:end], state)
        if name:
            parts += [data[at:start], MARK, name.encode()]
            found.append(name)
            at = end
    return (b"".join([*parts, data[at:]]) if found else data), found


def whole(data: bytes, state: str) -> bytes:
    """Lines as they were: every image in its place; one that is gone leaves its mark."""
    if MARK not in data:
        return data
    return _MARKED.sub(lambda mark: _told(mark, state), data)


def path_of(state: str, name: str) -> str:
    """Where an image is, or would be."""
    return os.path.join(folder(state), IMAGES, name)


def _told(mark: re.Match[bytes], state: str) -> bytes:
    if mark[1] is None:
        return MARK
    path = path_of(state, mark[1].decode())
    return b2a_base64(read_bytes(path), newline=False) if os.path.isfile(path) else mark[0]


def _spans(data: bytes) -> Iterator[tuple[int, int]]:
    """Where a text is an image from its first letter to its last."""
    for start in _STARTS:
        at = data.find(start)
        while at >= 0:
            letters = _LETTERS.match(data, at) if data[at - 1 : at] in (b'"', b",") else None
            if (
                letters
                and letters.end() - at >= SMALLEST
                and data[letters.end() : letters.end() + 1] == b'"'
            ):
                yield at, letters.end()
            at = data.find(start, letters.end() if letters else at + 1)


def _stored(letters: bytes, state: str) -> str:
    """The hash under which an image is kept; "" for one that its bytes would not give back."""
    try:
        image = a2b_base64(letters, strict_mode=True)
    except Error:
        return ""
    if b2a_base64(image, newline=False) != letters:
        return ""
    name = tag(image)
    path = path_of(state, name)
    if not os.path.exists(path):
        ensure(os.path.dirname(path))
        with Staged(path) as staged:
            staged.write(image, 0o600)
            staged.claim()
    return name
