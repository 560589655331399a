"""Markdown seen line by line: which top-level block each line begins or goes on with.

It knows the containers (list items, quotes) and the leaves that hide structure (fences, HTML,
indented code), as CommonMark does, and the tables of GFM at top level. Inline text is not its
business. tests/formats/test_markdown.py compares it with markdown-it-py.
"""

from __future__ import annotations

import re

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    Stack: TypeAlias = tuple[int, ...]
    Leaf: TypeAlias = "str | tuple[str, re.Pattern[str] | None]"
    Begun: TypeAlias = "tuple[str, int, str, Leaf] | None"
    Step: TypeAlias = "tuple[Stack, Leaf, tuple[str, int] | None, bool]"

DEEPEST = 100  # quotes in quotes in quotes: a line of a million marks is no document
# Open containers are a tuple of numbers: 0 is a quote, n an item whose text starts n columns in.
QUOTE = 0
_BULLET: Stack = (2,)
_SIMPLE: tuple[Stack, ...] = ((), _BULLET)
# Leaves that hide their lines, fences and HTML, are pairs: a line that closes them, and a pattern.
NONE, PARA, CODE, EMPTY, DELIM, TABLE = "", "para", "code", "empty", "delim", "table"

_HEADING = re.compile(r"(#{1,6})(?=[ \t]|$)")
_QUOTED = re.compile(r" {0,3}> ?")
RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_PIPE = re.compile(r"(?<!\\)\|")
_SETEXT = re.compile(r"(?:=+|-+)[ \t]*$")
_MARKER = re.compile(r"(?:[-+*]|[0-9]{1,9}[.)])(?=[ \t]|$)")
_FENCE = re.compile(r"(`{3,})[^`]*$|(~{3,})")
_DELIM = re.compile(
    r" {0,3}(?!- )(?=..)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$"
)
_DEFINITION = re.compile(
    r"""\[(?:[^\[\]\\]|\\.)+\]:[ \t]*[^\s<]\S*(?:[ \t]+(?:"[^"]*"|'[^']*'))?[ \t]*$"""
)
_BLOCKS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|"
    "dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|"
    "hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|"
    "search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_ATTRIBUTE = r"""\s+[a-zA-Z_:][\w:.-]*(?:\s*=\s*(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*"))?"""
# CommonMark's kinds of HTML block: how one begins, what closes it; a blank line, if nothing does.
_HTML: tuple[tuple[re.Pattern[str], str, re.Pattern[str] | None], ...] = (
    (
        re.compile(r"<(?:script|pre|style|textarea)(?:\s|>|$)", re.IGNORECASE | re.ASCII),
        "</pre>",
        re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE | re.ASCII),
    ),
    (re.compile(r"<!--"), "-->", re.compile(r"-->")),
    (re.compile(r"<\?"), "?>", re.compile(r"\?>")),
    (re.compile(r"<![A-Za-z]"), ">", re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), "]]>", re.compile(r"\]\]>")),
    (re.compile(rf"</?(?:{_BLOCKS})(?:\s|/?>|$)", re.IGNORECASE | re.ASCII), "", None),
)
_LONE_TAG = re.compile(
    rf"(?:<[A-Za-z][A-Za-z0-9-]*(?:{_ATTRIBUTE})*\s*/?>|</[A-Za-z][A-Za-z0-9-]*\s*>)\s*$", re.ASCII
)


class Block(Record):
    """A top-level block: lines start to end; level is a heading's depth or an item's offset."""

    start: int
    end: int
    kind: str
    level: int = 0


class Scan(Record):
    """The blocks, and the lines hidden in fences and HTML."""

    blocks: list[Block]
    hidden: set[int]
    closer: str
    """the line that ends a fence or HTML block which would hide whatever follows"""


def scan(lines: Sequence[str], base: int = 0) -> Scan:
    """Every top-level block; `base` is added to line numbers."""
    found: list[list[Any]] = []
    hidden: set[int] = set()
    stack: Stack = ()
    leaf: Leaf = NONE
    following = (*lines[1:], "")
    for number, (line, after) in enumerate(zip(lines, following, strict=False), base):
        stack, leaf, begun, inside = step(line, after, stack, leaf)
        if begun:
            found.append([number, number + 1, *begun])
        elif (inside and not stack) or line.strip(" \t"):
            found[-1][1] = number + 1
        if inside:
            hidden.add(number)
    closer = leaf[0] if isinstance(leaf, tuple) and not stack else ""
    return Scan([Block._make(one) for one in found], hidden, closer)


def step(line: str, after: str, stack: Stack, leaf: Leaf) -> Step:
    """What one line does: containers and leaf after it, the block it begins, is it hidden."""
    if leaf is DELIM:
        return stack, TABLE, None, False
    if stack in _SIMPLE and isinstance(leaf, str) and (common := _common(line, stack, leaf)):
        return common
    if "\t" in line:
        line = line.expandtabs(4)
    depth, rest = _carried(line, stack, leaf) if stack else (0, line)
    if isinstance(leaf, tuple) and depth == len(stack):
        return stack, _hiding(rest, leaf), None, leaf[1] is not None or bool(rest.strip(" "))
    return _opened(rest, after, stack, depth, leaf)


def _common(line: str, stack: Stack, leaf: str) -> Step | None:
    """The most common lines, without a look at what else they might be."""
    if not line:
        return None if leaf is EMPTY else (stack, CODE if leaf is CODE else NONE, None, False)
    if line[:2] == "- " and line[2:3].isalpha():
        return _BULLET, PARA, ("item", 2), False
    if stack:
        return None
    if leaf is TABLE:
        return ((), TABLE, None, False) if line[0] == "|" else None
    if line[0].isalpha() and "|" not in line:
        return (), PARA, None if leaf is PARA else ("para", 0), False
    return None


def _carried(line: str, stack: Stack, leaf: Leaf) -> tuple[int, str]:
    """How many of the containers go on in this line, and what is left of it inside them."""
    rest = line
    for depth, offset in enumerate(stack):
        if offset == QUOTE:
            quoted = _QUOTED.match(rest)
            if not quoted:
                return depth, rest
            rest = rest[quoted.end() :]
            continue
        text = rest.lstrip(" ")
        # An item that began with a blank line ends with the next one.
        if (text and len(rest) - len(text) < offset) or (
            not text and leaf is EMPTY and depth == len(stack) - 1
        ):
            return depth, rest
        rest = rest[offset:]
    return len(stack), rest


def _hiding(rest: str, leaf: tuple[str, re.Pattern[str] | None]) -> Leaf:
    """A fence or HTML block after one more line of it."""
    closer, end = leaf
    if end is None:
        return leaf if rest.strip(" ") else NONE
    return NONE if closes(closer, end, rest) else leaf


def closes(closer: str, end: re.Pattern[str], line: str) -> bool:
    """Whether a line ends a fence, of which it must be all, or an HTML block."""
    return bool(end.match(line) if closer[0] in "`~" else end.search(line))


def _opened(rest: str, after: str, stack: Stack, depth: int, leaf: Leaf) -> Step:
    """The containers and the leaf that the rest of a line opens, closes or goes on with."""
    inside, begun = stack[:depth], None
    whole, fresh = depth == len(stack), False
    para = leaf is PARA
    while text := rest.lstrip(" "):
        indent = len(rest) - len(text)
        start = _STARTS.get(text[0]) if indent < 4 and len(inside) < DEEPEST else None
        new = start(text, indent, para and whole, para or leaf is TABLE) if start else None
        if new is None:
            state = begun, stack if para else inside, leaf
            return _text(rest, after, inside, state, whole=whole)
        kind, level, rest, left = new
        if kind == "setext":
            return stack, NONE, None, False
        begun = begun if inside else (kind, level)
        if kind not in ("quote", "item"):
            return inside, left, begun, False
        inside, leaf, fresh, para, whole = (*inside, level), NONE, True, False, True
    blank = EMPTY if fresh and inside[-1] else CODE if leaf is CODE and whole else NONE
    return inside, blank, begun, False


def _text(
    rest: str,
    after: str,
    inside: Stack,
    state: tuple[tuple[str, int] | None, Stack, Leaf],
    *,
    whole: bool,
) -> Step:
    """A line that begins nothing: it goes on with a paragraph, be it lazily, or is a new one."""
    begun, stack, leaf = state
    text = rest.lstrip(" ")
    indented = len(rest) - len(text) >= 4
    if leaf is not PARA and indented:
        goes_on = leaf is CODE and whole
        return inside, CODE, begun if inside or goes_on else ("code", 0), False
    free = not inside and (whole or leaf is not PARA)
    if free and not indented and leaf is not TABLE and is_table(text, after):
        return inside, DELIM, ("table", 0), False
    if leaf is PARA:
        return stack, PARA, None, False
    if leaf is TABLE and whole:
        return inside, TABLE, None, False
    left = NONE if _DEFINITION.match(text) else PARA
    return inside, left, begun if inside else ("para", 0), False


def is_table(header: str, delimiter: str) -> bool:
    """Whether two lines begin a table."""
    if "|" not in header or "-" not in delimiter:
        return False
    if "\t" in delimiter:
        delimiter = delimiter.expandtabs(4)
    return bool(_DELIM.match(delimiter)) and len(cells(header)) == len(cells(delimiter))


def cells(row: str) -> list[str]:
    r"""The raw cells of a table row; a pipe after a backslash does not part them."""
    row = row.strip(" \t")
    parts = _PIPE.split(row) if "\\" in row else row.split("|")
    if parts and not parts[0]:
        del parts[0]
    if parts and not parts[-1]:
        del parts[-1]
    return parts


def _heading(text: str, indent: int, para: bool, lazy: bool) -> Begun:  # noqa: ARG001
    found = _HEADING.match(text)
    return ("heading", len(found[1]), "", NONE) if found else None


def _quote(text: str, indent: int, para: bool, lazy: bool) -> Begun:  # noqa: ARG001
    return "quote", QUOTE, text[2:] if text[1:2] == " " else text[1:], NONE


def _fence(text: str, indent: int, para: bool, lazy: bool) -> Begun:  # noqa: ARG001
    found = _FENCE.match(text)
    if not found:
        return None
    marks = found[1] or found[2]
    return "fence", 0, "", (marks, re.compile(rf" {{0,3}}{marks[0]}{{{len(marks)},}}[ \t]*$"))


def _html(text: str, indent: int, para: bool, lazy: bool) -> Begun:  # noqa: ARG001
    for begins, closer, end in _HTML:
        if begins.match(text):
            return "html", 0, "", NONE if end and end.search(text) else (closer, end)
    return ("html", 0, "", ("", None)) if not lazy and _LONE_TAG.match(text) else None


def _underline(text: str, indent: int, para: bool, lazy: bool) -> Begun:  # noqa: ARG001
    return ("setext", 0, "", NONE) if para and _SETEXT.match(text) else None


def _rule(text: str, indent: int, para: bool, lazy: bool) -> Begun:  # noqa: ARG001
    return ("rule", 0, "", NONE) if RULE.match(text) else None


def _item(text: str, indent: int, para: bool, lazy: bool) -> Begun:  # noqa: ARG001
    found = _MARKER.match(text)
    if not found:
        return None
    mark, body = found[0], text[found.end() :]
    content = body.lstrip(" ")
    # Only a list that starts with 1 and says something may break into a paragraph.
    if para and (not content or (len(mark) > 1 and int(mark[:-1]) != 1)):
        return None
    spaces = len(body) - len(content)
    gap = spaces if content and spaces < 5 else 1
    return "item", indent + len(mark) + gap, body[gap:], NONE


def _dash(text: str, indent: int, para: bool, lazy: bool) -> Begun:
    return (
        _underline(text, indent, para, lazy)
        or _rule(text, indent, para, lazy)
        or _item(text, indent, para, lazy)
    )


_STARTS: dict[str, Callable[[str, int, bool, bool], Begun]] = {
    "#": _heading,
    ">": _quote,
    "`": _fence,
    "~": _fence,
    "<": _html,
    "=": _underline,
    "_": _rule,
    "-": _dash,
    "*": _dash,
    **dict.fromkeys("+0123456789", _item),
}
