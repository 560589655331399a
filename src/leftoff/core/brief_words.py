"""How a brief says a thing once: files by their folder, the session of a draft in one line. Pure."""

from __future__ import annotations

from leftoff.core.fence import one_line
from leftoff.core.model import DRAFT, Checkpoint, Item
from leftoff.core.texts import cut
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

TOGETHER = 4
"""How many names stand in one line: as many lines are shown as there is room for."""
LONGEST = 100
MARK = f" [{DRAFT}]"


def together(paths: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Paths in lines of a few, each with how many it names; what is in one folder names it once."""
    shown = [cut(one_line(path), LONGEST) for path in paths]
    for at in range(0, len(shown), TOGETHER):
        some = shown[at : at + TOGETHER]
        yield ", ".join(_by_folder(some)), len(some)


def _by_folder(paths: Sequence[str]) -> Iterator[str]:
    """`src/pay/{store.py, views.py}`: names stay whole, so that one finds them."""
    folders: dict[str, list[str]] = {}
    for path in paths:
        folder, slash, name = path.rpartition("/")
        folders.setdefault(folder + slash, []).append(name)
    for folder, names in folders.items():
        if folder and len(names) > 1:
            yield f"{folder}{{{', '.join(names)}}}"
        else:
            yield from (folder + name for name in names)


def told_once(c: Checkpoint) -> tuple[Checkpoint, str]:
    """A checkpoint whose drafts name their session no more, and that session.

    Only where all of them are from one: else each goes on to name its own.
    """
    found = {*map(str, _sessions(c))}
    session = found.pop() if len(found) == 1 else ""
    if "/" not in session:
        return c, ""
    ending = f" [{DRAFT}: {session}]"
    changes: dict[str, Any] = {}
    for field, value in zip(Checkpoint._fields, c, strict=True):
        if isinstance(value, str) and value.endswith(ending):
            changes[field] = value.removesuffix(ending) + MARK
        elif _drafts(value):
            changes[field] = tuple(map(_bare, value))
    return c._replace(**changes), session


def _sessions(c: Checkpoint) -> Iterator[object]:
    """What every draft in it says that it is from."""
    start = f" [{DRAFT}: "
    for value in c:
        if isinstance(value, str) and start in value and value.endswith("]"):
            yield value.rpartition(start)[2][:-1]
        yield from (item.attrs[DRAFT] for item in _drafts(value))


def _drafts(value: object) -> list[Item]:
    items = value if isinstance(value, tuple) else ()
    return [item for item in items if item.attrs.get(DRAFT)]


def _bare(item: Item) -> Item:
    return item._replace(attrs={**item.attrs, DRAFT: True}) if item.attrs.get(DRAFT) else item
