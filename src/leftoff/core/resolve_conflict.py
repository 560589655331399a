"""Settles a conflict that a merge recorded in a checkpoint: one side's value stays. Pure."""

from __future__ import annotations

from leftoff.core.fast_json import loads
from leftoff.core.json_equal import ABSENT
from leftoff.core.merge import SIDES, identity, index, label
from leftoff.core.model import RULES, Checkpoint, Item
from leftoff.errors import NotFound, Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from leftoff.core.merge import Items
    from leftoff.core.model import Json


def resolve(checkpoint: Checkpoint, path: str, side: str) -> Checkpoint:
    """The checkpoint with the conflict at `path` decided for one side, its records gone."""
    if side not in SIDES:
        raise Usage(f'"{side}" is not a side', hint="use ours or theirs", choices=SIDES)
    records = [record for record in checkpoint.conflicts if record.id == path]
    if not records:
        known = tuple(dict.fromkeys(record.id for record in checkpoint.conflicts))
        raise NotFound(
            f'no conflict is recorded at "{path}"',
            hint=f"there are conflicts at: {', '.join(known)}" if known else "there are none",
            choices=known,
        )
    rest = tuple(record for record in checkpoint.conflicts if record.id != path)
    chosen = [record for record in records if record.get("side") == side]
    checkpoint = checkpoint._replace(conflicts=rest)
    return _put(checkpoint, path, chosen[-1]) if chosen else checkpoint


def _recorded(record: Item) -> Json:
    """The value of a conflict record."""
    if record.attrs.get("removed"):
        return ABSENT
    if not record.attrs.get("json"):
        return record.text
    try:
        value: Json = loads(record.text)
    except ValueError:  # somebody edited the record by hand
        return record.text
    return value


def _put(checkpoint: Checkpoint, path: str, record: Item) -> Checkpoint:
    """The checkpoint with a recorded value where it was recorded for."""
    field, _, rest = path.partition(".")
    changed: Any = {path: record.text}
    if path == "status":
        changed["word"] = record.get("word")
    elif field == "extra" or field not in RULES:
        place = rest if field == "extra" else path
        changed = {"extra": _set(checkpoint.extra, place, _recorded(record))}
    elif rest:
        changed = {field: _set_in_item(field, getattr(checkpoint, field), rest, _recorded(record))}
    return checkpoint._replace(**changed)


def _set_in_item(field: str, items: Items, path: str, value: Json) -> Items:
    def put(name: str, item: Item) -> Item:
        inside = path.removeprefix(f"{name}.")
        return item if inside == path else item._replace(attrs=_set(item.attrs, inside, value))

    found = index(items, identity(field))
    return tuple(put(label(key), item) for key, item in found.items())


def _set(members: Mapping[str, Json], path: str, value: Json) -> dict[str, Json]:
    """The mapping with a value at a dotted path; a key may itself contain dots."""
    for key, member in members.items():
        if isinstance(member, dict) and path.startswith(f"{key}.") and path not in members:
            return {**members, key: _set(member, path.removeprefix(f"{key}."), value)}
    changed = {**members, path: value}
    return {key: member for key, member in changed.items() if member is not ABSENT}
