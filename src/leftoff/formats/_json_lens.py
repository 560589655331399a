"""What the JSON formats share: the model of a document and back, by a table of fields.

A lens names its fields and their places; the rest of the document is `extra`. A place whose value
is not of the field's kind stays in `extra` as well, so nothing is dropped for being odd.
"""

from __future__ import annotations

from leftoff.core.ids import check_name, slug
from leftoff.core.model import LEVELS, NOTHING, Finding, Item
from leftoff.errors import FormatError, Usage
from leftoff.formats._json_scan import parse_noting, source_of
from leftoff.formats._json_value import ABSENT, part
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from leftoff.core.model import Json

    Object: TypeAlias = dict[str, Json]
    Place: TypeAlias = tuple[str | int, ...]

# An element that is neither a text nor an object is kept under this name in its item's attributes.
ODD = ""
# Values that say nothing, so that another place may speak.
BLANK: tuple[Json, ...] = (None, "", [], {})


class Kind(Record):
    """How the values of a field stand in JSON; `read` gives None for what is not of the kind."""

    read: Callable[[Json], object]
    write: Callable[[Any], Json]


class Field(Record):
    """A field of the model, its place in a document, and other places where documents have it."""

    name: str
    place: Place
    kind: Kind
    also: tuple[Place, ...] = ()


class Shape(Record):
    """How the items of a list stand in JSON."""

    text: str
    """the key of the text; none when the items have no text"""
    id: str = "id"
    also: str = ""
    """where documents have the id if not there"""
    keys: tuple[str, ...] = ()
    """the keys that come first, in order"""
    quiet: bool = False
    """an object without a text does not say so"""
    plain: bool = False
    """an item that is nothing but its text stands as a text"""
    whole: Callable[[Object], bool] = lambda _: True
    """whether an object says all that such an item must; if not, it is kept as it is"""
    repair: Callable[[Object], Object] = dict
    """an object that does, made of one that does not; empty when that cannot be"""


def items(shape: Shape) -> Kind:
    """A list of items."""

    def read(value: Json) -> tuple[Item, ...] | None:
        return tuple([_item(one, shape) for one in value]) if isinstance(value, list) else None

    def write(value: Iterable[Item]) -> Json:
        made = (_element(item, shape) for item in value)
        return [one for one in made if one is not ABSENT]

    return Kind(read, write)


def backwards(kind: Kind) -> Kind:
    """A list that the document has in the other order."""

    def read(value: Json) -> object:
        return kind.read(value[::-1]) if isinstance(value, list) else None

    return Kind(read, lambda value: kind.write(value[::-1]))


TEXT = Kind(lambda value: value if isinstance(value, str) else None, str)
OBJECT = Kind(lambda value: value if isinstance(value, dict) else None, dict)
CONFLICTS = items(Shape("value", "path", keys=("path", "value", "side")))


def document(text: str) -> Object:
    """The object that a text is; FormatError for anything else."""
    return _parsed(text)[0]


def _parsed(text: str) -> tuple[Object, list[str]]:
    """The object, and the names that stand twice in it: scanned once for `read` and `check`."""
    parsed = _latest.get(text)
    if parsed is None:
        value, repeated = parse_noting(source_of(text))
        parsed = _object(value), repeated
        _latest.clear()
        _latest[text] = parsed
    return parsed


_latest: dict[str, tuple[Object, list[str]]] = {}  # values are never changed in place


def _object(value: Json) -> Object:
    if isinstance(value, dict):
        return value
    found = "a list" if isinstance(value, list) else "null" if value is None else "a plain value"
    raise FormatError(f"line 1: expected an object, found {found}", line=1)


def is_blank(text: str) -> bool:
    """Whether there is no document yet."""
    return not text.strip("\ufeff \t\r\n")


def take(whole: Object, fields: Sequence[Field]) -> tuple[dict[str, Any], Object]:
    """What a document says of each field, and the rest of it."""
    said: dict[str, Any] = {}
    taken: list[Place] = []
    for field, there in zip(fields, located(fields, whole), strict=True):
        value = part(whole, there.place)
        read = None if value is ABSENT else field.kind.read(value)
        if read is not None:
            said[field.name] = read
            taken.append(there.place)
            others = [one for one in (field.place, *field.also) if one != there.place]
            taken += [one for one in others if _hides(field, value, part(whole, one))]
    rest: Any = _without(whole, taken)
    return said, _pruned(rest, fields)


def put(
    said: Mapping[str, Any], fields: Sequence[Field], rest: Mapping[str, Json], *, blanks: bool
) -> Object:
    """The document that says this; the rest speaks where a field has nothing to say.

    With `blanks` such fields are there too, so that taking the last item out leaves its list; but
    the list of conflicts goes with the last of them, as it came with the first.
    """
    full: Object = {}
    empty: Object = {}
    for field in fields:
        value = field.kind.write(said[field.name])
        if value not in BLANK:
            full = filled(full, _nested(field.place, value))
        elif field.name != "conflicts":
            empty = filled(empty, _nested(field.place, value))
    made: Object = filled(full, dict(rest))
    return filled(made, empty) if blanks else made


def located(fields: Sequence[Field], whole: Object) -> list[Field]:
    """The fields at the places where this document has them."""

    def place(field: Field) -> Place:
        there = [one for one in (field.place, *field.also) if part(whole, one) is not ABSENT]
        said = [one for one in there if part(whole, one) not in BLANK]
        return [*said, *there, field.place][0]

    return [field._replace(place=place(field)) if field.also else field for field in fields]


def cleared(whole: Object, fields: Sequence[Field], old: Record, new: Record) -> Object:
    """The document without the other places of fields that change: none may speak up later."""
    gone: list[Place] = []
    for field, there in zip(fields, located(fields, whole), strict=True):
        if field.also and getattr(old, field.name) != getattr(new, field.name):
            gone += [one for one in (field.place, *field.also) if one != there.place]
    return _without(whole, gone) if gone else whole


def filled(whole: Any, more: Any) -> Any:
    """The value, with what it lacks taken from another one."""
    if isinstance(whole, dict) and isinstance(more, dict):
        both = {key: filled(value, more[key]) for key, value in whole.items() if key in more}
        return {**whole, **both, **{key: more[key] for key in more if key not in whole}}
    if isinstance(whole, list) and isinstance(more, list):
        return [*map(filled, whole, more), *whole[len(more) :], *more[len(whole) :]]
    return whole


def file_name(name: str, kind: str) -> str:
    """A name as one segment of a path: the name itself where that is safe."""
    try:
        return check_name(name, kind)
    except Usage:
        return slug(name)


def findings(text: str, rules: Callable[[Object], Iterable[Finding]]) -> list[Finding]:
    """What the rules of a format and those of every JSON format find, the worst first."""
    try:
        whole, repeated = _parsed(text)
    except FormatError as error:
        return [Finding("broken", "error", "", error.message, error.hint, error.line)]
    found = [*rules(whole), *_unresolved(whole), *_repeated(repeated)]
    return sorted(found, key=lambda one: LEVELS.index(one.level))


def _item(value: Json, shape: Shape) -> Item:
    """An element as an item; `_make`, since a document has a hundred of them."""
    if isinstance(value, str) and shape.whole({shape.text: value}):
        return Item._make((value, "", NOTHING))
    if not isinstance(value, dict) or not shape.whole(value):
        return Item("", attrs={ODD: value})
    attrs = dict(value)
    if shape.also and attrs.get(shape.id) is None:
        attrs.pop(shape.id, None)
        if isinstance(attrs.get(shape.also), str):
            attrs[shape.id] = attrs[shape.also]
    if isinstance(attrs.get(shape.also), str):
        del attrs[shape.also]  # what the id hides is no attribute
    return Item._make((_taken(attrs, shape.text), _taken(attrs, shape.id), attrs))


def _taken(attrs: Object, key: str) -> str:
    """The text of a key, out of the attributes it stands among."""
    return str(attrs.pop(key)) if key and isinstance(attrs.get(key), str) else ""


def _element(item: Item, shape: Shape) -> Json:
    if item.attrs.keys() == {ODD} and _item(item.attrs[ODD], shape) == item:
        return item.attrs[ODD]
    if shape.plain and not item.id and not item.attrs:
        return item.text
    made: Object = dict(item.attrs)
    if shape.text and (item.text or not shape.quiet):
        made[shape.text] = item.text or made.get(shape.text, "")
    if item.id or (shape.also and made.get(shape.id) is None):
        made[shape.id] = item.id
    if not shape.whole(made):
        made = shape.repair(made)
        if not made:
            return ABSENT
    return {**{key: made[key] for key in shape.keys if key in made}, **made}


def _nested(place: Place, value: Json) -> Object:
    for step in reversed(place):
        value = {step: value} if isinstance(step, str) else [value]
    assert isinstance(value, dict)
    return value


def _hides(field: Field, value: Json, other: Json) -> bool:
    """Whether the value of a field hides what stands in another place of it."""
    return value not in BLANK or (other is not ABSENT and field.kind.read(other) is not None)


def _without(value: Any, places: Sequence[Place]) -> Any:
    """The value without what stands at these places."""
    below: dict[str | int, list[Place]] = {}
    for place in places:
        below.setdefault(place[0], []).append(place[1:])
    if isinstance(value, list):
        return [_without(one, below.get(at, ())) for at, one in enumerate(value)]
    if not isinstance(value, dict):
        return value
    return {
        key: _without(member, below[key]) if key in below else member
        for key, member in value.items()
        if () not in below.get(key, ())
    }


def _pruned(rest: Object, fields: Sequence[Field]) -> Object:
    """Without the containers that only held fields."""
    nested = (field for field in fields if field.also or len(field.place) > 1)
    places = (place for field in nested for place in (field.place, *field.also))
    holders = {place[:at] for place in places for at in range(1, len(place))}
    for holder in sorted(holders, key=len, reverse=True):
        if isinstance(holder[-1], str) and part(rest, holder) in ({}, [{}]):
            rest = _without(rest, [holder])
    return rest


def _repeated(names: Iterable[str]) -> Iterator[Finding]:
    for name in names:
        said = f'"{name}" appears twice in one object; the last one counts'
        yield Finding("repeated-name", "warning", name, said)


def _unresolved(whole: Object) -> Iterator[Finding]:
    recorded = whole.get("conflicts")
    for at, one in enumerate(recorded if isinstance(recorded, list) else []):
        path, side = (
            (one.get(key) for key in ("path", "side")) if isinstance(one, dict) else ("", "")
        )
        said = f"unresolved conflict at {path}: the value of {side or 'the other side'} waits here"
        fix = f"choose with leftoff update NAME --resolve {path}=ours or {path}=theirs"
        yield Finding("unresolved-conflict", "error", f"conflicts[{at}]", said, fix)
