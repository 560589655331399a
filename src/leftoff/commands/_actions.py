"""Commands that have actions (`session list`): which options each takes; any other is refused."""

from __future__ import annotations

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
