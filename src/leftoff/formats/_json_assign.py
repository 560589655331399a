"""What `update` does to a JSON document: assignments by dotted paths, known keys first."""

from __future__ import annotations

from leftoff.core.texts import number
from leftoff.errors import Usage
from leftoff.formats._json_value import appended, part, replaced, same
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from typing import Any

    from leftoff.core.model import Json
    from leftoff.formats import Change
    from leftoff.formats._json_lens import Object, Place

# Words of usage texts, which people and agents typed as they stand: --field=value.
COPIED = ("field", "key", "value")


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
        new = replaced(new, place, value)
    return new  # type: ignore[no-any-return]


def _resolved(whole: Json, path: Sequence[str]) -> Place:
    """A dotted path as a place; a step into a list is the id or the number of an element."""
    place: Place = ()
    for step in path:
        inner = part(whole, place)
        if isinstance(inner, list):
            ids = [one.get("id") if isinstance(one, dict) else None for one in inner]
            at = number(step) if number(step) >= 0 else len(inner)
            place = (*place, ids.index(step) if step in ids else min(at, len(inner)))
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
    from leftoff.core.find_stream import closest  # only a typing error pays for it

    close = closest(key, known)
    meant = f'did you mean "{close}"? ' if close else ""
    hint = f"{meant}to add a key of your own, use --new-key"
    choices = (close,) if close else ()
    raise Usage(f'"{key}" is not a field of this document', hint=hint, choices=choices)
