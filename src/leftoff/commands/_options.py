"""Options that commands share: which of them an action takes, and how numbers are read."""

from __future__ import annotations

from leftoff.core.texts import number
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_SPELLED = {"kind": "--as", "start": "--from", "message": "-m", "id": "ID", "word": "WORD"}
"""Arguments that are not called as they are typed."""


def refuse_others(args: Any, verb: str, action: str, takes: Mapping[str, tuple[str, ...]]) -> None:
    """Usage for what only other actions take, so that nothing is silently ignored."""
    for name in dict.fromkeys(name for names in takes.values() for name in names):
        if getattr(args, name) and name not in takes.get(action, ()):
            option = _SPELLED.get(name) or f"--{name.replace('_', '-')}"
            raise Usage(f"{verb} {action} does not take {option}", hint="see --help")


def number_option(
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
