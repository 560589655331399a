"""A person's own words are written as they are; where they hold a secret, that is said."""

from __future__ import annotations

from leftoff.core.model import Finding
from leftoff.core.redact import redacted
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def warned(words: Iterable[object], path: str) -> tuple[Finding, ...]:
    """A warning where one of the values that somebody gave looks like a secret."""
    given = list(words)
    if redacted(given) == given:
        return ()
    text = "this looks like it holds a secret, and was written as it was given"
    fix = "if it is one, take it out of the document, and change the secret itself"
    return (Finding("secret", "warning", path, text, fix),)
