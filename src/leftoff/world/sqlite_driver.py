"""SQLite's driver alone: what `sqlite3` adds is of no use here, and slower to load.

The driver takes one thing of `functools`, the import of which is a tenth of a whole search. Where
nothing has loaded that yet, the driver gets the one thing, and the name is free again afterwards.
"""

from __future__ import annotations

import sys

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from typing import Any


class _Functools:
    """In place of the module, while the driver is loaded."""

    @staticmethod
    def lru_cache(size: int) -> Callable[[Any], Any]:
        """As the driver uses it: for its statements."""
        from _functools import _lru_cache_wrapper  # type: ignore[import-not-found]

        return lambda made: _lru_cache_wrapper(made, size, False, tuple)


def _loaded() -> Any:
    try:
        import _sqlite3
    except (ImportError, AttributeError):  # not CPython, or one whose driver takes more
        return None
    return _sqlite3


def _driver() -> Any:
    if "functools" in sys.modules:
        return _loaded()
    sys.modules["functools"] = _Functools  # type: ignore[assignment]
    try:
        return _loaded()
    finally:
        del sys.modules["functools"]


if not TYPE_CHECKING:
    sqlite3 = _driver()
    if sqlite3 is None:
        import sqlite3

__all__ = ["sqlite3"]
