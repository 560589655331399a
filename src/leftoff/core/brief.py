"""The brief: what a session needs to go on, most important first, within tokens and bytes.

What survives when there is too little room is said by the `keep` column of `core.model.RULES`.
A must is shortened at worst, and what was left out is always named.
"""

from __future__ import annotations

from leftoff.core.brief_fit import (
    ALL,
    TURNS,
    LeftOut,
    Room,
    Size,
    Telling,
    added,
    begun,
    beyond,
    filled,
    fits,
    kept,
    newer_ones,
    size_of,
    units,
    without,
)
from leftoff.core.brief_gist import AGAINST, MOST
from leftoff.core.brief_head import cut_in_head, head
from leftoff.core.brief_parts import VERDICTS, Part, Source, command, gone_files, parts
from leftoff.core.brief_words import is_all_drafted, told_once
from leftoff.core.fence import fenced
from leftoff.core.ids import is_name
from leftoff.core.redact import redacted
from leftoff.core.texts import CUT
from leftoff.core.token_estimate import estimate, weight
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    from leftoff.core.texts import Say

    _Shown: TypeAlias = dict[int, tuple[list[str], list[LeftOut]]]
    """of each part, by its place: its lines, and what is not in them"""

MUST = "must"
_RANKS = (MUST, "should", "may")
# Characters that every text of the head may have, and what is told in short where there is less.
CUTS = (ALL, 1200, 800, 500, MOST, 240, 160, 90, 60, 40, 24)
# How many items of a list that is no must, and characters of each, stay.
LEVELS = (
    *((ALL, ALL), (40, 1200), (25, 800), (15, 500), (10, 350), (7, 250), (5, 180), (4, 130)),
    *((3, 90), (2, 60), (1, 40), (1, 24)),
)
WORTH, READABLE = LEVELS[:-2], LEVELS[:-4]
"""Less than these leave of a list, or of a text, that is no must helps nobody."""
TWICE = sorted((*TURNS, *TURNS))
"""By its second turn fewer words have to say what is left out, and that is room again."""
ORIENT = 200


class Brief(Record):
    """The exact text; `overrun` is by how many tokens it is over the budget."""

    text: str
    tokens: int
    left_out: tuple[LeftOut, ...] = ()
    overrun: int = 0


def brief(source: Source, room: Room, now: float, say: Say) -> Brief:
    """The brief of a checkpoint, fenced: all musts, then what else there is room for."""
    source = _ready(source)
    known = sorted(_said(source, say), key=lambda part: _RANKS.index(part.keep))
    top, shown, lost = _musts(source, known, room, now, say)
    used = added(size_of(top), *(size_of(lines) for lines, _ in shown.values()))
    # the files at hand before the rest of a summary: their bare names take little
    waiting_at = (at for at in range(len(known)) if at not in shown)
    rest = sorted(waiting_at, key=lambda at: not known[at].bare)
    for n, at in enumerate(rest):
        # a list that is there says itself what is missing, and names of files leave out notes
        waiting = [*_by_name(known[at], say), *(without(known[later]) for later in rest[n + 1 :])]
        foot = _framed(_foot(source, [*_quiet(shown), *waiting], say), source)
        shown[at] = _best(known[at], added(used, foot), room, say)
        used = added(used, size_of(shown[at][0]))
    body = [line for at in sorted(shown) for line in shown[at][0]]
    left_out = [*lost, *(out for _, some in shown.values() for out in some)]
    foot_lines = _foot(source, _quiet(shown), say)
    return _made([*top, *body, *foot_lines], source, room, left_out)


def _ready(source: Source) -> Source:
    """Without secrets, and with one line for the session of all drafts."""
    source = redacted(source)
    checkpoint, session = told_once(source.checkpoint)
    if not session:
        return source
    unstated = is_all_drafted(checkpoint)
    return source._replace(checkpoint=checkpoint, drafted=session, unstated=unstated)


def orientation(source: Source, room: Room, now: float, say: Say) -> Brief:
    """Only what it is, how old, and what it says is next: for what another person wrote."""
    source = _ready(source)
    lost = [without(part) for part in _said(source, say)]
    lines = _top(source, now, say, ORIENT)
    lost += [LeftOut(field) for field in cut_in_head(source, say, ORIENT)]
    if is_name(source.glance.id):
        more = command(source, "resume", say)
        by_another = say("Another person wrote this. For the rest: {command}", command=more)
        lines.append(by_another if source.author else say("For the rest: {command}", command=more))
    return _made(lines, source, room, lost)


def _top(source: Source, now: float, say: Say, chars: int, *, tight: bool = False) -> list[str]:
    """The head, in which a path that is not there is marked, too."""
    lines = head(source, now, say, chars, tight=tight)
    for path in gone_files(source):
        lines = [_at_each(path, line) for line in lines]
    return lines


def _said(source: Source, say: Say) -> list[Part]:
    gone = gone_files(source)
    return [
        part if part.field == VERDICTS or not gone else _marked(part, gone)
        for part in parts(source, say)
        if part.entries
    ]


def _marked(part: Part, gone: Iterable[str]) -> Part:
    """With a mark at every path that is named here and is not there: nobody is sent to it."""
    entries = part.entries
    for path in gone:
        if any(path in entry for entry in entries):
            entries = tuple(_at_each(path, entry) for entry in entries)
    return part._replace(entries=entries)


def _at_each(path: str, text: str) -> str:
    """The mark behind a path, not behind a longer one that holds it."""
    head, *rest = text.split(path)
    for piece in rest:
        ends = piece[:2] in {".", ". "} or not _in_path(piece[:1])
        own = ends and not _in_path(head[-1:])
        head += f"{path} {AGAINST}{piece}" if own else path + piece
    return head


def _in_path(char: str) -> bool:
    return char.isalnum() or (char != "" and char in "/._-")


def _musts(
    source: Source, known: Sequence[Part], room: Room, now: float, say: Say
) -> tuple[list[str], _Shown, list[LeftOut]]:
    """The head, and every firm part whole if that can be, else in short and as much as fits."""
    firm = {at: part for at, part in enumerate(known) if _is_firm(part, room)}
    waiting = [without(part) for at, part in enumerate(known) if at not in firm]
    limit = room if room.shorten else room._replace(tokens=ALL)

    def drawn(
        told: Iterable[Telling], chars: int, *, tight: bool = True
    ) -> tuple[list[str], _Shown, list[LeftOut], Size]:
        top = _top(source, now, say, chars, tight=tight)
        lost = [LeftOut(field) for field in cut_in_head(source, say, chars)]
        shown = {at: one.lines(say) for at, one in zip(firm, told, strict=True)}
        lines = [line for some, _ in shown.values() for line in some]
        foot = _foot(source, [*_quiet(shown), *waiting], say)
        return top, shown, lost, _framed([*top, *lines, *foot], source)

    named = (part.by_name() for part in firm.values())
    whole = (Telling(part, units(part)) for part in named)
    top, shown, lost, used = drawn(whole, ALL, tight=False)
    if fits(used, limit):
        # files are there by their names, and may have room to say more
        return top, {at: one for at, one in shown.items() if not known[at].bare}, lost
    few = [part.in_few_words(unmarked=source.unstated) for part in firm.values()]
    newer = newer_ones(few)
    for chars in CUTS:
        told = begun(few, min(chars, MOST), newer)
        used = drawn(told, chars)[-1]
        if fits(used, limit):
            break
    short, over = told, Size(0, 0)
    while True:
        told, size = short, used
        for turn in TWICE:
            told = filled(told, added(size, over), limit, newer, turn)
            size = drawn(told, chars)[-1]
        top, shown, lost, size = drawn(told, chars)
        if told == short or fits(size, limit):
            return top, shown, lost
        # the words for what is left out may be longer than was thought: less is told then
        over = added(over, beyond(size, limit))


def _by_name(part: Part, say: Say) -> list[LeftOut]:
    """What is missing where all files of a part are there by their mere names."""
    named = part.by_name()
    return Telling(named, units(named)).lines(say)[1] if part.bare else []


def _is_firm(part: Part, room: Room) -> bool:
    """Musts, names of files and what a draft has as done are; a summary's rest may yield.

    Of that the status tells the gist.
    """
    if not room.shorten:
        return part.keep == MUST
    return bool(part.bare) or part.over or (part.keep == MUST and part.field != "summary")


def _best(part: Part, used: Size, room: Room, say: Say) -> tuple[list[str], list[LeftOut]]:
    """As much of a part as there is room for beside the rest; maybe nothing."""
    named = bool(part.bare)
    for items, most in LEVELS if named else WORTH if part.is_list else READABLE:
        if items < ALL and part.bare:
            part = part.by_name()._replace(bare=())
        chars = ALL if named else most  # names are of no use when they are cut
        shown = _within(part, (items, chars), used, room, say)
        if shown:
            return shown
    return [], [without(part)]


def _within(
    part: Part, level: tuple[int, int], used: Size, room: Room, say: Say
) -> tuple[list[str], list[LeftOut]] | None:
    """So many items, with so many characters each, and more where there is room; else nothing."""
    items, chars = level
    best = None
    while best is None or items <= len(units(part)):
        shown = kept(part, items, chars).lines(say)
        if not fits(added(used, size_of(shown[0])), room):
            break
        best, items = shown, items + 1
    return best


def _quiet(shown: _Shown) -> list[LeftOut]:
    """What the foot has to tell: not what a list counts, or a mark shows, where it is missing."""
    lost = [(out, lines) for lines, some in shown.values() for out in some]
    return [
        out
        for out, lines in lost
        if out.field == VERDICTS or not lines or not (out.n or any(CUT in line for line in lines))
    ]


def _foot(source: Source, lost: Iterable[LeftOut], say: Say) -> list[str]:
    """What is missing above, and how to get all of it."""
    named: dict[str, int] = {}
    for out in lost:
        named[out.field] = named.get(out.field, 0) + out.n
    judged = named.pop(VERDICTS, 0)
    shown = ", ".join(f"{field} ({n})" if n else field for field, n in named.items())
    left = [say("Left out or shortened: {fields}", fields=shown)] if shown else []
    more = [say("All of it: {command}", command=command(source, "show", say))]
    if judged:
        more.append(say("All verdicts: {command}", command=command(source, "resume --json", say)))
    if source.native:
        more.append(say("The last session itself: {command}", command=source.native))
    return [*left, *more]


def _made(lines: Sequence[str], source: Source, room: Room, lost: Sequence[LeftOut]) -> Brief:
    text = fenced(source.glance.id, "".join(f"{line}\n" for line in lines))
    tokens = estimate(text)
    return Brief(text, tokens, tuple(lost), max(0, tokens - room.tokens))


def _framed(lines: Sequence[str], source: Source) -> Size:
    """What lines take between the fence of their source."""
    text = fenced(source.glance.id, "".join(f"{line}\n" for line in lines))
    return Size(weight(text), len(text.encode()))
