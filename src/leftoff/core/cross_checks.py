"""Checks between documents: ids that are used twice, several current checkpoints."""

from __future__ import annotations

from leftoff.core.model import ARCHIVED, Finding
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.core.stream import Stream


def across(streams: Sequence[Stream]) -> dict[str, list[Finding]]:
    """Findings by path: Markdown ids used twice, several current checkpoints."""
    markdown = [s for s in streams if s.glance.format == "md" and not s.glance.broken]
    found: dict[str, list[Finding]] = {}
    for name, users in _by_id(markdown).items():
        if len(users) > 1:
            files = ", ".join(user.glance.path for user in users)
            text = f'checkpoint id "{name}" is used by {len(users)} files: {files}'
            # of what is archived nobody has to pick one
            clash = any(user.glance.status != ARCHIVED for user in users)
            for user in users:
                finding = Finding(
                    "duplicate-id", "error" if clash else "warning", "checkpoint", text
                )
                found.setdefault(user.glance.path, []).append(finding)
    for path, finding in several_current(markdown):
        found.setdefault(path, []).append(finding)
    return found


def current(streams: Sequence[Stream]) -> list[Stream]:
    """The Markdown checkpoints that call themselves current; archived ones never count."""
    return [
        s
        for s in streams
        if s.glance.format == "md" and s.glance.word == "current" and s.glance.status != ARCHIVED
    ]


def several_current(streams: Sequence[Stream]) -> list[tuple[str, Finding]]:
    """A warning for each of several current checkpoints."""
    focused = current(streams)
    if len(focused) < 2:
        return []
    names = ", ".join(stream.glance.id for stream in focused)
    text = f"{len(focused)} checkpoints have status current, expected at most 1: {names}"
    fix = "leftoff current NAME keeps one"
    finding = Finding("several-current", "warning", "status", text, fix)
    return [(stream.glance.path, finding) for stream in focused]


def _by_id(streams: Sequence[Stream]) -> dict[str, list[Stream]]:
    users: dict[str, list[Stream]] = {}
    for stream in streams:
        users.setdefault(stream.glance.id, []).append(stream)
    return users
