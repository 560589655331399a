"""Formats are lenses on the model: one module each, found by discovery, pure text in and out.

A module whose name has no leading underscore is a lens, and called as its file is. Its laws
(GetPut, PutGet, Create, Keep, Total) run over every lens found: tests/laws/test_lenses.py.
"""

from __future__ import annotations

from os import listdir

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    from leftoff.core.finish_action import Ending
    from leftoff.core.model import Checkpoint, Finding, Json

    class Lens(Protocol):
        """What a format module defines."""

        NAME: str
        """How commands call it: `convert --to NAME`. A part of a stream is called `name.part`."""
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


def names() -> list[str]:
    """Every lens, from the files in this folder: that of `thread.json` is `thread_json.py`."""
    files = listdir(__path__[0])
    return sorted(f[:-3].replace("_", ".") for f in files if f.endswith(".py") and f[0] != "_")


def kinds() -> list[str]:
    """What a checkpoint can be written as: every lens but those of a stream's other parts."""
    return [name for name in names() if "." not in name]


def kinds_of_work() -> list[str]:
    """The same, without what holds no work of its own."""
    from leftoff.core.stream import NO_STREAMS

    return [name for name in kinds() if name not in NO_STREAMS]


def named(name: str) -> Lens:
    """The lens of a name."""
    # __import__ spares the common path the importlib package
    found: Any = __import__(f"{__name__}.{name.replace('.', '_')}", fromlist=["read"])
    return found  # type: ignore[no-any-return]  # a module is checked against the Protocol by a test


def lenses() -> list[Lens]:
    """Every lens, by name."""
    return [named(name) for name in names()]


def parts(kind: str) -> list[Lens]:
    """The lenses that make one stream: that of the kind, then those called `kind.part`."""
    return [named(name) for name in names() if kind == name.partition(".")[0]]
