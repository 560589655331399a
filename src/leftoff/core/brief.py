"""The brief: what a session needs to go on, most important first, within tokens and bytes.

What survives when there is too little room is said by the `keep` column of `core.model.RULES`.
A must is shortened at worst, and what was left out is always named.
"""

from __future__ import annotations

from leftoff.core.brief_parts import Part, Source, command, cut_in_head, head, parts
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
# How many items of a list, and characters of each text, stay; tried until all musts fit.
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
    return [part for part in parts(source, say) if part.entries]


def _musts(
    source: Source, known: Sequence[Part], room: Room, now: float, say: Say
) -> tuple[list[str], list[LeftOut]]:
    """The head and every must, at the first level at which they fit beside the foot."""
    lines: list[str] = []
    lost: list[LeftOut] = []
    waiting = [_without(part) for part in known if part.keep != MUST]
    for level in LEVELS:
        lines = head(source, now, say, level[1])
        lost = [LeftOut(field) for field in cut_in_head(source, say, level[1])]
        for part in known:
            if part.keep == MUST:
                shown, out = _shown(part, level, source, say)
                lines, lost = lines + shown, lost + out
        used = _size([*lines, *_foot(source, [*lost, *waiting], say)], source)
        if _fits(used, room, tokens=room.shorten):
            break
    return lines, lost


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
