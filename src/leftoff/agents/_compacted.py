"""The summary of a compaction where a client tells it in its transcript alone (Codex)."""

from __future__ import annotations

from leftoff.agents._payload import inner, last_lines, text


def summary(tail: bytes) -> str:
    """The text that the last compaction left; empty where the lines tell of none."""
    for line in last_lines(tail, b'"compacted"'):
        said = text(inner(line, "payload"), "message")
        if line.get("type") == "compacted" and said:
            return said
    return ""
