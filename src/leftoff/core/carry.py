"""What a checkpoint takes from the one before it, and how a long one is made short. Pure.

`carry` follows the `save` column of the rule table. `trim` folds what is old into one entry and
loses no text; what it prunes, it names.
"""

from __future__ import annotations

from leftoff.core.merge import identity
from leftoff.core.model import RULES, Checkpoint, Item, blank
from leftoff.errors import NotFound, Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping
    from typing import Any

    from leftoff.core.model import Json

    Items = tuple[Item, ...]

KEEP_DECISIONS = 19  # seed A: more than 20 ask for consolidation; 1 + 19 is what is left
KEEP_HISTORY = 8

# These belong to the stream they were written in: a new one begins without them.
_BEGINS_ANEW = {"conflicts", "cost", "deltas", "sessions"}


def carry(
    previous: Checkpoint, new_id: str, now_text: str, given: Mapping[str, object]
) -> Checkpoint:
    """A new checkpoint after `previous`: what stays true is taken over, the rest is as given."""
    unknown = sorted(set(given) - set(Checkpoint._fields))
    if unknown:
        raise Usage(f'"{unknown[0]}" is not a field of a checkpoint', choices=Checkpoint._fields)
    own = {"id": new_id, "created": now_text, "updated": "", "parent": previous.id}
    # two streams with one title could not be told apart by it
    own["name"] = new_id if previous.name else ""
    said: Any = {field: given.get(field, value) for field, value in own.items()}
    for field, before in zip(Checkpoint._fields, previous, strict=True):
        if field not in own:
            said[field] = _carried(field, before, given)
    return Checkpoint(**said)


def trim(checkpoint: Checkpoint, gone: Container[str] = ()) -> tuple[Checkpoint, tuple[str, ...]]:
    """The checkpoint with old entries folded into one, what points at `gone` paths pruned."""
    notes: list[str] = []
    decisions = _folded(checkpoint.decisions, KEEP_DECISIONS, "decisions", notes)
    history = _folded(checkpoint.history, KEEP_HISTORY, "entries of history", notes)
    artifacts = _pruned(checkpoint.artifacts, gone, notes)
    refs = _pruned(checkpoint.refs, gone, notes)
    trimmed = checkpoint._replace(
        decisions=decisions, history=history, artifacts=artifacts, refs=refs
    )
    return trimmed, tuple(notes)


def rotate(
    private: Mapping[str, Json], keys: Iterable[str]
) -> tuple[dict[str, Json], dict[str, Json]]:
    """Private state without the keys, and what stood under them, for a file of history."""
    moved = {}
    for key in keys:
        if key not in private:
            raise NotFound(f'there is no "{key}" in the private state', choices=tuple(private))
        moved[key] = private[key]
    return {key: value for key, value in private.items() if key not in moved}, moved


def _carried(field: str, before: Any, given: Mapping[str, object]) -> Any:
    rule = "replace" if field in _BEGINS_ANEW else RULES[field].save
    new: Any = given.get(field, blank(field))
    if rule == "append":
        return appended(field, before, new)
    if rule == "key":
        fresh = {item.key: item for item in new}
        return appended(field, tuple(fresh.get(item.key, item) for item in before), new)
    if rule in {"keep", "given"}:
        return given.get(field, before)
    return new


def appended(field: str, before: Items, new: Items) -> Items:
    """The old items, with what is newly said of them, then those that are new."""
    key = identity(field)
    said = {key(item): item.attrs for item in new}
    known = {key(item) for item in before}
    old = (item._replace(attrs={**item.attrs, **said.get(key(item), {})}) for item in before)
    return (*old, *(item for item in new if key(item) not in known))


def _folded(items: Items, keep: int, what: str, notes: list[str]) -> Items:
    """The last `keep` items as they are, and one before them that says what the others said."""
    if len(items) <= keep + 1:
        return items
    old, recent = items[: len(items) - keep], items[len(items) - keep :]
    notes.append(f"{len(old)} older {what} folded into one")
    opening = f"Earlier {what}: "
    told = [item.text.removeprefix(opening) + _aside(item, opening) for item in old]
    at = old[-1].get("at")
    return (Item(opening + "; ".join(told), attrs={"at": at} if at else {}), *recent)


def _aside(item: Item, opening: str) -> str:
    """An item's id and attributes in brackets, so that folding it loses none of them."""
    if item.text.startswith(opening):
        return ""
    told = [item.id] if item.id else []
    told += [name if value is True else f"{name}: {value}" for name, value in item.attrs.items()]
    return f" ({', '.join(told)})" if told else ""


def _pruned(items: Items, gone: Container[str], notes: list[str]) -> Items:
    kept = []
    for item in items:
        path = next((path for path in (item.id, item.text) if path and path in gone), "")
        if path:
            notes.append(f"{path} pruned: the file is gone")
        else:
            kept.append(item)
    return tuple(kept)
