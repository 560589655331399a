"""What an answer says of its work: steps that are still to do or done, and questions. Pure.

Only words decide, in English and Chinese; whoever shows a step that was found this way says that
it was drafted.
"""

from __future__ import annotations

import re

from leftoff.core.texts import short
from leftoff.record import TYPE_CHECKING, Record

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
_OVER = re.compile(
    r"\b(?:done|completed?|finished|landed|shipped)\b|已完成|完成|做完|已做", re.IGNORECASE
)
_TICKS = "✅✔☑✓"
_ALL_DONE = re.compile(
    r"^(?:all|everything)(?: of (?:it|them|this|that)| (?:tasks|steps|items|points|work))?"
    r"(?: is| are| has been| have been)?(?: now)? (?:done|complete|completed|finished)\b"
    r"|^(?:there is )?nothing (?:else )?(?:is |was )?(?:left|open|remains|remaining|to do)\b"
    r"|^(?:there are )?no (?:remaining|open|further) (?:steps?|work|tasks?|items?|points?)\b"
    r"|^(?:全部|都|所有.*)(?:已经?)?完成|^没有(?:剩余|待办|未完成)",
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
    for find in (_left, _stated, _planned):
        found = dict.fromkeys(short(point, LONGEST) for point in find(said) if point)
        if found:
            return tuple(found)[:MOST]
    return ()


class Lists(Record):
    """What the lists of an answer say: what is still to do, and what is done."""

    left: tuple[str, ...] = ()
    done: tuple[str, ...] = ()


def lists(said: str) -> Lists:
    """Only entries of lists: they are meant to be read by themselves, and later."""
    found: tuple[dict[str, None], dict[str, None]] = ({}, {})
    for over, text in _listed(said) if "\n" in said else ():
        found[over].setdefault(short(text, LONGEST))
    left, done = (tuple(filter(None, some))[:MOST] for some in found)
    return Lists(left, done)


def is_all(said: str) -> bool:
    """Whether it says that nothing is left to do."""
    return any(_ALL_DONE.search(one) for one in _sentences(said))


def questions(said: str) -> tuple[str, ...]:
    """The questions at its end."""
    asked = [one for one in _sentences(said) if one.endswith(("?", "？"))]  # noqa: RUF001
    return tuple(dict.fromkeys(short(one, LONGEST) for one in asked))[-3:]


def _listed(said: str) -> Iterator[tuple[bool, str]]:
    """The entries of lists under a heading for it: whether each is done, and its text."""
    about: bool | None = None
    for line in _lines(said):
        item = _ITEM.match(line)
        if item:
            text = _bare(item[1])
            if text[:1] in _TICKS or _TICKED.match(line):
                yield True, text.lstrip(f"{_TICKS}\ufe0f ")
            elif about is not None:
                yield about, text
        elif line.strip():
            about = _kind(line)


def _kind(line: str) -> bool | None:
    """Whether a heading is of what is done, or of what is not; None for any other line."""
    head = line.rstrip(" *_").endswith((":", "：")) or line.lstrip()[:1] in {"#", "*"}  # noqa: RUF001
    if not head:
        return None
    return False if _HEADS.search(line) else True if _OVER.search(line) else None


def _left(said: str) -> Iterator[str]:
    return (text for over, text in _listed(said) if not over)


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
