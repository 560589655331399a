"""What the Markdown formats share: fields in sections, keys in a header, the rest kept as `extra`.

A format says in a `Spec` which section holds which field. `hold`, `read` and `write` follow it; what
is special about a format stays in its own module.
"""

from __future__ import annotations

from leftoff.core.model import Checkpoint, Item, keep_only
from leftoff.errors import FormatError
from leftoff.formats import _md_front as front
from leftoff.formats._markdown import (
    Section,
    blocks_in,
    conflict_line,
    insert_section,
    is_comment,
    is_separator,
    parse,
    passage_of,
    place_after,
    sections,
    set_passage,
    spliced,
    text_of,
)
from leftoff.formats._md_items import tidy
from leftoff.formats._md_lists import items_of, set_items
from leftoff.formats._md_text import clean, one_line, passage, write_text, write_title
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from leftoff.core.model import Json
    from leftoff.formats._markdown import Document
    from leftoff.formats._md_items import Listing

FRONT = "front"
OTHER = " (other)"
# Says that a section is empty on purpose, where another of its name further down is not.
EMPTY = "<!-- none -->"


class Part(Record):
    """One section of a format."""

    field: str
    names: tuple[str, ...]
    """its headings; the first is written"""
    items: Listing | None = None
    """how its items are spelled; without it the section is one text"""
    under: str = ""
    """the level 2 heading that a level 3 section stands under"""
    always: bool = True
    """stands in every new document"""
    hint: str = ""
    """the comment that stands in a new document where there is nothing to say yet"""
    nothing: tuple[str, ...] = ()
    """texts that say that there is nothing; the first is written"""
    only: tuple[str, str] = ("", "")
    """the attribute that all its items have, and no item of another section of the field"""
    dated: str = ""
    """the beginning of the headings of sections that are one item each"""


class Spec(Record):
    """A Markdown format: its sections in order, the keys of its header, its other headings."""

    parts: tuple[Part, ...]
    keys: Mapping[str, str]
    """field -> key of the header"""
    fields: tuple[str, ...]
    airy: bool = True
    """a blank line below each heading"""
    derived: tuple[str, ...] = ()
    """headings whose text follows from the fields: neither read nor kept in `extra`"""


class Found(Record):
    """The sections of a document, by what they hold."""

    parts: dict[Part, list[Section]]
    """every section of a part; the first that says something is the one that counts"""
    others: dict[str, list[Section]]
    around: dict[str, Section]
    """the level 2 sections that hold level 3 ones, by their heading"""
