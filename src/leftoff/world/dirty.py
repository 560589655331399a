"""The files that are not committed, if git says so in time."""

from __future__ import annotations

from leftoff.errors import GitError
from leftoff.record import TYPE_CHECKING
from leftoff.world import git
from leftoff.world.place import prefix

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.world.place import Place

PATIENCE = 2.0
"""Seconds that git may take where a person waits: nobody looks at a slow disk for longer."""
_WORDS = {"?": "new", "A": "new", "D": "deleted", "U": "conflict"}


def uncommitted(place: Place, env: Mapping[str, str], patience: float) -> list[str] | None:
    """Their paths; None outside git, or when git takes longer."""
    found = changes(place, env, patience)
    return None if found is None else [path for _, path in found]


def changes(place: Place, env: Mapping[str, str], patience: float) -> list[tuple[str, str]] | None:
    """What became of each, and its path in the project: modified, new, deleted, conflict."""
    if not place.git:
        return None
    words = ("-c", "core.quotePath=false", "status", "--porcelain", "-z", "--no-renames")
    below = prefix(place.root)  # git names all of them from the top of its working tree
    try:
        said = git.run(place.root, *words, *_only(below), env=env, patience=patience)
    except GitError:
        return None
    entries = (entry for entry in said.split("\0") if entry)
    return [(_word(entry[:2]), entry[3 + len(below) :] or "./") for entry in entries]


def _only(below: str) -> tuple[str, ...]:
    """What keeps git to a project that is a part of its working tree."""
    return ("--", ".") if below else ()


def _word(code: str) -> str:
    """Git's two letters, for the index and the working tree, in one word."""
    return next((word for letter, word in _WORDS.items() if letter in code), "modified")
