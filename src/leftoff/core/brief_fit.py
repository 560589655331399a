"""How much of every part of a brief is told where not all of it fits: in short, then whole. Pure.

Where room is short, a long statement is told by its gist before another one is not told at all:
whoever knows that something was decided can look it up. What room is left makes statements whole
again, those first that take the least, so that as many as can be are told in all their words.
"""

from __future__ import annotations

from leftoff.core.brief_gist import about, gists, is_aside, mends, requests, shortened
from leftoff.core.brief_parts import VERDICTS, Part
from leftoff.core.texts import CUT, headed
from leftoff.core.token_estimate import MARGIN, weight, whole
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from leftoff.core.texts import Say

    _Step: TypeAlias = tuple[int, int, int, int, int, str]
    """its turn, how dear, how near; and of which part which unit it says in which words"""
    _Place: TypeAlias = tuple[int, int]
    """which part, and which of its units"""
    _Newer: TypeAlias = Mapping[_Place, Sequence[_Place]]

TOKENS, BYTES = 1500, 9500
"""What a session gets unless told otherwise; the bytes are the clients' own limit."""
ALL = 1 << 30
GIST = 1 / 3
"""What a statement's gist is worth, where the whole is worth one; so much of it may be as long."""
LONGER = (500, 800, 1200)
"""Characters of what is too long to be told whole, where room is left in the end."""

SAME = 3
"""Statements are on one matter that share at least one of so many words, and two."""
NEAR = 100
"""So many later statements are looked at."""
_ASKS = ("?", "？")  # noqa: RUF001
_NO_BLANK = tuple("。！？")  # noqa: RUF001
"""Ends of sentences behind which no blank stands."""
_SETTLED = frozenset(("decisions", "rules"))

TURNS = _STATED, _ASIDE, _JUDGED, _LONGER = range(4)
"""Who comes before whom: a remark takes no room that a statement could have."""
CLOSE, RARE = 6, 3
"""Of what a user said, one shared word makes one matter of so many sentences that are near each
other, and of all that share one which is said so many times at most."""


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


class Size(Record):
    """What lines take of a room."""

    weight: float
    bytes: int


class Telling(Record):
    """A part as it is to be told: its units, each in these words; one without any is left out."""

    part: Part
    words: tuple[str, ...]

    def saying(self, at: int, text: str) -> Telling:
        """With other words for one unit."""
        return self._replace(words=(*self.words[:at], text, *self.words[at + 1 :]))

    def lines(self, say: Say) -> tuple[list[str], list[LeftOut]]:
        """The lines, and what is not in them."""
        part = self.part
        said = [at for at, text in enumerate(self.words) if text]
        if not said:
            return [], [without(part)]
        out = without(part).n - sum(part.number(at, at + 1) for at in said) if part.is_list else 0
        short = part.shortened or any(self.words[at] != units(part)[at] for at in said)
        words = self._joined(said)
        lines = _lines(part.label, words[0])
        if part.is_list and out:
            lines = [*_listed(part.label, words), f"- {self._missing(said, out, say)}"]
        elif part.is_list:
            lines = _listed(part.label, words)
        return lines, [LeftOut(part.field, out)] if out or short else []

    def _joined(self, said: Sequence[int]) -> list[str]:
        """What is told, an entry each; pieces that stood together stand together."""
        told: list[str] = []
        for at in said:
            goes_on = self.part.begins and at not in self.part.begins and self.words[at - 1]
            if goes_on and not self.words[at - 1].endswith(CUT):
                told[-1] += ("" if told[-1].endswith(_NO_BLANK) else " ") + self.words[at]
            else:
                told.append(self.words[at])
        return told

    def _missing(self, said: Sequence[int], out: int, say: Say) -> str:
        """How many are not there; and whether one of them may replace what is."""
        part, gaps = self.part, len(said) < len(self.words) - said[0]
        if not part.newest_last or part.others:
            return say("{n} more", n=out)
        if gaps and not part.bare:
            return say("{n} more, newer ones among them", n=out)
        return say("{n} more", n=out) if gaps else say("{n} older", n=out)


def _listed(label: str, words: Sequence[str]) -> list[str]:
    return [headed(label), *(f"- {text}" for text in words)]


def _lines(label: str, text: str) -> list[str]:
    return [headed(label), *text.split("\n")] if "\n" in text else [headed(label, text)]


def units(part: Part) -> tuple[str, ...]:
    """What of a part is told or not: the items of a list, or a text as a whole."""
    return part.entries if part.is_list else ("\n".join(part.entries),)


def without(part: Part) -> LeftOut:
    """What is missing where a part is."""
    return LeftOut(
        part.field, part.number(0, len(part.entries)) + part.others if part.is_list else 0
    )


def kept(part: Part, items: int, chars: int) -> Telling:
    """So many items of a part, the newest or the first, with at most so many characters."""
    words = [shortened(text, chars) for text in units(part)]
    out = max(0, len(words) - items)
    if part.newest_last:
        return Telling(part, (*[""] * out, *words[out:]))
    return Telling(part, (*words[: len(words) - out], *[""] * out))


def begun(parts: Sequence[Part], most: int, newer: _Newer) -> list[Telling]:
    """The first of each part, in short; names of files and what is done may be absent.

    What a newer one may replace is no good beginning. A must is there all the same, but for what is
    drafted as decided where all of it may be replaced by what the user said.
    """
    told = []
    for which, part in enumerate(parts):
        order = [] if part.bare or part.over else _order(part)
        order.sort(key=lambda at: (which, at) in newer)
        if order and any(other != which for other, _ in newer.get((which, order[0]), ())):
            order = []
        words = [""] * len(units(part))
        for at in order[: len(part.apart) or 1]:
            text = units(part)[at]
            words[at] = shortened(_gist_of(part, text) or text, most)
        told.append(Telling(part, tuple(words)))
    return told


def filled(
    told: Sequence[Telling], used: Size, room: Room, newer: _Newer, turn: int
) -> list[Telling]:
    """With as much more of one of `TURNS` as fits, what tells the most for its price first.

    A statement waits for the newer ones on the same matter: alone it could be told as true and be
    so no more.
    """
    found, steps = [*told], sorted(step for step in _steps(told) if step[0] == turn)
    while True:
        waiting = []
        for step in steps:
            *_, which, at, text = step
            one = found[which]
            if any(not found[other].words[n] for other, n in newer.get((which, at), ())):
                waiting.append(step)
            elif len(text) > len(one.words[at]):
                more = added(used, _price(one, at, text))
                if fits(more, room):
                    used, found[which] = more, one.saying(at, text)
        if len(waiting) == len(steps):
            return found
        steps = waiting


def newer_ones(parts: Sequence[Part]) -> _Newer:
    """Of what somebody settled, which later words may be on the same matter, and replace it.

    What a session's user said counts as later than what is drafted as decided: nothing tells.
    """
    said = [
        ((which, at), about(text))
        for which, part in enumerate(parts)
        if part.newest_last and part.field in _SETTLED
        for at, text in enumerate(units(part))
        if not requests(text)
    ]
    own, often = any(part.pieces for part in parts), dict[str, int]()
    for word in (word for _, words in said for word in words):
        often[word] = often.get(word, 0) + 1
    return {
        place: later
        for n, (place, words) in enumerate(said)
        if (
            later := [
                other
                for off, (other, more) in enumerate(said[n + 1 : n + NEAR], 1)
                if _same(words, more)
                or (own and _near(words & more, often, close=off <= CLOSE and place[0] == other[0]))
                or _mended(parts[other[0]], place, other)
            ]
        )
    }


def _mended(part: Part, place: _Place, other: _Place) -> bool:
    """Whether in a later piece of the same prompt somebody changes their mind."""
    is_one = place[0] == other[0] and part.begins.isdisjoint(range(place[1] + 1, other[1] + 1))
    return bool(part.begins) and is_one and mends(units(part)[other[1]])


def _same(words: set[str], more: set[str]) -> bool:
    """Whether two statements seem to be on one matter: a third of the older one's words."""
    both = len(words & more)
    return both > 1 and SAME * both >= len(words)


def _near(both: Iterable[str], often: Mapping[str, int], *, close: bool) -> bool:
    """Whether two sentences of somebody do, by one word: it is rare, or they are near by."""
    return any(close or often[word] <= RARE for word in both)


def _steps(told: Sequence[Telling]) -> Iterator[_Step]:
    """Every way to say more, in the order of what it tells for its price.

    Of what is about as dear, up to twice, the next one of each list comes in turn. What was stated
    goes before further verdicts: the first ones of those are there already.
    """
    for which, one in enumerate(told):
        turn = _JUDGED if one.part.field == VERDICTS else _STATED
        for n, at in enumerate(_order(one.part)):
            text = units(one.part)[at]
            own = _ASIDE if one.part.pieces and is_aside(text) else turn
            for words, price in _ladder(one, at):
                yield own, int(price).bit_length(), n, which, at, words
            for most in LONGER:
                if len(text) > most:
                    yield _LONGER, most, n, which, at, shortened(text, most)


def _ladder(told: Telling, at: int) -> Iterator[tuple[str, float]]:
    """A unit by its gist and then whole, each with what it costs for what it is worth."""
    part, now = told.part, told.words[at]
    text = units(part)[at]
    short = now or _gist_of(part, text)
    if short != now:
        yield short, weight(short) / GIST
    worth = 1 - GIST if short else part.number(at, at + 1)
    yield text, (weight(text) - weight(short)) / worth


def _gist_of(part: Part, text: str) -> str:
    """Empty where it has none that is short enough to be worth it."""
    most = weight(text) * GIST
    found = gists(text) if part.is_list and not part.bare else ()
    return next((one for one in found if weight(one) <= most), "")


def _order(part: Part) -> list[int]:
    """The places of its units, the nearest first: of what grows at its end the newest.

    A question settles nothing, and comes after what does.
    """
    said = units(part)
    places = [*range(len(said))]
    nearest = places[::-1] if part.newest_last else places
    return sorted(nearest, key=lambda at: said[at].endswith(_ASKS))


def _price(told: Telling, at: int, text: str) -> Size:
    """What it takes to say a unit in these words instead of as it is."""
    now = told.words[at]
    # the first of a list brings its label, and the line that counts the others
    first = [] if any(told.words) else [headed(told.part.label), "- 999 older"]
    one, other = size_of([*first, f"- {text}"]), size_of([f"- {now}"] if now else [])
    return Size(one.weight - other.weight, one.bytes - other.bytes)


def size_of(lines: Iterable[str]) -> Size:
    """What lines take."""
    text = "".join(f"{line}\n" for line in lines)
    return Size(weight(text), len(text.encode()))


def added(*sizes: Size) -> Size:
    """What several take together."""
    return Size(sum(one.weight for one in sizes), sum(one.bytes for one in sizes))


def fits(size: Size, room: Room) -> bool:
    """Whether there is room for so much."""
    in_bytes = not room.size or size.bytes <= room.size
    return in_bytes and whole(size.weight) <= room.tokens


def beyond(size: Size, room: Room) -> Size:
    """By how much something is too large; a little more, so that to take it off is enough."""
    in_bytes = size.bytes - room.size if room.size else 0
    return Size(max(0.0, size.weight - room.tokens / MARGIN) + 1, max(0, in_bytes) + 1)
