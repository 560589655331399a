"""Evidence for "done": what a checkpoint says was checked, and whether that still holds.

Evidence is about the files that were there when the command began. It is fresh while they are the
same, whether committed since or not; checkpoint documents do not count, since done writes one.
"""

from __future__ import annotations

from leftoff.core.model import Evidence, Item
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from leftoff.core.model import Checkpoint, Json

FRESH, STALE, MISSING, FAILED = "fresh", "stale", "missing", "failed"


class Tree(Record):
    """The working tree at one moment; all empty without git.

    `dirty`: something other than a checkpoint is not committed. `digest` is that of every file git
    tracks or would track, but the checkpoints; empty where it could not be had.
    """

    commit: str = ""
    dirty: bool = False
    digest: str = ""


class Grade(Record):
    """fresh, stale, missing or failed, and the reason in words."""

    level: str
    reason: str


def grade(
    evidence: Evidence | None, command: str, head: str, dirty: bool, digest: str = ""
) -> Grade:
    """What evidence is worth now, for this command on this tree.

    Without `digest`, which takes git a moment, only a clean tree at the same commit counts.
    """
    if evidence is None:
        return Grade(MISSING, "no check was run for it")
    if evidence.command != command:
        return Grade(STALE, "the command that checks it has changed since")
    if evidence.exit_code:
        return Grade(FAILED, f"the check ended with exit code {evidence.exit_code}")
    reason = _moved(evidence, head, dirty, digest)
    if reason:
        return Grade(STALE, reason)
    return Grade(FRESH, f"checked on exactly these files, {evidence.at}".rstrip(", "))


def _moved(evidence: Evidence, head: str, dirty: bool, digest: str) -> str:
    """Why the tree is not the one that was checked; empty when it is."""
    if evidence.tree and digest:
        return "" if evidence.tree == digest else "files changed since it was checked"
    if not evidence.commit:
        return "it was checked without a commit to compare with"
    if evidence.commit != head:
        return f"checked at {evidence.commit[:9]}, the tree is at {head[:9] or 'no commit'}"
    if evidence.dirty:
        return "it was checked with changes that were not committed"
    return "there are uncommitted changes since it was checked" if dirty else ""


def to_json(evidence: Evidence) -> dict[str, Json]:
    """What travels in a document: no output, nothing about the machine."""
    said: dict[str, Json] = {
        "command": evidence.command,
        "exit_code": evidence.exit_code,
        "commit": evidence.commit,
        "dirty": evidence.dirty,
        "at": evidence.at,
    }
    return said | ({"tree": evidence.tree} if evidence.tree else {})


def from_json(value: object) -> Evidence | None:
    """The evidence in a document's or our own JSON; None where it is none."""
    said = value if isinstance(value, dict) else {}
    code = said.get("exit_code")
    if not isinstance(said.get("command"), str) or isinstance(code, bool):
        return None
    if not isinstance(code, int):
        return None
    texts = {name: said.get(name, "") for name in ("commit", "at", "tree", "tail")}
    return Evidence(
        said["command"],
        code,
        dirty=said.get("dirty") is True,
        seconds=_seconds(said.get("seconds")),
        **{name: text if isinstance(text, str) else "" for name, text in texts.items()},
    )


def _seconds(value: object) -> float:
    """A document is a stranger's: it may name a number of four hundred digits."""
    if not isinstance(value, int | float):
        return 0.0
    try:
        return float(value)
    except OverflowError:
        return 0.0


def gather(checkpoint: Checkpoint) -> tuple[tuple[Item, str, Evidence | None], ...]:
    """(item, command, evidence) of everything finished that names a command to confirm it.

    Evidence is the document's own; what this machine recorded stands beside it in the facts.
    """
    ticked = [item for item in checkpoint.next_actions if item.attrs.get("done")]
    found = []
    for item in (*checkpoint.history, *ticked):
        own = from_json(item.attrs.get("evidence"))
        command = item.get("done_when") or (own.command if own else "")
        if command:
            found.append((item, command, own))
    return tuple(found)
