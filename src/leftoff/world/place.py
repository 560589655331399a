"""Which project a folder belongs to, and which paths are inside it.

Git's own files answer, read directly: starting git would cost more than a whole `status`.
"""

from __future__ import annotations

import os
from stat import S_IWOTH

from leftoff.errors import Conflict, Usage
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world.files import names_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MARKS = (".checkpoints", "checkpoints/active", "checkpoints/archive", ".workflow_artifacts")


class Place(Record):
    """A working tree on disk; `git` is the git folder of this very tree, empty without git."""

    root: str
    git: str


def find_place(start: str, home: str = "") -> Place:
    """The project around a folder: the nearest one with checkpoints, no further up than git's top.

    Without git the search ends below the home folder, which is a project only when one is in it.
    """
    start = os.path.realpath(start)
    marked = ""
    for folder in _upwards(start):
        marked = marked or (folder if _is_marked(folder) else "")
        git = _git_dir(folder)
        if git is not None:
            return Place(marked or folder, git)
    limit = os.path.realpath(home) if home else ""
    return Place(marked if marked and _may_be_root(marked, start, limit) else start, "")


def family(place: Place) -> str:
    """What the working trees of one repository share: its common git folder, else the root."""
    if not place.git:
        return place.root
    common = _first_line(os.path.join(place.git, "commondir"))
    return os.path.realpath(os.path.join(place.git, common)) if common else place.git


def inside(root: str, path: str) -> str:
    """The real absolute path of something in the project; Usage when it leads anywhere else.

    Links are resolved, so a writer that renames over the answer replaces the file, not the link.
    """
    if not path or "\0" in path or ".." in path.split("/"):
        raise _outside(path)
    real = os.path.realpath(os.path.join(root, path))
    if not is_below(real, root) and not os.path.isabs(path):
        raise Usage(f"{path} leads outside the project, by a link", where=path)
    if not is_below(real, root) or ".git" in real[len(root) :].split("/"):
        raise _outside(path)
    return real


def stays(path: str) -> None:
    """Conflict where a path from `inside` has become one through a link since it was resolved.

    Writers ask just before they write: what was inside when they read may now lead elsewhere.
    """
    if os.path.realpath(path) != path:
        name = os.path.basename(path)
        text = f"{name}, or a folder above it, became a link in the meantime; nothing was written"
        raise Conflict(text, hint="look at where it leads, then run it again")


def prefix(root: str) -> str:
    """Where the project lies in its working tree: empty at the top, else `some/folder/`."""
    folder, below = root, ""
    while not os.path.lexists(os.path.join(folder, ".git")):
        folder, name = os.path.split(folder)
        if not name:
            return ""
        below = f"{name}/{below}"
    return below


def is_below(path: str, root: str) -> bool:
    """Whether a real path lies under a real root (which may be the file system's)."""
    return path.startswith(root.rstrip("/") + "/")


def _outside(path: str) -> Usage:
    from leftoff.core.ids import shown  # on the way to an error

    told = shown(path)
    return Usage(f'"{told}" is not a path inside this project', where=told)


def _upwards(folder: str) -> Iterator[str]:
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        folder = parent
        yield folder


def _is_marked(folder: str) -> bool:
    return any(os.path.isdir(os.path.join(folder, mark)) for mark in _MARKS)


def _git_dir(folder: str) -> str | None:
    """The git folder of a working tree's top; empty when it is lost; None elsewhere."""
    dot_git = os.path.join(folder, ".git")
    if os.path.isdir(dot_git):
        return os.path.realpath(dot_git) if _is_git_dir(dot_git) else None
    pointer = _first_line(dot_git)
    if not pointer.startswith("gitdir:"):
        return None
    named = os.path.realpath(os.path.join(folder, pointer.removeprefix("gitdir:").strip()))
    return named if _is_git_dir(named) else ""


def _is_git_dir(folder: str) -> bool:
    return os.path.lexists(os.path.join(folder, "HEAD"))


def _first_line(path: str) -> str:
    if not os.path.isfile(path):
        return ""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline(5000).rstrip("\r\n")
    except OSError:
        return ""


def _may_be_root(folder: str, start: str, home: str) -> bool:
    """Without git: not the home folder, nor above it, nor a folder where anyone may plant one."""
    if folder == start:
        return True
    if home and (folder == home or is_below(home, folder)):
        return False
    return not os.stat(folder).st_mode & S_IWOTH


def worktrees(place: Place) -> list[str]:
    """The other working trees of a repository, by what git wrote down of them."""
    if not place.git:
        return []
    common = family(place)
    found = [os.path.dirname(common)] if os.path.basename(common) == ".git" else []
    folder = os.path.join(common, "worktrees")
    pointers = (os.path.join(folder, name, "gitdir") for name in names_in(folder))
    found += [os.path.dirname(_first_line(pointer)) for pointer in pointers]
    return [one for one in dict.fromkeys(found) if one and one != place.root]


def belongs_to(place: Place, home: str) -> Callable[[str], bool]:
    """Whether a folder is part of the project: in any of its working trees, at any depth."""
    mine, known = family(place), {place.root: True}
    roots = [place.root, *worktrees(place)]

    def belongs(folder: str) -> bool:
        if folder not in known:
            known[folder] = _is_part(folder)
        return known[folder]

    def _is_part(folder: str) -> bool:
        if not folder:
            return False
        if os.path.isdir(folder):
            return family(find_place(folder, home)) == mine
        # it is gone: its name is all there is
        return any(folder == root or is_below(folder, root) for root in roots)

    return belongs


def roots_of(home: str, here: Place | None = None) -> Callable[[str], str]:
    """The project of a folder; thousands of sessions began in a few of them, and most `here`."""
    known = {here.root: here.root} if here else {}

    def root_of(folder: str) -> str:
        if folder not in known:
            there = os.path.isdir(folder)
            known[folder] = find_place(folder, home).root if there else folder
        return known[folder]

    return root_of
