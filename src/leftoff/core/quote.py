"""A text from a document or a session, made safe to appear in ours."""

from __future__ import annotations

from leftoff.core.fence import one_line
from leftoff.core.redact import redact
from leftoff.core.texts import cut


def quoted(text: str, most: int) -> str:
    """Without secrets, harmless, on one line, and at most so many characters."""
    return cut(one_line(redact(text)), most)
