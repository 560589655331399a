"""An answer as sentences and lines, without marks and code, each to its end. Pure."""

from __future__ import annotations

import re

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

START = r"\s*(?:[-*+•]|\d{1,2}[.)、])\s+"
ITEM = re.compile(START + r"(?:\[[ xX]\]\s+)?(.*\S)")
_END = re.compile(r"(?<=[!?])\s+|(?<=\.)\s+(?![a-z])|(?<=[。！？])")  # noqa: RUF001
"""Of a sentence: small letters go on behind "e.g."."""
_OWN_LINE = re.compile(r"\s*(?:[-*+•|>#]|[(（]*\w{1,4}[.):：、）])")  # noqa: RUF001
"""How a line begins that is an entry, a row or a heading."""
_STOPS = (*".!?:;…", *"。！？：；")  # noqa: RUF001
_MARKS = re.compile(r"^[#>\s]+|[*`]{1,3}")
# around words: those within a name belong to it
_STRESSED = re.compile(r"(?<![\w`.])(_{1,3})(?=[^\s_])([^_]*[^\s_])\1(?![\w`]|\.\w)")


def sentences(said: str) -> Iterator[str]:
    """What it says, without marks and code."""
    for line in filter(None, lines(said)):
        item = ITEM.match(line)
        for sentence in _END.split(item[1] if item else line):
            if text := bare(sentence):
                yield text


def lines(said: str) -> Iterator[str]:
    """Its lines, each with those that go on with it."""
    whole: list[str] = []
    for line in prose(said):
        if whole and _goes_on(line, whole):
            whole.append(line.strip())
        else:
            yield from [" ".join(whole)] if whole else []
            whole = [line]
    yield from [" ".join(whole)] if whole else []


def _goes_on(line: str, whole: Sequence[str]) -> bool:
    """Whether a line goes on with those before it: of an entry, or in the middle of a sentence."""
    if not (line and whole[0]) or _OWN_LINE.match(line):
        return False
    is_own = _OWN_LINE.match(whole[0]) is not None
    if line[0].isspace():
        return is_own
    return line[0].islower() and not (is_own or whole[-1].endswith(_STOPS))


def prose(said: str) -> Iterator[str]:
    """Its lines without code."""
    fenced = False
    for line in said.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            yield ""
        elif not fenced:
            yield line.rstrip()  # what ends in a row of spaces would cost the square of it


def bare(text: str) -> str:
    return _MARKS.sub("", _STRESSED.sub(r"\2", text)).strip()
