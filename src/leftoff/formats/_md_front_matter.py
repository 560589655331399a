"""The text of a Markdown header: flat `key: value # comment` lines between two `---` lines.

Values are read as texts, plain or quoted; lists and nested YAML are kept as the raw text they are.
tests/formats/test_markdown.py compares it with PyYAML.
"""

from __future__ import annotations

import re
from itertools import takewhile

from leftoff.errors import FormatError
from leftoff.formats._md_text import clean, is_conflict, one_line
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

FENCE = "---"
_NO_KEY = frozenset(" \t#:'\"[]{},&*!|>%@`")
_PLAIN_END = re.compile(r"(?:^|(?<=[ \t]))#")
_DOUBLE = re.compile(r'"((?:[^"\\]|\\.)*)"(?=[ \t]*(?:$|[ \t]#))')
_SINGLE = re.compile(r"'((?:[^']|'')*)'(?=[ \t]*(?:$|[ \t]#))")
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPES = {
    letter: chr(code)
    for letter, code in zip(
        "0abtnvfreN_LP",
        (0, 7, 8, 9, 10, 11, 12, 13, 27, 0x85, 0xA0, 0x2028, 0x2029),
        strict=True,
    )
}
# What YAML would not read back as this very text if it stood there without quotes.
_NEEDS_QUOTES = re.compile(
    r"""[\s\-?:,\[\]{}#&*!|>'"%@`=]|.*(?:[\n\t]|:\s|\s\#|[:\s]$)|$|"""
    r"(?i:~|null|true|false|yes|no|on|off|[-+]?\.?\d[\d_.,:]*(?:e[-+]?\d+)?|0[xo][\da-f]+|\.nan|\.inf)$",
    re.DOTALL,
)


class Entry(Record):
    """One key of the header: its lines, and where in the first of them its value stands."""

    key: str
    value: str
    start: int
    end: int
    span: tuple[int, int]


def header_end(lines: Sequence[str]) -> int:
    """The number of lines the header takes, its two fences included; 0 without one."""
    if not lines or lines[0].rstrip() != FENCE:
        return 0
    for number in range(1, len(lines)):
        if lines[number].rstrip() == FENCE:
            # A document may also begin with a rule, and have another one further down.
            inside = [line for line in lines[1:number] if line.strip() and line[0] != "#"]
            return 0 if inside and not any(map(_key, inside)) else number + 1
    return 0


def is_cut_off(lines: Sequence[str], key: str) -> bool:
    """Whether a header with this key begins and never ends."""
    if header_end(lines) or not lines or lines[0].rstrip() != FENCE:
        return False
    return any(_key(line) == key for line in takewhile(str.strip, lines[1:]))


def check_end(lines: Sequence[str], key: str) -> None:
    """FormatError where such a header does not end."""
    if is_cut_off(lines, key):
        raise FormatError("the header does not end", line=1, hint='close it with a line "---"')


def entries(lines: Sequence[str], end: int) -> list[Entry]:
    """The keys of a header of `end` lines, in order."""
    found: list[Entry] = []
    said: list[list[str]] = []
    for number in range(1, end - 1):
        line = lines[number]
        key = _key(line)
        if key:
            value, span = _value(line, line.index(":", len(key)) + 1)
            found.append(Entry(key, "", number, number + 1, span))
            said.append([value])
        elif found and line[:1] in (" ", "\t", "-") and found[-1].end == number:
            found[-1] = found[-1]._replace(end=number + 1)
            said[-1].append(clean(line))
    return [one._replace(value="\n".join(rows)) for one, rows in zip(found, said, strict=True)]


def strangers(lines: Sequence[str], end: int, header: Sequence[Entry]) -> list[int]:
    """The header's lines that are neither keys, nor parts of one, nor comments."""
    known = {number for one in header for number in range(one.start, one.end)}
    return [
        number
        for number in range(1, end - 1)
        if number not in known and lines[number].strip() and not lines[number].startswith("#")
    ]


def is_key(key: str) -> bool:
    """Whether a header line can begin with this key."""
    return bool(key) and _key(f"{key}: x") == key


def _key(line: str) -> str:
    """The key that a line begins with: what stands before a colon and a space."""
    at = line.find(":")
    while 0 <= at < len(line) - 1 and line[at + 1] not in " \t":
        at = line.find(":", at + 1)
    key = line[:at].rstrip(" ") if at > 0 else ""
    listed = key[:1] in ("-", "?") and key[1:2] in ("", " ")
    if not key or key[0] in _NO_KEY or listed or "\t" in key:
        return ""
    # a key that could not be written back so is none: its line stays as it is
    return key if key == one_line(key) and not is_conflict(key) else ""


def set_line(line: str, entry: Entry, value: str) -> str:
    """A header line with another value; a comment on it stays."""
    start, end = entry.span
    if not value:
        return f"{line[:start].rstrip()} {line[end:].lstrip()}".rstrip()
    written = scalar(value)
    gap = " " if line[start - 1 : start] not in (" ", "\t") else ""
    space = " " if line[end : end + 1] == "#" else ""
    return f"{line[:start]}{gap}{written}{space}{line[end:]}".rstrip()


def has_comment(line: str, entry: Entry) -> bool:
    """Whether something stands behind the value."""
    return bool(line[entry.span[1] :].strip())


def scalar(value: str) -> str:
    """A text as a YAML value, in quotes where YAML needs them."""
    if value and not _NEEDS_QUOTES.match(value):
        return value
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        value = value.replace(plain, escaped)
    return f'"{value}"'


def _value(line: str, start: int) -> tuple[str, tuple[int, int]]:
    """The value that follows a key, and where it stands."""
    rest = line[start:]
    begin = start + len(rest) - len(rest.lstrip(" \t"))
    quoted = _DOUBLE.match(line, begin)
    if quoted:
        return clean(_ESCAPE.sub(_unescaped, quoted[1])), quoted.span()
    quoted = _SINGLE.match(line, begin)
    if quoted:
        return clean(quoted[1].replace("''", "'")), quoted.span()
    comment = _PLAIN_END.search(line, begin)
    end = comment.start() if comment else len(line)
    text = line[begin:end].rstrip(" \t")
    value = "" if text.casefold() in {"~", "null"} else clean(text)
    return value, (begin, begin + len(text))


def _unescaped(found: re.Match[str]) -> str:
    digits = found[1] or found[2] or found[3]
    if not digits:
        return _ESCAPES.get(found[4], found[4])
    code = int(digits, 16)
    return chr(code) if code <= 0x10FFFF else "\ufffd"
