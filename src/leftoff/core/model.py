"""The one model of leftoff: its records, and for each field of a checkpoint the rules it lives by.

The rule table is the single home of what a save carries over, how two concurrent changes merge
and what survives when tokens are short. Formats only say which fields they hold, and their names.
"""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, TypeAlias

    Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None

IN_PROGRESS, BLOCKED, COMPLETE, FAILED, ARCHIVED = STATUSES = (
    "in_progress",
    "blocked",
    "complete",
    "failed",
    "archived",
)

TICKET_ROLES = ("source", "child", "deploy", "incident", "linked")
"""What a ticket may be to a checkpoint."""

NOTHING: Mapping[str, Json] = {}


class Item(Record):
    """One entry of a list field. Its identity is the id, else the text (see `key`)."""

    text: str
    id: str = ""
    attrs: Mapping[str, Json] = NOTHING

    def get(self, name: str) -> str:
        """An attribute as text, empty when absent or not a text."""
        value = self.attrs.get(name, "")
        return value if isinstance(value, str) else ""

    @property
    def key(self) -> str:
        """What makes two items the same: the id, else the text without marks and extra spaces."""
        return self.id or " ".join(self.text.translate(_MARKS).split()).casefold()


_MARKS = {ord(mark): None for mark in "*_`~"}


class Checkpoint(Record):
    """The state of one stream of work. Times are texts of the document; `core.when` reads them."""

    id: str
    name: str = ""
    project: str = ""
    project_dir: str = ""
    created: str = ""
    updated: str = ""
    status: str = IN_PROGRESS
    word: str = ""
    phase: str = ""
    stage: str = ""
    problem: str = ""
    intent: str = ""
    summary: str = ""
    decisions: tuple[Item, ...] = ()
    next_actions: tuple[Item, ...] = ()
    blockers: tuple[Item, ...] = ()
    questions: tuple[Item, ...] = ()
    rules: tuple[Item, ...] = ()
    progress: tuple[Item, ...] = ()
    artifacts: tuple[Item, ...] = ()
    context: str = ""
    branch: str = ""
    commit: str = ""
    tests: str = ""
    refs: tuple[Item, ...] = ()
    deltas: tuple[Item, ...] = ()
    history: tuple[Item, ...] = ()
    parent: str = ""
    completion: str = ""
    sessions: tuple[Item, ...] = ()
    cost: Mapping[str, Json] = NOTHING
    private: Mapping[str, Json] = NOTHING
    extra: Mapping[str, Json] = NOTHING
    conflicts: tuple[Item, ...] = ()


class Rule(Record):
    """How one field behaves.

    save:  keep, stamp, replace, given (kept unless a new text is given), append, key, never
    merge: key, newest (loser logged), conflict, union, item (by item, newer order), by_key
    keep:  must, should, may (in a brief); file (in the document, never in a brief)
    attrs: the item attributes that leftoff itself reads and that every list format can carry
    """

    save: str
    merge: str
    keep: str
    means: str
    attrs: tuple[str, ...] = ()


RULES: Mapping[str, Rule] = {
    "id": Rule("keep", "key", "must", "the one name of this stream of work"),
    "name": Rule("given", "newest", "must", "a title for people, in any script"),
    "project": Rule("keep", "newest", "should", "what the project is called"),
    "project_dir": Rule("keep", "newest", "file", "where it lay on the machine that wrote it"),
    "created": Rule("keep", "newest", "must", "when the stream began"),
    "updated": Rule("stamp", "newest", "must", "when it was last written"),
    "status": Rule(
        "replace", "conflict", "must", "in_progress, blocked, complete, failed, archived"
    ),
    "word": Rule("replace", "newest", "file", "the format's own word for the status"),
    "phase": Rule("replace", "newest", "must", "the larger unit the work is in"),
    "stage": Rule("replace", "newest", "must", "the step within it, or the turn it reaches up to"),
    "problem": Rule("given", "conflict", "must", "what is to be solved; rarely changes"),
    "intent": Rule("given", "conflict", "must", "what the user wants to achieve"),
    "summary": Rule("replace", "newest", "must", "what exists now"),
    "decisions": Rule(
        "append",
        "union",
        "must",
        "choices that are locked in",
        ("rationale", "session", "superseded"),
    ),
    "next_actions": Rule(
        "replace",
        "item",
        "must",
        "what comes next, first one first",
        ("done_when", "priority", "done"),
    ),
    "blockers": Rule(
        "append",
        "union",
        "must",
        "what stands in the way",
        ("blocking", "needs", "proposed_resolution", "status"),
    ),
    "questions": Rule("append", "union", "must", "what is still open"),
    "rules": Rule("given", "union", "must", "constraints and preferences of the user"),
    "progress": Rule("key", "by_key", "should", "the rows of the plan, in order", ("status",)),
    "artifacts": Rule(
        "append", "union", "should", "files touched: paths, never contents", ("status", "change")
    ),
    "context": Rule("given", "newest", "should", "stack, configuration, environment"),
    "branch": Rule("given", "newest", "should", "the git branch the work is on"),
    "commit": Rule("given", "newest", "should", "the last commit it stands on"),
    "tests": Rule("given", "newest", "should", "how the tests stood"),
    "refs": Rule(
        "append", "union", "should", "tickets and pointers to look things up", ("type", "hint")
    ),
    "deltas": Rule("append", "union", "should", "dated changes appended to the checkpoint"),
    "history": Rule("append", "union", "may", "what was done, oldest first", ("at",)),
    "parent": Rule("keep", "conflict", "must", "the stream this one came from or depends on"),
    "completion": Rule("never", "conflict", "must", "how it ended, and what was learned"),
    "sessions": Rule("append", "by_key", "file", "the agent runs of a thread"),
    "cost": Rule("key", "by_key", "file", "spend and budget"),
    "private": Rule("keep", "by_key", "file", "state that only its owner reads"),
    "extra": Rule("keep", "by_key", "file", "what the format says beyond the model"),
    "conflicts": Rule(
        "keep",
        "union",
        "must",
        "values of the other side that await a choice",
        ("side", "word", "json", "removed"),
    ),
}

# A drafted item says so wherever it is shown; every list field may carry the mark.
DRAFT = "draft"
FAILED_COMMAND = "failed: "
"""How a drafted item begins that is a command which failed and was not repaired."""
COMMITTED = "committed: "
"""How a drafted item begins that is the message of a commit."""
FIRST_ASKED = " (first asked: "
"""What stands in a drafted intent before what the session began with."""
IN_REPLY = "[in reply to: "
"""What stands, behind what a user said, before the words of the agent that it replies to."""

AREA, UNCOMMITTED = "area", "uncommitted"
"""The attribute of a file that git knows to be changed, and its value (as format E has it)."""
URGENT, LATER = "P1", "P2"
"""Priorities of steps (as format E has them)."""


LEVELS = ("error", "warning", "advice", "info")
"""Of findings, the worst first; advice never fails anything."""

NEEDS_DECISION = "user_decision"
"""What a blocker needs that waits for a person."""
NEWER = "newer-version"
"""slug of the finding that a document is of a later version of its format: it is never written"""


class Finding(Record):
    """The result of a check; its level is one of LEVELS."""

    slug: str
    level: str
    where: str
    text: str
    fix: str = ""
    line: int = 0

    @property
    def place(self) -> str:
        """Where it is, without what its text names itself: nothing is to be read twice."""
        path, _, field = self.where.partition(": ")
        place = path if field in self.text else self.where
        rest = self.text.removeprefix(place)
        return place if rest == self.text or rest[:1].isalnum() else ""

    @property
    def told(self) -> str:
        """Place and text."""
        return f"{self.place}: {self.text}" if self.place else self.text


class Evidence(Record):
    """Why a step counts as done: what was run, how it ended, and what the tree was then.

    `tree` is the digest of all files but the checkpoints (`world.working_tree`); `tail`, the end
    of the output, never leaves the machine.
    """

    command: str
    exit_code: int
    commit: str = ""
    dirty: bool = False
    at: str = ""
    tree: str = ""
    seconds: float = 0.0
    tail: str = ""


def blank(field: str) -> object:
    """The value of a field that says nothing."""
    return IN_PROGRESS if field == "status" else Checkpoint("")[Checkpoint._fields.index(field)]


def keep_only(checkpoint: Checkpoint, fields: Iterable[str]) -> Checkpoint:
    """The checkpoint with every field outside `fields` blank; what a lens' `hold` begins with."""
    kept = set(fields)
    pairs = zip(Checkpoint._fields, checkpoint, strict=True)
    said: Any = {field: value for field, value in pairs if field in kept}
    return Checkpoint(**{"id": "", **said})


def open_actions(checkpoint: Checkpoint) -> tuple[Item, ...]:
    """The next actions that are not ticked off."""
    return tuple(item for item in checkpoint.next_actions if not item.attrs.get("done"))


def open_blockers(checkpoint: Checkpoint) -> tuple[Item, ...]:
    """The blockers that nobody marked resolved."""
    return tuple(item for item in checkpoint.blockers if item.get("status") != "resolved")
