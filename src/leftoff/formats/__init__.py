"""Formats are lenses on the model: one module each, found by discovery, pure text in and out.

A module whose name has no leading underscore and that defines `HOLDS` is a lens. Its laws
(GetPut, PutGet, Create, Keep, Total) run over every lens found: tests/laws/test_lenses.py.
"""

from __future__ import annotations

from os import listdir

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    from leftoff.core.finish import Ending
    from leftoff.core.model import Checkpoint, Finding, Json

    class Lens(Protocol):
        """What a format module defines."""

        NAME: str
        """How commands call it: `convert --to NAME`."""
        PATTERNS: tuple[str, ...]
        """Project-relative globs where such documents live; `*` stays within one path segment."""
        HOLDS: Mapping[str, str]
        """Model field -> the format's own name for it."""
        STAMPS: bool
        """Whether every write sets `updated` (B's last_delta is set by a delta only)."""
        ENDING: Ending
        """What becomes of an action, and of the work, that is done."""

        def mine(self, text: str, path: str) -> bool:
            """Whether this is (or, damaged, was meant to be) such a document. Content decides."""

        def hold(self, c: Checkpoint) -> Checkpoint:
            """The checkpoint as this format can carry it; idempotent."""

        def path(self, c: Checkpoint) -> str:
            """Where a new document of this checkpoint goes."""

        def read(self, text: str, path: str) -> Checkpoint:
            """The model of a text; FormatError with a line otherwise."""

        def write(self, c: Checkpoint, old: str, path: str) -> str:
            """`old` with what differs put in; a new document when `old` is empty."""

        def check(self, text: str, path: str) -> list[Finding]:
            """Every rule that this text breaks; a broken text is one error finding."""

        def assign(self, text: str, path: str, changes: Sequence[Change]) -> str:
            """`text` after the changes of `update`; Usage when a path cannot be set."""


class Change(Record):
    """One assignment of `update`: a dotted path, `=` or `+=`, the value (text unless :json)."""

    path: tuple[str, ...]
    op: str
    value: Json
    new_key: bool = False


def modules() -> list[str]:
    """The names of the format modules in this folder."""
    files = listdir(__path__[0])
    return sorted(f[:-3] for f in files if f.endswith(".py") and not f.startswith("_"))


def lens(module: str) -> Lens:
    """The lens in a module."""
    # __import__ spares the common path the importlib package
    found: Any = __import__(f"{__name__}.{module}", fromlist=["read"])
    return found  # type: ignore[no-any-return]  # a module is checked against the Protocol by a test


def lenses() -> list[Lens]:
    """Every lens, in the order of their modules."""
    found = [lens(module) for module in modules()]
    return [one for one in found if hasattr(one, "HOLDS")]


def named(name: str) -> Lens:
    """The lens that commands call `name`; KeyError when there is none."""
    return {one.NAME: one for one in lenses()}[name]


def parts(name: str) -> list[Lens]:
    """The lenses that make one stream: that of the name, then those called `name.part`."""
    found = [one for one in lenses() if name == one.NAME or one.NAME.startswith(f"{name}.")]
    return sorted(found, key=lambda one: one.NAME)
