"""What a new document of a format must have from its first day, filled where nobody said it."""

from __future__ import annotations

from itertools import count

from leftoff.core.model import IN_PROGRESS, Checkpoint, Item, open_actions
from leftoff.core.when import instant, stamp


def dated(c: Checkpoint, now: str) -> Checkpoint:
    """Whole times: a document without a birthday is born now, a date alone becomes its midnight.

    That midnight is before the hour of its birth, but nothing changes before it is born.
    """
    created = _whole(c.created) or _whole(c.updated) or now
    updated = max(created, _whole(c.updated) or created, key=lambda at: instant(at) or 0.0)
    return c._replace(created=created, updated=updated)


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
        blockers=with_ids(c).blockers,
    )


def with_ids(c: Checkpoint) -> Checkpoint:
    """Every blocker with an id and a text, as a skill has them; one that is known stands once."""
    known = {Item(one.text).key for one in c.blockers if one.id}
    taken = {one.id for one in c.blockers}
    named: list[Item] = []
    free = (name for n in count(1) if (name := f"blocker-{n}") not in taken)
    for one in c.blockers:
        name = one.id
        if not name and one.key in known:
            continue
        name = name or next(free)
        named.append(one._replace(id=name, text=one.text or name))
    return c._replace(blockers=tuple(named))


def spoken(c: Checkpoint, held: Checkpoint, what: str) -> Checkpoint:
    """What became of it, where its format holds no word of it: a document is no form to fill in."""
    is_said = any(getattr(held, field) for field in _BODY)
    return c if is_said else c._replace(summary=f"Checkpoint {what} for {c.id}.")


_BODY = (
    *("problem", "intent", "summary", "context"),
    *("decisions", "next_actions", "artifacts", "history"),
)
FIRST_ACTION = (Item("Set the first next action."),)


def _whole(text: str) -> str:
    when = instant(text)
    return "" if when is None else (text if text.endswith("Z") and "T" in text else stamp(when))
