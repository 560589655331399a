"""Gather what claims are judged by: files, refs, history, evidence; each looked at once.

Git gets a time budget. What it could not answer within it stays unknown, and the facts say so.
"""

from __future__ import annotations

import os

from leftoff.core.facts import NO_COMMIT, NO_GIT, Facts, Repository
from leftoff.record import TYPE_CHECKING
from leftoff.world.authors import others
from leftoff.world.evidence import recorded
from leftoff.world.history import DEPTH
from leftoff.world.place import prefix
from leftoff.world.repository import Git, known_of, repository, what_landed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from leftoff.core.evidence import Tree
    from leftoff.core.stream import Glance
    from leftoff.world.repository import Known
    from leftoff.world.store import Store

BUDGET = 1.5
"""Seconds for all that git is asked by one command; doctor takes more."""

NAMED = 500
"""Files that git is asked about by name; of more, for all: a command line has an end."""


def gather(
    store: Store,
    streams: Sequence[Glance],
    env: Mapping[str, str],
    *,
    deep: bool = False,
    budget: float = BUDGET,
) -> Facts:
    """The facts for these streams. `deep` also looks at what changed and at evidence."""
    asked = Git(store, env, budget)
    missing, times = _files(store.root, streams)
    known = known_of(asked)
    facts = Facts(
        missing=missing,
        folders=frozenset(s.project_dir for s in streams if _is_folder(s.project_dir)),
    )
    if known is None:
        facts = facts._replace(repository=Repository(why=_why(asked)))
    else:
        facts = facts._replace(
            repository=repository(asked, known, streams),
            authors=others(asked, known, prefix(store.root), (s.path for s in streams)),
        )
    if deep:
        evidence = recorded(store.state, store.place)
        checked = any(stream.finished or stream.path in evidence for stream in streams)
        facts = facts._replace(
            changed=_changed(asked, known, streams, times),
            tree=_tree(asked) if checked else None,
            evidence=evidence,
        )
    return facts._replace(degraded=asked.degraded)


def landing(
    store: Store, streams: Sequence[Glance], env: Mapping[str, str], budget: float = BUDGET
) -> Facts:
    """Only what says which actions have landed: for a look over very many streams."""
    if not any(stream.tokens for stream in streams):
        return Facts()
    asked = Git(store, env, budget)
    known = known_of(asked)
    found = what_landed(known, streams) if known else Repository(why=_why(asked))
    return Facts(found, degraded=asked.degraded)


def authors(
    store: Store, documents: Iterable[str], env: Mapping[str, str], budget: float = BUDGET
) -> dict[str, str]:
    """Who last committed each document, where that was somebody else."""
    asked = Git(store, env, budget)
    known = known_of(asked)
    return others(asked, known, prefix(store.root), documents) if known else {}


def _why(asked: Git) -> str:
    return asked.degraded or (NO_COMMIT if asked.store.place.git else NO_GIT)


def _files(root: str, streams: Iterable[Glance]) -> tuple[frozenset[str], dict[str, float]]:
    """The named files that are not there, and when each of the others was last changed."""
    base = root.rstrip("/") + "/"
    named = {path for stream in streams for path in stream.files}
    folders = {path.rpartition("/")[0] for path in named}
    # Where a whole folder is gone, its files need not be asked for one by one.
    there = {folder for folder in folders if _is_folder(base + folder)}
    missing, times, stat = set(), {}, os.stat
    for path in named:
        try:
            if path.rpartition("/")[0] in there:
                times[path] = stat(base + path).st_mtime
            else:
                missing.add(path)
        except (OSError, ValueError):
            missing.add(path)
    return frozenset(missing), times


def _is_folder(path: str) -> bool:
    return bool(path) and "\0" not in path and os.path.isdir(path)


def _changed(
    asked: Git, known: Known | None, streams: Iterable[Glance], times: Mapping[str, float]
) -> dict[tuple[str, str], bool]:
    """Whether a file changed after a document was written; left out is what nobody can tell.

    A file's own time is only a hint: a clone or a switch of branches sets it anew. Where it is
    later, the history and the working tree decide.
    """
    later = {
        (stream.path, path): stream.touched
        for stream in streams
        if stream.touched is not None
        for path in stream.files
        if times.get(path, 0.0) > stream.touched + 1
    }
    found = {(s.path, path): False for s in streams for path in s.files if path in times}
    if not known:
        return found | dict.fromkeys(later, True)
    committed = _committed(known, asked.store.root)
    dirty = _dirty(asked, sorted({path for _, path in later}))
    for (document, path), touched in later.items():
        if committed.get(path, 0) > touched or path in (dirty or ()):
            found[document, path] = True
        elif dirty is None or not _reaches(known, touched):
            del found[document, path]
    return found


def _committed(known: Known, root: str) -> dict[str, int]:
    """When the history last changed each file, by its path in the project."""
    inside = prefix(root)
    times: dict[str, int] = {}
    for commit in known.commits:
        for path in commit.paths:
            if path.startswith(inside):
                times.setdefault(path[len(inside) :], commit.time)
    return times


def _reaches(known: Known, then: float) -> bool:
    """Whether the history that was read goes back to a time."""
    commits = known.commits
    return 0 < len(commits) < DEPTH or bool(commits and commits[-1].time <= then)


def _dirty(asked: Git, paths: Sequence[str]) -> set[str] | None:
    """Those of these files (and perhaps others) that are not committed; None if git is silent."""
    if not paths:
        return set()
    words = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--")
    named = [f":(literal){path}" for path in paths]
    answer = asked.ask(*words, *(named if len(named) <= NAMED else ["."]))
    if not answer or answer[0]:
        return None
    inside = len(prefix(asked.store.root))
    return {entry[3 + inside :] for entry in answer[1].split("\0") if entry}


def _tree(asked: Git) -> Tree | None:
    from leftoff.world.working_tree import look

    found = look(asked.store.place, asked.env, patience=asked.left())
    if found is None:
        asked.degraded = asked.degraded or "there was no time to look at the working tree"
    return found
