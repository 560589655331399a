"""Texts for people: in their language, and made to fit: on one line, cut where a sentence ends."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Protocol

    class Say(Protocol):
        """Translate an English text and fill in its values."""

        def __call__(self, text: str, /, **values: object) -> str: ...


LANGUAGES = ("en", "zh")
"""Those that people may read."""
CUT = " […]"

BLANKS = "\u034f\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols that count as printable, and that nobody sees."""
SELECTORS = (*range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0))
"""They count as printable, too, and choose the form of the letter before them; a row of them can
spell out anything to a model. The two that emoji need are not among them."""
_HIDDEN = frozenset(BLANKS) | {*map(chr, SELECTORS)}


def hides(text: str) -> bool:
    """Whether a printable text holds what nobody sees."""
    return not text.isascii() and not _HIDDEN.isdisjoint(text)


ENDS = ".?!\u3002\uff1f\uff01"
"""What ends a sentence, in Chinese too; none is put behind another."""
DIGITS = 9
"""More of them nobody counts with; and Python itself refuses to read some thousands."""


def number(text: str) -> int:
    """The number that a text is, full-width digits too; -1 for any other text."""
    fits = text.isdecimal() and len(text) <= DIGITS
    return int(text) if fits else -1


def flat(text: str) -> str:
    """The text on one line, every run of white space made one space."""
    return " ".join(text.split())


def short(text: str, most: int = 100) -> str:
    """The text on one line, and no longer than what one finds it by."""
    return in_words(flat(text), most)


def headed(label: str, text: str = "") -> str:
    """A label with the colon of its language, and what follows in the same line."""
    if label.isascii():
        return f"{label}: {text}" if text else f"{label}:"
    return f"{label}\uff1a{text}"


def labelled(identity: str, name: str) -> str:
    """An id as a table or a heading has it, with the name behind it that people know it by."""
    return identity if name in identity else f"{identity}  {short(name, 40)}"


def in_words(text: str, most: int) -> str:
    """At most so many characters, in whole words unless that would take half of them, and a mark.

    Half a secret is not known for one.
    """
    if len(text) <= most:
        return text
    part = text[: most - 1]
    if not part[-1].isspace() and not text[most - 1].isspace():
        whole = part[: -len(part.rsplit(None, 1)[-1])].rstrip()
        part = whole if len(whole) > most // 2 else part
    return part.rstrip() + "…"


def cut(text: str, most: int) -> str:
    """At most so many characters: up to the end of a sentence, else of a word, and then a mark."""
    if len(text) <= most:
        return text
    room = max(1, most - len(CUT))
    late = range(room - 1, room // 3, -1)  # a sentence that ends earlier would waste the room
    end = next((at + 1 for at in late if _ends_sentence(text, at)), 0)
    end = end or text.rfind(" ", room // 2, room + 1)
    return text[: end if end > 0 else room].rstrip() + CUT


def bytes_words(size: int) -> str:
    """A number of bytes as people say it: 512 B, 4.0 KB, 1.2 MB."""
    if size < 1000:
        return f"{size} B"
    amount, units = size / 1000, iter(("KB", "MB", "GB", "TB"))
    unit = next(units)
    while amount >= 999.95 and unit != "TB":
        amount, unit = amount / 1000, next(units)
    return f"{amount:.1f} {unit}"


_LONGEST_SENTENCE = 20_000
"""Characters: a text without any end must not cost what its length does."""


def first_sentence(text: str) -> str:
    """Up to the first mark that ends a sentence, on one line."""
    line = flat(text)[:_LONGEST_SENTENCE]
    end = next((at + 1 for at in range(len(line)) if _ends_sentence(line, at)), None)
    return line[:end]


_MARKED = ("- ", "* ", "#", "|")


def opening(text: str) -> str:
    """The first sentence, but never beyond its paragraph, its heading or its item of a list."""
    first, *lines = text.strip().split("\n")
    if not first.startswith("#"):
        for line in map(str.strip, lines):
            if not line or line.startswith(_MARKED) or line[:1].isdecimal():
                break
            first += f" {line}"
    return first_sentence(first)


def _ends_sentence(text: str, at: int) -> bool:
    if text[at] in "。！？":  # noqa: RUF001  # the full stops of Chinese, which no space follows
        return True
    return text[at] in ".!?\n" and text[at + 1 : at + 2] in {" ", "\n", ""}
