"""Modules compiled ahead of time, all in one file: a hook reads that instead of a dozen.

Each is believed only while its source is the very file it was compiled from; any other is left to
the ordinary import. This module itself is the first thing in that file (see `world.launcher`).
"""

import posix
import sys
from _frozen_importlib import ModuleSpec
from marshal import loads

TYPE_CHECKING = False  # leftoff is not importable yet when this runs
if TYPE_CHECKING:
    from types import ModuleType

    Table = dict[str, tuple[str, tuple[int, int, int], bytes]]
    """Of each module: its source, that file's size and times, and its code."""

PACKAGE = "/__init__.py"


class Ahead:
    """A finder and loader as `sys.meta_path` wants it."""

    def __init__(self, table: "Table") -> None:
        self._table = table

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> object:
        """The module's place, if it is known and still what it was."""
        if name not in self._table:
            return None
        source, known, _ = self._table[name]
        try:
            status = posix.stat(source)
        except OSError:
            return None
        # installers may set the time of a change, but not that of the file's own record
        if (status.st_size, status.st_mtime_ns, status.st_ctime_ns) != known:
            return None
        spec = ModuleSpec(name, self, origin=source)  # type: ignore[arg-type]  # by its methods
        spec.has_location = True
        if source.endswith(PACKAGE):
            spec.submodule_search_locations = [source[: -len(PACKAGE)]]
        return spec

    def create_module(self, _spec: object) -> None:
        """An ordinary module."""

    def exec_module(self, module: "ModuleType") -> None:
        """Fill it."""
        exec(loads(self._table[module.__name__][2]), module.__dict__)  # noqa: S102, S302  # our own


def install(table: "Table") -> None:
    """Let imports look here first."""
    sys.meta_path.insert(0, Ahead(table))  # type: ignore[arg-type]  # by its methods
