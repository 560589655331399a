"""Checks between documents: ids that are used twice, several current checkpoints."""

from __future__ import annotations

from leftoff.core.model import ARCHIVED, Finding
from leftoff.core.stream import current, several_current
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
    for finding in several_current(markdown):
        for stream in current(markdown):
            found.setdefault(stream.glance.path, []).append(finding)
    return found


def _by_id(streams: Sequence[Stream]) -> dict[str, list[Stream]]:
    users: dict[str, list[Stream]] = {}
    for stream in streams:
        users.setdefault(stream.glance.id, []).append(stream)
    return users
