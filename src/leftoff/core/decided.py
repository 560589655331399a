"""What a person settled while asking: decisions and standing rules, in their own words. Pure.

Only words decide, in English and Chinese; whoever shows such a sentence says that it was drafted.
"""

from __future__ import annotations

import re

from leftoff.core.brief_gist import pieces, takes_back
from leftoff.core.texts import flat, short
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST, LONGEST, SHORTEST = 12, 240, 12
PASTED = 4000
"""Characters from which on a prompt is mostly what somebody pasted."""
_SETTLED = re.compile(
    r"\b(?:decided?|decision|decisions|(?<!^)agreed|go(?:ing)? with|stick (?:to|with)|instead of"
    r"|rather than|from now on|no longer|must not|must|prefer)\b"
    r"|(?:^|[,;:] )(?:please |but )?(?:do not|don't|never|always"
    r"|only(?! (?:happens|occurs|fails|breaks|crashes|shows|appears|affects)\b))\b"
    r"|决定|改用|就用|不要|必须|一律|统一用|今后|以后都|优先",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")  # noqa: RUF001  # full stops of Chinese
_NO_SPACE = tuple("。！？")  # noqa: RUF001
_HEADING = re.compile(r"\s*#{1,6}\s")
_MARKS = re.compile(r"^[-*+•#>\s]+|[*_`]{2,3}")


def decided(asked: str) -> tuple[str, ...]:
    """The sentences of a prompt that settle something; a question settles nothing."""
    return tuple(dict.fromkeys(_settled(asked))) if len(asked) <= PASTED else ()


def _settled(asked: str) -> Iterator[str]:
    for sentence in (one for told in _whole(asked) for one in _clauses(told)):
        text = flat(_MARKS.sub("", sentence))
        # a question settles nothing, nor does a heading
        idle = text.endswith(("?", "？", ":", "：")) or _HEADING.match(sentence)  # noqa: RUF001
        # what was taken back is not told without the words that did it
        torn = len(text) > LONGEST and _END.search(text)
        if len(text.encode()) >= SHORTEST and not (idle or torn) and _SETTLED.search(text):
            yield short(text, LONGEST)


def _clauses(sentence: str) -> Iterator[str]:
    """What somebody dictates without a full stop would be cut in the middle as a whole."""
    return pieces(flat(sentence)) if len(sentence) > LONGEST else iter([sentence])


def _whole(asked: str) -> Iterator[str]:
    """The sentences, each with those that take it back: "We go with A. Wait, no, B." settles B."""
    told = ""
    for sentence in _END.split(asked):
        if told and takes_back(sentence):
            told += sentence if told.endswith(_NO_SPACE) else f" {sentence}"
        else:
            yield told
            told = sentence
    yield told
