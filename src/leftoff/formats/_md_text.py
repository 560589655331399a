r"""Free text in Markdown: what a document shows of it, and how it is written so that it comes back.

A line that would be structure (a heading, an unclosed fence, a conflict marker) is written with a
backslash before it, as Markdown has it, and read without: `read_text(write_text(t)) == t` for every
clean text. What no document can carry (control characters) is replaced by something visible.
"""

from __future__ import annotations

import re

from leftoff.formats._md_scan import NONE, closes, step
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from leftoff.formats._md_scan import Leaf, Stack, Step

_BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_NEWLINES = re.compile("\r\n?")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
# What may need a backslash at the start of a line, and whatever backslashes it has already.
_ESCAPABLE = re.compile(r"( {0,3})(\\*)(?:#|`{3}|~{3}|<|>{7}|---[ \t]*$)")
_CONFLICT = re.compile(r"(?:<{7}|>{7})(?: |$)")
_HASHES_LAST = re.compile(r"(?:^|(?<=[ \t]))(?=\\*#+$)")
_ESCAPED_HASHES = re.compile(r"(?:^|(?<=[ \t]))\\(?=\\*#+$)")


def clean(text: str) -> str:
    """Newlines as one character, and nothing that a text file cannot show."""
    if text.isprintable():
        return text
    if "\r" in text:
        text = _NEWLINES.sub("\n", text)
    return _BAD.sub(_visible, text)


def _visible(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)  # the picture of the control character
    return {0x7F: "␡", 0x85: "␤", 0x2028: "␤", 0x2029: "␤"}.get(code, "\ufffd")


def one_line(text: str) -> str:
    """Clean, on one line, without space around it."""
    if text.isprintable():
        return text.strip()
    return " ".join(part.strip() for part in clean(text).split("\n")).strip()


def word(text: str) -> str:
    """An item's id or the name of its attribute: one line, without `<br>`."""
    return one_line(_BREAK.sub("\n", text) if "<" in text else text)


def passage(text: str) -> str:
    """Clean, without blank lines at its ends."""
    lines = clean(text).split("\n")
    said = [number for number, line in enumerate(lines) if line.strip(" \t")]
    return "\n".join(lines[said[0] : said[-1] + 1]) if said else ""


def entry(text: str) -> str:
    """An item's text: `<br>` is a newline, tabs that indent are spaces, no space at the ends."""
    if "<" not in text and text.isprintable():
        return text.strip()
    lines = _BREAK.sub("\n", clean(text)).strip().split("\n")
    return "\n".join([lines[0].rstrip(), *map(_indented, lines[1:])])


def _indented(line: str) -> str:
    line = line.rstrip()
    body = line.lstrip(" \t")
    return line[: len(line) - len(body)].expandtabs(4) + body


def read_title(line: str) -> str:
    """The text of an ATX heading."""
    text = line.strip(" \t").lstrip("#").strip(" \t")
    bare = text.rstrip("#")
    if not bare or bare[-1] in " \t":
        text = bare.rstrip(" \t")  # hashes at the end are decoration
    if text.endswith("#"):
        text = _ESCAPED_HASHES.sub("", text, count=1)
    return text.strip()


def write_title(level: int, text: str) -> str:
    """An ATX heading; hashes at its end would be taken for decoration."""
    text = _HASHES_LAST.sub(r"\\", text, count=1)
    return f"{'#' * level} {text}".rstrip()


def is_conflict(line: str) -> bool:
    """A line that git leaves behind where it could not merge."""
    return line[:1] in ("<", ">") and bool(_CONFLICT.match(line))


def read_text(lines: Sequence[str], hidden: Container[int], base: int) -> str:
    """The text of lines that stand in a document from `base` on."""
    if any("\\" in line for line in lines):
        lines = [
            line if number in hidden else _unescaped(line)
            for number, line in enumerate(lines, base)
        ]
    return passage("\n".join(lines))


def _unescaped(line: str) -> str:
    found = _ESCAPABLE.match(line)
    return found[1] + line[found.end(1) + 1 :] if found and found[2] else line


def write_text(text: str, level: int) -> list[str]:
    """The lines of a text for the body of a section at a heading level."""
    lines = text.split("\n") if text else []
    unclosed: set[str] = set()
    stack: Stack = ()
    leaf: Leaf = NONE
    for number, line in enumerate(lines):
        after = lines[number + 1] if number + 1 < len(lines) else ""
        now = step(line, after, stack, leaf)
        found = None if now[3] else _ESCAPABLE.match(line)
        if found and (
            found[2]
            or is_conflict(line)
            or _ends_section(lines, number, level, now[2])
            or _hides_the_rest(lines, number, now, unclosed)
        ):
            lines[number] = f"{found[1]}\\{line[found.end(1) :]}"
            now = step(lines[number], after, stack, leaf)
        stack, leaf = now[:2]
    return lines


def _ends_section(
    lines: Sequence[str], number: int, level: int, begun: tuple[str, int] | None
) -> bool:
    """Whether the line would end its section, or not count as a part of its text."""
    kind, depth = begun or ("", 0)
    if kind == "heading":
        return depth <= level
    if kind == "rule":
        return number == len(lines) - 1
    return kind == "html" and number == 0 and lines[0].lstrip().startswith("<!--")


def _hides_the_rest(lines: Sequence[str], number: int, now: Step, unclosed: set[str]) -> bool:
    """Whether the line opens a fence or an HTML block that nothing in the text closes."""
    leaf, begun = now[1], now[2]
    if not begun or begun[0] not in {"fence", "html"} or not isinstance(leaf, tuple):
        return False
    closer, end = leaf
    if end and end.pattern not in unclosed:
        rest = (lines[later] for later in range(number + 1, len(lines)))
        if any(closes(closer, end, line.expandtabs(4)) for line in rest):
            return False
        unclosed.add(end.pattern)
    return end is not None
