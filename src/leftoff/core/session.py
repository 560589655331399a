"""A session: one run of an agent, as journal and transcript tell of it, and what state it is in.

Nothing here is stored: the state is computed from facts, a clock and the limits, so that listing
moves nothing and no two lists can disagree.
"""

from __future__ import annotations

from leftoff.core.event import PROMPT, STOP
from leftoff.core.paths import from_root
from leftoff.core.stats import Stats
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from leftoff.core.texts import Say

ACTIVE, STALE, RECENT, ARCHIVED = "active", "stale", "recent", "archived"
JOURNAL, TRANSCRIPT = "journal", "transcript"

REASONS = ("clear", "logout", "prompt_input_exit", "crash", "timeout", "other")
"""Why a session ended, in seed D's words."""

CRASH, TIMEOUT, OTHER = "crash", "timeout", "other"
_FOREIGN_REASONS: Mapping[str, str] = {
    "exit": "prompt_input_exit",
    "quit": "prompt_input_exit",
    "user_exit": "prompt_input_exit",
    "error": CRASH,
    "zombie": CRASH,
}
COUNTED = (
    ("Completed {n} task", "Completed {n} tasks"),
    ("Modified {n} file", "Modified {n} files"),
    ("Made {n} commit", "Made {n} commits"),
    ("Launched {n} subagent", "Launched {n} subagents"),
)
"""What a summary that nobody wrote counts, for one and for more, in seed D's words."""
WORKED = "Worked on {names}"
HAPI_ENTRY, HAPI_PROMPT = "sdk-ts", "hello"
"""For each real session Hapi starts another, in this way and with this prompt: that is none."""


class Client(Record):
    """The process that a session runs in: enough to tell it from any other, here or elsewhere."""

    pid: int = 0
    began: str = ""
    boot: str = ""
    ns: str = ""
    host: str = ""
    shared: bool = False
    """several sessions live in it (a daemon): its life says nothing of theirs"""


class Event(Record):
    """One line of the journal: when, which word, and why or for what."""

    at: float
    what: str
    about: str = ""
    failed: bool = False
    context: int = 0


class Outcome(Record):
    """What the work was for: a tracking file or a name, the last task on it, and when."""

    name: str
    task: str = ""
    at: float = 0.0


class Note(Record):
    """What somebody stated during the session."""

    at: float
    text: str = ""
    decisions: tuple[str, ...] = ()
    next: tuple[str, ...] = ()


class Session(Record):
    """Times are seconds since the epoch, 0 for unknown."""

    agent: str
    id: str
    root: str = ""
    cwd: str = ""
    branch: str = ""
    commit: str = ""
    mode: str = ""
    source: str = ""
    model: str = ""
    transcript: str = ""
    started: float = 0.0
    seen: float = 0.0
    """the last sign of it, in the journal or the transcript"""
    ended: float = 0.0
    closed: float = 0.0
    """when its end was written down: later than `ended` where somebody found it dead"""
    reason: str = ""
    dirty: int | None = None
    """files that were not committed at its end"""
    client: Client = Client()
    alive: bool | None = None
    """whether its process runs; None where nobody can know"""
    thread: str = ""
    parent: str = ""
    hapi: str = ""
    given: str = ""
    """the save that it went on with"""
    entrypoint: str = ""
    attended: bool | None = None
    events: tuple[Event, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    notes: tuple[Note, ...] = ()
    stats: Stats = Stats()
    size: int = 0
    """bytes of the transcript"""
    window: int = 0
    """the model's window, where the client told it"""
    origin: str = JOURNAL
    skipped: int = 0
    """lines of the journal that could not be read"""
    trouble: str = ""
    """why journal or transcript could not be read at all"""

    @property
    def name(self) -> str:
        """How `LEFTOFF_SESSION` names it."""
        return f"{self.agent}/{self.id}"

    @property
    def duration(self) -> float:
        """Seconds from the start to the end, or to the last sign of it."""
        return max(0.0, (self.ended or self.seen) - self.started) if self.started else 0.0


def state(session: Session, now: float, limits: Mapping[str, float]) -> str:
    """ACTIVE, STALE, RECENT or ARCHIVED; each limit itself still belongs to the younger state."""
    session = settled(session, now, limits)
    if session.ended:
        old = now - (session.closed or session.ended) > limits["history.recent"]
        return ARCHIVED if old else RECENT
    quiet = now - session.seen > limits["stale.session"]
    return STALE if quiet and session.alive is not True else ACTIVE


def settled(session: Session, now: float, limits: Mapping[str, float]) -> Session:
    """A session that no journal follows has ended with its last line, once it is quiet."""
    quiet = now - session.seen > limits["stale.session"]
    if session.ended or session.origin != TRANSCRIPT or not quiet:
        return session
    return session._replace(ended=session.seen, closed=session.seen, reason=OTHER)


def is_dead(session: Session) -> bool:
    """Whether its process is gone, and nobody has written its end down."""
    return session.alive is False and not session.ended and session.origin == JOURNAL


def is_closable(session: Session, now: float, limits: Mapping[str, float]) -> bool:
    """Whether reconciliation ends it: it is stale, or its process is known to be gone."""
    if session.ended or session.origin == TRANSCRIPT:
        return False
    return is_dead(session) or state(session, now, limits) == STALE


def closing_reason(session: Session, *, silent: bool = False) -> str:
    """A process that is gone without a word crashed; of any other nobody can know.

    A `silent` client never says a word: gone between two turns, it was closed as it always is.
    """
    if session.alive is not False:
        return TIMEOUT
    return OTHER if silent and not _is_in_turn(session) else CRASH


def _is_in_turn(session: Session) -> bool:
    """Whether the last that was heard of it is a prompt, or a turn that failed."""
    turns = [one for one in session.events if one.what in {PROMPT, STOP}]
    return bool(turns) and (turns[-1].what == PROMPT or turns[-1].failed)


def reason_of(word: str) -> str:
    """An end's reason within D's set, whatever the client calls it."""
    if word in REASONS:
        return word
    return _FOREIGN_REASONS.get(word, OTHER)


def is_ghost(session: Session) -> bool:
    """A session that nobody worked in and that no list should show."""
    if session.stats.commands or session.notes or session.outcomes or session.trouble:
        return False
    if is_unreadable(session.stats):
        return False  # nobody can tell what was done in it
    probe = session.origin != TRANSCRIPT and _is_probe(session)
    if session.stats.answers:
        return probe and _only_hello(session)  # the model was faster than Hapi
    if session.origin == TRANSCRIPT:
        return not session.stats.prompts or _only_hello(session)
    return probe or _never_used(session)


def is_unreadable(stats: Stats) -> bool:
    """Whether a transcript has lines, and none of them can be read."""
    return 0 < stats.lines == stats.skipped


def _only_hello(session: Session) -> bool:
    """Hapi's throw-away session, as the transcript shows it."""
    asked = session.stats.asked.strip().casefold()
    return session.stats.prompts == 1 and asked == HAPI_PROMPT


def _is_probe(session: Session) -> bool:
    """The same, as the journal shows it: a start, a prompt, an end, and no turn ever ended."""
    words = [event.what for event in session.events]
    from_hapi = session.entrypoint == HAPI_ENTRY or bool(session.hapi)
    once = words.count("prompt") == 1 and "stop" not in words
    return from_hapi and once and bool(session.ended)


def _never_used(session: Session) -> bool:
    """A client that was opened and is gone, with nothing said; one that ended properly is kept."""
    only_started = all(event.what in {"start", "notice"} for event in session.events)
    return only_started and session.alive is False and not session.stats.prompts


def thread_by_descent(session: str, told: Callable[[str], tuple[str, str]]) -> str:
    """The thread of a session, else that of the one it continues, at however many removes.

    `told` says of each id its own thread and the id of the one before; "" for none.
    """
    walked: set[str] = set()
    thread = ""
    while session and not thread and session not in walked:
        walked.add(session)
        thread, session = told(session)
    return thread


def accomplished(session: Session) -> str:
    """What was achieved: the words somebody gave, else what was counted; zero parts left out."""
    given = [note.text for note in session.notes if note.text]
    return "; ".join(given) if given else "; ".join(counted(session))


def counted(session: Session) -> list[str]:
    """The parts of a generated summary, in D's words."""
    stats = session.stats
    numbers = (stats.done, len(stats.files), stats.commits, stats.subagents)
    words = zip(numbers, COUNTED, strict=True)
    parts = [(one if n == 1 else many).format(n=n) for n, (one, many) in words if n]
    if session.outcomes:
        parts.append(WORKED.format(names=", ".join(one.name for one in session.outcomes)))
    return parts


def achieved(text: str, say: Say) -> str:
    """What `accomplished` gave, for a reader: only what was counted is said in his language."""
    return "; ".join([_said(part, say) for part in text.split("; ")])


def _said(part: str, say: Say) -> str:
    for words in COUNTED:
        for text in words:
            before, _, behind = text.partition("{n}")
            number = part.removeprefix(before).removesuffix(behind)
            if number.isdecimal() and part == f"{before}{number}{behind}":
                return say(text, n=number)
    names = part.removeprefix(WORKED.partition("{names}")[0])
    return part if names == part else say(WORKED, names=names)


def decisions(session: Session) -> tuple[str, ...]:
    """Every decision that was stated, in order, once."""
    return tuple(dict.fromkeys(text for note in session.notes for text in note.decisions))


def next_steps(session: Session) -> tuple[str, ...]:
    """The steps that were stated last: a later list takes the place of an earlier one."""
    stated = [note.next for note in session.notes if note.next]
    return stated[-1] if stated else ()


def open_tasks(session: Session) -> tuple[str, ...]:
    """What its to-do list still had open, the running one first."""
    return tuple(session.stats.open_tasks)


def files(session: Session) -> list[str]:
    """What it changed, by paths from the project's folder."""
    return from_root(session.stats.files, session.root)


def label(session: Session) -> str:
    """What a person knows it by: its title, its first prompt, else what was stated."""
    stated = (*(one.name for one in session.outcomes), *(one.text for one in session.notes))
    return session.stats.title or session.stats.asked or next(filter(None, reversed(stated)), "")


class Mark(Record):
    """Something that happened in a session: a save, a compaction, or its crash."""

    at: float
    kind: str


MARKS = 40
"""that are told of one session"""


def marks(session: Session) -> list[Mark]:
    """In the order of time; the transcript tells of compactions, else the journal."""
    saved = [Mark(event.at, "save") for event in session.events if event.what == "save"]
    cuts = [one.at for one in session.stats.compactions]
    cuts = cuts or [event.at for event in session.events if event.what == "compacted"]
    crashed = [Mark(session.ended, CRASH)] if session.reason == CRASH and session.ended else []
    every = [*saved, *(Mark(at, "compaction") for at in cuts), *crashed]
    return sorted(every, key=lambda mark: mark.at)[-MARKS:]


def newest_first(sessions: Iterable[Session]) -> list[Session]:
    """By the last sign of each; the name settles a tie, so that the order is always one."""
    return sorted(sessions, key=lambda one: (-one.seen, one.name))
