"""What others pushed, as it lies on this machine: never in the repository, each by its owner.

`<state>/team/pulled/<place>/` has a folder for each person, with their documents as they would lie
in a project: the same code reads them. Names and paths from the store are a stranger's text.
"""

from __future__ import annotations

import os

from leftoff.core.fast_json import loads
from leftoff.core.ids import is_name
from leftoff.core.team_paths import local
from leftoff.errors import LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import bytes_or_none, discard, encode, write_atomic
from leftoff.world.place import Place, inside
from leftoff.world.state import ensure, place_key
from leftoff.world.team_push import digest_of
from leftoff.world.team_state import folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from leftoff.core.stream import Stream
    from leftoff.world.store import Store

_PRIVATE = 0o600
LARGEST = 4 << 20
"""Bytes of a document that are taken from the store."""


class Entry(Record):
    """A stream of somebody else, or of one's own from another machine."""

    owner: str
    machine: str
    path: str
    hash: str
    parts: tuple[str, ...]


class Foreign(Record):
    """A stream that was pulled, and who pushed it."""

    stream: Stream
    author: str
    owner: str
    machine: str


def _base_of(state: str, root: str) -> str:
    """All that was pulled for a place."""
    return os.path.join(folder(state), "pulled", place_key(root))


def is_there(state: str, root: str) -> bool:
    """Whether anything was ever pulled here: one look at the disk."""
    return os.path.isdir(_base_of(state, root))


def entries(state: str, root: str) -> dict[tuple[str, str], Entry]:
    """What was pulled, by owner and path."""
    return {(one.owner, one.path): one for one in _listed(state, root)}


def _listed(state: str, root: str) -> Iterator[Entry]:
    for one in _said(state, root).get("entries", ()):
        yield Entry(one[0], one[1], one[2], one[3], tuple(one[4]))


def _said(state: str, root: str) -> dict[str, Any]:
    """What the last pull wrote down; nothing where it cannot be read: the next one does it anew."""
    data = bytes_or_none(os.path.join(_base_of(state, root), "list.json"))
    try:
        said = loads(data.decode()) if data else {}
    except ValueError:
        return {}
    # another place may have the same short name
    return said if isinstance(said, dict) and said.get("root") == root else {}


def keep(state: str, root: str, me: str, found: Mapping[tuple[str, str], Entry]) -> None:
    """Write down what is here now, and who pulled it."""
    from json import dumps

    base = ensure(_base_of(state, root))
    said: dict[str, Any] = {"root": root, "me": me, "entries": [[*one] for one in found.values()]}
    text = dumps(said, ensure_ascii=False)
    write_atomic(os.path.join(base, "list.json"), text.encode("utf-8", "replace"), _PRIVATE)


def put(store: Store, home: str, entry: Entry, texts: Mapping[str, str]) -> Entry:
    """Lay the documents of one stream down, with the paths of this machine."""
    base = ensure(_folder(store.state, store.root, entry.owner))
    parts = []
    for path, text in texts.items():
        target = inside(os.path.realpath(base), path)
        data = encode(local(text, store.root, home))
        if len(data) > LARGEST:
            raise LeftoffError(f"{path} is larger than {LARGEST >> 20} MB", where=path)
        ensure(os.path.dirname(target))
        write_atomic(target, data, _PRIVATE, durable=False)
        parts.append(path)
    return entry._replace(parts=tuple(parts))


def remove(store: Store, entry: Entry) -> None:
    """Take away what is no longer in the store, or not for us: it is a copy."""
    base = _folder(store.state, store.root, entry.owner)
    for path in entry.parts:
        discard(inside(os.path.realpath(base), path))


def _folder(state: str, root: str, owner: str) -> str:
    name = owner if is_name(owner) else f"role-{digest_of(owner)}"
    return os.path.join(_base_of(state, root), "by", name)


def streams(store: Store) -> list[Foreign]:
    """Everything that was pulled for this place; the paths are absolute, outside of it."""
    me = _said(store.state, store.root).get("me", "")
    found = []
    for owner, mine in _by_owner(store).items():
        held = mirror(store, owner)
        for stream in held.streams():
            entry = mine.get(stream.glance.path)
            if entry:
                author = f"{owner} ({entry.machine})" if owner == me else owner
                found.append(Foreign(_outside(stream, held.root), author, owner, entry.machine))
    return found


def mirror(store: Store, owner: str) -> Store:
    """The documents of one person, as a project of their own."""
    root = os.path.realpath(_folder(store.state, store.root, owner))
    return type(store)(Place(root, ""), store.state)


def _by_owner(store: Store) -> dict[str, dict[str, Entry]]:
    found: dict[str, dict[str, Entry]] = {}
    for entry in entries(store.state, store.root).values():
        found.setdefault(entry.owner, {})[entry.path] = entry
    return found


def _outside(stream: Stream, root: str) -> Stream:
    glance = stream.glance._replace(path=os.path.join(root, stream.glance.path))
    return stream._replace(glance=glance, parts=tuple(os.path.join(root, p) for p in stream.parts))
