"""A text of a document or a session as it may stand in ours."""

from __future__ import annotations

from leftoff.core.fence import one_line
from leftoff.core.redact import redact
from leftoff.core.texts import cut


def quoted(text: str, most: int) -> str:
    """Without secrets, harmless, on one line, and at most so many characters."""
    return cut(one_line(redact(text)), most)
