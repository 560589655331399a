"""Lines of what hooks tell a session: harmless, without secrets, and short."""

from __future__ import annotations

from leftoff.core.quote import quoted
from leftoff.core.texts import headed
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST, MOST = 300, 5
"""Characters of a line, entries of a part."""


def said(text: str) -> str:
    """A text of a document or a session, as long as a line."""
    return quoted(text, LONGEST)


def listed(label: str, entries: Iterable[str], most: int = MOST) -> Iterator[str]:
    """A label and its entries; nothing where there are none."""
    texts = [said(entry) for entry in entries if entry.strip()]
    if not texts:
        return
    yield headed(label)
    yield from (f"- {text}" for text in texts[:most])
    if len(texts) > most:
        yield f"- … +{len(texts) - most}"
