"""The summary of a compaction where a client tells it in its transcript alone (Codex, Copilot)."""

from __future__ import annotations

from leftoff.agents._payload import inner, last_lines, text

_LINES = (
    ("compacted", "payload", "message"),
    ("session.compaction_complete", "data", "summaryContent"),
)
"""The type of the line, and where in it the text stands."""


def summary(tail: bytes) -> str:
    """The text that the last compaction left; empty where the lines tell of none."""
    for kind, below, name in _LINES:
        for line in last_lines(tail, f'"{kind}"'.encode()):
            said = text(inner(line, below), name)
            if line.get("type") == kind and said:
                return said
    return ""


def written(tail: bytes) -> str:
    """The summary that Claude Code keeps in its transcript as if a person had said it."""
    for line in last_lines(tail, b'"isCompactSummary"'):
        said = inner(line, "message").get("content")
        if line.get("isCompactSummary") is True and isinstance(said, str):
            return said
    return ""
