"""One page, one file; see `leftoff.entry.web` for what it defines."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from os import listdir

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, Protocol

    from leftoff.entry.web.scene import Scene

    class Page(Protocol):
        """What a page module defines."""

        ROUTE: str
        TITLE: str
        TEMPLATE: str
        KEY: str
        PLACE: int

        def facts(self, scene: Scene) -> dict[str, Any]:
            """What the template shows."""


@cache
def every_page() -> tuple[Page, ...]:
    """All pages, in the order of the menu; those that are not in it come first."""
    names = sorted(name[:-3] for name in listdir(__path__[0]) if name[0] != "_")
    found: list[Any] = [import_module(f"{__name__}.{name}") for name in names]
    return tuple(sorted(found, key=lambda page: page.PLACE))


@cache
def menu() -> tuple[Page, ...]:
    """Those that every page links."""
    return tuple(page for page in every_page() if page.PLACE)
