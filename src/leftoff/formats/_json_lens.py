"""What the JSON formats share: the model of a document and back, by a table of fields; `update`.

A lens names its fields and their places; the rest of the document is `extra`. A place whose value
is not of the field's kind stays in `extra` as well, so nothing is dropped for being odd.
"""

from __future__ import annotations

from leftoff.core.ids import check_name, slug
from leftoff.core.model import Finding, Item
from leftoff.errors import FormatError, Usage
from leftoff.formats._json_scan import repeated
from leftoff.formats._json_text import loads
from leftoff.formats._json_value import ABSENT, appended, changed, part, same
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeAlias

    from leftoff.core.model import Json
    from leftoff.formats import Change

    Object: TypeAlias = dict[str, Json]
    Place: TypeAlias = tuple[str | int, ...]

# An element that is neither a text nor an object is kept under this name in its item's attributes.
ODD = ""
# Values that say nothing, so that another place may speak.
BLANK: tuple[Json, ...] = (None, "", [], {})
# Words of usage texts, which people and agents typed as they stand: --field=value.
COPIED = ("field", "key", "value")


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
    mend: Callable[[Object], Object] = dict
    """an object that does, made of one that does not; empty when that cannot be"""


def items(shape: Shape) -> Kind:
    """A list of items."""

    def read(value: Json) -> tuple[Item, ...] | None:
        return tuple(_item(one, shape) for one in value) if isinstance(value, list) else None

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
    value = loads(text)
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
            others = [one for one in (field.place, *field.also) if one != there.place]
            taken += [
                there.place,
                *(one for one in others if _hides(field, value, part(whole, one))),
            ]
    rest: Any = _without(whole, taken)
    return said, _pruned(rest, fields)


def put(
    said: Mapping[str, Any], fields: Sequence[Field], rest: Mapping[str, Json], *, blanks: bool
) -> Object:
    """The document that says this; the rest speaks where a field has nothing to say.

    With `blanks` such fields are there too, so that taking the last item out leaves its list.
    """
    full: Object = {}
    empty: Object = {}
    for field in fields:
        value = field.kind.write(said[field.name])
        if value in BLANK:
            empty = filled(empty, _nested(field.place, value))
        else:
            full = filled(full, _nested(field.place, value))
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
        whole = document(text)
    except FormatError as error:
        return [Finding("broken", "error", "", error.message, error.hint, error.line)]
    found = [*rules(whole), *_unresolved(whole), *_repeated(text)]
    return sorted(found, key=lambda one: ("error", "warning", "advice", "info").index(one.level))


def assigned(
    whole: Object, changes: Iterable[Change], known: Collection[str], once: Collection[Place] = ()
) -> Object:
    """The document after the changes of `update`; Usage when one of them cannot be made.

    The lists in `once` take an element that they already have without a change.
    """
    new: Any = whole
    for change in changes:
        place = _resolved(new, change.path)
        _check_first(place, whole, known, new_key=change.new_key)
        value, old = change.value, part(new, place)
        if change.op == "+=":
            listed = isinstance(old, list) and any(same(value, one) for one in old)
            value = old if listed and place in once else appended(old, value, place)
        new = changed(new, place, lambda _, value=value: value)  # type: ignore[misc]
    return new  # type: ignore[no-any-return]


def _item(value: Json, shape: Shape) -> Item:
    if isinstance(value, str) and shape.whole({shape.text: value}):
        return Item(value)
    if not isinstance(value, dict) or not shape.whole(value):
        return Item("", attrs={ODD: value})
    attrs = dict(value)
    if shape.also and attrs.get(shape.id) is None:
        attrs.pop(shape.id, None)
        if isinstance(attrs.get(shape.also), str):
            attrs[shape.id] = attrs[shape.also]
    if isinstance(attrs.get(shape.also), str):
        del attrs[shape.also]  # what the id hides is no attribute
    text, name = (
        str(attrs.pop(key)) if key and isinstance(attrs.get(key), str) else ""
        for key in (shape.text, shape.id)
    )
    return Item(text, name, attrs)


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
        made = shape.mend(made)
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
    places = (place for field in fields for place in (field.place, *field.also) if place[1:])
    holders = {place[:at] for place in places for at in range(1, len(place))}
    for holder in sorted(holders, key=len, reverse=True):
        if isinstance(holder[-1], str) and part(rest, holder) in ({}, [{}]):
            rest = _without(rest, [holder])
    return rest


def _repeated(text: str) -> Iterator[Finding]:
    for name in repeated(text):
        said = f'"{name}" stands twice in one object; the last one counts'
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


def _resolved(whole: Json, path: Sequence[str]) -> Place:
    """A dotted path as a place; a step into a list is the id or the number of an element."""
    place: Place = ()
    for step in path:
        inner = part(whole, place)
        if isinstance(inner, list):
            ids = [one.get("id") if isinstance(one, dict) else None for one in inner]
            number = int(step) if step.isascii() and step.isdigit() else len(inner)
            place = (*place, ids.index(step) if step in ids else min(number, len(inner)))
            if place[-1] == len(inner):
                name = ".".join(map(str, place[:-1]))
                raise Usage(
                    f'"{name}" has no element "{step}"', hint="use the id or the number of one"
                )
        else:
            place = (*place, step)
    return place


def _check_first(place: Place, whole: Object, known: Collection[str], *, new_key: bool) -> None:
    """Whether `update` may write this key at the top of the document."""
    key = str(place[0]) if place else ""
    if not key:
        raise Usage("no field is named", hint="write NAME=VALUE with the name of a field")
    if key in COPIED:
        hint = f'"{key}" stands for the name of a field in usage texts: write --status=blocked'
        raise Usage(f'"{key}" is not a field', hint=hint)
    if key in known or key in whole or new_key:
        return
    from difflib import get_close_matches  # only a typing error pays for it

    close = get_close_matches(key, known, 1)
    meant = f'did you mean "{close[0]}"? ' if close else ""
    hint = f"{meant}to add a key of your own, use --new-key"
    raise Usage(f'"{key}" is not a field of this document', hint=hint, choices=tuple(close))
