"""A Markdown document that is edited by whole lines, so that everything else keeps its bytes.

Line endings, a byte order mark, a missing newline at the end survive. Each edit gives a new
document, scanned again: an edit never works with line numbers that another one has moved.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache

from leftoff.formats import _md_front_matter as front
from leftoff.formats._md_scan import Block, Scan, scan
from leftoff.formats._md_text import is_conflict, one_line, read_text, read_title
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    from leftoff.formats._md_items import Listing
    from leftoff.formats._md_list_diff import Entry

    Cut: TypeAlias = tuple[int, int, Sequence[str]]
    """lines from, to, and what comes in their place"""

BOM = "\ufeff"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_COMMENTS = re.compile(r"\s*(?:<!--(?:(?!-->).)*-->\s*)+$", re.DOTALL)


class Section(Record):
    """A heading of level 1 to 3 and its body: lines head + 1 to end."""

    title: str
    level: int
    head: int
    end: int
    under: str = ""
    """the title of the level 2 section around a level 3 one"""


class Document(Record):
    """The lines of a text, with and without their endings, and what the scanner saw in them."""

    lines: list[str]
    plain: list[str]
    start: int
    """where the header ends"""
    header: list[front.Entry]
    scan: Scan
    sections: list[Section]
    bom: str
    eol: str
    cut: bool
    """the last line has no newline in the file"""
    listed: dict[Section, tuple[Listing, tuple[Entry, ...]]]
    """what `_md_lists` found in a section, so that `check` need not read what `read` has read"""


@lru_cache(maxsize=2)  # whose is it, read it, check it: three questions about one text
def parse(text: str) -> Document:
    """The document of a text."""
    bom = BOM if text.startswith(BOM) else ""
    lines = _LINE.findall(text, len(bom))
    eol = lines[0][len(lines[0].rstrip("\r\n")) :] if lines else ""
    cut = bool(lines) and lines[-1][-1] not in "\r\n"
    if cut:
        lines[-1] += eol or "\n"
    return _document(lines, bom, eol or "\n", cut=cut)


def _document(lines: list[str], bom: str, eol: str, *, cut: bool) -> Document:
    plain = [line.rstrip("\r\n") for line in lines]
    start = front.header_end(plain)
    seen = scan(plain[start:], start)
    heads = [block for block in seen.blocks if block.kind == "heading" and block.level <= 3]
    header = front.entries(plain, start)
    return Document(lines, plain, start, header, seen, _sections(plain, heads), bom, eol, cut, {})


def _sections(plain: Sequence[str], heads: Sequence[Block]) -> list[Section]:
    """The headings down to level 3, each with the body that ends at the next of its level."""
    found, around = [], ""
    for block, end in zip(heads, _ends(heads, len(plain)), strict=True):
        title, level = one_line(read_title(plain[block.start])), block.level
        found.append(Section(title, level, block.start, end, around if level == 3 else ""))
        if level < 3:
            around = title if level == 2 else ""
    return found


def _ends(heads: Sequence[Block], last: int) -> list[int]:
    """For each heading the line of the next one of its level or above."""
    ends = []
    nearest = [0, last, last, last]
    for block in reversed(heads):
        ends.append(nearest[block.level])
        nearest[block.level :] = [block.start] * (4 - block.level)
    return ends[::-1]


def editable(doc: Document) -> Document:
    """The document, so that what is put into it is neither taken for a header nor swallowed."""
    cuts: list[Cut] = []
    if not doc.start and doc.plain and doc.plain[0].rstrip() == front.FENCE:
        cuts.append((0, 0, [""]))
    if doc.scan.closer and all(section.level != 2 for section in doc.sections):
        cuts.append((len(doc.plain), len(doc.plain), [doc.scan.closer]))
    return spliced(doc, *cuts) if cuts else doc


def render(doc: Document) -> str:
    """The text of a document."""
    text = "".join(doc.lines)
    if doc.cut:
        text = text.removesuffix("\n").removesuffix("\r")
    return doc.bom + text


def spliced(doc: Document, *cuts: Cut) -> Document:
    """The document with other lines in place of some; cuts come in order and do not overlap."""
    lines: list[str] = []
    done = 0
    for start, end, new in cuts:
        lines += doc.lines[done:start]
        lines += (line + doc.eol for line in new)
        done = end
    return _document(lines + doc.lines[done:], doc.bom, doc.eol, cut=doc.cut)


def is_lost(text: str, path: str, patterns: Sequence[str]) -> bool:
    """Whether a document has its place here of which no word is left: by a crash, or in UTF-16."""
    void = "\0" in text or not text.strip(f"{BOM} \t\r\n")
    ends = [glob.split("*") for glob in patterns] if void else []
    return any(path.startswith(first) and path.endswith(last) for first, last in ends)


def damage(doc: Document) -> int:
    """The first line that git left behind or that holds a NUL, counted from 1; 0 if none."""
    for number, line in enumerate(doc.plain):
        if "\0" in line or (is_conflict(line) and number not in doc.scan.hidden):
            return number + 1
    return 0


def blocks_in(doc: Document, start: int, end: int) -> list[Block]:
    """The top-level blocks that begin within some lines."""
    blocks = doc.scan.blocks
    first = bisect_left(blocks, (start,))
    return blocks[first : bisect_left(blocks, (end,), first)]


def text_of(doc: Document, block: Block) -> str:
    """The raw text of a block."""
    return "\n".join(doc.plain[block.start : block.end])


def is_comment(doc: Document, block: Block) -> bool:
    """Whether a block is nothing but HTML comments."""
    return block.kind == "html" and bool(_COMMENTS.match(text_of(doc, block)))


def is_separator(doc: Document, block: Block) -> bool:
    """Whether a block is the line that people put between sections."""
    return block.kind == "rule" and doc.plain[block.start].strip() == "---"


def passage_span(doc: Document, section: Section) -> tuple[int, int]:
    """The lines of a section's text: its body without comments before and separators after it."""
    blocks = blocks_in(doc, section.head + 1, section.end)
    first, last = 0, len(blocks)
    while first < last and is_comment(doc, blocks[first]):
        first += 1
    while first < last and is_separator(doc, blocks[last - 1]):
        last -= 1
    if first == last:
        at = blocks[first - 1].end if first else section.head + 1
        return at, at
    return blocks[first].start, blocks[last - 1].end


def passage_of(doc: Document, section: Section) -> str:
    """The text of a section."""
    start, end = passage_span(doc, section)
    return read_text(doc.plain[start:end], doc.scan.hidden, start)


def set_passage(
    doc: Document, section: Section, new: Sequence[str], own: Iterable[str] = ()
) -> Document:
    """The document with other lines as a section's text; `own` comments make room for it."""
    start, end = passage_span(doc, section)
    if not new:
        return _without(doc, start, end)
    first = section.head + 1
    if start == end and "\n".join(doc.plain[first:end]).strip() in {"", *own}:
        start = first
        while end < section.end and is_blank(doc, end):
            end += 1
        new = ["", *new] if is_airy(doc, section.head) else new
    lead = [""] if start > first and not is_blank(doc, start - 1) else []
    tail = [""] if end < len(doc.plain) and not is_blank(doc, end) else []
    return spliced(doc, (start, end, [*lead, *new, *tail]), *upright(doc, section.end))


def is_airy(doc: Document, besides: int = -1) -> bool:
    """Whether the document has a blank line below its headings; its first other one decides."""
    for block in doc.scan.blocks:
        below = doc.plain[block.end : block.end + 1]
        if block.kind == "heading" and block.start != besides and below:
            return not below[0].strip()
    return True


def upright(doc: Document, number: int) -> list[Cut]:
    """Takes the indent of a heading away, with which it would become a part of a list before it."""
    if number < len(doc.plain) and doc.plain[number].startswith(" "):
        return [(number, number + 1, [doc.plain[number].lstrip()])]
    return []


def _without(doc: Document, start: int, end: int) -> Document:
    while start < end < len(doc.plain) and is_blank(doc, end) and is_blank(doc, start - 1):
        end += 1
    return spliced(doc, (start, end, ()))


def is_blank(doc: Document, number: int) -> bool:
    """Whether a line is blank."""
    return not doc.plain[number].strip(" \t")


def insert_section(
    doc: Document, at: int, head: Sequence[str], body: Sequence[str] = ()
) -> tuple[Document, Section]:
    """The document with a new section before a line; `head` ends with its heading."""
    lead = [""] if at > doc.start and not is_blank(doc, at - 1) else []
    tail = [""] if at < len(doc.plain) and not is_blank(doc, at) else []
    heads = (block.start for block in doc.scan.blocks if block.kind == "heading")
    after = next((start for start in heads if start >= at), len(doc.plain))
    made = spliced(doc, (at, at, [*lead, *head, *body, *tail]), *upright(doc, after))
    return made, section_at(made, at + len(lead) + len(head) - 1)


def without_section(doc: Document, section: Section) -> Document:
    """The document without a section; at its end, without the blank lines before it too."""
    start = section.head
    while section.end == len(doc.plain) and start > doc.start and is_blank(doc, start - 1):
        start -= 1
    return spliced(doc, (start, section.end, ()), *upright(doc, section.end))


def section_at(doc: Document, head: int) -> Section:
    """The section whose heading stands on a line."""
    return next(section for section in doc.sections if section.head == head)


def place_after(doc: Document, section: Section) -> int:
    """Where a section goes that follows this one: before the separator to the next, if any."""
    if section.end == len(doc.plain) and doc.scan.closer:
        return section.head  # what is open there would swallow it
    blocks = blocks_in(doc, section.head, section.end)
    while len(blocks) > 1 and is_separator(doc, blocks[-1]):
        blocks.pop()
    end = blocks[-1].end
    while end < section.end and is_blank(doc, end):
        end += 1
    return end
