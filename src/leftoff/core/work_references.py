"""References to work that can land: pull requests, tickets, versions; and which of them have.

Words that only look like tickets (UTF-8, SHA-256) never count; a project may say which prefixes
are its own.
"""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable
    from re import Pattern

_LOOK_ALIKES = """
    AES ARM BASE CVE CWE ES ECMA FIPS GB GHSA GPT HTTP IEEE IPV ISO JDK JSON KB LTS MB MD MP MPEG
    OAUTH OWASP PEP PHP PKCS POSIX PY RFC RSA SHA SOC SQL SSL TLS USB UTC UTF WCAG X XML
"""
NO_TICKETS = frozenset(_LOOK_ALIKES.split())
"""Standards, hashes, units and models: a number behind one of these names no ticket."""

_PULL = r"(?<![\w/#&-])#(\d+)\b"
_TICKET = r"(?<![\w/-])([A-Z][A-Z0-9]+-\d+)(?![\w-])"
_VERSION = r"(?<![\w./-])v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*)?)(?![\w-]|\.\d)"
# What a commit's subject says has landed with it, as opposed to being mentioned.
_CLOSES = r"(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|merge pull request|merged?)\s+#(\d+)\b"
_SQUASHED = r"\(#(\d+)\)"


# What one says of the pull request of a finished row that is itself still to come.
_STILL = """
    awaiting awaits blocked deferred held hold not open pending postponed remaining todo unmerged
    waiting
"""
_NOT_YET = frozenset(_STILL.split())
_CLAUSES = r"[,;\u2014](?![^()]*\))"
"""Where one statement ends; a list in brackets belongs to the statement before it."""


class Tickets(Record):
    """What counts as a ticket here: with `only`, nothing but these prefixes; never `ignored`."""

    only: frozenset[str] = frozenset()
    ignored: frozenset[str] = NO_TICKETS

    def counts(self, token: str) -> bool:
        """Whether a token can land; pull requests and versions always can."""
        prefix, dash, _ = token.partition("-")
        if not dash or not prefix.isascii() or not prefix[:1].isalpha():
            return True
        return prefix in self.only if self.only else prefix not in self.ignored


def tokens(text: str) -> tuple[str, ...]:
    """Every reference in a text, in order: `#12`, `ABC-7`, `1.2.3`."""
    pulls = _pattern(_PULL).findall(text) if "#" in text else []
    tickets = _pattern(_TICKET).findall(text) if "-" in text else []
    versions = _pattern(_VERSION).findall(text) if text.count(".") > 1 else []
    return tuple(dict.fromkeys([*(f"#{number}" for number in pulls), *tickets, *versions]))


def done_in(text: str) -> tuple[str, ...]:
    """The references in a text about work that is over, but not those it says are still to come."""
    if not any(word in text.casefold() for word in _NOT_YET):
        return tokens(text)
    over: list[tuple[str, ...]] = []
    for part in _pattern(_CLAUSES).split(text):
        named = tokens(part)
        if _NOT_YET.isdisjoint(_pattern(r"\w+").findall(part.casefold())):
            over.append(named)
        elif over and not named:
            over.pop()  # "#12, not merged yet": it is said of what stands before
    return tuple(dict.fromkeys(token for some in over for token in some))


def landed_by(subjects: Iterable[str]) -> frozenset[str]:
    """What the subjects of commits, oldest first, say is in; a revert takes it out again."""
    landed: set[str] = set()
    for subject in subjects:
        if subject.startswith("Revert "):
            landed.difference_update(_landed(subject))
        else:
            landed.update(_landed(subject))
    return frozenset(landed)


def _landed(subject: str) -> list[str]:
    if "#" not in subject and "-" not in subject:
        return []
    pulls = [*_pattern(_CLOSES).findall(subject), *_pattern(_SQUASHED).findall(subject)]
    return [*(f"#{number}" for number in pulls), *_pattern(_TICKET).findall(subject)]


def is_version(token: str) -> bool:
    """Whether a token is a version, which a tag alone can land."""
    return token[0].isdecimal()


def version_of(tag: str) -> str:
    """The version that a tag names (`v1.2.3`, `pkg-1.2.3`, `pkg/v1.2.3`); empty for others."""
    found = _pattern(r"(?:^|[/@-])v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$").search(tag)
    return str(found[1]) if found else ""


def _pattern(text: str) -> Pattern[str]:
    import re  # a warm listing parses nothing, and must not pay for this; `re` keeps patterns

    return re.compile(text)
