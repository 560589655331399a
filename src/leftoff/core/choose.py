"""Which of the records that sessions left is meant: one's own, the only one, or ask. Pure.

Records that point at one document are one candidate. Nobody ever guesses between several; what a
taker should know before he takes one stands beside it as warnings.
"""

from __future__ import annotations

from leftoff.core.model import Finding
from leftoff.core.paths import stem_of
from leftoff.core.texts import number
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

RESTORE = "restore"
USE, ASK, LOOKUP = "use", "ask", "lookup"
SKIP = "skip"
AUTOMATIC, RECOVERED = "-precompact", "-recovered"
"""How saves end that nobody asked for: before a compaction, and of a session that left none."""
TRIES = 2
"""An answer that makes no sense is asked for once more, and then no longer."""


class Pending(Record):
    """A record that was left for a next session, with all that guards it; times in seconds."""

    record: str
    """the path of the record itself"""
    target: str
    """the real path of what it points at"""
    session: str
    created: float
    expires: float
    type: str = RESTORE
    task: str = ""
    branch: str = ""
    date: str = ""
    thread: str = ""
    """the thread that the document is of, or that the session which left it was on"""
    offered: str = ""
    """the live session that was given it, and has not answered yet"""
    live: bool = False
    """the session that left it still runs"""
    there: bool = True
    trouble: str = ""
    """why what it points at cannot be read"""
    consumed: bool = False


class Asker(Record):
    """Who asks: a session under all the ids it ever had, or (none) a person; and their work."""

    sessions: tuple[str, ...] = ()
    thread: str = ""
    document: str = ""
    """the real path of the thread's document"""


class Candidate(Record):
    """One document that was left, by the newest record that points at it."""

    newest: Pending
    records: tuple[Pending, ...]

    @property
    def is_free(self) -> bool:
        """Whether it may be taken without a word: it is there, and nobody was given it."""
        return self.newest.there and not self.newest.offered


class Chosen(Record):
    """What to do; for USE which one, and what the taker should know."""

    verb: str
    candidate: Candidate | None = None
    findings: tuple[Finding, ...] = ()
    mismatch: bool = False


def together(records: Iterable[Pending]) -> list[Candidate]:
    """The candidates, newest first; of several records of one document the newest counts."""
    by_target: dict[str, list[Pending]] = {}
    for one in sorted(records, key=lambda one: (-one.created, one.record)):
        by_target.setdefault(one.target, []).append(one)
    return [Candidate(some[0], tuple(some)) for some in by_target.values()]


def choose(found: Sequence[Candidate], asker: Asker, answers: Sequence[str] = ()) -> Chosen:
    """One's own; else the only one, with a warning; else ask. Answers are numbers, or `skip`."""
    if answers:
        return _answered(found, asker, answers)
    own = [one for one in found if one.newest.there and is_own(one, asker)]
    free = [one for one in found if one.is_free]
    if own:
        return _used(_nearest(own, asker), asker)
    if len(free) == 1:
        return _used(free[0], asker)
    return Chosen(ASK) if free else Chosen(LOOKUP)


def is_own(one: Candidate, asker: Asker) -> bool:
    """Whether the asker left it, was given it, or works on the very document."""
    near = (asker.sessions, asker.document)
    return any(_is_near(record, *near) for record in one.records)


def is_other_task(one: Pending, asker: Asker) -> bool:
    """Whether it is of another work than the asker's."""
    return bool(asker.thread) and one.thread != asker.thread and one.target != asker.document


def _answered(found: Sequence[Candidate], asker: Asker, answers: Sequence[str]) -> Chosen:
    for answer in answers[:TRIES]:
        said = answer.strip().casefold()
        if said == SKIP:
            return Chosen(LOOKUP)
        if 1 <= number(said) <= len(found):
            return _used(found[number(said) - 1], asker)
    return Chosen(LOOKUP if len(answers) >= TRIES or not found else ASK)


def _nearest(own: Sequence[Candidate], asker: Asker) -> Candidate:
    """What the asker itself left goes before what is only of its thread."""
    mine = [one for one in own if any(r.session in asker.sessions for r in one.records)]
    return (mine or own)[0]


def _used(one: Candidate, asker: Asker) -> Chosen:
    mismatch = not is_own(one, asker)
    return Chosen(USE, one, tuple(_warnings(one, asker, mismatch=mismatch)), mismatch)


def _warnings(one: Candidate, asker: Asker, *, mismatch: bool) -> Iterable[Finding]:
    """What the taker should know."""
    newest = one.newest
    if mismatch:
        text = "Session-id mismatch: sentinel is from a prior session. Using it anyway."
        yield Finding("mismatch", "warning", "", text)
    if newest.offered and newest.offered not in asker.sessions:
        text = f"it was given to the live session {newest.offered} already"
        yield Finding("offered", "warning", "", text)
    if newest.session in asker.sessions:
        text = "this session left it itself; it holds nothing new here"
        yield Finding("same-session", "info", "", text)
    elif newest.live:
        text = f"the session {newest.session} that left it still runs"
        yield Finding("live-session", "warning", "", text, "work on it in one session at a time")
    if is_other_task(newest, asker):
        task = newest.task or newest.session
        yield Finding(
            "cross-task", "warning", "", f"it is for another task ({task}) than {asker.thread}"
        )


def _is_near(record: Pending, sessions: Sequence[str], document: str) -> bool:
    named = record.session in sessions or record.offered in sessions
    return bool(named and sessions) or bool(document and record.target == document)


class Save(Record):
    """A file of a task save: where it is, and when it last changed."""

    path: str
    at: float


def newest_save(saves: Iterable[Save]) -> Save | None:
    """The newest; what somebody saved goes before the automatic one of the same day and task."""
    every = list(saves)
    said = {stem_of(one.path) for one in every if not _is_automatic(one.path)}
    kept = [one for one in every if not _is_automatic(one.path) or said.isdisjoint(_bases(one))]
    return max(kept, key=lambda one: (one.at, one.path), default=None)


def is_dated(path: str) -> bool:
    """Whether a file is named as a save is: after a day."""
    day = stem_of(path)[:11]
    return len(day) == 11 and day[4] + day[7] + day[10] == "---" and _day(day).isdecimal()


def _day(text: str) -> str:
    return text.replace("-", "")


def _is_automatic(path: str) -> bool:
    return stem_of(path).endswith(AUTOMATIC)


def _bases(one: Save) -> set[str]:
    """The name of the save that somebody would have made; a second of one day has a number."""
    base = stem_of(one.path).removesuffix(AUTOMATIC)
    head, dash, number = base.rpartition("-")
    return {base, head} if dash and number.isdecimal() else {base}
