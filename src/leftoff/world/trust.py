"""Which exact texts of which repository may run here: `<state>/trust/`, one private file each.

Trust is for a kind of text, one repository and the exact text; whatever changes is untrusted again.
"""

from __future__ import annotations

import os
from stat import S_ISDIR, S_ISREG

from leftoff.core.fast_json import dumps, loads
from leftoff.core.when import stamp
from leftoff.errors import GitError, LeftoffError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import git
from leftoff.world.files import Attempt, read_bytes, tag, write_atomic
from leftoff.world.place import family
from leftoff.world.state import ensure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from leftoff.world.place import Place

PERSON, WRITTEN = "person", "written"
"""How trust came about: a person said so, or the text was written through leftoff here."""

_OTHERS_WRITE = 0o022


class Subject(Record):
    """What is trusted: a kind of text, the repository it stands in, and the exact text."""

    kind: str
    repository: str
    text: str


def identity(place: Place, env: Mapping[str, str]) -> str:
    """Which repository this is: by its first commit, so that every clone is the same one.

    Its folder where there is no first commit to be seen: no git, no commits, a shallow clone.
    """
    home = family(place)
    if not place.git or os.path.lexists(os.path.join(home, "shallow")):
        return f"path:{home}"
    try:
        words = ("--no-replace-objects", "rev-list", "--max-parents=0", "HEAD", "--")
        roots = git.run(place.root, *words, env=env).split()
    except GitError:
        roots = []
    return f"root:{','.join(sorted(roots))}" if roots else f"path:{home}"


def here(place: Place) -> str:
    """The repository as it lies on this machine, for what counts nowhere else; git is not asked."""
    return f"path:{family(place)}"


def identities(place: Place, env: Mapping[str, str]) -> tuple[str, ...]:
    """What this repository is or was called: what was trusted before its first commit stays so."""
    return tuple(dict.fromkeys((identity(place, env), here(place))))


def key(subject: Subject) -> str:
    """The name of a grant: no two subjects share one."""
    # a stranger's text may hold half a character: it has a name, and can be told from others
    parts = (part.encode("utf-8", "surrogatepass") for part in subject)
    return tag(b"\0".join(b"%d:%s" % (len(part), part) for part in parts))


def is_trusted_in(state: str, repositories: Iterable[str], kind: str, text: str) -> bool:
    """Whether exactly this text may run in a repository that goes by any of these names."""
    return any(is_trusted(state, Subject(kind, name, text)) for name in repositories)


def is_trusted(state: str, subject: Subject) -> bool:
    """Whether exactly this text may run; an error where others could have written the answer."""
    file = file_of(state, subject)
    if not os.path.lexists(file):
        return False
    _require_private(state)
    return _told(file) == subject


def grant(state: str, subject: Subject, now: float, how: str) -> None:
    """Record that this text may run."""
    ensure(os.path.join(state, "trust"))
    _require_private(state)
    said = subject._asdict() | {"at": stamp(now), "how": how}
    file = file_of(state, subject)
    with Attempt("write", file):
        write_atomic(file, dumps(said).encode() + b"\n", 0o600)


def revoke(state: str, subject: Subject, now: float) -> bool:
    """Take trust back: the grant moves to the trash. False when there was none."""
    from leftoff.world.trash import move_into

    file = file_of(state, subject)
    if not os.path.lexists(file):
        return False
    bin_of_today = ensure(os.path.join(state, "trash", stamp(now)[:10], "trust"))
    move_into(bin_of_today, file, os.path.basename(file))
    return True


def file_of(state: str, subject: Subject) -> str:
    """Where a grant stands."""
    return os.path.join(state, "trust", f"{key(subject)}.json")


def _told(file: str) -> Subject | None:
    """What a grant is for; None where it is damaged, or not a private file of ours."""
    if not _is_private(file, folder=False):
        return None
    try:
        said = loads(read_bytes(file).decode())
        return Subject(*(str(said[name]) for name in Subject._fields))
    except (ValueError, KeyError, TypeError, LeftoffError):
        return None


def _require_private(state: str) -> None:
    for folder in (state, os.path.join(state, "trust")):
        if not _is_private(folder, folder=True):
            raise LeftoffError(
                f"{folder} can be written by others, so what it says about trust cannot be used",
                hint="make it private: mode 0700, owned by you",
                where=folder,
            )


def _is_private(path: str, *, folder: bool) -> bool:
    seen = os.lstat(path) if not folder else os.stat(path)
    right = S_ISDIR(seen.st_mode) if folder else S_ISREG(seen.st_mode)
    return right and seen.st_uid == os.geteuid() and not seen.st_mode & _OTHERS_WRITE
