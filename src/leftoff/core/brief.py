"""The brief: what a session needs to go on, most important first, within tokens and bytes.

What survives when there is too little room is said by the `keep` column of `core.model.RULES`.
A must is shortened at worst, and what was left out is always named.
"""

from __future__ import annotations

from leftoff.core.brief_parts import (
    AGAINST,
    VERDICTS,
    Part,
    Source,
    command,
    cut_in_head,
    gone_files,
    head,
    parts,
)
from leftoff.core.budget import estimate, weight, whole
from leftoff.core.fence import fenced
from leftoff.core.ids import is_name
from leftoff.core.redact import redacted
from leftoff.core.texts import cut
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from leftoff.core.texts import Say

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
    source = redacted(source)
    known = sorted(_said(source, say), key=lambda part: _RANKS.index(part.keep))
    lines, lost = _musts(source, known, room, now, say)
    extras, used = [part for part in known if part.keep != MUST], _size(lines)
    for at, part in enumerate(extras):
        waiting = [_without(later) for later in extras[at:]]
        foot = _size(_foot(source, [*lost, *waiting], say), source)
        shown, out = _best(part, _sum(used, foot), source, room, say)
        lines, lost, used = lines + shown, lost + out, _sum(used, _size(shown))
    return _made([*lines, *_foot(source, lost, say)], source, room, lost)


def orientation(source: Source, room: Room, now: float, say: Say) -> Brief:
    """Only what it is, how old, and what it says is next: for what another person wrote."""
    source = redacted(source)
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
) -> tuple[list[str], list[LeftOut]]:
    """The head and every must: all of its items if that can be, else as many as fit."""
    musts = [part for part in known if part.keep == MUST]
    waiting = [_without(part) for part in known if part.keep != MUST]

    def drawn(counts: Sequence[int], chars: int) -> tuple[list[str], list[LeftOut], _Size]:
        lines = head(source, now, say, chars)
        lost = [LeftOut(field) for field in cut_in_head(source, say, chars)]
        for part, count in zip(musts, counts, strict=True):
            shown, out = _shown(part, (count, chars), source, say)
            lines, lost = lines + shown, lost + out
        return lines, lost, _size([*lines, *_foot(source, [*lost, *waiting], say)], source)

    every, one_each = [_ALL] * len(musts), [1] * len(musts)
    for counts, chars in (*((every, n) for n in CUTS), *((one_each, n) for n in SHORTER)):
        lines, lost, used = drawn(counts, chars)
        if _fits(used, room, tokens=room.shorten):
            break
    if counts is one_each:
        lines, lost, _ = drawn(_grown(musts, chars, used, room), chars)
    return lines, lost


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


def _best(
    part: Part, used: _Size, source: Source, room: Room, say: Say
) -> tuple[list[str], list[LeftOut]]:
    """As much of a part as there is room for beside the rest; maybe nothing."""
    for level in WORTH:
        shown, out = _shown(part, level, source, say)
        if _fits(_sum(used, _size(shown)), room):
            return shown, out
    return [], [_without(part)]


def _shown(
    part: Part, level: tuple[int, int], source: Source, say: Say
) -> tuple[list[str], list[LeftOut]]:
    """The lines of a part at a level, and what of it is not in them."""
    items, chars = level
    if not part.is_list:
        return _text(part, chars)
    kept = part.entries[-items:] if part.newest_last else part.entries[:items]
    lines = [f"{part.label}:", *(f"- {cut(entry, chars)}" for entry in kept)]
    out = len(part.entries) - len(kept)
    if out:
        text = "{n} older: {command}" if part.newest_last else "{n} more: {command}"
        lines.append("- " + say(text, n=out, command=command(source, part.more, say)))
    short = any(len(entry) > chars for entry in kept)
    return lines, [LeftOut(part.field, out)] if out or short else []


def _text(part: Part, chars: int) -> tuple[list[str], list[LeftOut]]:
    whole_text = "\n".join(part.entries)
    text = cut(whole_text, chars)
    lines = [f"{part.label}: {text}"] if "\n" not in text else [f"{part.label}:", *text.split("\n")]
    return lines, [] if text == whole_text else [LeftOut(part.field)]


def _without(part: Part) -> LeftOut:
    return LeftOut(part.field, len(part.entries) if part.is_list else 0)


def _foot(source: Source, lost: Iterable[LeftOut], say: Say) -> list[str]:
    """What is missing above, and how to get it."""
    named: dict[str, int] = {}
    for out in lost:
        named[out.field] = named.get(out.field, 0) + out.n
    shown = ", ".join(f"{field} ({n})" if n else field for field, n in named.items())
    left = [say("Left out or shortened: {fields}", fields=shown)] if shown else []
    more = [say("All of it: {command}", command=command(source, "show", say))]
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


def _sum(one: _Size, other: _Size) -> _Size:
    return _Size(one.weight + other.weight, one.bytes + other.bytes)


def _fits(size: _Size, room: Room, *, tokens: bool = True) -> bool:
    in_bytes = not room.size or size.bytes <= room.size
    return in_bytes and (not tokens or whole(size.weight) <= room.tokens)
