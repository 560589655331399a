"""Replies of a bounded size: long lists come in pages, long texts are cut where that is seen.

A cursor holds the place behind the last item that was shown, by that item's own name: it goes on
there though others came or went meanwhile. It is opaque, and belongs to one call of one tool.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b

from leftoff.core.event import OWN
from leftoff.core.model import Finding
from leftoff.entry.calls import found_in
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from leftoff.commands import Say

CAP = 25_000
"""Bytes of text in a reply, and of data."""
MARK = "[…]"
LISTS = {
    "streams": ("path",),
    "projects": ("root",),
    "queue": ("id", "action"),
    "hits": ("cite", "kind", "at"),
    "threads": ("path",),
    "documents": ("path",),
}
"""The lists that come in pages, and what an item of each is known by."""
_TRIES = ((4000, 200), (1000, 50), (300, 20), (100, 8), (40, 3))
"""Characters of a text and items of a list that are left, ever fewer until the reply fits."""


class Cursor(Record):
    """Where to go on: behind the item of this key, or where it stood."""

    call: str
    place: int = 0
    key: str = ""


class Room(Record):
    """How much of a list goes into one page; `total` where the list itself is only a part."""

    size: int = 12_000
    """bytes, but at least one item"""
    items: int = 1000
    total: int = 0


class Page(Record):
    """Items of a list, and the cursor for those behind them; "" where there are none."""

    items: list[Any]
    next: str = ""


def digest(value: object) -> str:
    """A short name for a value."""
    data = json.dumps(value, sort_keys=True, ensure_ascii=True).encode()
    return blake2b(data, digest_size=6).hexdigest()


def start(tool: str, given: Mapping[str, Any], cursor: str = "") -> Cursor:
    """The place to begin at; Usage for a cursor that is not one of exactly this call."""
    call = digest([tool, {name: one for name, one in given.items() if name != "cursor"}])
    if not cursor:
        return Cursor(call)
    found = _opened(cursor)
    if found is None or found.call != call:
        hint = "give next_cursor as it came, with the same arguments as before"
        raise Usage("that cursor does not belong to this call", hint=hint)
    return found


def _opened(cursor: str) -> Cursor | None:
    try:
        call, index, key, check = json.loads(urlsafe_b64decode(cursor.encode("ascii")))
    except (ValueError, TypeError, RecursionError):
        return None
    sound = isinstance(call, str) and isinstance(index, int) and isinstance(key, str)
    if not sound or index < 0 or digest([call, index, key]) != check:
        return None
    return Cursor(call, index, key)


def _closed(cursor: Cursor) -> str:
    told = [*cursor, digest([*cursor])]
    return urlsafe_b64encode(json.dumps(told, separators=(",", ":")).encode()).decode()


def page(items: Sequence[Any], names: Sequence[str], at: Cursor, room: Room) -> Page:
    """As many items behind the cursor as there is room for."""
    keys = [digest([item.get(name) for name in names]) for item in items]
    first = keys.index(at.key) + 1 if at.key in keys else min(at.place, len(items))
    end, size = first, 0
    while end < min(len(items), first + room.items):
        size += _size(items[end])
        if size > room.size and end > first:
            break
        end += 1
    if end >= max(len(items), room.total) or end == first:
        return Page([*items[first:end]])
    return Page([*items[first:end]], _closed(Cursor(at.call, end, keys[end - 1])))


def paged(data: dict[str, Any], at: Cursor, room: Room) -> tuple[dict[str, Any], str]:
    """The data with one page of its long list, and the cursor behind that."""
    name = next((name for name in LISTS if isinstance(data.get(name), list)), "")
    if not name:
        return data, ""
    part = page(data[name], LISTS[name], at, room)
    told = {**data, name: part.items}
    if name == "streams":  # what else there is of a stream goes with it
        paths = {one["path"] for one in part.items}
        told["detailed"] = [path for path in data["detailed"] if path in paths]
        if "verdicts" in data:
            told["verdicts"] = {path: v for path, v in data["verdicts"].items() if path in paths}
    return told, part.next


def fitting(body: dict[str, Any], say: Say, most: int = CAP) -> dict[str, Any]:
    """The body, its longest texts and lists cut until it fits; it says so."""
    if _size(body) <= most:
        return body
    text = "this reply was too long: texts and lists in it are cut"
    cut = Finding("capped", "info", "", text, "ask for one checkpoint by its name")
    told = found_in(cut, say)._asdict()
    known = {**body, "findings": [*body.get("findings", ()), told]}
    for chars, items in _TRIES:
        short: dict[str, Any] = _cut(known, chars, items)
        if _size(short) <= most:
            break
    return short


def _cut(value: Any, chars: int, items: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= chars else shortened(value, chars)
    if isinstance(value, list):
        return [_cut(one, chars, items) for one in value[:items]]
    if isinstance(value, dict):
        return {name: _cut(one, chars, items) for name, one in value.items()}
    return value


def shortened(text: str, most: int = CAP) -> str:
    """At most so many bytes of a text; a fence that was opened in it is closed."""
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return text
    opened, closing = OWN
    part = data[: most - len(MARK.encode()) - len(closing) - 2].decode("utf-8", "ignore")
    line = part.rfind("\n")
    part = part[: line + 1] if line > len(part) // 2 else part
    is_open = part.count(opened) > part.count(closing)
    return part + MARK + (f"\n{closing}" if is_open else "")


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
