"""How a brief says a thing once: files by folder, the session of a draft in one line. Pure."""

from __future__ import annotations

from leftoff.core.fence import harmless, one_line
from leftoff.core.model import DRAFT, FIRST_ASKED, Checkpoint, Item
from leftoff.core.texts import CUT, cut, opening
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

TOGETHER = 4
"""How many names stand in one line: as many lines are shown as there is room for."""
LONGEST = 100
MARK = f" [{DRAFT}]"
_BEFORE, _BEHIND = (
    frozenset({"", " ", "("}),
    frozenset({"", " ", ".", ",", ":", ";", "!", "?", ")"}),
)
IN_STATUS = 240
"""A summary up to so many characters stands in the head, as the status, and nowhere else."""


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


def in_status(summary: str) -> tuple[str, tuple[str, ...]]:
    """What the status line says of a summary, and the lines that are left for another place.

    All of a short one, else its opening; where that is too long, its beginning, and all is left.
    """
    lines = [" ".join(line.split()) for line in harmless(summary).split("\n")]
    said = tuple(line for line in lines if line)
    flat = _unmarked(" ".join(said))
    if len(flat) <= IN_STATUS:
        return flat, ()
    drafted = MARK if flat.endswith(MARK) else ""
    first = opening("\n".join(said)).removesuffix(MARK)
    if len(first) > IN_STATUS:
        return cut(first, IN_STATUS) + drafted, said
    return _unmarked(first) + drafted, _after(first, said)


def _after(first: str, said: tuple[str, ...]) -> tuple[str, ...]:
    """The lines without what they begin with, which may go over several of them."""
    while said and first:
        line, *others = said
        if not first.startswith(line):
            said = (line.removeprefix(first).lstrip(), *others)
            break
        first, said = first[len(line) :].lstrip(), tuple(others)
    return tuple(line for line in said if line and line != MARK[1:])


def _unmarked(text: str) -> str:
    """Without the mark of a list or a heading."""
    text = text.removeprefix("- ").removeprefix("* ")
    bare = text.lstrip("#")
    return unbold(bare.lstrip() if bare[:1] == " " else text)


def on_one_line(text: str) -> str:
    """Markdown as a sentence: without its marks, and with a dot between the entries of a list."""
    told = ""
    for line in filter(None, map(str.strip, text.split("\n"))):
        bare = _unmarked(line)
        is_entry = line[:2] in {"- ", "* "} and not told.endswith(":")
        told += (" · " if is_entry else " ") + bare if told else bare
    return told


def asked_apart(intent: str) -> tuple[str, ...]:
    """A drafted intent as what was asked last and what first; nothing where that is one.

    What they go on with stands among the words of the user.
    """
    last, found, first = intent.removesuffix(MARK).rpartition(FIRST_ASKED)
    if not (found and first.endswith(")") and intent.endswith(MARK)):
        return ()
    return last.removesuffix(CUT), f"{FIRST_ASKED.lstrip(' (')}{first[:-1].removesuffix(CUT)}"


def unbold(text: str) -> str:
    """Without bold type, which tells a reader of a brief nothing; `2**3` and `a/**/b` are none."""
    lead, *rest = text.split("**")
    told, last, at = [lead], lead[-1:], 0
    while at + 1 < len(rest):
        inside, after = rest[at], rest[at + 1]
        bold = inside and inside.strip() == inside and "`" not in inside
        if bold and last in _BEFORE and after[:1] in _BEHIND:
            told += [inside, after]
            last, at = (after or inside)[-1:], at + 2
        else:
            told += ["**", inside]
            last, at = (inside or "*")[-1:], at + 1
    return "**".join(("".join(told), *rest[at:]))


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
    for field in Checkpoint._fields:
        value = getattr(c, field)
        if isinstance(value, str) and value.endswith(ending):
            changes[field] = value.removesuffix(ending) + MARK
        elif _drafts(value):
            changes[field] = tuple(_bare(item) for item in value)
    return c._replace(**changes), session


def is_all_drafted(c: Checkpoint) -> bool:
    """Whether nobody stated anything in it."""
    items = (item for value in c if isinstance(value, tuple) for item in value)
    said = (c.problem, c.intent, c.summary, c.phase, c.stage, c.context, c.tests, c.completion)
    return all(one.endswith(MARK) for one in said if one) and all(_drafts((one,)) for one in items)


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
