"""Where the branches of a repository stand, read from git's own files; git itself where it must."""

from __future__ import annotations

import os

from leftoff.errors import GitError, LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import git
from leftoff.world.files import bytes_or_none, read_bytes
from leftoff.world.place import family

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leftoff.world.place import Place

HEADS, REMOTES, TAGS = "refs/heads/", "refs/remotes/", "refs/tags/"


class Refs(Record):
    """Every ref and its commit; `branch` is empty on a detached HEAD, `head` before any commit."""

    head: str
    branch: str
    all: Mapping[str, str]
    shallow: bool

    def branches(self) -> dict[str, str]:
        """The tip of each branch; one that only a remote has stands under its own name."""
        found: dict[str, str] = {}
        for name, commit in self.all.items():
            if name.startswith(REMOTES):
                found.setdefault(name.removeprefix(REMOTES).partition("/")[2], commit)
        found.update((n[len(HEADS) :], c) for n, c in self.all.items() if n.startswith(HEADS))
        return found

    def tags(self) -> list[str]:
        """The names of the tags."""
        return [name[len(TAGS) :] for name in self.all if name.startswith(TAGS)]


def read(place: Place, env: Mapping[str, str]) -> Refs:
    """The refs of a working tree; GitError where nothing can be read."""
    common = family(place)
    pointer = _text(os.path.join(place.git, "HEAD"))
    if pointer.startswith("ref: refs/heads/.invalid"):  # git's mark for refs in a newer form
        return _ask(place, env)
    refs = dict(_packed(common)) | dict(_loose(common))
    if not pointer.startswith("ref: refs/") and not _is_commit(pointer):
        raise GitError("git's HEAD cannot be read", where=os.path.join(place.git, "HEAD"))
    shallow = os.path.exists(os.path.join(common, "shallow"))
    if not pointer.startswith("ref: "):
        return Refs(pointer, "", refs, shallow)
    name = pointer.removeprefix("ref: ").strip()
    return Refs(refs.get(name, ""), name.removeprefix(HEADS), refs, shallow)


def head_of(place: Place, env: Mapping[str, str]) -> tuple[str, str]:
    """Branch and commit; empty outside git, before the first commit, and where git is broken."""
    try:
        found = read(place, env) if place.git else None
    except GitError:
        found = None
    return (found.branch, found.head) if found else ("", "")


def _packed(common: str) -> Iterator[tuple[str, str]]:
    broken = GitError("git's packed-refs cannot be read", where=common)
    try:
        data = bytes_or_none(os.path.join(common, "packed-refs")) or b""
    except LeftoffError:
        raise broken from None
    for line in _decoded(data).split("\n"):
        commit, _, name = line.partition(" ")
        if line[:1] in {"#", "^", ""}:
            continue
        if not name or not _is_commit(commit):
            raise broken
        yield name, commit


def _loose(common: str) -> Iterator[tuple[str, str]]:
    for top in (HEADS, REMOTES, TAGS):
        for folder, _, names in os.walk(os.path.join(common, top)):
            for name in names:
                path = os.path.join(folder, name)
                commit = _text(path)
                if _is_commit(commit):
                    yield path[len(common) + 1 :], commit


def _is_commit(text: str) -> bool:
    return len(text) in {40, 64} and not text.strip("0123456789abcdef")


def _text(path: str) -> str:
    """What a small file of git's says; nothing where it cannot be read, or is a pipe."""
    try:
        return _decoded(read_bytes(path)).strip()
    except LeftoffError:
        return ""


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _ask(place: Place, env: Mapping[str, str]) -> Refs:
    """The same from git, for a repository whose refs are not files."""
    form = "--format=%(objectname) %(refname)"
    said = git.run(place.root, "for-each-ref", form, env=env, patience=2.0)
    refs = {name: commit for commit, name in (line.split(" ", 1) for line in said.splitlines())}
    code, branch = git.ask(place.root, "symbolic-ref", "--quiet", "HEAD", env=env)
    try:
        head = git.run(place.root, "rev-parse", "--verify", "--quiet", "HEAD", env=env).strip()
    except GitError:
        head = ""
    shallow = os.path.exists(os.path.join(family(place), "shallow"))
    return Refs(head, "" if code else branch.strip().removeprefix(HEADS), refs, shallow)
