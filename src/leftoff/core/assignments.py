"""The words of `update`: `--key=value`, `--key+=value`, `--key:json=value`, on dotted paths."""

from __future__ import annotations

from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable

    from leftoff.core.model import Json


class Assignment(Record):
    """One parsed word: where, how (`=` or `+=`), and what."""

    path: tuple[str, ...]
    op: str
    value: Json


_INSTEAD = (
    "to change an item: --key.0=TEXT, counted from 0; to remove one, "
    "give the list to keep: --key:json='[...]'"
)


def parse(word: str, loads: Callable[[str], Json]) -> Assignment:
    """An assignment; Usage for anything that is not exactly one of the three operators."""
    key, given, text = word.removeprefix("--").partition("=")
    name, append, as_json = key, False, False
    while name.endswith(("+", ":json")):
        if name.endswith("+") and not append:
            name, append = name[:-1], True
        elif name.endswith(":json") and not as_json:
            name, as_json = name.removesuffix(":json"), True
        else:
            break
    if name.endswith("-"):
        raise Usage(f'"{word[:80]}" removes nothing', hint=_INSTEAD)
    path = tuple(name.split("."))
    if not given or not all(path) or any(mark in name for mark in "+: \t\n"):
        raise Usage(
            f'"{word[:80]}" is not an assignment',
            hint="use --key=value, --key+=value or --key:json=VALUE with a dotted key",
        )
    value = loads(text) if as_json else text
    if append and isinstance(value, str) and not value.strip():
        raise Usage(
            f'"{word[:80]}" adds an empty item', hint="give it a text; was a variable empty?"
        )
    return Assignment(path, "+=" if append else "=", value)
