"""Rules of a user or a project: words, and patterns that cannot run away. Pure.

A pattern is a plain beginning of three characters or more, then parts: characters as they are, or a
class with a bounded count, such as `ACME-[0-9A-F]{16,64}`. Each part takes all it can and gives
nothing back, and what it takes, and how many patterns there may be, is bounded: the time is that
bound times the length of the text, whatever a pattern says. More is not needed to name a key, and a
repository's file must not be able to stop its readers.
"""

from __future__ import annotations

from leftoff.core.redact_rules import Rule
from leftoff.errors import FormatError
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    import re

    from leftoff.core.redact_setting import Own

KIND = "own"
SHORTEST, LONGEST, MOST = 3, 200, 1000
MANY = 200
"""Patterns; words cost less."""
_HINT = "start with plain characters, then use classes such as [0-9a-f], with a count where needed"
_PART = (
    r"(?:\[(?P<class>[A-Za-z0-9 _.+/=~:@#%!&,;-]{1,60})\]|\\(?P<known>[dw]))"
    r"(?:\{(?P<least>[0-9]{1,4})(?:,(?P<most>[0-9]{1,4}))?\})?|(?P<plain>[^\\\[\](){}*+?|^$])"
)
_CLASSES = {"d": "[0-9]", "w": "[A-Za-z0-9_]"}

_OF_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-"
"""What may stand before the sign of an address; from where it begins, one try is enough."""
EMAIL = Rule(
    "email",
    ("@",),
    r"()(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}",
    reach=64,
    row=_OF_NAMES,
)
PHONE = (
    Rule("phone", ("+",), r"()(?<![\w+])\+[1-9][0-9]{0,2}(?:[ ().-]{0,2}[0-9]){6,12}(?![\w])"),
    Rule(
        "phone",
        tuple(f"1{digit}" for digit in "3456789"),
        r"()(?<![\w.+-])1[3-9][0-9]{9}(?![\w.-])",
    ),
)
"""With a country's number, or as mobile phones in China have them."""


def rules(own: Own) -> tuple[Rule, ...]:
    """What is set, as rules; FormatError says what is wrong with a word or a pattern."""
    if len(own.patterns) > MANY:
        count = len(own.patterns)
        raise FormatError(f"redaction: {count} patterns are more than the {MANY} that may be set")
    made = [_word(word) for word in own.words] + [_pattern(text) for text in own.patterns]
    return (*made, *([EMAIL] if own.email else []), *(PHONE if own.phone else ()))


def _word(word: str) -> Rule:
    import re  # only where such rules are set

    if not SHORTEST <= len(word.encode()) <= LONGEST:  # two characters of Chinese are enough
        shown = word[:40]
        raise FormatError(f'redaction: "{shown}" must have {SHORTEST} to {LONGEST} bytes')
    return Rule(KIND, (word.lower(),), f"()(?i:{re.escape(word)})")


def _pattern(text: str) -> Rule:
    """A pattern in its bounded form; see above what it may hold."""
    import re

    if len(text) > LONGEST:
        shown = text[:40]
        raise FormatError(f'redaction: "{shown}" is longer than {LONGEST} characters')
    start = re.match(rf"[^\\\[\](){{}}*+?|^$]{{{SHORTEST},}}?(?=[\[\\]|\Z)", text)
    if not start:
        told = f'redaction: "{text}" must begin with {SHORTEST} or more plain characters'
        raise FormatError(told, hint=_HINT)
    parts, at, most = [re.escape(start[0])], start.end(), 0
    while at < len(text):
        part = re.compile(_PART).match(text, at)
        if not part:
            sign = text[at]
            told = f'redaction: "{text}" holds "{sign}", which has no meaning here'
            raise FormatError(told, hint=_HINT)
        parts.append(_part(part, text))
        at, most = part.end(), most + int(part["most"] or part["least"] or 1)
    if most > MOST:
        raise FormatError(f'redaction: "{text}" may match {most} characters, and {MOST} are enough')
    return Rule(KIND, (start[0].lower(),), "()" + "".join(parts))


def _part(part: re.Match[str], text: str) -> str:
    import re

    if part["plain"]:
        return re.escape(part["plain"])
    least = int(part["least"] or 1)
    most = int(part["most"] or least)
    if not least <= most <= MOST:
        raise FormatError(f'redaction: in "{text}" a count must go up, and to {MOST} at most')
    letters = f"[{part['class']}]" if part["class"] else _CLASSES[part["known"]]
    try:
        re.compile(letters)
    except re.error as error:
        told = f'redaction: in "{text}", {letters} is not a class of characters'
        raise FormatError(told) from error
    return f"{letters}{{{least},{most}}}+"
