"""What a session may be compacted to: where the work stands."""

from __future__ import annotations

from leftoff.core.compaction import parts
from leftoff.core.draft import Seen
from leftoff.core.session import Session


def _state(seen: Seen) -> tuple[str, ...]:
    return next(
        part.entries for part in parts(Session("codex", "s"), seen, None) if part.key == "state"
    )


def test_the_commit_is_named_where_there_is_one():
    seen = Seen("s", "/p", "2026-01-01", branch="main", commit="a" * 40)
    assert "main @ aaaaaaaaaaaa" in _state(seen)
    assert not [one for one in _state(seen._replace(commit="")) if " @ " in one]
