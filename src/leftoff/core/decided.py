"""What a person settled while asking: decisions and standing rules, in their own words. Pure.

Only words decide, in English and Chinese; whoever shows such a sentence says that it was drafted.
"""

from __future__ import annotations

import re

from leftoff.core.brief_gist import bounds, is_aside, pieces, takes_back
from leftoff.core.pasted import is_output
from leftoff.core.prose import prose
from leftoff.core.texts import ENDS, flat
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST, LONGEST, SHORTEST = 12, 240, 12
PASTED = 4000
"""Characters from which on a prompt is mostly what somebody pasted."""
_SETTLED = re.compile(
    r"\b(?:decided?|decisions?|(?<!^)agreed|go(?:ing)? with|stick (?:to|with)|from now on"
    r"|(?<!it )(?<!that )(?<!this )(?<!there )(?<!you )must(?! have))\b"
    r"|(?:^|[,;:] )(?:please |but )?(?:do not|don't|never|always"
    r"|only(?! (?:happens|occurs|fails|breaks|crashes|shows|appears|affects)\b))\b"
    r"|(?<![没未])决定|改用|就用|(?<!要)不要(?!紧)|必须|一律|统一用|今后|以后都|优先",
    re.IGNORECASE,
)
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")  # noqa: RUF001  # full stops of Chinese
_IDLE = (*"?:", *"？：")  # noqa: RUF001
"""Ends of what settles nothing: a question, and a heading."""
_NO_SPACE = tuple("。！？")  # noqa: RUF001
_OTHERS = re.compile(r"\s*(?:#{1,6}\s|>)")
"""How a heading begins, or what somebody quotes."""
_MARKS = re.compile(r"^[-*+•\s]+|[*_`]{2,3}")


def decided(asked: str) -> tuple[str, ...]:
    """The sentences of a prompt that settle something; a question settles nothing."""
    return tuple(dict.fromkeys(_settled(asked))) if len(asked) <= PASTED else ()


def _settled(asked: str) -> Iterator[str]:
    """Not what is long: cut, or without what takes it back, it would say something else."""
    for text in map(str.strip, _whole(asked)):
        fits = len(text.encode()) >= SHORTEST and len(text) <= LONGEST
        if fits and not text.endswith(_IDLE) and _SETTLED.search(text):
            yield text


def _whole(asked: str) -> Iterator[str]:
    """The sentences; one that settles something with those that bound it, or tell nothing alone.

    "We go with A. Wait, no, B." settles B, and "We go with A. Just kidding." nothing.
    """
    told = ""
    for one in _sentences(asked):
        goes_on = told.endswith(tuple(ENDS)) and (bounds(one) or is_aside(one))
        if _SETTLED.search(told) and (goes_on or takes_back(one)):
            told += one if told.endswith(_NO_SPACE) else f" {one}"
        else:
            yield told
            told = one
    yield told


def _sentences(asked: str) -> Iterator[str]:
    """Those that are the person's own; what is dictated without a full stop clause by clause."""
    for line in prose(asked):
        if line and not (_OTHERS.match(line) or is_output(line)):
            for one in _END.split(flat(_MARKS.sub("", line))):
                yield from pieces(one) if len(one) > LONGEST else [one]
