"""Equality of JSON values (1 is not true), and a value that stands for an absent one."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from leftoff.core.model import Json

# A value that is not there. Being a NaN it is a Json that equals nothing but itself.
ABSENT: Json = float("nan")


def same(one: object, other: object) -> bool:
    """Equal as JSON is: 1, 1.0 and true are three values, {} and [] are two."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other
