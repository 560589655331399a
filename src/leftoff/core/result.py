"""What a command returns. The terminal, --json, MCP and the page all show this one value."""

from __future__ import annotations

from leftoff.core.model import Finding
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from leftoff.core.model import Json


class Choice(Record):
    """One answer to a question: what to pass to the flag, and what it means."""

    value: str
    means: str


class Ask(Record):
    """A question. The command does not ask it: the caller does, and calls again with the flag."""

    question: str
    choices: tuple[Choice, ...]
    flag: str


class Result(Record):
    """Facts for every face, the findings that come with them, and at most one question."""

    data: dict[str, Json]
    findings: tuple[Finding, ...] = ()
    ask: Ask | None = None

    @property
    def code(self) -> int:
        """The exit code: 1 with any finding of level error."""
        return 1 if any(finding.level == "error" for finding in self.findings) else 0
