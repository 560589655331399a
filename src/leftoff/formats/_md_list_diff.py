"""How one list becomes another: which entries stay where they are, which come, move or go."""

from __future__ import annotations

from bisect import bisect_left

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.core.model import Item
    from leftoff.formats._md_items import Form


class Entry(Record):
    """An item, the lines it stands on, and the list or table they belong to."""

    item: Item
    start: int
    end: int
    form: Form
    run: int


class Placed(Record):
    """An item on its way into a section: the old entry whose slot it shares, and its form."""

    slot: int
    item: Item
    form: Form
    run: int
    kept: Entry | None
    """the entry whose lines it keeps"""


def planned(old: Sequence[Entry], want: Sequence[Item]) -> dict[int, list[Placed]]:
    """What stands in the slot of each old entry, in order."""
    slots: dict[int, list[Placed]] = {}
    for placed in _counted(_plan(old, want), old):
        slots.setdefault(placed.slot, []).append(placed)
    return slots


def _plan(old: Sequence[Entry], want: Sequence[Item]) -> list[Placed]:
    """Where each wanted item goes, and in whose form."""
    sources = _sources([entry.item for entry in old], want)
    staying = _longest_rise(sources)
    plan: list[Placed] = []
    slot = -1
    for number, (item, source) in enumerate(zip(want, sources, strict=True)):
        slot = source if number in staying else slot
        near = old[max(slot, 0)]
        origin = old[source] if source >= 0 else None
        if origin and (number in staying or _alike(origin.form, near.form)):
            form, kept = origin.form, origin if origin.item == item else None
        else:
            form, kept = near.form._replace(cells=()), None
            form = form._replace(code=form.code and " " not in item.text)
        plan.append(Placed(max(slot, 0), item, form, near.run, kept))
    return plan


def _alike(one: Form, other: Form) -> bool:
    return one.columns == other.columns and one.marker[-1:] == other.marker[-1:]


def _sources(old: Sequence[Item], want: Sequence[Item]) -> list[int]:
    """For each wanted item which old one it was, -1 for none.

    That is the same, else one of the same key, else the one in whose place it stands.
    """
    free: dict[str, list[int]] = {}
    for number, item in enumerate(old):
        free.setdefault(item.key, []).append(number)
    sources = [-1] * len(want)
    for exactly in (True, False):
        for number, item in enumerate(want):
            ours = free.get(item.key, ()) if sources[number] < 0 else ()
            source = next((one for one in ours if old[one] == item or not exactly), -1)
            if source >= 0:
                free[item.key].remove(source)
                sources[number] = source
    unused = {number for numbers in free.values() for number in numbers}
    before = -1
    for number, source in enumerate(sources):
        if source < 0 and before + 1 in unused:
            sources[number] = before + 1
        before = max(before, sources[number]) if source < 0 else source
    return sources


def _longest_rise(sources: Sequence[int]) -> set[int]:
    """Which places of a sequence form its longest rising part: what stays when others move."""
    tops: list[int] = []
    ends: list[int] = []
    previous: dict[int, int] = {}
    for place, source in enumerate(sources):
        if source >= 0:
            at = bisect_left(tops, source)
            previous[place] = ends[at - 1] if at else -1
            tops[at : at + 1] = [source]
            ends[at : at + 1] = [place]
    rise: set[int] = set()
    place = ends[-1] if ends else -1
    while place >= 0:
        rise.add(place)
        place = previous[place]
    return rise


def _counted(plan: Sequence[Placed], old: Sequence[Entry]) -> list[Placed]:
    """The plan with numbered lists counted through again, where they were before."""
    markers: dict[int, list[str]] = {}
    for entry in old:
        markers.setdefault(entry.run, []).append(entry.form.marker)
    firsts = {run: ours[0] for run, ours in markers.items() if _counts(ours)}
    counts: dict[int, int] = {}
    made = []
    for placed in plan:
        count = counts.get(placed.run, 0)
        counts[placed.run] = count + 1
        marker = placed.form.marker
        if placed.run in firsts:
            marker = numbered(firsts[placed.run], count)
        made.append(placed._replace(form=placed.form._replace(marker=marker)))
    return made


def _counts(markers: Sequence[str]) -> bool:
    """Whether the markers of a list are bullets, or numbers one after the other."""
    return all(mark == numbered(markers[0], number) for number, mark in enumerate(markers))


def numbered(marker: str, by: int) -> str:
    """The marker some steps later in its list."""
    return f"{int(marker[:-1]) + by}{marker[-1]}" if len(marker) > 1 else marker
