"""What a command's view is made of. Plain values: a terminal draws them, a pipe prints them."""

from __future__ import annotations

from leftoff.record import Record


class Heading(Record):
    """A title; level 1 is the page, 2 a section."""

    text: str
    level: int = 1


class Line(Record):
    """A line or paragraph. tone: plain, good, bad, warn, dim, strong."""

    text: str
    tone: str = "plain"


class Bullets(Record):
    """A list, numbered or not."""

    items: tuple[str, ...]
    numbered: bool = False


class Table(Record):
    """Columns and rows; `tones` colours a row, `elastic` columns give way on a narrow terminal."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    tones: tuple[str, ...] = ()
    elastic: tuple[int, ...] = (-1,)
    named_rows: bool = False
    """each row begins with the name of the value behind it: the names of the columns say nothing"""


class Marked(Record):
    """A line in which some places stand out; (start, end) of each."""

    text: str
    marks: tuple[tuple[int, int], ...]


class Raw(Record):
    """A text to print exactly as it is, without a newline of our own."""

    text: str


Block = Heading | Line | Bullets | Table | Marked | Raw
