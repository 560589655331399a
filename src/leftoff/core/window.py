"""How full a context is: the model's window and where that figure comes from, percent and level.

`entry.hook` repeats the two figures that a turn without any needs, and a test compares the two.
"""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

SMALL, LARGE = 200_000, 1_000_000
CLIENT, SETTINGS, MODEL, DEFAULT, EXCEEDED = "client", "settings", "model", "default", "exceeded"
USAGE, ESTIMATE, NOTHING = "usage", "estimate", "nothing"
"""How a context was measured: the transcript's usage, or its size in bytes; CLIENT said it."""

HEALTHY, WARNING, CRITICAL = "healthy", "warning", "critical"
BYTES_PER_TOKEN, ESTIMATED_WINDOW = 8, 150_000
"""A seed's rule for a transcript without usage: its bytes / 8 of a window of 150,000."""

_BY_MODEL = (
    ("[1m]", LARGE),
    ("claude-opus-5", LARGE),
    ("claude-", SMALL),
    ("gemini-", 1_048_576),
    ("gpt-4.1", 1_047_576),
    ("gpt-4o", 128_000),
    ("gpt-5", 272_000),
)
"""A part of the model's name and its window; the first that is in the name counts."""


MOST = 1 << 40
"""No figure of tokens or bytes is larger: what is, is a mistake of whoever wrote it."""


class Window(Record):
    """A model's window, and who says so."""

    tokens: int
    source: str


class Use(Record):
    """How much of a window is in use; `percent` is the raw value, which may pass 100."""

    tokens: int
    window: Window
    method: str

    @property
    def percent(self) -> float:
        return 100 * self.tokens / self.window.tokens

    @property
    def shown(self) -> float:
        """For display: never more than all of it."""
        return min(100.0, self.percent)

    @property
    def headroom(self) -> int:
        return max(0, self.window.tokens - self.tokens)


def window_for(model: str, told: int = 0, setting: int = 0, seen: int = 0) -> Window:
    """The client's figure, the settings', the table's, else 200,000; never less than was seen."""
    if 0 < told <= MOST:
        return Window(told, CLIENT)
    if setting > 0:
        return Window(setting, SETTINGS)
    name = model.lower()
    known = next((tokens for part, tokens in _BY_MODEL if part in name), 0)
    if seen > (known or SMALL):
        return Window(max(LARGE, known), EXCEEDED)
    return Window(known, MODEL) if known else Window(SMALL, DEFAULT)


def measured(tokens: int, window: Window, *, told: bool = False) -> Use:
    """By figures of the model's side, which the client told or its transcript keeps."""
    return Use(max(0, min(tokens, MOST)), window, CLIENT if told else USAGE)


def estimated(size: int) -> Use:
    """By the bytes of a transcript that says nothing of usage."""
    return Use(size // BYTES_PER_TOKEN, Window(ESTIMATED_WINDOW, ESTIMATE), ESTIMATE)


def level(percent: float, limits: Mapping[str, float]) -> str:
    """HEALTHY, WARNING or CRITICAL; a limit itself belongs to the level above it."""
    if percent >= limits["budget.critical"]:
        return CRITICAL
    return WARNING if percent >= limits["budget.warn"] else HEALTHY
