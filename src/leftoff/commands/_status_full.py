"""One checkpoint in full, as `status NAME --whole` has it: fields, text, changes."""

from __future__ import annotations

from leftoff.commands.show import PUBLIC, public
from leftoff.commands.tree import difference, previous_of
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.commands import Call
    from leftoff.core.model import Checkpoint, Json
    from leftoff.core.stream import Stream

FIELDS = (*PUBLIC, "questions", "branch", "commit", "tests", "context", "deltas", "history")
"""Also what siblings do not read; private state stays out."""


def told(
    call: Call, streams: Sequence[Stream], stream: Stream, checkpoint: Checkpoint
) -> dict[str, Json]:
    """Fields in the order of their weight, documents as they are, differences by field."""
    before = None if stream.glance.broken else previous_of(call, streams, stream)
    return {
        "fields": public(checkpoint, FIELDS),
        "documents": [{"path": path, "text": text} for path, text in call.store.texts(stream)],
        "previous": before and before.name,
        "differences": difference(before.checkpoint, checkpoint) if before else [],
    }
