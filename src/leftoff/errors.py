"""What can go wrong, each with its exit code.

A message says what happened to what; the hint says what to do, and never names a destructive
command, because agents run hints.
"""

INTERRUPTED = 130
"""The exit code after Ctrl-C, as in a shell."""


class LeftoffError(Exception):
    """The base: `kind` is stable and machine-readable, `code` is the exit code."""

    kind = "error"
    code = 1
    retryable = False

    def __init__(
        self, message: str, *, hint: str = "", where: str = "", choices: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.where = where
        self.choices = choices


class Usage(LeftoffError):
    """The command line, a name or a value is not what the command takes."""

    kind, code = "usage", 2


class NotFound(LeftoffError):
    """Nothing here has that name."""

    kind, code = "not-found", 3


class Conflict(LeftoffError):
    """The document changed, or writing it now would lose something."""

    kind, code = "conflict", 4


class Ambiguous(LeftoffError):
    """A name matches several things; `choices` lists them."""

    kind, code = "ambiguous", 5


class Busy(LeftoffError):
    """Somebody else holds the lock, or the disk refuses for now."""

    kind, code, retryable = "busy", 6, True


class FormatError(LeftoffError):
    """A text that is not a document of its format; `line` counts from 1, 0 means the whole file."""

    kind, code = "broken", 7

    def __init__(self, message: str, *, line: int = 0, hint: str = "", where: str = "") -> None:
        super().__init__(message, hint=hint, where=where)
        self.line = line


class GitError(LeftoffError):
    """Git is needed, but did not answer."""

    kind, code = "git", 8


class Invalid(LeftoffError):
    """A write was refused because its result would not validate; `where` names the document."""

    kind, code = "invalid", 1


class Untrusted(LeftoffError):
    """A command from the repository would run, but no person has approved it on this machine."""

    kind, code = "untrusted", 1


class Unreachable(LeftoffError):
    """The address did not answer, or not with what was asked for."""

    kind, retryable = "unreachable", True


class HapiError(LeftoffError):
    """Hapi did not do its part; `retryable` says whether another try may succeed."""

    kind, retryable = "hapi", True


class Refused(LeftoffError):
    """The team's database knows the caller, but does not allow this."""

    kind, code = "refused", 1


class OtherVersion(LeftoffError):
    """A document or the team's tables have a version that is unknown or unsupported here."""

    kind, code = "other-version", 1


class Bug(LeftoffError):
    """A bug in leftoff; the hint names a log to report."""

    kind, code = "bug", 70
