"""What the world says, gathered once per command: the facts that claims are judged by. Pure data.

A fact that could not be had is absent, and the verdict that needs it is `unknown`.
"""

from __future__ import annotations

from leftoff.core.work_references import Tickets
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from leftoff.core.evidence import Tree
    from leftoff.core.model import Evidence

NO_GIT = "this is not a git repository"
NO_COMMIT = "there is no commit yet"
"""Why git has nothing to say, where that is no trouble."""


class Repository(Record):
    """What git says. Without git, `head` is empty and `why` says so."""

    why: str = ""
    """why there is nothing here: no git, no commit yet"""
    head: str = ""
    branch: str = ""
    """empty on a detached HEAD"""
    branches: Mapping[str, str] = {}
    """the tip of each branch; a remote one stands under its own name where no local one does"""
    versions: frozenset[str] = frozenset()
    """those that a tag names"""
    landed: frozenset[str] = frozenset()
    shallow: bool = False
    unheard: str = ""
    """why something may have landed without our knowing: the history was not read to its end"""
    merged: frozenset[str] = frozenset()
    """the branches that a merge brought into HEAD's line"""
    reachable: Mapping[str, bool | None] = {}
    """whether a commit asked for is in HEAD's history; None where git does not have it"""
    since: Mapping[tuple[str, str], int] = {}
    """(branch, commit) to the number of commits after it that touch more than checkpoints; -1 where
    the branch does not lead back to it"""
    held: Mapping[tuple[str, str, str], int] = {}
    """(branch, commit, document) to how many of those hold the document as well"""


class Facts(Record):
    """Everything that verdicts need."""

    repository: Repository = Repository()
    ids: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    changed: Mapping[tuple[str, str], bool] = {}
    """(document, file) to whether the file changed after the document was written, if known"""
    folders: frozenset[str] = frozenset()
    """those named as project_dir that are on this machine"""
    tree: Tree | None = None
    """the working tree now; None where nobody looked"""
    evidence: Mapping[str, Mapping[tuple[str, str], Evidence]] = {}
    """what this machine recorded, by document"""
    authors: Mapping[str, str] = {}
    """who last committed a document, where that was somebody else"""
    tickets: Tickets = Tickets()
    degraded: str = ""
    """why some facts are absent: git took too long, or there are too many to ask for"""
