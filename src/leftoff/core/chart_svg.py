"""SVG as text: what every chart is made of. Pure, and safe whatever a label holds.

Colours come from classes that the page's style sheet knows, and from `currentColor`: no chart has
a style of its own, which the page's security policy would refuse.
"""

from __future__ import annotations

from leftoff.core.export import shown
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST = 1e15
"""No value of a chart is larger: what is, is a mistake of whoever wrote it."""
SERIES = 8
"""colours that the style sheet knows, `c0` to `c7`"""
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})
_NO_XML = {0xFFFE: "\ufffd", 0xFFFF: "\ufffd"}
_LETTER = 12 * 0.58
"""pixels of a character, at the size that the style sheet gives to labels"""
_WIDE = 0x1100
"""from here on most characters are two columns wide"""


class Chart(Record):
    """A picture, and the same values as a table for those who cannot see it."""

    svg: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class Box(Record):
    """A part of the picture: its left, top, right and bottom."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


def finite(value: float) -> float:
    """A value that can be drawn: no less than nothing, no more than MOST, never NaN."""
    return min(float(value), MOST) if value > 0 else 0.0


def escaped(text: str) -> str:
    """A stranger's text as text: no markup, nothing that nobody sees, nothing that XML forbids."""
    clean = text.encode("utf-8", "replace").decode()
    return shown(clean).replace("\t", " ").translate(_NO_XML).translate(_ESCAPES)


def fitted(text: str, width: float) -> str:
    """As much of a label as so many pixels hold, on one line."""
    room, used = width / _LETTER, 0
    line = " ".join(shown(text[:400]).split())
    for at, char in enumerate(line):
        used += 2 if ord(char) >= _WIDE else 1
        if used > room:
            return line[: max(0, at - 1)].rstrip() + "…"
    return line


def number(value: float) -> str:
    """A coordinate: one digit behind the point is finer than a screen."""
    return f"{value:.1f}".removesuffix(".0")


def element(name: str, inside: str = "", /, **attributes: float | str) -> str:
    """A tag; `class_` is class, and an underscore in any other name a dash."""
    parts = [name]
    for key, value in attributes.items():
        told = escaped(value) if isinstance(value, str) else number(value)
        parts.append(f'{key.rstrip("_").replace("_", "-")}="{told}"')
    head = " ".join(parts)
    return f"<{head}>{inside}</{name}>" if inside else f"<{head}/>"


def label(x: float, y: float, text: str, class_: str = "t", anchor: str = "start") -> str:
    """A text at a place."""
    return element("text", escaped(text) or " ", x=x, y=y, class_=class_, text_anchor=anchor)


def hint(text: str) -> str:
    """What a pointer over an element shows."""
    return f"<title>{escaped(text[:300])}</title>"


def linked(inside: str, href: str) -> str:
    """An element that leads to a page of ours; a stranger's address leads nowhere.

    For who points at it: keys and screen readers find the same links in a list beside the picture.
    """
    ours = href.startswith("/") and not href.startswith(("//", "/\\"))
    return element("a", inside, href=href, tabindex="-1") if ours else inside


def path(points: Sequence[tuple[float, float]]) -> str:
    """The data of a line through the points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


def picture(  # noqa: PLR0913  # what a picture is, by name
    width: float, height: float, parts: Iterable[str], *, title: str, desc: str, kind: str
) -> str:
    """The whole, with the words that a screen reader says."""
    size = f"0 0 {number(width)} {number(height)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart {kind}" role="img" '
        f'viewBox="{size}" width="{number(width)}" height="{number(height)}">'
        f"<title>{escaped(title)}</title><desc>{escaped(desc)}</desc>{''.join(parts)}</svg>"
    )
