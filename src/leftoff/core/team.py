"""What of one's work goes to the team, and for whose eyes: levels, visibilities, rows. Pure.

Figures never hold what anybody wrote: of a session who, where, when and how much. Texts and
documents are rows of their own, each with its visibility, which the database enforces.
"""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeVar

    from leftoff.core.session import Session

    T = TypeVar("T")

OFF, FIGURES, DOCUMENTS, TEXT = LEVELS = ("off", "figures", "documents", "text")
"""What is pushed, each with what is before it; by default figures, and documents for oneself."""

PRIVATE, TEAM, PUBLIC = VISIBILITIES = ("private", "team", "public")
"""For the owner alone; for all members; for guests of the database too."""


class Share(Record):
    """The choice for a project or a thread; `visibility` is of what goes beyond figures."""

    level: str = FIGURES
    visibility: str = TEAM

    @property
    def figures(self) -> str:
        """Who sees the figures: the team, unless they are all that is shared, and privately."""
        return PRIVATE if self == (FIGURES, PRIVATE) else TEAM

    @property
    def documents(self) -> str:
        """Who sees the documents; they are pushed for their owner in any case but `off`."""
        return self.visibility if self.level in {DOCUMENTS, TEXT} else PRIVATE


DEFAULT = Share()
UNKNOWN = Share(OFF, "")
"""A choice that nobody here understands, of a later version perhaps: it shares nothing."""


class Figures(Record):
    """A row of `session_stats`, without owner and hash; times are seconds, None for unknown."""

    agent: str
    id: str
    project: str
    project_name: str
    machine: str
    branch: str
    thread: str
    parent: str
    source: str
    reason: str
    model: str
    started: float | None
    seen: float
    ended: float | None
    tokens_input: int
    tokens_output: int
    tokens_cache_read: int
    tokens_cache_write: int
    context_peak: int
    prompts: int
    answers: int
    commands: int
    failed: int
    commits: int
    files: int
    subagents: int
    compactions: int
    tasks_done: int
    tasks_open: int
    visibility: str


class Origin(Record):
    """Where records come from: the project by a name that all clones share, and the machine."""

    project: str
    name: str
    machine: str


def figures(one: Session, origin: Origin, visibility: str) -> Figures:
    """What everybody on the team may know of a session."""
    stats, tokens = one.stats, one.stats.tokens
    done = stats.done
    model = max(stats.models, key=lambda name: stats.models[name], default=one.model)
    return Figures(
        *(one.agent, one.id, origin.project, origin.name, origin.machine),
        *(one.branch, one.thread, one.parent, one.source, one.reason, model),
        *(one.started or None, one.seen, one.ended or None),
        *(tokens.input, tokens.output, tokens.cache_read, tokens.cache_write, stats.peak),
        *(stats.prompts, stats.answers, stats.commands, stats.failed, stats.commits),
        *(len(stats.files), stats.subagents, len(stats.compactions)),
        *(done, len(stats.tasks) - done, visibility),
    )


def copy_line(values: Sequence[object]) -> str:
    """A row in the text form of COPY."""
    line = ("\t%s" * len(values))[1:] % (*values,)
    odd = "\\" in line or "\n" in line or "\r" in line or "\0" in line or "None" in line
    if not odd and line.count("\t") == len(values) - 1:
        return line  # nearly always, and many times faster
    return "\t".join([_cell(value) for value in values])


def _cell(value: object) -> str:
    return "\\N" if value is None else str(value).translate(_COPY)


# A text of PostgreSQL holds no NUL.
_COPY = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": ""})


def storable(value: T) -> T:
    """A value as PostgreSQL can hold it, and as a row that is copied tells it.

    No NUL and no half of a character, which names of files and ids that others made up may have.
    """
    if not isinstance(value, str):
        return value
    return type(value)(value.replace("\0", "").encode("utf-8", "replace").decode())


def batches(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """The values in order, so many at a time."""
    held: list[T] = []
    for value in values:
        held.append(value)
        if len(held) == size:
            yield held
            held = []
    if held:
        yield held
