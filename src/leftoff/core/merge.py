"""Three-way merge of checkpoints, by the `merge` column of the rule table. Pure.

The git driver, the save race and the team store use it. A value changed on one side only is that
side's; the rules speak only where both changed it. Nothing is lost: what does not stand in the
result is a loser (for a log) or a conflict record (in the document, until `core.resolve_conflict`).
"""

from __future__ import annotations

from leftoff.core.json_equal import ABSENT, same
from leftoff.core.model import RULES, Checkpoint, Item
from leftoff.core.when import instant
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
    from typing import Any, TypeAlias, TypeVar

    from leftoff.core.model import Json

    T = TypeVar("T")
    Items: TypeAlias = tuple[Item, ...]
    Key: TypeAlias = tuple[Hashable, int]

OURS, THEIRS = SIDES = ("ours", "theirs")


class Loser(Record):
    """A value that gave way to a newer one; `side` is where it came from."""

    path: str
    value: Json
    side: str


class Merged(Record):
    """The result, what it left behind, and the conflict records that this merge added."""

    checkpoint: Checkpoint
    losers: tuple[Loser, ...]
    conflicts: tuple[Item, ...]


class _Spot(Record):
    """Where in the checkpoint a merge stands, the rule there, and where its leavings go."""

    path: tuple[str, ...]
    rule: str
    newer: str
    losers: list[Loser]
    conflicts: list[Item]

    def at(self, name: str) -> _Spot:
        """The member of that name. What merges by key obeys the rules again for each member."""
        rule = RULES[name].merge if self.rule == "by_key" and name in RULES else self.rule
        return self._replace(path=(*self.path, name), rule=rule)

    def element(self, name: str) -> _Spot:
        return self._replace(path=(*self.path, name))

    def lose(self, value: Json, side: str) -> None:
        if self.rule == "conflict":
            self.conflicts.append(_record(_shown(self.path), value, side))
        else:
            self.losers.append(Loser(_shown(self.path), None if value is ABSENT else value, side))


def merge(base: Checkpoint, ours: Checkpoint, theirs: Checkpoint) -> Merged:
    """Both sides' changes since `base` in one checkpoint."""
    spot = _Spot((), "by_key", _later(ours.updated, theirs.updated), [], [])
    if ours.status != theirs.status:
        ours, theirs = _settle_status(spot, base, ours, theirs)
    said: Any = {
        field: _field(spot.at(field), *values)
        for field, *values in zip(Checkpoint._fields, base, ours, theirs, strict=True)
    }
    merged = Checkpoint(**said)
    new = tuple(record for record in spot.conflicts if record not in merged.conflicts)
    merged = merged._replace(conflicts=merged.conflicts + new)
    return Merged(merged, tuple(spot.losers), tuple(spot.conflicts))


def identity(field: str) -> Callable[[Item], Hashable]:
    """What makes two items of a list field the same."""
    return _IDENTITY.get(field, lambda item: item.key)


def _later(ours: str, theirs: str, sign: int = 1) -> str:
    """The side with the later time (the earlier: sign -1). What is no time loses; a tie is ours."""
    mine, other = instant(ours), instant(theirs)
    return THEIRS if other is not None and (mine is None or other * sign > mine * sign) else OURS


def _settle_status(
    spot: _Spot, base: Checkpoint, ours: Checkpoint, theirs: Checkpoint
) -> tuple[Checkpoint, Checkpoint]:
    """Both sides with the winner's status and word, which never come from different sides."""
    both = base.status not in {ours.status, theirs.status}
    keeper = spot.newer if both else THEIRS if ours.status == base.status else OURS
    winner, other, side = (ours, theirs, THEIRS) if keeper == OURS else (theirs, ours, OURS)
    if both:
        spot.conflicts.append(_record("status", other.status, side, word=other.word))
    elif other.word not in {base.word, winner.word}:
        spot.at("word").lose(other.word, side)
    status, word = winner.status, winner.word
    return ours._replace(status=status, word=word), theirs._replace(status=status, word=word)


def kept_open(merged: Merged) -> Merged:
    """The same with every loser as an open conflict: for when there is no log to keep it in."""
    records = tuple(_record(one.path, one.value, one.side) for one in merged.losers)
    checkpoint = merged.checkpoint
    return merged._replace(
        checkpoint=checkpoint._replace(conflicts=(*checkpoint.conflicts, *records)),
        losers=(),
        conflicts=(*merged.conflicts, *records),
    )


def _field(spot: _Spot, base: Any, ours: Any, theirs: Any) -> Any:
    """One field: a text, a tuple of items or a mapping."""
    if same(ours, theirs) or same(theirs, base):
        return ours
    if same(ours, base):
        return theirs
    if isinstance(ours, tuple):
        return _items(spot, base, ours, theirs)
    if isinstance(ours, dict):
        # People write `extra`; cost and private state are telemetry, where the newest will do.
        rule = "conflict" if spot.path == ("extra",) else "newest"
        return _object(spot._replace(rule=rule), base, ours, theirs)
    return _clash(spot, ours, theirs)


def _clash(spot: _Spot, ours: Json, theirs: Json) -> Json:
    """Both sides changed a value that has no parts: one stays, the other is kept elsewhere."""
    keeper = spot.newer
    if spot.rule == "key":
        keeper = OURS
    elif spot.path == ("created",):
        keeper = _later(str(ours), str(theirs), sign=-1)
    spot.lose(*((theirs, THEIRS) if keeper == OURS else (ours, OURS)))
    return ours if keeper == OURS else theirs


def _value(spot: _Spot, base: Json, ours: Json, theirs: Json) -> Json:
    """One JSON value, any of them perhaps ABSENT."""
    if same(ours, theirs) or same(theirs, base):
        return ours
    if same(ours, base):
        return theirs
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return _object(spot, base if isinstance(base, dict) else {}, ours, theirs)
    if isinstance(base, list) and isinstance(ours, list) and isinstance(theirs, list):
        return _list(base, ours, theirs)
    return _clash(spot, ours, theirs)


def _object(
    spot: _Spot,
    base: Mapping[str, Json],
    ours: Mapping[str, Json],
    theirs: Mapping[str, Json],
) -> dict[str, Json]:
    """Key by key, in the order base, ours, theirs."""
    merged = {
        key: _value(
            spot.at(key), base.get(key, ABSENT), ours.get(key, ABSENT), theirs.get(key, ABSENT)
        )
        for key in {**base, **ours, **theirs}
    }
    return {key: value for key, value in merged.items() if value is not ABSENT}


def _list(base: list[Json], ours: list[Json], theirs: list[Json]) -> list[Json]:
    """The values of both sides in order; what one side took out stays out."""
    before, mine, other = (index(values, _frozen) for values in (base, ours, theirs))
    either = {**mine, **other}
    order = _order(before, mine, other, OURS)
    kept = (key for key in order if (key in mine and key in other) or key not in before)
    return [either[key] for key in kept]


def _items(spot: _Spot, base: Items, ours: Items, theirs: Items) -> Items:
    """Item by item. An action list takes the newer side's order, any other list ours."""
    same_item = identity(spot.path[0])
    before, mine, other = (index(items, same_item) for items in (base, ours, theirs))
    order = _order(before, mine, other, spot.newer if spot.rule == "item" else OURS)
    merged = (
        _item(spot.element(label(key)), before.get(key), mine.get(key), other.get(key))
        for key in order
    )
    return tuple(item for item in merged if item is not None)


def _item(spot: _Spot, base: Item | None, ours: Item | None, theirs: Item | None) -> Item | None:
    """One item of a list; None once a side removed it, unless the other side changed it."""
    if ours is None or theirs is None:
        left = ours or theirs
        return None if base is not None and same(left, base) else left
    base = base or Item("")
    text = _value(spot.at("text"), base.text, ours.text, theirs.text)
    attrs = _object(spot, base.attrs, ours.attrs, theirs.attrs)
    return Item(str(text), ours.id or theirs.id, attrs)


# What makes two items the same where it is not `Item.key`. Two sessions may name one ticket, two
# deltas may bear one time, one action may be done twice, and `a_b.py` is not `ab.py`.
_IDENTITY: Mapping[str, Callable[[Item], Hashable]] = {
    "artifacts": lambda item: item.id or item.text,
    "refs": lambda item: (
        item.get("provider") or item.get("type"),
        item.id or item.text,
        item.get("session") or item.get("first_seen_at"),
    ),
    "deltas": lambda item: (item.id, item.text),
    "history": lambda item: (item.key, item.get("at")),
    "conflicts": lambda item: (item.id, item.text),
}


def index(values: Iterable[T], identity: Callable[[T], Hashable]) -> dict[Key, T]:
    """The values by identity; repeats within one list are told apart by their number."""
    seen: dict[Hashable, int] = {}
    found: dict[Key, T] = {}
    for value in values:
        key = identity(value)
        seen[key] = seen.get(key, 0) + 1
        found[key, seen[key]] = value
    return found


def label(key: Key) -> str:
    """An item's part of a path."""
    name, number = key
    parts = name if isinstance(name, tuple) else (name,)
    shown = " ".join(str(part) for part in parts if part)
    return shown if number == 1 else f"{shown}#{number}"


def _frozen(value: Json) -> Hashable:
    """A JSON value as a key; `same` values give the same key, others do not."""
    if isinstance(value, dict):
        return frozenset((key, _frozen(member)) for key, member in value.items())
    if isinstance(value, list):
        return tuple(_frozen(member) for member in value)
    return (type(value).__name__, value)


def _order(
    base: Collection[Key], ours: Collection[Key], theirs: Collection[Key], default: str
) -> list[Key]:
    """The keys of both sides: one side's order, the other's additions after their neighbour."""
    moved, moved_there = _moved(base, ours), _moved(base, theirs)
    leader = default if moved == moved_there else OURS if moved else THEIRS
    lead, other = (ours, theirs) if leader == OURS else (theirs, ours)
    after: dict[Key | None, list[Key]] = {}
    neighbour = None
    for key in other:
        if key in lead:
            neighbour = key
        else:
            after.setdefault(neighbour, []).append(key)
    merged: list[Key] = []
    waiting = after.get(None, [])
    for key in lead:
        if key in other:  # here the leader's own additions end, so those that wait come in
            merged += waiting
            waiting = after.get(key, [])
        merged.append(key)
    return merged + waiting


def _moved(base: Collection[Key], side: Collection[Key]) -> bool:
    """Whether a side put what it kept of the base into another order."""
    return [key for key in side if key in base] != [key for key in base if key in side]


def _shown(path: tuple[str, ...]) -> str:
    """A path as people write it; a key beyond the model goes by the format's own path."""
    if path[0] == "extra" and path[1] not in RULES:
        path = path[1:]
    return ".".join(path)


def _record(path: str, value: Json, side: str, *, word: str = "") -> Item:
    """A conflict record: the value that did not stay, as text, and where it came from."""
    attrs: dict[str, Json] = {"side": side}
    if word:
        attrs["word"] = word
    if value is ABSENT:
        return Item("", path, {**attrs, "removed": True})
    if isinstance(value, str):
        return Item(value, path, attrs)
    from json import dumps  # costs more than a merge, and few conflicts need it

    return Item(dumps(value, ensure_ascii=False), path, {**attrs, "json": True})
