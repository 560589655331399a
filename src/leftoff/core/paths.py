"""Paths of the project: what a file is called, whose it is, and which one an entry means."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_CUTS = (" (", " — ", "\N{EN DASH}".join("  "), " - ", ": ", " → ")
_QUOTES = "`'\"*"
_NO_PATH = frozenset("*?{}<>|[]$\n\t\\")
_PLAIN_NAMES = frozenset({"Makefile", "Dockerfile", "LICENSE", "README", "Justfile", "Procfile"})

FOLDERS = (".checkpoints", "checkpoints", ".workflow_artifacts")
"""Below these lies what leftoff writes into a project."""
LEARNINGS = "checkpoints/LEARNINGS.md"
_OURS = ("/.checkpoints/", "/checkpoints/active/", "/checkpoints/archive/", "/.workflow_artifacts/")
_OUR_ENDS = ("/checkpoints/INDEX.md", f"/{LEARNINGS}", "/checkpoints/")


def is_checkpoint_path(path: str) -> bool:
    """Whether a path of the repository is a checkpoint, or generated from checkpoints.

    Git names a folder of checkpoints as a whole while all of it is new.
    """
    return any(part in f"/{path}" for part in _OURS) or f"/{path}".endswith(_OUR_ENDS)


def stem_of(path: str) -> str:
    """What a Markdown file is called, without its folder and its ending."""
    return path.rpartition("/")[2].removesuffix(".md")


def is_session_note(path: str) -> bool:
    """Whether a file of the task format is what a session noted, and no save."""
    return "/memory/sessions/" in f"/{path}"


def path_in(text: str) -> str:
    """The project-relative path that an entry begins with; empty for a URL, a glob, a mere word.

    `src/a.py:12 (new)` means `src/a.py`. Absolute paths and those that leave the project are of
    another machine or none of ours.
    """
    entry = text.strip()
    if " " in entry:
        for cut in _CUTS:
            entry = entry.partition(cut)[0]
    entry = entry.strip(_QUOTES + " ")
    if " " in entry:
        entry = entry.partition(" ")[0].strip(_QUOTES + ",;")
    path = _without_lines(entry).removeprefix("./").rstrip("/")
    return path if _is_path(path) else ""


def file_in(text: str, is_here: Callable[[str], bool]) -> str:
    """The file that an entry names, without the note behind it; empty for a sentence or a URL.

    A single word is what it is (`Makefile`). Words with spaces between them are a path if that is
    here, or if it is gone and both its beginning and its end look like one.
    """
    entry = text.strip()
    for cut in ("", *_CUTS):
        entry = entry.partition(cut)[0].strip() if cut else entry
        if len(entry.split()) < 2:
            return "" if "://" in entry else entry
        if is_here(entry):
            return entry
    first, last = path_in(entry), entry.rpartition(" ")[2]
    if "." in first or (first and is_here(first)):
        return first
    return entry if first and path_in(last) else ""


def _without_lines(entry: str) -> str:
    """Without a line number, or a range of them, at the end."""
    path, _, lines = entry.rpartition(":")
    if path and lines.replace("-", "").replace("L", "").isdecimal():
        return _without_lines(path)
    return entry


def _is_path(path: str) -> bool:
    if not path or path[0] in "/~#@" or "://" in path or not _NO_PATH.isdisjoint(path):
        return False
    parts = path.split("/")
    if ".." in parts or "" in parts or path.replace(".", "").replace("v", "").isdecimal():
        return False
    if len(parts) > 1 or path in _PLAIN_NAMES:
        return True
    return "." in path[:-1] and bool(path.strip("."))


def from_root(paths: Iterable[str], root: str) -> list[str]:
    """Each path once, from the project's folder where it is below it: what is written travels."""
    base = f"{root.rstrip('/')}/"
    return [*dict.fromkeys(path.removeprefix(base) for path in paths)]
