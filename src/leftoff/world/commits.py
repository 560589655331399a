"""How many commits a session made: asked of git where that can be, else the commands counted."""

from __future__ import annotations

import os

from leftoff.errors import GitError
from leftoff.record import TYPE_CHECKING, Record
from leftoff.world import git

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.core.session import Session

BY_GIT, BY_COMMANDS = "git", "commands"
PATIENCE = 2.0


class Commits(Record):
    """`n` is the answer; `counted` the successful `git commit` commands of the transcript."""

    n: int
    counted: int
    method: str


def checked(session: Session, env: Mapping[str, str]) -> Commits:
    """Commits by this machine's author between start and end, on any branch that is left."""
    counted = session.stats.commits
    found = _in_git(session, env)
    return (
        Commits(counted, counted, BY_COMMANDS) if found is None else Commits(found, counted, BY_GIT)
    )


def _in_git(session: Session, env: Mapping[str, str]) -> int | None:
    root = session.root or session.cwd
    if not root or not session.started or not os.path.isdir(root):
        return None
    span = (
        f"--since=@{int(session.started)}",
        f"--until=@{int(session.ended or session.seen) + 1}",
    )
    try:
        author = git.run(root, "config", "user.email", env=env, patience=PATIENCE).strip()
        asked = ("log", "--all", "--no-merges", "--format=%H", "--fixed-strings", *span)
        said = git.run(root, *asked, f"--author=<{author}>", env=env, patience=PATIENCE)
    except GitError:
        return None
    return len(said.split())
