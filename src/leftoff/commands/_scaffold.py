"""Step zero, shared by init and every first write: `.checkpoints/` with README and ignore file."""

from __future__ import annotations

from leftoff.core.starter import GITIGNORE, README
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from leftoff.world.store import Store

STARTERS = (
    (".checkpoints/README.md", README),
    (".checkpoints/.gitignore", GITIGNORE),
)


def scaffold(store: Store) -> list[str]:
    """Create what is missing and say what was created; whatever is there stays as it is."""
    return [path for path, text in STARTERS if store.create_missing(path, text)]
