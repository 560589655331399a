"""Which lines of a block may hold a secret: all but a few are let through unread. Pure."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from leftoff.core.redact import Redactor


def suspects(data: bytes, by: Redactor) -> list[int]:
    """Where the lines begin that a rule might find something in, in order."""
    starts, at = [0], data.find(b"\n")
    while 0 <= at < len(data) - 1:
        starts.append(at + 1)
        at = data.find(b"\n", at + 1)
    return starts
