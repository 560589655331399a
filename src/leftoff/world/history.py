"""The recent history of a repository: read from git once for each HEAD, kept beside the cache.

Commits never change, so what is kept under a commit's own name cannot become untrue.
"""

from __future__ import annotations

import os

from leftoff.core.paths import FOLDERS
from leftoff.core.work_references import landed_by
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import cache_file, git
from leftoff.world.place import family
from leftoff.world.state import place_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from leftoff.world.place import Place
    from leftoff.world.refs import Refs

DEPTH = 500
"""Commits back from HEAD that are looked at."""

DOCUMENT_DEPTH = 2000

PLACES = 4
"""Working trees of one repository whose histories are kept side by side."""

_FIELDS = "%H%x00%P%x00%ct%x00%an%x00%ae%x00%s"


class Commit(Record):
    """One commit, with the files it changed (none for a merge)."""

    sha: str
    parents: tuple[str, ...]
    time: int
    author: str
    email: str
    subject: str
    paths: tuple[str, ...]


class History(Record):
    """Commits, newest first; `documents` are older ones that changed checkpoints."""

    root: str
    head: str
    commits: tuple[Commit, ...]
    documents: tuple[Commit, ...]
    landed: frozenset[str]
    """the pull requests and tickets that the subjects say are in"""


_HEAD = cache_file.head_of(f"history 2 {Commit._fields} {DEPTH}")


def read(state: str, place: Place, refs: Refs, env: Mapping[str, str], patience: float) -> History:
    """The history behind HEAD; GitError or SlowGit when git does not tell it."""
    path, head = os.path.join(state, "cache", f"{place_key(family(place))}.history"), refs.head
    known = cache_file.load_value(path, _HEAD) or []
    for saved in known:
        if saved[:2] == (place.root, head):
            return _made(saved)

    def log(*words: str) -> tuple[Commit, ...]:
        # No commit can hold a mark that was drawn after it was made.
        mark = os.urandom(12).hex()
        form = f"--format={mark}{_FIELDS}"
        said = git.run(place.root, *git.LOG, form, *words, env=env, patience=patience)
        return tuple(map(_commit, said.split(mark)[1:]))

    commits = log(f"-n{DEPTH}", head, "--")
    documents: tuple[Commit, ...] = ()
    if len(commits) == DEPTH:
        documents = log(f"-n{DOCUMENT_DEPTH}", commits[-1].sha, "--", *FOLDERS)
    landed = landed_by(commit.subject for commit in reversed(commits))
    found = History(place.root, head, commits, documents, landed)
    if not refs.shallow:  # such a history grows at its old end, under the same HEAD
        others = [saved for saved in known if saved[0] != place.root]
        cache_file.save_value(path, _HEAD, [_plain(found), *others[: PLACES - 1]])
    return found


def line(commits: Iterable[Commit]) -> frozenset[str]:
    """HEAD's own line: the first parents, without what merges brought in."""
    on_line, wanted = set(), ""
    for commit in commits:
        if not wanted or commit.sha == wanted:
            on_line.add(commit.sha)
            wanted = commit.parents[0] if commit.parents else "-"
    return frozenset(on_line)


def _commit(record: str) -> Commit:
    """Fields that NUL parts, which no commit can hold; then a line for each file."""
    about, _, names = record.rpartition("\0")
    sha, parents, time, author, email = about.split("\0")
    subject, *paths = names.split("\n")
    named = tuple(path for path in paths if path)
    return Commit(sha, tuple(parents.split()), int(time), author, email, subject, named)


def _plain(history: History) -> tuple[object, ...]:
    root, head, commits, documents, landed = history
    return root, head, tuple(map(tuple, commits)), tuple(map(tuple, documents)), landed


def _made(saved: Any) -> History:
    root, head, commits, documents, landed = saved
    make = Commit._make
    return History(root, head, tuple(map(make, commits)), tuple(map(make, documents)), landed)
