"""Numbers that people give to commands: one way to read them, one way to refuse them."""

from __future__ import annotations

from leftoff.core.texts import number
from leftoff.errors import Usage


def whole(
    option: str, text: str | None, *, default: int = 0, least: int = 0, most: int = 9_999_999
) -> int:
    """The number that was given for an option; the default where it was not given."""
    if text is None:
        return default
    found = number(text) if text.isascii() else -1
    if not least <= found <= most:
        hint = f"give a number from {least} to {most}"
        raise Usage(f'{option} cannot be "{text[:40]}"', hint=hint)
    return found
