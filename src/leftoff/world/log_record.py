"""A transcript, wherever a client keeps it: in a file of its own, or as rows of a database."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable

COPY = ".jsonl.zst"
"""How the name of a transcript's copy in our archive ends."""
GONE = "the transcript is not there"
"""What a reader says of one that its client deleted since it was listed: no trouble for anybody."""


class Log(Record):
    """A transcript as it is on disk now; `parent` is the session of a subagent's."""

    agent: str
    path: str
    session: str
    parent: str = ""
    size: int = 0
    mtime_ns: int = 0
    inode: int = 0
    folder: str = ""
    """where the session began, if a listing already tells"""

    @property
    def key(self) -> tuple[str, str]:
        """The session it belongs to: a subagent's belongs to its parent."""
        return self.agent, self.parent or self.session


def rank(parent: str, at: int, path: str) -> tuple[bool, int, str]:
    """What puts a session's own transcripts first, and the newest of them; a name settles a tie."""
    return bool(parent), -at, path


def began_in(files: Iterable[tuple[str, int, str, str]]) -> str:
    """Where a session began, by the parent, the time, the path and the folder of each transcript.

    Its own newest one says so; one of a subagent, which may work elsewhere, only for want of that.
    """
    told = [(rank(*file[:-1]), file[-1]) for file in files if file[-1]]
    return min(told)[-1] if told else ""
