"""JSON values as values: their parts, what belongs together in two lists, and changes.

Nothing here knows about text; `_json_text` turns a changed value into the smallest edit.
"""

from __future__ import annotations

from bisect import bisect_left

from leftoff.core.json_equal import ABSENT, same
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from typing import TypeAlias

    from leftoff.core.model import Json

    Path: TypeAlias = Sequence[str | int]
    Pairs: TypeAlias = list[tuple[int, int]]

__all__ = ["ABSENT", "align", "appended", "part", "patched", "patched_object", "replaced", "same"]


def part(value: Json, path: Path) -> Json:
    """What stands at a path, or ABSENT."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step, ABSENT)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return ABSENT
    return value


def replaced(value: Json, path: Path, new: Json) -> Json:
    """The value with `new` at a path; objects on the way are made. Usage where no part can be."""
    if not path:
        return new
    step, rest = path[0], path[1:]
    if isinstance(value, list) and isinstance(step, int):
        return [*value[:step], replaced(value[step], rest, new), *value[step + 1 :]]
    if isinstance(step, str) and (value is ABSENT or isinstance(value, dict)):
        whole = value if isinstance(value, dict) else {}
        return {**whole, step: replaced(whole.get(step, ABSENT), rest, new)}
    raise Usage(f'nothing can be set at "{step}" below a plain value', hint="replace that value")


def appended(old: Json, new: Json, path: Path) -> Json:
    """A list with one more element, made if it is not there; Usage for anything but a list."""
    if old is ABSENT:
        return [new]
    if isinstance(old, list):
        return [*old, new]
    name = ".".join(map(str, path))
    raise Usage(f'"{name}" is not a list', hint=f"to replace its value, write --{name}=VALUE")


def patched(raw: Json, before: Json, after: Json, beside: str = "") -> Json:
    """`raw` with the difference between `before`, a view of it, and `after` put in.

    What the view does not show stays, and so does the form of whatever did not change. `beside`
    is the member in which objects of the view remember what the others really say.
    """
    if same(before, after):
        return raw
    if (
        isinstance(after, dict)
        and isinstance(before, dict)
        and (raw is ABSENT or isinstance(raw, dict))
    ):
        return patched_object(raw if isinstance(raw, dict) else {}, before, after, beside)
    if isinstance(after, list) and isinstance(before, list) and isinstance(raw, list):
        return _patched_list(raw, before, after, beside)
    return after


def patched_object(
    raw: dict[str, Json], before: dict[str, Json], after: dict[str, Json], beside: str = ""
) -> dict[str, Json]:
    """The same for objects."""
    meant = {*_members(before.get(beside)), *_members(after.get(beside))} if beside else set()
    renewed = {
        key for key in meant if not same(part(before, (beside, key)), part(after, (beside, key)))
    }
    gone = (before.keys() | renewed) - after.keys()
    new = {key: value for key, value in raw.items() if key not in gone}
    for key, value in after.items():
        old = raw.get(key, ABSENT)
        shown = before.get(key, {} if isinstance(old, dict) else ABSENT)
        made = value if key in renewed else patched(old, shown, value, beside)
        if made is not ABSENT:
            new[key] = made
    return new


def _members(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}


def _patched_list(
    raw: list[Json], before: list[Json], after: list[Json], beside: str
) -> list[Json]:
    if len(raw) != len(before):
        return after
    partner = {there: here for here, there in align(before, after)}
    return [
        patched(raw[partner[at]], before[partner[at]], value, beside) if at in partner else value
        for at, value in enumerate(after)
    ]


def align(old: Sequence[Json], new: Sequence[Json]) -> Pairs:
    """Which elements of two lists belong together, in order.

    Equal ones do, then those of one id, then those in the same place between two such pairs.
    """
    return _aligned(old, new, (repr, _id), (0, 0))


def _aligned(
    old: Sequence[Json],
    new: Sequence[Json],
    names: Sequence[Callable[[Json], Hashable]],
    offset: tuple[int, int],
) -> Pairs:
    here, there = offset
    if not names:
        return [(here + at, there + at) for at in range(min(len(old), len(new)))]
    found: Pairs = []
    i = j = 0
    for p, q in [*_rising(old, new, names[0]), (len(old), len(new))]:
        found += _aligned(old[i:p], new[j:q], names[1:], (here + i, there + j))
        if p < len(old):
            found.append((here + p, there + q))
        i, j = p + 1, q + 1
    return found


def _rising(old: Sequence[Json], new: Sequence[Json], name: Callable[[Json], Hashable]) -> Pairs:
    """The longest run of pairs of one name that rises on both sides."""
    spots: dict[Hashable, list[int]] = {}
    for at in range(len(old) - 1, -1, -1):
        spots.setdefault(name(old[at]), []).append(at)
    spots.pop(None, None)
    ends: list[int] = []  # where the best run of each length ends, and that run
    runs: list[tuple[tuple[int, int], object]] = []
    for there, element in enumerate(new):
        if waiting := spots.get(name(element)):
            here = waiting.pop()
            at = bisect_left(ends, here)
            ends[at : at + 1] = [here]
            runs[at : at + 1] = [((here, there), runs[at - 1] if at else None)]
    pairs: Pairs = []
    run: object = runs[-1] if runs else None
    while isinstance(run, tuple):
        pair, run = run
        pairs.append(pair)
    return pairs[::-1]


def _id(element: Json) -> Hashable:
    name = element.get("id") if isinstance(element, dict) else None
    return name if isinstance(name, str) else None
