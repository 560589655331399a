"""The rest of a hook's payload that did not come in one piece: long, slow, split, or no object."""

from __future__ import annotations

import os
from select import POLLIN, poll

from leftoff.entry._hook_failure import Unusable
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    Whole = Callable[..., Mapping[str, Any] | None]

PAUSE = 0.05
"""Seconds without a byte after which what ends like an object is tried as one."""


def rest(data: bytes, whole: Whole, wait: float, largest: int) -> Mapping[str, Any]:
    """Read on until the bytes are an object, the writer is gone, or nothing came for `wait` s.

    Trying costs as much as the object is long, so it is tried only where the writer rests.
    """
    parts, size = [data], len(data)
    ready = poll()
    ready.register(0, POLLIN)
    while parts[-1]:
        tried = not _ends_like_one(parts[-1])
        if not tried and not ready.poll(PAUSE * 1000):
            tried = True
            found = whole(b"".join(parts))
            if found is not None:
                return found
        if tried and not ready.poll(wait * 1000):
            break
        parts.append(os.read(0, 1 << 20))
        size += len(parts[-1])
        if size > largest:
            raise Unusable("the payload is too long")
    found = whole(b"".join(parts), "replace")
    if found is None:
        raise Unusable("the payload is not a whole object")
    return found


def _ends_like_one(part: bytes) -> bool:
    return part.rstrip()[-1:] == b"}"
