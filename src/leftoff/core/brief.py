"""The brief: what a session needs to go on, most important first, within tokens and bytes.

What survives when there is too little room is said by the `keep` column of `core.model.RULES`.
A must is shortened at worst, and what was left out is always named.
"""

from __future__ import annotations

from leftoff.core.brief_head import cut_in_head, head
from leftoff.core.brief_parts import AGAINST, VERDICTS, Part, Source, command, gone_files, parts
from leftoff.core.brief_words import told_once
from leftoff.core.budget import estimate, weight, whole
from leftoff.core.fence import fenced
from leftoff.core.ids import is_name
from leftoff.core.redact import redacted
from leftoff.core.texts import cut
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    from leftoff.core.texts import Say

    _Shown: TypeAlias = dict[int, tuple[list[str], list["LeftOut"]]]
    """of each part, by its place: its lines, and what is not in them"""

TOKENS, BYTES = 1500, 9500
"""What a session gets unless told otherwise; the bytes are the clients' own limit."""

MUST = "must"
_RANKS = (MUST, "should", "may")
_ALL = 1 << 30
# Characters that every text may have while all items stay; tried until all musts fit.
CUTS = (_ALL, 1200, 800, 500, 350)
# The same once items have to go: a whole statement is worth more than the beginnings of three.
SHORTER = (350, 240, 160, 90, 60, 40, 24)
# How many items of a list that is no must, and characters of each, stay.
LEVELS = (
    *((_ALL, _ALL), (40, 1200), (25, 800), (15, 500), (10, 350), (7, 250), (5, 180), (4, 130)),
    *((3, 90), (2, 60), (1, 40), (1, 24)),
)
WORTH = LEVELS[:-2]
"""Less than these leave of what is no must helps nobody."""
ORIENT = 200


class Room(Record):
    """How long a brief may be; `size`, in bytes, always holds unless it is 0."""

    tokens: int = TOKENS
    size: int = BYTES
    shorten: bool = True
    """whether musts, too, give way to the tokens"""


class LeftOut(Record):
    """What the brief does not say: `n` items of a list, or (0) a part of a text."""

    field: str
    n: int = 0


class Brief(Record):
    """The exact text; `overrun` is by how many tokens it is over the budget."""

    text: str
    tokens: int
    left_out: tuple[LeftOut, ...] = ()
    overrun: int = 0


class _Size(Record):
    weight: float
    bytes: int


def brief(source: Source, room: Room, now: float, say: Say) -> Brief:
    """The brief of a checkpoint, fenced: all musts, then what else there is room for."""
    source = _ready(source)
    known = sorted(_said(source, say), key=lambda part: _RANKS.index(part.keep))
    top, shown, lost = _musts(source, known, room, now, say)
    used = _sum(_size(top), *(_size(lines) for lines, _ in shown.values()))
    # the files at hand before the rest of a summary: their bare names take little
    waiting_at = (at for at in range(len(known)) if at not in shown)
    rest = sorted(waiting_at, key=lambda at: not known[at].bare)
    for n, at in enumerate(rest):
        waiting = [_without(known[later]) for later in rest[n:]]
        foot = _size(_foot(source, [*lost, *_quiet(shown), *waiting], say), source)
        shown[at] = _best(known[at], _sum(used, foot), room, say)
        used = _sum(used, _size(shown[at][0]))
    body = [line for at in sorted(shown) for line in shown[at][0]]
    left_out = [*lost, *(out for _, some in shown.values() for out in some)]
    foot_lines = _foot(source, [*lost, *_quiet(shown)], say)
    return _made([*top, *body, *foot_lines], source, room, left_out)


def _ready(source: Source) -> Source:
    """Without secrets, and with one line for the session of all drafts."""
    source = redacted(source)
    checkpoint, session = told_once(source.checkpoint)
    return source._replace(checkpoint=checkpoint, drafted=session) if session else source


def orientation(source: Source, room: Room, now: float, say: Say) -> Brief:
    """Only what it is, how old, and what it says is next: for what another person wrote."""
    source = _ready(source)
    lost = [_without(part) for part in _said(source, say)]
    lines = head(source, now, say, ORIENT)
    lost += [LeftOut(field) for field in cut_in_head(source, say, ORIENT)]
    if is_name(source.glance.id):
        more = command(source, "resume", say)
        by_another = say("Another person wrote this. For the rest: {command}", command=more)
        lines.append(by_another if source.author else say("For the rest: {command}", command=more))
    return _made(lines, source, room, lost)


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
    """The head, and of every firm must all items if that can be, else as many as fit."""
    musts = {at: part for at, part in enumerate(known) if _is_firm(part, room)}
    waiting = [_without(part) for at, part in enumerate(known) if at not in musts]

    def drawn(counts: Sequence[int], chars: int) -> tuple[list[str], _Shown, list[LeftOut], _Size]:
        top = head(source, now, say, chars)
        lost = [LeftOut(field) for field in cut_in_head(source, say, chars)]
        pairs = zip(musts.items(), counts, strict=True)
        shown = {at: _shown(part, (count, chars), say) for (at, part), count in pairs}
        foot = _foot(source, [*lost, *_quiet(shown), *waiting], say)
        lines = [line for some, _ in shown.values() for line in some]
        return top, shown, lost, _size([*top, *lines, *foot], source)

    every, one_each = [_ALL] * len(musts), [1] * len(musts)
    for counts, chars in (*((every, n) for n in CUTS), *((one_each, n) for n in SHORTER)):
        top, shown, lost, used = drawn(counts, chars)
        if _fits(used, room, tokens=room.shorten):
            break
    if counts is one_each:
        grown = _grown([*musts.values()], chars, used, room)
        top, shown, lost, _ = drawn(grown, chars)
    return top, shown, lost


def _is_firm(part: Part, room: Room) -> bool:
    """Musts are; but the status tells the gist of a summary, and the rest yields to statements."""
    return part.keep == MUST and not (part.field == "summary" and room.shorten)


def _grown(musts: Sequence[Part], chars: int, used: _Size, room: Room) -> list[int]:
    """How many items of each must there is room for: one more of each in turn, from one on.

    What was stated goes before further verdicts: the first ones of those are there already.
    """
    counts = [1] * len(musts)
    for verdicts in (False, True):
        growing = [
            at
            for at, part in enumerate(musts)
            if (part.field == VERDICTS) is verdicts and part.is_list and len(part.entries) > 1
        ]
        while growing:
            for at in [*growing]:
                more = _sum(used, _size([f"- {cut(_nth(musts[at], counts[at]), chars)}"]))
                if _fits(more, room, tokens=room.shorten):
                    used, counts[at] = more, counts[at] + 1
                    if counts[at] < len(musts[at].entries):
                        continue
                growing.remove(at)
    return counts


def _nth(part: Part, n: int) -> str:
    """The item that comes in when n of them are there."""
    return part.entries[-1 - n] if part.newest_last else part.entries[n]


def _best(part: Part, used: _Size, room: Room, say: Say) -> tuple[list[str], list[LeftOut]]:
    """As much of a part as there is room for beside the rest; maybe nothing."""
    for items, most in LEVELS if part.bare else WORTH:
        if items < _ALL and part.bare:
            part = part.telling(part.bare)._replace(bare=(), shortened=True)
        chars = _ALL if part.shortened else most  # names are of no use when they are cut
        shown, _ = _shown(part, (items, chars), say)
        size = _sum(used, _size(shown))
        if _fits(size, room):
            return _shown(part, (_more(part, items, chars, size, room), chars), say)
    return [], [_without(part)]


def _more(part: Part, items: int, chars: int, used: _Size, room: Room) -> int:
    """How many items there is room for, where so many are there already."""
    while part.is_list and items < len(part.entries):
        used = _sum(used, _size([f"- {cut(_nth(part, items), chars)}"]))
        if not _fits(used, room):
            break
        items += 1
    return items


def _shown(part: Part, level: tuple[int, int], say: Say) -> tuple[list[str], list[LeftOut]]:
    """The lines of a part at a level, and what of it is not in them."""
    items, chars = level
    if not part.is_list:
        return _text(part, chars)
    total = len(part.entries)
    first, last = (max(0, total - items), total) if part.newest_last else (0, items)
    kept = part.entries[first:last]
    lines = [f"{part.label}:", *(f"- {cut(entry, chars)}" for entry in kept)]
    out = part.number(0, total) - part.number(first, last)
    if out:
        lines.append(
            "- " + (say("{n} older", n=out) if part.newest_last else say("{n} more", n=out))
        )
    short = part.shortened or any(len(entry) > chars for entry in kept)
    return lines, [LeftOut(part.field, out)] if out or short else []


def _text(part: Part, chars: int) -> tuple[list[str], list[LeftOut]]:
    whole_text = "\n".join(part.entries)
    text = cut(whole_text, chars)
    lines = [f"{part.label}: {text}"] if "\n" not in text else [f"{part.label}:", *text.split("\n")]
    return lines, [] if text == whole_text else [LeftOut(part.field)]


def _without(part: Part) -> LeftOut:
    return LeftOut(part.field, part.number(0, len(part.entries)) if part.is_list else 0)


def _quiet(shown: _Shown) -> list[LeftOut]:
    """What the foot has to tell: a list that is there says itself how many more it has."""
    lost = [(out, lines) for lines, some in shown.values() for out in some]
    return [out for out, lines in lost if not (lines and out.n) or out.field == VERDICTS]


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


def _size(lines: Sequence[str], source: Source | None = None) -> _Size:
    """What lines take; with a source, between its fence."""
    text = "".join(f"{line}\n" for line in lines)
    framed = fenced(source.glance.id, text) if source else text
    return _Size(weight(framed), len(framed.encode()))


def _sum(*sizes: _Size) -> _Size:
    return _Size(sum(one.weight for one in sizes), sum(one.bytes for one in sizes))


def _fits(size: _Size, room: Room, *, tokens: bool = True) -> bool:
    in_bytes = not room.size or size.bytes <= room.size
    return in_bytes and (not tokens or whole(size.weight) <= room.tokens)
