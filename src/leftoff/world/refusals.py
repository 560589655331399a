"""Writes that are not made: what each would do to a document that is there, or is to be."""

from __future__ import annotations

from leftoff.core.model import NEWER
from leftoff.errors import Invalid, OtherVersion
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from leftoff.core.model import Finding
    from leftoff.formats import Lens
    from leftoff.world.store import Document


class WouldBreak(Invalid):
    """A write was refused; `findings` are the errors that it would have brought."""

    def __init__(self, path: str, findings: tuple[Finding, ...]) -> None:
        first, more = findings[0], len(findings) - 1
        about = "" if not first.where or first.where in first.text else f"{first.where}: "
        reason = f"{about}{first.text}"
        some = f"would not be valid: {reason} (and {more} more)"
        super().__init__(some if more else f"would not be valid: {reason}", where=path)
        self.findings = findings


def refuse_newer(path: str, findings: Iterable[Finding]) -> None:
    """What a later version of a format means by a change is not known here."""
    if _is_newer(findings):
        text = f"{path} is of a later version of its format; this leftoff can only read it"
        hint = "install a newer leftoff; nothing was changed"
        raise OtherVersion(text, hint=hint, where=path)


def refuse_to_become_newer(path: str, findings: Iterable[Finding]) -> None:
    """What a write would make one of a later version could be read here, and not written again."""
    if _is_newer(findings):
        text = f"{path} would be of a later version of its format; nothing was changed"
        raise OtherVersion(text, hint="leave its version as it is", where=path)


def _is_newer(findings: Iterable[Finding]) -> bool:
    return any(found.slug == NEWER for found in findings)


def refuse_errors(document: Document) -> None:
    """What is written for the first time must be valid."""
    if errors := tuple(found for found in document.findings if found.level == "error"):
        raise WouldBreak(document.path, errors)


def refuse_new_errors(document: Document, lens: Lens, before: str) -> None:
    """What was wrong already must not keep anybody from writing; what a write breaks must."""
    errors = [finding for finding in document.findings if finding.level == "error"]
    known = [_kind_of(finding) for finding in lens.check(before, document.path) if errors]
    new = []
    for finding in errors:
        if _kind_of(finding) in known:
            known.remove(_kind_of(finding))
        else:
            new.append(finding)
    if new:
        raise WouldBreak(document.path, tuple(new))


def _kind_of(finding: Finding) -> tuple[str, str]:
    """What an error is about, wherever in its list it stands: a write may move it there."""
    return finding.slug, "".join(ch for ch in finding.where if not ch.isdigit())
