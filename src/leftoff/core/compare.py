"""What differs between two checkpoints, or two versions of one, field by field. Pure."""

from __future__ import annotations

from leftoff.core.merge import identity
from leftoff.core.model import Checkpoint
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from leftoff.core.model import Item, Json

    Items = tuple[Item, ...]


class Difference(Record):
    """One field: what only one side says. `moved` means the same items in another order."""

    field: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    moved: bool = False


def compare(one: Checkpoint, other: Checkpoint) -> list[Difference]:
    """The fields in which two checkpoints differ, in the order of the model."""
    pairs = zip(Checkpoint._fields, one, other, strict=True)
    return [_difference(field, old, new) for field, old, new in pairs if old != new]


def _difference(field: str, old: Any, new: Any) -> Difference:
    if isinstance(old, tuple):
        return _items(field, old, new)
    if isinstance(old, str):
        return Difference(field, _said(old), _said(new))
    return _keys(field, old, new)


def _items(field: str, old: Items, new: Items) -> Difference:
    """The items that one side lacks, or says otherwise."""
    key = identity(field)
    before, after = ({key(item): _told(item) for item in items} for items in (old, new))
    gone = tuple(text for name, text in before.items() if after.get(name) != text)
    fresh = tuple(text for name, text in after.items() if before.get(name) != text)
    return Difference(field, gone, fresh, moved=not gone and not fresh)


def _keys(field: str, old: Mapping[str, Json], new: Mapping[str, Json]) -> Difference:
    before = tuple(f"{key}: {value}" for key, value in old.items() if new.get(key) != value)
    after = tuple(f"{key}: {value}" for key, value in new.items() if old.get(key) != value)
    return Difference(field, before, after)


def _told(item: Item) -> str:
    """An item's text, and in brackets what else is known of it; a long text below its id."""
    if "\n" in item.text and not item.attrs:
        return f"{item.id}\n{item.text}".strip()
    known = [item.id] if item.id and item.id != item.text else []
    known += [name if said is True else f"{name}: {said}" for name, said in item.attrs.items()]
    return item.text + (f" ({', '.join(known)})" if known else "")


def _said(text: str) -> tuple[str, ...]:
    return (text,) if text else ()
