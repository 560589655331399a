"""The working tree at this moment: its commit, whether it is dirty, a digest of its content.

The digest is the same before and after a commit of the same files, and on every machine. It leaves
out the checkpoints, which change with every save.
"""

from __future__ import annotations

import os

from leftoff.core.evidence import Tree
from leftoff.core.paths import is_checkpoint_path
from leftoff.errors import GitError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import git
from leftoff.world.files import tag

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from leftoff.world.place import Place

MOST_FILES, MOST_BYTES = 2000, 64 << 20
"""Changed files beyond this are not hashed: the digest stays unknown, and evidence says so."""

_STATUS = ("status", "--porcelain=v2", "--branch", "-z", "--no-renames", "--untracked-files=all")
_AT_ONCE = 100


def look(place: Place, env: Mapping[str, str], *, patience: float = git.PATIENCE) -> Tree | None:
    """The tree of a place; empty without git, None when git did not answer in time."""
    if not place.git:
        return Tree()
    ask = Ask(place.root, env, patience)
    try:
        said = ask(*_STATUS).split("\0")
    except git.SlowGit:
        return None
    except GitError:
        return Tree()
    commit = next((w.split()[2] for w in said if w.startswith("# branch.oid ")), "")
    changed = dict(_changes(said))
    return Tree("" if commit == "(initial)" else commit, bool(changed), _digest(ask, changed))


class Ask(Record):
    """Git in one folder, with one patience."""

    root: str
    env: Mapping[str, str]
    patience: float

    def __call__(self, *words: str) -> str:
        """What git prints; GitError when it does not."""
        return git.run(self.root, *words, env=self.env, patience=self.patience)


def _changes(said: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(path, kind) of what is not committed, checkpoints left out; kind S is a submodule."""
    fields = {"1": 8, "u": 10, "?": 1}
    for line in said:
        if line[:1] in fields:
            *facts, path = line.split(" ", fields[line[0]])
            if not is_checkpoint_path(path):
                yield path, (facts[2][0] if len(facts) > 2 else "N")


def _digest(ask: Ask, changed: Mapping[str, str]) -> str:
    try:
        listed = ask("ls-files", "-s", "-z", "--full-name", ":/")
        tracked = dict(_entry(line) for line in listed.split("\0") if line)
        if changed:
            top = ask("rev-parse", "--show-toplevel").removesuffix("\n")
            tracked |= _contents(ask._replace(root=top), changed)
    except (GitError, OSError, ValueError):
        return ""
    known = ((path, fact) for path, fact in sorted(tracked.items()) if fact)
    lines = (f"{fact} {path}" for path, fact in known if not is_checkpoint_path(path))
    return tag("\0".join(lines).encode("utf-8", "surrogateescape"))[:40]


def _entry(line: str) -> tuple[str, str]:
    facts, _, path = line.partition("\t")
    mode, oid, _ = facts.split(" ")
    return path, f"{mode} {oid}"


def _contents(ask: Ask, changed: Mapping[str, str]) -> dict[str, str]:
    """What `ls-files -s` would say of changed files if they were added; empty for removed ones."""
    files, facts, size, top = [], dict.fromkeys(changed, ""), 0, ask.root
    for path, kind in changed.items():
        full = os.path.join(top, path)
        if kind == "S" or os.path.islink(full):
            facts[path] = f"special {os.readlink(full) if os.path.islink(full) else 'module'}"
        elif os.path.isfile(full):
            files.append(path)
            size += os.path.getsize(full)
    if len(files) > MOST_FILES or size > MOST_BYTES:
        raise ValueError(f"{len(files)} changed files are too many to hash")
    for path, oid in zip(files, _hashes(ask, files), strict=True):
        executable = os.stat(os.path.join(top, path)).st_mode & 0o100
        facts[path] = f"{'100755' if executable else '100644'} {oid}"
    return facts


def _hashes(ask: Ask, files: Sequence[str]) -> list[str]:
    """The ids git would give these files, with its own filters for line ends."""
    found: list[str] = []
    for at in range(0, len(files), _AT_ONCE):
        part = files[at : at + _AT_ONCE]
        found += ask("hash-object", "--", *part).split()
    return found
