"""What an answer lets somebody choose from: labelled entries, ways, questions. Pure."""

from __future__ import annotations

import re

from leftoff.core.brief_gist import about
from leftoff.core.prose import lines, sentences
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LONGEST = 160
"""Characters that are told of an answer."""
TELLING = 20
"""Characters: a question, or a reason, of fewer tells nothing by itself."""
ASKS = ("?", "？")  # noqa: RUF001
LABEL = r"(?:q?\d{1,2}|[a-h]|[ivx]{1,4}|[ア-オ])"
"""What stands before an entry that one may choose, or a question: 2, b, iii, Q1, イ."""
_TWO = 2
_FAIR = range(3, LONGEST + 1)
"""Characters of a way within a sentence."""
_NAMED = re.compile(
    rf"^[^\S\n]*(?:[-*+•][^\S\n]+)?[*(（]*(?:option |variant |方案\s?)?({LABEL})"  # noqa: RUF001
    r"(?:[.):：、]\**[^\S\n]+|）\**[^\S\n]*)(\S.*)$",  # noqa: RUF001
    re.IGNORECASE | re.MULTILINE,
)
_ENTRY = re.compile(
    r"([^\S\n]*)(?:(?:[-*+•]|\d{1,2}[.)])[^\S\n]+(?:\[ \][^\S\n]+)?"
    r"|[(（][^\W_]{1,3}[)）][^\S\n]*)(\S.*)",  # noqa: RUF001
)
_OR = re.compile(r",? (?:or|oder|ou(?: bien)?|o(?: bien)?) ", re.IGNORECASE)
_WAY = rf"[^.?\n]{{3,{LONGEST}}}?"
_EITHER = re.compile(r"\b(?:either|entweder|soit) ", re.IGNORECASE)
_OR_ELSE = re.compile(
    r"(?:or|oder|ou(?: bien)?|o(?: bien)?)\b[, ]*|或者|または|もしくは", re.IGNORECASE
)
_OR_IN_IT = re.compile(r"; (?:or|oder|ou|o) ")
_NAMING = frozenset(
    (
        *("approach", "definitely", "idea", "option", "one", "part", "please", "say", "sure"),
        *("then", "thing", "variant", "version", "way", "yes"),
    )
)
"""Words around the one by which somebody names what they choose: "the uuid idea"."""
_ELSE = re.compile(
    r"\b(?:the )?(?:(?:only )?alternatives?|other (?:way|option|possibility)) (?:is|would be)"
    rf"(?: to)? ({_WAY})[.?]",
    re.IGNORECASE,
)


def named(said: str) -> dict[str, list[str]]:
    """The entries of an answer by what stands before them."""
    known: dict[str, list[str]] = {}
    for label, text in _NAMED.findall("\n".join(lines(said))):
        known.setdefault(label.lower(), []).append(text.replace("*", ""))
    return known


def asked(said: str) -> Iterator[str]:
    """The questions of an answer that tell what they ask."""
    return (one for one in sentences(said) if one.endswith(ASKS) and len(one) >= TELLING)


def ways(said: str) -> Sequence[str]:
    """What somebody may choose from by its place; nothing where that is only one.

    Nor where there are several lists, like the reasons below each of two headings.
    """
    lengths = [*map(len, _lists(said))]
    return () if len(lengths) > 1 and max(lengths) > 1 else next(_all_ways(said), ())


def echoed(names: Iterable[str], said: str) -> tuple[str, str]:
    """The first of several names that has words of one way only, and that way."""
    low, known = said.casefold(), None
    for name in names:
        own = about(name) - _NAMING
        if own and all(map(low.__contains__, own)):
            if known is None:
                known = [[(way, about(way)) for way in some] for some in _all_ways(said)]
            for found in known:
                meant = [way for way, words in found if own <= words]
                if len(meant) == 1:
                    return name, meant[0]
    return "", ""


def _all_ways(said: str) -> Iterator[Sequence[str]]:
    found = ([*find(said)] for find in (_entries, _either, _in_prose, asked, _else, _whether))
    return (some for some in found if len(some) >= _TWO)


def _entries(said: str) -> Iterator[str]:
    return (one.replace("*", "") for some in _lists(said) for one in some)


def _lists(said: str) -> list[list[str]]:
    """The entries of every list, without those that stand below another one."""
    found: list[list[str]] = []
    goes_on, depth = False, 0
    for line in lines(said):
        if entry := _ENTRY.fullmatch(line):
            if not goes_on:
                found.append([])
                depth = len(entry[1])
            if len(entry[1]) <= depth:
                found[-1].append(entry[2])
            goes_on = True
        else:
            goes_on = goes_on and (not line or line[0].isspace())
    return found


def _either(said: str) -> Iterator[str]:
    return _last_two(_EITHER.split(one, maxsplit=1)[1:] for one in sentences(said))


def _in_prose(said: str) -> Iterator[str]:
    """A sentence and those right behind it that begin with "or"; else the parts of one."""
    told = [*sentences(said)]
    others = [at for at, one in enumerate(told) if at and _OR_ELSE.match(one)]
    if others and others[-1] - others[0] < len(others):
        yield told[others[0] - 1]
        yield from (_OR_ELSE.sub("", told[at], count=1) for at in others)
    elif not others:
        parted = (_OR_IN_IT.split(one) for one in told if not one.endswith(ASKS))
        yield from next((some for some in parted if len(some) > 1), ())


def _whether(said: str) -> Iterator[str]:
    return _last_two([one] for one in sentences(said) if one.endswith(ASKS))


def _last_two(offers: Iterable[Sequence[str]]) -> Iterator[str]:
    """The two ways within one sentence; of several such sentences the last one is meant."""
    parted = (_OR.split(text.rstrip(" .?？"), maxsplit=1) for some in offers for text in some)  # noqa: RUF001
    fair = [two for two in parted if all(len(one) in _FAIR for one in two)]
    return iter(next((two for two in reversed(fair) if len(two) == _TWO), ()))


def _else(said: str) -> Iterator[str]:
    """What is asked about, and the other way that is told behind it."""
    found = _ELSE.search(said)
    before = [*asked(said[: found.start()])] if found else []
    return iter([before[-1], found[1]] if found and before else [])
