"""What a command returns. The terminal, --json, MCP and the page all show this one value."""

from __future__ import annotations

from leftoff.core.model import Finding
from leftoff.errors import FormatError
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from leftoff.core.model import Json


class Choice(Record):
    """One answer: the value for the question's flag, or a `--flag` of its own; what it means."""

    value: str
    means: str


class Ask(Record):
    """A question. The command does not ask it: the caller does, and calls again with the flag.

    `flag` is `--pick` where only a choice will do, `--next TEXT` where any text is an answer.
    """

    question: str
    choices: tuple[Choice, ...]
    flag: str
    shown_first: bool = False
    """what came before is shown, and done, before this is asked"""
    about: str = ""
    """the NAME to call again with, where none was given: what is meant must not change meanwhile"""


class Start(Record):
    """A program that takes the place of this one as soon as the result is shown."""

    program: str
    words: tuple[str, ...]
    folder: str
    env: Mapping[str, str]
    alone: bool = False
    """nobody types into it"""


class Result(Record):
    """Facts for every face, the findings that come with them, and at most one question."""

    data: dict[str, Json]
    findings: tuple[Finding, ...] = ()
    ask: Ask | None = None
    failed: bool = False
    broken: bool = False
    """the one document that was asked for is broken; what there is of it is shown all the same"""
    start: Start | None = None
    stream: Callable[[], Iterable[str]] | None = None
    """a text of any length behind the view, which is never all in memory; not with --json"""
    after: Callable[[], Sequence[Finding]] | None = None
    """what may be done only once all of this was written out; it tells what went wrong"""

    @property
    def code(self) -> int:
        """The exit code: 1 when the command says it failed, or with any finding of level error."""
        if self.broken:
            return FormatError.code
        bad = self.failed or any(finding.level == "error" for finding in self.findings)
        return 1 if bad else 0
