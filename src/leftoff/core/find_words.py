"""What a search means: words, "phrases" and -not, in English and in Chinese. Pure.

This is the one meaning for every store. A text is a row of words: runs of letters and digits in one
case, and of a script without spaces each pair of neighbours, so that any part of a sentence is
found. A term is found where its own row of words stands in that row. A store that keeps the row and
can look for neighbours gives the same answer as a look at every text.
"""

from __future__ import annotations

import re
from unicodedata import normalize

from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST = 1000
"""Characters of a question."""
_PAIRED = (
    "\u3005\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f"
    "\U00020000-\U0003ffff"
)
"""Chinese, Japanese and Korean: no spaces tell where a word begins."""
_YPOGEGRAMMENI = "\u0345"  # the one mark that is a letter in the other case
_WORD = re.compile(rf"[{_PAIRED}]+|[^\W_{_PAIRED}]+")
_SPELT = re.compile(rf"[{_PAIRED}]+|(?:[^\W_{_PAIRED}]|{_YPOGEGRAMMENI})+")
_NOT_PLAIN = re.compile(rf"([{_PAIRED}]+)|[^\x00-\x7f\w]+")
_IS_PAIRED = re.compile(f"[{_PAIRED}]")
_WIDE = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_NARROW = {code: code - 0xFEE0 for code in range(0xFF10, 0xFF5B)}
_ASKED = re.compile(r'(-?)(?:"([^"]*)"?|([^\s"]+))')
_QUOTES = dict.fromkeys(map(ord, "“”„«»「」『』"), '"')


class Term(Record):
    """A row of words to be found side by side."""

    words: tuple[str, ...]
    open: bool = False
    """the last word may go on"""
    unwanted: bool = False
    """only texts without it count"""


class Query(Record):
    """All wanted terms, and none of the unwanted."""

    terms: tuple[Term, ...]

    @property
    def wanted(self) -> tuple[Term, ...]:
        """What a text must hold."""
        return tuple(term for term in self.terms if not term.unwanted)

    @property
    def unwanted(self) -> tuple[Term, ...]:
        """What it must not."""
        return tuple(term for term in self.terms if term.unwanted)


class Spot(Record):
    """Where something stands in a text."""

    start: int
    end: int


def query(text: str) -> Query:
    """What somebody asks for; Usage where there is no word to look for."""
    if len(text) > LONGEST:
        raise Usage(f"a search takes at most {LONGEST} characters", hint="look for fewer words")
    asked = _ASKED.finditer(whole(text).translate(_QUOTES))
    found = tuple(term for one in asked if (term := _term(one)).words)
    made = Query(tuple(dict.fromkeys(found)))
    if not made.wanted:
        raise Usage(
            "there is no word to look for",
            hint='give one or more words; -word leaves out, "two words" stand side by side',
        )
    return made


def _term(asked: re.Match[str]) -> Term:
    without, phrase, word = asked.groups()
    said = word if phrase is None else phrase
    if said.startswith("-") and without:
        without = ""  # an option of some program: it is looked for like any word
    row = _row(said)
    *_, last = row or [""]
    is_open = said.endswith("*") or (len(last) == 1 and _IS_PAIRED.match(last) is not None)
    if len(row) > 1 and is_open and row[-2][1:] == last and not said.endswith("*"):
        row, is_open = row[:-1], False  # the pair before has it already
    return Term(tuple(row), is_open, bool(without))


def whole(text: str) -> str:
    """The text with each letter and its marks as one character: every text is made so first."""
    return text if text.isascii() else normalize("NFC", text)


def fold(text: str) -> str:
    """In one case, and full-width letters and digits as plain ones."""
    if text.isascii():
        return text.lower()
    text = text.casefold()
    return text.translate(_NARROW) if _WIDE.search(text) else text


def row(text: str) -> str:
    """All words of a text, parted by spaces: for a store that knows no words of its own."""
    return " ".join(_row(text))


def spaced(text: str) -> str:
    """The same for a store that parts words at whatever is neither ASCII letter nor digit.

    It is made much faster: what is plain ASCII is left to the store.
    """
    return text if text.isascii() else _NOT_PLAIN.sub(_apart, fold(text))


def _apart(found: re.Match[str]) -> str:
    return f" {' '.join(_pairs(found[1]))} " if found[1] else " "


def _row(text: str) -> list[str]:
    words: list[str] = []
    for word in _WORD.findall(fold(text)):
        if _IS_PAIRED.match(word):
            words += _pairs(word)
        else:
            words.append(word)
    return words


def _pairs(run: str) -> list[str]:
    """Each character with the one behind it; so the last one stands alone."""
    return [run[at : at + 2] for at in range(len(run))]


class Matcher:
    """Looks at texts, one after the other; most are out after a search for a few letters."""

    def __init__(self, asked: Query) -> None:
        wanted = asked.wanted
        self._parts = sorted({word for term in wanted for word in term.words}, key=len)[::-1]
        self._wanted = [_in_row(term) for term in wanted]
        self._unwanted = [_in_row(term) for term in asked.unwanted]

    def fits(self, text: str) -> bool:
        """Whether a text, made `whole`, is one that was asked for."""
        folded = fold(text)
        for part in self._parts:
            if part not in folded:
                return False
        words = f" {row(text)} "
        return all(term in words for term in self._wanted) and not any(
            term in words for term in self._unwanted
        )


def _in_row(term: Term) -> str:
    return f" {' '.join(term.words)}{'' if term.open else ' '}"


def spots(text: str, asked: Query) -> list[Spot]:
    """Where the wanted terms stand in a text, in order; where two overlap they are one."""
    words = [*_spelt(text)]
    found: list[Spot] = []
    for term in asked.wanted:
        size = len(term.words)
        found += [
            Spot(words[at][0], _end(words[at + size - 1], term))
            for at in range(len(words) - size + 1)
            if _begins(words, at, term)
        ]
    return _together(found)


def _begins(words: Sequence[tuple[int, int, str]], at: int, term: Term) -> bool:
    *first, last = term.words
    if any(words[at + n][2] != word for n, word in enumerate(first)):
        return False
    there = words[at + len(first)][2]
    return there.startswith(last) if term.open else there == last


def _end(word: tuple[int, int, str], term: Term) -> int:
    """A pair that was only asked for by its first character is marked no further."""
    start, end, _ = word
    alone = term.open and len(term.words[-1]) == 1 and _IS_PAIRED.match(term.words[-1])
    return start + 1 if alone else end


def _together(found: list[Spot]) -> list[Spot]:
    apart: list[Spot] = []
    for spot in sorted(found):
        if apart and spot.start <= apart[-1].end:
            apart[-1] = Spot(apart[-1].start, max(apart[-1].end, spot.end))
        else:
            apart.append(spot)
    return apart


def _spelt(text: str) -> Iterator[tuple[int, int, str]]:
    """The row of words again, each with where it stands in the text as it is."""
    for found in _SPELT.finditer(text):
        start, end = found.span()
        if _IS_PAIRED.match(found[0]):
            for at, pair in enumerate(_pairs(fold(found[0]))):
                yield start + at, start + at + len(pair), pair
        else:
            for word in _row(found[0]):
                yield start, end, word
