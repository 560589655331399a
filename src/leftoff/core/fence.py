"""Text from a repository is data: made harmless and fenced before a model or a terminal gets it.

The fence is `<leftoff id=NAME>` to `</leftoff>`, never translated: whoever reads a transcript cuts
out what stands between the two, so nothing inside may look like either.
"""

from __future__ import annotations

from itertools import islice

from leftoff.core.event import OWN
from leftoff.core.texts import BLANKS, SELECTORS, hides
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

TAG = "leftoff"
_OPEN, CLOSE = OWN
LONGEST_ID = 80
_NEAR = 200
"""characters behind an opener, but for blanks and signs, in which the tag's name is looked for"""

# Letters of other scripts, and digits, that a reader takes for the letters of the tag's name.
_LOOK_ALIKE = {
    **dict.fromkeys(map(ord, "1i\u0456\u0131\u04cf\u01c0\u0142\u026b"), "l"),
    **dict.fromkeys(map(ord, "\u0435\u0454\u04bd\u03b5"), "e"),
    **dict.fromkeys(map(ord, "\u0192\u1e9d\u03dd\u0584"), "f"),
    **dict.fromkeys(map(ord, "\u0442\u03c4\u0167"), "t"),
    **dict.fromkeys(map(ord, "0\u043e\u03bf\u0585\u03c3\u00f8"), "o"),
}
_HARMLESS = "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}"
_OPENERS = "<\N{FULLWIDTH LESS-THAN SIGN}\N{SMALL LESS-THAN SIGN}"
# CSI with its parameters, OSC and its kin up to their end, any other escape with its letter.
ANSI = (
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
UNSEEN = (
    *range(0x20),
    *range(0x7F, 0xA0),
    *(0xAD, 0x61C, 0x180E, 0xFEFF),
    *map(ord, BLANKS),
    *SELECTORS,
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    *range(0xFFF9, 0xFFFC),
    *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B),
    *range(0xE0000, 0xE0080),
)
"""Controls, marks that turn the direction of text, and characters that nobody sees."""

# Words of some scripts, and emoji, are wrong without them.
JOINERS = (0x200C, 0x200D)
STEERING = frozenset((*UNSEEN, 0x2028, 0x2029)) - {0x09, 0x0A, *JOINERS}
"""None of these is shown to people as it is; line separators, too: few programs break at them."""
_BREAKS = (0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029)
_TABLE = {
    **dict.fromkeys(UNSEEN, ""),
    **{code: chr(code) for code in JOINERS},
    **dict.fromkeys(_BREAKS, "\n"),
    0x09: " ",
}


def fenced(name: str, text: str) -> str:
    """A text between our marks; every part of it was made `harmless` before."""
    return f"{_OPEN}{plain_id(name)}>\n{text}{CLOSE}\n"


def plain_id(name: str) -> str:
    """A name in which nothing is left that a mark or a shell could take for its own."""
    kept = "".join(ch if ch.isalnum() or ch in "._-" else "-" for ch in name[:LONGEST_ID])
    return kept.lstrip("-") or "unnamed"


def harmless(text: str) -> str:
    """Without escapes, controls, direction marks and unseen characters, and without our fence."""
    if not text.isprintable() and ("\x1b" in text or not text.isascii()):
        import re  # only for what may hold an escape: C1 controls are no ASCII

        text = re.sub(ANSI, "", text)
    if not text.isprintable() or hides(text):
        whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        text = whole.replace("\r\n", "\n").translate(_TABLE)
    return unfenced(text)


def one_line(text: str) -> str:
    """The same with every run of white space made one space."""
    return " ".join(harmless(text).split())


def unfenced(text: str) -> str:
    """No `<` stays before our tag's name, however it is spelt or spaced."""
    for opener in _OPENERS:
        if opener in text:
            head, *rest = text.split(opener)
            text = head + "".join([*_without_us(opener, rest)][::-1])
    return text


def _without_us(opener: str, rest: Sequence[str]) -> Iterator[str]:
    """What stands behind each opener, with it, from the last one on: an opener is a sign itself."""
    near = ""
    for piece in reversed(rest):
        # however many blanks and signs stand before it: who makes one line of it takes them out
        seen = (ch for ch in piece if ch.isalnum() or not (ch.isascii() or ch.isspace()))
        near = ("".join(islice(seen, _NEAR)) + near)[:_NEAR]
        yield (_HARMLESS if _names_us(near) else opener) + piece


def _names_us(near: str) -> bool:
    """Whether a text begins with the tag's name, as a reader with poor eyes would see it."""
    if not near.isascii():
        from unicodedata import normalize  # full-width, styled, accented letters look like plain

        near = normalize("NFKD", near)
    letters = "".join(islice(filter(str.isalnum, near), len(TAG))).casefold()[: len(TAG)]
    return letters.translate(_LOOK_ALIKE) == TAG
