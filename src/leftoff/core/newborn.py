"""What a document of a format must have from its first day, when nobody has said it yet."""

from __future__ import annotations

from leftoff.core.model import IN_PROGRESS, Checkpoint, Item, open_actions
from leftoff.core.when import instant, stamp


def dated(c: Checkpoint, now: str) -> Checkpoint:
    """Whole times: a document without a birthday is born now, a date alone becomes its midnight."""
    created = _whole(c.created) or _whole(c.updated) or now
    return c._replace(created=created, updated=_whole(c.updated) or created)


def grown(c: Checkpoint, root: str, what: str) -> Checkpoint:
    """The required fields of a skill checkpoint filled, so that it validates from the start."""
    queue = c.next_actions if open_actions(c) or c.status != IN_PROGRESS else FIRST_ACTION
    return c._replace(
        project=c.project or root.rpartition("/")[2],
        project_dir=c.project_dir or root,
        phase=c.phase or "init",
        stage=c.stage or what,
        summary=c.summary or c.intent or c.problem or f"Checkpoint {what} for {c.id}.",
        next_actions=queue,
    )


FIRST_ACTION = (Item("Set the first next action."),)


def _whole(text: str) -> str:
    when = instant(text)
    return "" if when is None else (text if text.endswith("Z") and "T" in text else stamp(when))
