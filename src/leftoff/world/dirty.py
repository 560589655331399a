"""The files that are not committed, if git says so in time."""

from __future__ import annotations

from leftoff.errors import GitError
from leftoff.record import TYPE_CHECKING
from leftoff.world import git

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.world.place import Place


def uncommitted(place: Place, env: Mapping[str, str], patience: float) -> list[str] | None:
    """Their paths; None outside git, or when git takes longer."""
    if not place.git:
        return None
    words = ("-c", "core.quotePath=false", "status", "--porcelain", "-z", "--no-renames")
    try:
        said = git.run(place.root, *words, env=env, patience=patience)
    except GitError:
        return None
    return [entry[3:] for entry in said.split("\0") if entry]
