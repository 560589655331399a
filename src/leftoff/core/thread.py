"""A thread: work across many sessions. Where its files are, and what a session adds to it. Pure."""

from __future__ import annotations

from leftoff.core.model import Checkpoint, Item
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from leftoff.core.model import Json

FORMAT = "thread"
FOLDER = ".checkpoints/threads"
POINTER = ".checkpoints/current"
"""The file that names the default thread of a place, for this machine alone."""
COMPLETE_MARK = "[CHECKPOINT_COMPLETE]"
"""Seed E: printed when the last step is done, and only then; never translated."""
SOFT, HARD = "tokenBudgetSoft", "tokenBudgetHard"
SAVES_ITSELF, THRESHOLD = "autoSave", "thresholdPercent"
"""Keys of a thread's config: a budget belongs to the work, and travels with it."""
LONGEST_NUMBER = 6
"""Digits of a session's number; what is longer is no number of a session."""
CLIENT_ID = "agentSessionId"
"""The key of a session in thread.json by which it is found when its id in Hapi has changed."""
PAGE, ARCHIVED_AT, GONE = "file", "archivedAt", "archiveError"
"""More such keys: the page that has its conversation, since when, or why there can be none."""


def folder(thread: str) -> str:
    """Everything about a thread lies here."""
    return f"{FOLDER}/{thread}"


def metadata(thread: str) -> str:
    """The path of its thread.json: settings and sessions."""
    return f"{folder(thread)}/thread.json"


def level_of(config: Mapping[str, object], usual: float) -> float:
    """The use of the context, in percent, at which a thread wants a save."""
    said = config.get(THRESHOLD)
    fits = isinstance(said, int | float) and not isinstance(said, bool) and 0 < said <= 100
    return float(said) if fits else usual  # type: ignore[arg-type]


def document(thread: str) -> str:
    """The path of its CHECKPOINT.md: the work."""
    return f"{folder(thread)}/CHECKPOINT.md"


def history(thread: str) -> str:
    """The folder of its archived conversations."""
    return f"{folder(thread)}/history"


def counted(value: Json) -> int:
    """A number from 1 up that a file may hold; 0 for anything else that stands in its place."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def token_limit(config: Mapping[str, Json], key: str) -> int | None:
    """How many tokens the thread's sessions may take together; None for as many as they like."""
    return counted(config.get(key)) or None


def number_of(session: Item) -> int:
    """The number that a session has in its thread; 0 for one that nobody numbered."""
    return counted(session.attrs.get("seq"))


def cited(number: int) -> str:
    """How a session of a thread is cited; "" where nobody numbered it."""
    return f"#{number:03d}" if number else ""


def is_row_of(row: Item, number: int) -> bool:
    """Whether a row of CHECKPOINT.md's list of sessions is about the one with this number."""
    return row.id.lstrip("#0") == str(number)


def unarchived(thread: Checkpoint, own: str) -> list[int]:
    """The numbers of the sessions before this one whose conversation may still be kept."""
    mine = {own, own.rpartition("/")[2]}
    past = (one for one in thread.sessions if mine.isdisjoint((one.id, one.get(CLIENT_ID))))
    waiting = (one for one in past if not one.get(PAGE) and not one.get(GONE))
    return sorted(filter(None, map(number_of, waiting)))


def next_number(
    sessions: Iterable[Item], files: Iterable[str] = (), work: Checkpoint | None = None
) -> int:
    """One more than any session, archived file or row of the work has: none is ever reused.

    Sessions that nobody numbered were counted by their place, so as many numbers are taken.
    """
    numbers = [number_of(one) for one in sessions]
    taken = [*numbers, numbers.count(0)]
    return max((*taken, *_archived_in(files), *_told_in(work)), default=0) + 1


def _archived_in(files: Iterable[str]) -> Iterator[int]:
    """The numbers that files of the archive are called by: three digits, more from 1000 on."""
    for name in files:
        digits, dash, _ = name.partition("-")
        if dash and _is_number(digits) and f"{int(digits):03d}" == digits:
            yield int(digits)


def _told_in(work: Checkpoint | None) -> Iterator[int]:
    """The numbers in the list of sessions of CHECKPOINT.md, and behind its decisions."""
    if work is None:
        return
    said = (*(row.id for row in work.history), *(one.get("session") for one in work.decisions))
    for text in said:
        digits = text.removeprefix("#")
        if _is_number(digits):
            yield int(digits)


def _is_number(digits: str) -> bool:
    return digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_NUMBER


def joined(
    thread: Checkpoint,
    session: str,
    facts: Mapping[str, Json],
    files: Iterable[str] = (),
    work: Checkpoint | None = None,
) -> Checkpoint:
    """The thread with this session in it, the only active one; in one write, never two of them.

    `session` is the id that the entry goes by; `facts` are more keys of a new entry (name, ...).
    """
    if any(one.id == session for one in thread.sessions):
        kept = tuple(_active(one, on=one.id == session) for one in thread.sessions)
        return thread._replace(sessions=kept)
    number = next_number(thread.sessions, files, work)
    name = str(facts.get("name") or "")
    more = {key: value for key, value in facts.items() if key != "name"}
    new = Item(name, session, {"seq": number, **more, "active": True})
    return thread._replace(sessions=(*(_active(one, on=False) for one in thread.sessions), new))


def _active(session: Item, *, on: bool) -> Item:
    """Only what says something else is changed: a session that never was active need not say so."""
    if bool(session.attrs.get("active")) == on:
        return session
    return session._replace(attrs={**session.attrs, "active": on})
