"""A save of format C (seed 002): what its sources say, which of the files in flight count. Pure.

Paths, never contents: of plans, reviews and the like only names and times are looked at.
"""

from __future__ import annotations

from leftoff.core.ids import is_name, slug
from leftoff.core.texts import first_sentence, flat
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from leftoff.core.model import Item

VOLUNTARY = "checkpoint save (voluntary)"
NOT_FOUND = "(none found)"
STATE = "session-state"
TREE = ".workflow_artifacts"
BY_TIME: Mapping[str, str] = {
    "current-plan.md": "current-plan.md",
    "architecture.md": "architecture.md",
}
BY_NUMBER: Mapping[str, str] = {
    "critic-response": "latest critic-response",
    "review": "latest review",
}
"""File names, with or without a number behind them, and the words that stand before the path."""
_NOBODY = ("unknown", "none", "n/a", "tbd", "-")


class File(Record):
    """A file that may be in flight: where it is, and when it was last written."""

    path: str
    at: int


class Sources(Record):
    """What was found to save; "" where a source is absent or says nothing.

    A block of the session's own notes is its text; None where there is no such block at all.
    """

    task: str
    stage: str = ""
    branch: str = ""
    session: str = ""
    questions: str | None = None
    decisions: str | None = None
    unfinished: str | None = None
    files: tuple[tuple[str, str], ...] = ()
    """label and path, in the seed's order; "" for what was not found"""
    trouble: str = ""
    """why the session's notes could not be read"""


def is_in_flight(name: str) -> bool:
    """Whether a file of that name is one that a save may point to."""
    return name in BY_TIME or _numbered(name)[1] >= 0


def in_flight(files: Iterable[File], task: str, state: str) -> tuple[tuple[str, str], ...]:
    """The newest plan and architecture, the highest response and review, and the notes' path.

    What lies in the task's own folder goes before what other tasks have.
    """
    known = list(files)
    own = [one for one in known if one.path.startswith(f"{TREE}/{task}/")]
    plain = [(label, _newest(own, name) or _newest(known, name)) for name, label in BY_TIME.items()]
    counted = [
        (label, _highest(own, name) or _highest(known, name)) for name, label in BY_NUMBER.items()
    ]
    return (*plain, *counted, (STATE, state))


def _newest(files: Iterable[File], name: str) -> str:
    found = [one for one in files if one.path.rpartition("/")[2] == name]
    return max(found, key=lambda one: (one.at, one.path)).path if found else ""


def _highest(files: Iterable[File], stem: str) -> str:
    found = [(_numbered(one.path.rpartition("/")[2]), one) for one in files]
    ours = [(number, one.at, one.path) for (kind, number), one in found if kind == stem]
    return max(ours)[2] if ours else ""


def _numbered(name: str) -> tuple[str, int]:
    """`review-10.md` as (review, 10); -1 for any other name."""
    stem, dash, number = name.removesuffix(".md").rpartition("-")
    good = name.endswith(".md") and dash and number.isascii() and number.isdigit()
    return (stem, int(number)) if good and len(number) < 10 and stem in BY_NUMBER else ("", -1)


def stated(block: str, key: str) -> str:
    """The value of a `Key: value` line, bulleted, fenced, bold or plain; "" where there is none."""
    for line in block.split("\n"):
        name, colon, value = line.strip().lstrip("-*+ \t").replace("*", "").partition(":")
        if colon and name.strip(" `_").casefold() == key.casefold():
            return value.strip(" \t`\"'")
    return ""


def session_named(value: str) -> str:
    """A session's id, if it is one: never a placeholder, never what would be no file name."""
    told = value.casefold()
    placeholder = told in _NOBODY or told.startswith("unknown-")
    return "" if placeholder or not is_name(value) else value


def task_named(name: str) -> str:
    """A task's name as a part of paths."""
    return name if is_name(name) else slug(name)


def intended(steps: Sequence[Item], prose: str) -> str:
    """What the user wants, where he does not say it: the first thing that is not finished."""
    if steps:
        return flat(steps[0].text.partition("\n")[0])
    said = first_sentence(prose)
    return "" if said.casefold().strip("().") in {"", *_NOBODY} else said
