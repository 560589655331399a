"""What an answer of a model leaves open: steps that are still to do, and questions. Pure.

Only words decide, in English and Chinese; whoever shows a step that was found this way says that
it was drafted.
"""

from __future__ import annotations

import re

from leftoff.core.texts import short
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST, LONGEST = 8, 240
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,2}[.)、])\s+(?:\[[ xX]\]\s+)?(.*\S)")
_TICKED = re.compile(r"\s*[-*+]\s+\[[xX]\]\s")
_HEADS = re.compile(
    r"\b(?:next|remaining|remains|to-?dos?|to do|still|open|not yet|left|pending|follow-?ups?)\b"
    r"|下一步|接下来|剩余|剩下|待办|还需|尚未|未完成",
    re.IGNORECASE,
)
_SENTENCES = re.compile(
    r"^(?:next|then|after that|still)\b|\b(?:next (?:step|up|i)|not yet|still (?:need|to|open|fail)"
    r"|remains? to|remaining|to-?do\b|left to do|needs? to be)|下一步|接下来|剩余|待办|还需|尚未",
    re.IGNORECASE,
)
_PLANS = re.compile(
    r"^(?:now )?(?:let me|let's|i'll|i will|i am going to|i'm going to)\b|^(?:now|next)[, ]"
    r"|^(?:现在|接下来|我来|让我)",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"\b(?:nothing|none|no (?:remaining|open|next))\b|^无|没有", re.IGNORECASE)
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")  # noqa: RUF001  # full stops of Chinese
_MARKS = re.compile(r"^[#>\s]+|[*_`]{1,3}")


def open_points(said: str) -> tuple[str, ...]:
    """Entries of lists under such words, else sentences with them, else what it set out to do."""
    for find in (_listed, _stated, _planned):
        found = dict.fromkeys(short(point, LONGEST) for point in find(said) if point)
        if found:
            return tuple(found)[:MOST]
    return ()


def questions(said: str) -> tuple[str, ...]:
    """The questions at its end."""
    asked = [one for one in _sentences(said) if one.endswith(("?", "？"))]  # noqa: RUF001
    return tuple(dict.fromkeys(short(one, LONGEST) for one in asked))[-3:]


def _listed(said: str) -> Iterator[str]:
    under = False
    for line in _lines(said):
        item = _ITEM.match(line)
        if item:
            if under and not _TICKED.match(line):
                yield _bare(item[1])
        elif line.strip():
            head = line.rstrip(" *_").endswith((":", "：")) or line.lstrip()[:1] in {"#", "*"}  # noqa: RUF001
            under = head and bool(_HEADS.search(line))


def _stated(said: str) -> Iterator[str]:
    return (one for one in _sentences(said) if _SENTENCES.search(one) and not _NOTHING.search(one))


def _planned(said: str) -> Iterator[str]:
    """Of an answer that was cut short in the middle of its work."""
    last = [*_sentences(said)][-1:]
    return (one for one in last if _PLANS.search(one))


def _sentences(said: str) -> Iterator[str]:
    for line in _lines(said):
        item = _ITEM.match(line)
        for sentence in _END.split(item[1] if item else line):
            if bare := _bare(sentence):
                yield bare


def _lines(said: str) -> Iterator[str]:
    """Without code: what stands there is no sentence."""
    fenced = False
    for line in said.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced:
            yield line


def _bare(text: str) -> str:
    return _MARKS.sub("", text).strip()
