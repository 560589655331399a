"""What an answer lets somebody choose from: labelled entries, ways, questions. Pure."""

from __future__ import annotations

import re

from leftoff.core.answers import sentences
from leftoff.core.brief_gist import about
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LONGEST = 160
"""Characters that are told of an answer."""
TELLING = 20
"""Characters: a question, or a reason, of fewer tells nothing by itself."""
ASKS = ("?", "？")  # noqa: RUF001
LABEL = r"(?:q?\d{1,2}|[a-h]|[ivx]{1,4})"
"""What stands before an entry that one may choose, or a question: 2, b, iii, Q1."""
_TWO = 2
_NAMED = re.compile(
    rf"^[^\S\n]*(?:[-*+•][^\S\n]+)?[*(]*(?:option |variant |方案\s?)?({LABEL})[.):：、]\**"  # noqa: RUF001
    r"[^\S\n]+(\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_ENTRY = re.compile(
    r"^[^\S\n]*(?:[-*+•]|\d{1,2}[.)])[^\S\n]+(?:\[ \][^\S\n]+)?(\S.*)$", re.MULTILINE
)
_OR = r",? (?:or|oder|ou|o|ou bien|o bien) "
_WAY = rf"[^.?\n]{{3,{LONGEST}}}?"
_EITHER = re.compile(
    rf"\b(?:either|entweder|soit) ([^?\n]{{3,{LONGEST}}}?){_OR}([^?\n]{{3,{LONGEST}}}?)[.?]",
    re.IGNORECASE,
)
_WHETHER = re.compile(rf"(?:^|(?<=[.!?:\n]) ?)({_WAY}){_OR}({_WAY})\?", re.IGNORECASE)
_ELSE = re.compile(
    r"\b(?:the )?(?:(?:only )?alternatives?|other (?:way|option|possibility)) (?:is|would be)"
    rf"(?: to)? ({_WAY})[.?]",
    re.IGNORECASE,
)


def named(said: str) -> dict[str, list[str]]:
    """The entries of an answer by what stands before them."""
    known: dict[str, list[str]] = {}
    for label, text in _NAMED.findall(said):
        known.setdefault(label.lower(), []).append(text.replace("*", ""))
    return known


def asked(said: str) -> Iterator[str]:
    """The questions of an answer that tell what they ask."""
    return (one for one in sentences(said) if one.endswith(ASKS) and len(one) >= TELLING)


def ways(said: str) -> Sequence[str]:
    """What somebody may choose from by its place, or in its words; nothing if it is only one."""
    for find in (_entries, _either, asked, _else, _whether):
        if len(found := [*find(said)]) >= _TWO:
            return found
    return ()


def echoed(words: str, found: Iterable[str]) -> list[str]:
    """The one way that has all words by which somebody names it."""
    own = about(words)
    meant = [way for way in found if own <= about(way)] if own else []
    return meant if len(meant) == 1 else []


def _entries(said: str) -> Iterator[str]:
    return (one.replace("*", "") for one in _ENTRY.findall(said))


def _either(said: str) -> Iterator[str]:
    """Of several such sentences the last one is meant."""
    return iter([*(_EITHER.findall(said) or [()])[-1]])


def _whether(said: str) -> Iterator[str]:
    return iter([*(_WHETHER.findall(said) or [()])[-1]])


def _else(said: str) -> Iterator[str]:
    """What is asked about, and the other way that is told behind it."""
    found = _ELSE.search(said)
    before = [*asked(said[: found.start()])] if found else []
    return iter([before[-1], found[1]] if found and before else [])
