"""`update` on a Markdown document: texts are replaced, lists replaced or appended to, items set.

A path begins with a field of the model or with the format's own name for it; case, spaces and
underscores do not matter.
"""

from __future__ import annotations

from leftoff.core.find_stream import did_you_mean
from leftoff.core.model import Checkpoint, Item
from leftoff.core.texts import number
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from leftoff.core.model import Json
    from leftoff.formats import Change

# What no path can set: the file's place, the whole of what is beyond the format.
_FIXED = ("status", "extra")


def assigned(
    c: Checkpoint,
    changes: Sequence[Change],
    holds: Mapping[str, str],
    *,
    header: str,
    fixed: Sequence[str] = (),
) -> Checkpoint:
    """The checkpoint after the changes; `header` is where `extra` has the header's other keys."""
    holds = {field: said for field, said in holds.items() if field not in {*_FIXED, *fixed}}
    for change in changes:
        field = _field(change.path[0], holds)
        if not field:
            c = c._replace(extra=_more(c.extra, change, holds, header))
            continue
        old: Any = getattr(c, field)
        new: Any = _items(old, change) if isinstance(old, tuple) else _text(change)
        c = c._replace(**{field: new})
    return c


def _field(name: str, holds: Mapping[str, str]) -> str:
    """The field of a name: the format's own names come before those of the model."""
    own = {_plain(said): field for field, said in holds.items()}
    return {**{field: field for field in holds}, **own}.get(_plain(name), "")


def _plain(name: str) -> str:
    return name.casefold().replace(" ", "_").replace("-", "_").strip("_:")


def _text(change: Change) -> str:
    name = ".".join(change.path)
    if len(change.path) > 1:
        raise Usage(f'"{change.path[0]}" is a text: nothing can be set below it ({name})')
    if change.op != "=":
        raise Usage(f'"{name}" is a text, not a list', hint=f"use --{name}=TEXT to replace it")
    if isinstance(change.value, dict | list) or change.value is None:
        raise Usage(f'"{name}" takes a text')
    return _as_text(change.value)


def _as_text(value: Json) -> str:
    return value if isinstance(value, str) else str(value).lower()


def _items(old: tuple[Item, ...], change: Change) -> tuple[Item, ...]:
    if len(change.path) == 1:
        new = tuple(_item(one) for one in _listed(change.value))
        return (*old, *new) if change.op == "+=" else new
    number = _number(old, change.path)
    if change.op != "=":
        raise Usage(f'"{".".join(change.path)}" is one item: only = can set it')
    if len(change.path) > 3:
        raise Usage(f'"{".".join(change.path)}" goes too deep: an item holds texts')
    made = _replaced(old[number], change) if len(change.path) == 2 else _set(old[number], change)
    return (*old[:number], made, *old[number + 1 :])


def _replaced(item: Item, change: Change) -> Item:
    """A text replaces the text, and what stands beside it stays; an object replaces the whole."""
    if isinstance(change.value, dict):
        return _item(change.value)
    return item._replace(text=_item(change.value).text)


def _listed(value: Json) -> list[Json]:
    if isinstance(value, list):
        return value
    return [] if value in ("", None) else [value]


def _item(value: Json) -> Item:
    """An item from a text, or from an object with its text and attributes."""
    if isinstance(value, dict):
        attrs = {key: said for key, said in value.items() if key not in {"text", "id"}}
        return Item(_as_text(value.get("text") or ""), _as_text(value.get("id") or ""), attrs)
    if isinstance(value, list) or value is None:
        raise Usage("an item is a text, or an object with a text")
    return Item(_as_text(value))


def _number(items: Sequence[Item], path: tuple[str, ...]) -> int:
    """Which item a path means: its id, or its place counted from 0."""
    field, name = path[:2]
    named = [number for number, item in enumerate(items) if item.id == name]
    if named:
        return named[0]
    if 0 <= number(name) < len(items):
        return number(name)
    ids = [item.id for item in items if item.id]
    count = f"it has {len(items)}, counted from 0" if items else "it is empty"
    raise Usage(f'"{field}" has no item "{name}": {count}', hint=did_you_mean(name, ids))


def _set(item: Item, change: Change) -> Item:
    name, value = change.path[2], change.value
    if isinstance(value, dict | list):
        raise Usage(f'"{".".join(change.path)}" takes a text')
    if name in {"text", "id"}:
        said: Any = {name: _as_text(value or "")}
        return item._replace(**said)
    return item._replace(attrs={**item.attrs, name: value})


def _more(
    extra: Mapping[str, Json], change: Change, holds: Mapping[str, str], header: str
) -> dict[str, Json]:
    """The extra with one more key in the header."""
    name = change.path[0]
    before = extra.get(header)
    known = dict(before) if isinstance(before, dict) else {}
    if len(change.path) > 1 or not (name in known or change.new_key):
        names = [*holds, *holds.values(), *known]
        hint = did_you_mean(name, names) or "--new-key adds a key to the header"
        raise Usage(f'there is no "{name}" in this format', hint=hint)
    return {**extra, header: {**known, name: _text(change)}}
