"""What a save makes of a checkpoint: the words that were given, laid on what is there. Pure.

The `save` column of the rule table decides. Whoever saves may not have seen what is there now:
what others added since he looked is merged in, never written over.
"""

from __future__ import annotations

from leftoff.core.carry import appended
from leftoff.core.merge import Merged, identity, merge
from leftoff.core.model import AREA, DRAFT, LATER, RULES, UNCOMMITTED, URGENT, Checkpoint, Item
from leftoff.core.paths import is_checkpoint_path
from leftoff.core.thread import cited, is_row_of
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from leftoff.core.model import Json

    Items = tuple[Item, ...]

MOST_FILES = 60


class Facts(Record):
    """What git says at the moment of a save; None where it did not answer."""

    branch: str = ""
    commit: str = ""
    changes: tuple[tuple[str, str], ...] | None = None
    """what became of each file that is not committed (modified, new, ...), and its path"""


def saved(
    base: Checkpoint | None, current: Checkpoint, given: Mapping[str, Any], now: str
) -> Merged:
    """The document after a save. `base` is what the giver last saw of it, None for never.

    What he saw and left out of a list that he gives anew is gone; what he never saw stays.
    """
    if base is None:
        return Merged(applied(current, given, seen=False), (), ())
    merged = merge(base, applied(base, given)._replace(updated=now), current)
    return merged._replace(checkpoint=_with_all(merged.checkpoint, given))


def known(base: Checkpoint | None, current: Checkpoint, given: Mapping[str, Any]) -> Checkpoint:
    """What the giver knows of the document afterwards: not what others added, which it never saw.

    It is the `base` of its next save.
    """
    if base is not None:
        return applied(base, given)
    lists: Any = {field: () for field, value in current._asdict().items() if type(value) is tuple}
    return applied(current._replace(**lists), given)


def _with_all(c: Checkpoint, given: Mapping[str, Any]) -> Checkpoint:
    """What is given stands there, also where somebody else took it out meanwhile."""
    lists = {field: value for field, value in given.items() if isinstance(value, tuple)}
    said: Any = {
        field: appended(field, getattr(c, field), _missing(field, getattr(c, field), new))
        for field, new in lists.items()
    }
    return c._replace(**said)


def _missing(field: str, there: Items, new: Items) -> Items:
    key = identity(field)
    known = {key(item) for item in there}
    return tuple(item for item in new if key(item) not in known)


def applied(before: Checkpoint, given: Mapping[str, Any], *, seen: bool = True) -> Checkpoint:
    """The checkpoint with what was given; `seen`: by somebody who knew all that stood there."""
    said: Any = {
        field: _field(field, getattr(before, field), value, seen=seen)
        for field, value in given.items()
    }
    return before._replace(**said)


def _field(field: str, before: Any, new: Any, *, seen: bool) -> Any:
    if not isinstance(new, tuple):
        return new
    if RULES[field].save == "replace":
        return _steps(before, new, seen=seen)
    return _stated(appended(field, before, new), new)


def _steps(before: Items, new: Items, *, seen: bool) -> Items:
    """The steps that were given in their order, behind what is done; a step keeps what it had."""
    known = {item.key: item for item in before}
    fresh = {item.key for item in new}
    others = [item for item in before if item.key not in fresh]
    done = (item for item in others if item.attrs.get("done"))
    unseen = () if seen else (item for item in others if not item.attrs.get("done"))
    return (*done, *(_again(known.get(item.key), item) for item in new), *unseen)


def _again(old: Item | None, new: Item) -> Item:
    if old is None:
        return new
    kept = {key: value for key, value in old.attrs.items() if key not in {DRAFT, "done"}}
    return new._replace(id=new.id or old.id, attrs={**kept, **new.attrs})


def _stated(items: Items, new: Items) -> Items:
    """What somebody says is no draft any longer."""
    said = {item.key for item in new}
    return tuple(_without_draft(item) if item.key in said else item for item in items)


def _without_draft(item: Item) -> Item:
    kept = {key: value for key, value in item.attrs.items() if key != DRAFT}
    return item._replace(attrs=kept)


def urgent_first(steps: Iterable[Item]) -> Items:
    """Seed E's priorities for steps that name none: the first is urgent, the others come later."""
    ranked = []
    for at, step in enumerate(steps):
        rank = step.attrs.get("priority") or (LATER if at else URGENT)
        ranked.append(step._replace(attrs={"priority": rank, **step.attrs}))
    return tuple(ranked)


def with_facts(c: Checkpoint, facts: Facts) -> Checkpoint:
    """The checkpoint on the branch and commit of now, with the files that are not committed."""
    # a commit without a branch is a detached HEAD: the branch of before would be a false claim
    branch = facts.branch if facts.commit else facts.branch or c.branch
    c = c._replace(branch=branch, commit=facts.commit or c.commit)
    if facts.changes is None:
        return c
    # what git says is no draft, whoever mentioned it first
    told = {item.key: _without_draft(item).attrs for item in c.artifacts if _is_uncommitted(item)}
    rows = [_row(what, path, told) for what, path in facts.changes if not is_checkpoint_path(path)]
    kept = tuple(item for item in c.artifacts if not _is_uncommitted(item))
    return c._replace(artifacts=(*rows[:MOST_FILES], *kept))


def _row(what: str, path: str, told: Mapping[str, Mapping[str, Json]]) -> Item:
    """A file, with what somebody wrote about it before."""
    row = Item(path)
    return row._replace(attrs={**told.get(row.key, {}), AREA: UNCOMMITTED, "status": what})


def _is_uncommitted(item: Item) -> bool:
    return item.attrs.get(AREA) == UNCOMMITTED


def by_session(items: Iterable[Item], number: int) -> Items:
    """Decisions that say in which session of their thread they were made."""
    mark: dict[str, Json] = {"session": cited(number)} if number else {}
    return tuple(item._replace(attrs={**mark, **item.attrs}) for item in items)


def with_row(c: Checkpoint, number: int, name: str, used: str) -> Checkpoint:
    """The checkpoint with this session in its list of sessions; its row keeps what it said."""
    if not number:
        return c
    rows = [*c.history]
    for at, row in enumerate(rows):
        if is_row_of(row, number):
            shown = {"Context Used": used} if used else {}
            rows[at] = row._replace(text=row.text or name, attrs={**row.attrs, **shown})
            return c._replace(history=tuple(rows))
    new = Item(name, cited(number)[1:], {"at": "no", "Context Used": used or "-"})
    return c._replace(history=(*rows, new))
