"""What a query means and which texts match it: words, "phrases" and -not, also in Chinese. Pure.

This is the one meaning for every store. A text is a row of words: runs of letters and digits in one
case, and of a script without spaces each pair of neighbours, so that any part of a sentence is
found. A term is found where its own row of words stands in that row. A store that keeps the row and
can look for neighbours gives the same answer as a look at every text.
"""

from __future__ import annotations

from _operator import add  # what `operator` has, without loading that

from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

LONGEST = 1000
"""Characters of a question."""
_PAIRED = (
    *((0x3005, 0x3005), (0x3007, 0x3007), (0x3041, 0x3096), (0x309D, 0x309F), (0x30A1, 0x30FA)),
    *((0x30FC, 0x30FF), (0x3105, 0x312F), (0x31A0, 0x31BF), (0x31F0, 0x31FF), (0x3400, 0x4DBF)),
    *((0x4E00, 0x9FFF), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFF66, 0xFF9F), (0x20000, 0x3FFFF)),
)
"""Chinese, Japanese and Korean: no spaces tell where a word begins."""
_YPOGEGRAMMENI = "\u0345"  # the one mark that is a letter in the other case
_WIDE = (("\uff10", "\uff19"), ("\uff21", "\uff3a"), ("\uff41", "\uff5a"))
_WIDE_BYTES = {
    b"\xef\xbc": {bytes((n,)) for n in (*range(0x90, 0x9A), *range(0xA1, 0xBB))},
    b"\xef\xbd": {bytes((n,)) for n in range(0x81, 0x9B)},
}
"""the same in UTF-8: how they begin, and with what they end"""
_NARROW = {code: code - 0xFEE0 for code in range(0xFF10, 0xFF5B)}
_PLAIN = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)}
_QUOTES = dict.fromkeys(map(ord, "“”„«»「」『』"), '"')
_NONE, _WORD, _PAIRS = "-wp"
_kinds: dict[str, str] = {}
"""of each character that was met: a text has many, and few different ones"""
_SHORT = 4000
"""characters up to which a loop is cheaper than to load regular expressions"""


class _Patterns(Record):
    """The same classes of characters as regular expressions, for much text."""

    words: re.Pattern[str]
    not_plain: re.Pattern[str]
    wide: re.Pattern[str]


_made: list[_Patterns] = []


def _patterns() -> _Patterns:
    if not _made:
        import re  # a search that only asks the index does without

        paired = "".join(f"{chr(first)}-{chr(last)}" for first, last in _PAIRED)
        wide = "".join(f"{first}-{last}" for first, last in _WIDE)
        words = re.compile(rf"([{paired}]+)|[^\W_{paired}]+")
        not_plain = re.compile(rf"([{paired}]+)|[^\x00-\x7f\w]+")
        _made.append(_Patterns(words, not_plain, re.compile(f"[{wide}]")))
    return _made[0]


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
    """What somebody asks for; Usage where there is no word to search for."""
    if len(text) > LONGEST:
        raise Usage(f"a search takes at most {LONGEST} characters", hint="search for fewer words")
    asked = _asked(whole(text).translate(_QUOTES))
    found = tuple(term for words, unwanted in asked if (term := _term(words, unwanted)).words)
    made = Query(tuple(dict.fromkeys(found)))
    if not made.wanted:
        raise Usage(
            "there is no word to search for",
            hint='give one or more words; -word excludes a word, "two words" is a phrase',
        )
    return made


def _asked(text: str) -> Iterator[tuple[str, bool]]:
    """Each word or phrase, and whether it is unwanted."""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        unwanted = text[at] == "-"
        at += unwanted
        if text[at : at + 1] == '"':
            end = text.find('"', at + 1)
            end = len(text) if end < 0 else end
            yield text[at + 1 : end], unwanted
            at = end + 1
            continue
        end = next((n for n in range(at, len(text)) if text[n].isspace() or text[n] == '"'), -1)
        end = len(text) if end < 0 else end
        # two dashes are an option of some program: it is looked for like any word
        yield text[at:end], unwanted and text[at : at + 1] != "-"
        at = end


def _term(said: str, unwanted: bool) -> Term:
    row = _row(said)
    *_, last = row or [""]
    is_open = said.endswith("*") or (len(last) == 1 and _is_paired(last))
    if len(row) > 1 and is_open and row[-2][1:] == last and not said.endswith("*"):
        row, is_open = row[:-1], False  # the pair before has it already
    return Term(tuple(row), is_open, unwanted)


def whole(text: str) -> str:
    """The text with each letter and its marks as one character: every text is made so first."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFC", text)


def fold(text: str) -> str:
    """In one case, and full-width letters and digits as plain ones."""
    if text.isascii():
        return text.lower()
    text = text.casefold()
    return text.translate(_NARROW) if _has_wide(text) else text


def _has_wide(text: str) -> bool:
    if _made:
        return _made[0].wide.search(text) is not None
    data = text.encode("utf-8", "surrogatepass")  # in there it is found without a look at each
    return any(
        not ends.isdisjoint(part[:1] for part in data.split(first)[1:])
        for first, ends in _WIDE_BYTES.items()
    )


def row(text: str) -> str:
    """All words of a text, parted by spaces: for a store that knows no words of its own."""
    # what is plain ASCII is parted at whatever is no letter and no digit
    return " ".join(text.translate(_PLAIN).split() if text.isascii() else _row(text))


def spaced(text: str) -> str:
    """The same for a store that parts words at whatever is neither ASCII letter nor digit.

    It is made much faster: what is plain ASCII is left to the store.
    """
    return text if text.isascii() else _patterns().not_plain.sub(_apart, fold(text))


def _apart(found: re.Match[str]) -> str:
    return f" {' '.join(_pairs(found[1]))} " if found[1] else " "


def _row(text: str) -> list[str]:
    words: list[str] = []
    folded = fold(text)
    for start, end, kind in _runs(folded):
        if kind == _PAIRS:
            words += _pairs(folded[start:end])
        else:
            words.append(folded[start:end])
    return words


def _runs(text: str) -> Iterator[tuple[int, int, str]]:
    """The runs of letters and digits, and those of a script that is taken in pairs."""
    if len(text) > _SHORT or _made:
        for found in _patterns().words.finditer(text):
            yield *found.span(), _PAIRS if found[1] else _WORD
        return
    at = 0
    for part in text.split():
        start = text.index(part, at)
        at = start + len(part)
        if part.isascii() and part.isalnum():  # most of them
            yield start, at, _WORD
        else:
            yield from _runs_in(part, start)


def _runs_in(part: str, at: int) -> Iterator[tuple[int, int, str]]:
    """The same for a part without white space that begins there."""
    for ch in {*part}.difference(_kinds):
        _kinds[ch] = _PAIRS if _is_paired(ch) else _WORD if ch.isalnum() else _NONE
    shape = "".join(map(_kinds.__getitem__, part))
    while shape:
        kind = shape[0]
        rest = shape.lstrip(kind)
        start, at = at, at + len(shape) - len(rest)
        if kind != _NONE:
            yield start, at, kind
        shape = rest


def _is_paired(ch: str) -> bool:
    if "\u4e00" <= ch <= "\u9fff" or ch < "\u3005":  # most of them, and most of the others
        return ch > "\u3005"
    code = ord(ch)
    return any(first <= code <= last for first, last in _PAIRED)


def _pairs(run: str) -> list[str]:
    """Each character with the one behind it; so the last one stands alone."""
    return [*map(add, run, run[1:]), run[-1:]]


class Matcher(Record):
    """Looks at texts, one after the other; most are out after a search for a few letters."""

    parts: tuple[str, ...]
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]

    def fits(self, text: str) -> bool:
        """Whether a text, made `whole`, is one that was asked for."""
        folded = fold(text)
        for part in self.parts:
            if part not in folded:
                return False
        words = f" {row(text)} "
        return all(term in words for term in self.wanted) and not any(
            term in words for term in self.unwanted
        )


def matcher(asked: Query) -> Matcher:
    """For many texts; the longest word is looked for first."""
    parts = {word for term in asked.wanted for word in term.words}
    return Matcher(
        tuple(sorted(parts, key=lambda part: (-len(part), part))),
        tuple(map(in_row, asked.wanted)),
        tuple(map(in_row, asked.unwanted)),
    )


def in_row(term: Term) -> str:
    """A term as it stands in a `row`; an open one may go on there."""
    return f" {' '.join(term.words)}{'' if term.open else ' '}"


def spots(text: str, asked: Query) -> list[Spot]:
    """Where the wanted terms stand in a text, in order; where two overlap they are one."""
    found: list[Spot] = []
    for begin, end in _where_to_look(text, asked):
        spelt = _spelt(text[begin:end])
        for term in asked.wanted:
            before = len(term.words) - 1
            found += [
                Spot(begin + spelt.starts[at - before], begin + _end(spelt, at, term))
                for at in _last_of(term, spelt)
            ]
    return _together(found)


def _where_to_look(text: str, asked: Query) -> list[tuple[int, int]]:
    """What has to be taken apart: for words alone, only what white space parts around each."""
    folded = fold(text) if len(text) <= _SHORT else ""
    if len(folded) != len(text) or any(len(term.words) > 1 for term in asked.wanted):
        return [(0, len(text))]
    found: set[tuple[int, int]] = set()
    for term in asked.wanted:
        at = folded.find(term.words[0])
        while at >= 0:
            begin = at - len(_last_part(text[:at]))
            end = at + len(text[at:].split(None, 1)[0])
            found.add((begin, end))
            at = folded.find(term.words[0], end)
    return sorted(found)


def _last_part(text: str) -> str:
    """What stands behind the last white space."""
    return "" if not text or text[-1].isspace() else text.rsplit(None, 1)[-1]


def _last_of(term: Term, spelt: _Spelt) -> list[int]:
    """Where the last word of a term stands, with all others before it."""
    *first, last = term.words
    words, size = spelt.words, len(first)
    fits = str.startswith if term.open else str.__eq__
    found = (at for at, word in enumerate(words) if fits(word, last))
    return [at for at in found if at >= size and words[at - size : at] == first]


def _end(spelt: _Spelt, at: int, term: Term) -> int:
    """A pair that was only asked for by its first character is marked no further."""
    alone = term.open and len(term.words[-1]) == 1 and _is_paired(term.words[-1])
    return spelt.starts[at] + 1 if alone else spelt.ends[at]


def _together(found: list[Spot]) -> list[Spot]:
    apart: list[Spot] = []
    for spot in sorted(found):
        if apart and spot.start <= apart[-1].end:
            apart[-1] = Spot(apart[-1].start, max(apart[-1].end, spot.end))
        else:
            apart.append(spot)
    return apart


class _Spelt(Record):
    """The row of words again, and where each stands in the text as it is."""

    words: list[str]
    starts: list[int]
    ends: list[int]


def _spelt(text: str) -> _Spelt:
    words, starts, ends = made = _Spelt([], [], [])
    for start, end, kind in _runs(text.replace(_YPOGEGRAMMENI, "x")):
        part = text[start:end]
        if kind == _PAIRS:  # none of these has another case
            words += _pairs(part)
            starts += range(start, end)
            ends += (*range(start + 2, end + 1), end)
        else:
            row = [part.lower()] if part.isascii() else _row(part)
            words += row
            starts += [start] * len(row)
            ends += [end] * len(row)
    return made


def for_fts5(asked: Query) -> str:
    """A query as SQLite takes it. Nothing in a word of ours means anything there."""
    wanted = " AND ".join(map(_phrase, asked.wanted))
    unwanted = " OR ".join(map(_phrase, asked.unwanted))
    return f"({wanted}) NOT ({unwanted})" if unwanted else wanted


def _phrase(term: Term) -> str:
    return f'"{" ".join(term.words)}"{" *" if term.open else ""}'
