"""Deltas of Markdown checkpoints: their text, the files that git says changed, when one is due."""

from __future__ import annotations

from leftoff.core.find_stream import name_of
from leftoff.core.model import ARCHIVED, Finding
from leftoff.core.paths import is_checkpoint_path
from leftoff.core.texts import flat
from leftoff.core.when import instant, stamp
from leftoff.errors import Usage
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from leftoff.core.stream import Glance

ACTIONS = ("created", "modified", "deleted")
MANY = 5
"""So many changed files since the last delta are significant work."""
_BY_LETTER = {"A": "created", "D": "deleted"}
_OPENS_A_BLOCK = "#`~<>|=-+*_"


class Artifact(Record):
    """A row of the table: a file, what happened to it, and why."""

    path: str
    action: str
    description: str = ""


class Transition(Record):
    """A row of the optional table: how something moved on."""

    item: str
    before: str
    after: str


def artifact(text: str) -> Artifact:
    """`PATH:created|modified|deleted:DESCRIPTION` of the command line; a path may hold colons."""
    for action in ACTIONS:
        path, found, description = f"{text}:".partition(f":{action}:")
        if found and path.strip():
            return Artifact(path.strip(), action, description.removesuffix(":").strip())
    hint = "write PATH:ACTION:DESCRIPTION with created, modified or deleted"
    raise Usage(f'"{text}" is not an artifact', hint=hint)


def transition(text: str) -> Transition:
    """`ITEM:BEFORE:AFTER` of the command line; an item may hold colons."""
    parts = [part.strip() for part in text.rsplit(":", 2)]
    if len(parts) != 3 or not all(parts):
        raise Usage(f'"{text}" is not a transition', hint="write ITEM:BEFORE:AFTER")
    return Transition(*parts)


def body(what: str, artifacts: Sequence[Artifact], transitions: Sequence[Transition]) -> str:
    """The text of a delta, below its heading."""
    told = flat(what)
    if told[:1] in _OPENS_A_BLOCK:
        told = f"\\{told}"  # the sentence must not open a heading, a fence or a table
    rows = [(f"`{one.path}`", one.action, one.description) for one in artifacts]
    parts = [f"### What Changed\n\n{told}"]
    parts += ["### Artifacts\n\n" + _table(("File", "Action", "Description"), rows)]
    if transitions:
        parts += ["### Status Transitions\n\n" + _table(("Item", "Before", "After"), transitions)]
    return "\n\n".join(parts)


def free_time(now: float, taken: Container[str]) -> str:
    """The time of a new delta: that of now, or the next second that no other delta has."""
    while stamp(now) in taken:
        now += 1
    return stamp(now)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["-" * len(title) for title in columns]
    return "\n".join("| " + " | ".join(map(_cell, row)) + " |" for row in (columns, rule, *rows))


def _cell(text: str) -> str:
    return flat(text).replace("|", "\\|")


# What git says


def changes(log: str, diff: str, untracked: str) -> list[Artifact]:
    """The files that changed, by path; the checkpoints themselves do not count.

    Out of `git log -z --reverse --name-status --format=%x01%s`, `git diff -z --name-status HEAD`
    and `git ls-files -z --others`.
    """
    found: dict[str, Artifact] = {}
    new = "".join(f"A\0{path}\0" for path in untracked.split("\0") if path)
    subject, letter = "", ""
    for word in f"{log}\0\1not committed\0{diff}{new}".split("\0"):
        token = word.lstrip("\n")
        if token.startswith("\1"):
            subject, letter = token[1:], ""
        elif letter:
            _note(found, Artifact(word, _BY_LETTER.get(letter, "modified"), subject))
            letter = ""
        else:
            letter = token
    return [found[path] for path in sorted(found) if not is_checkpoint_path(path)]


def _note(found: dict[str, Artifact], new: Artifact) -> None:
    """A later change of a file on top of an earlier one: new and gone again is nothing."""
    old = found.get(new.path)
    if old and old.action == "created" and new.action == "deleted":
        del found[new.path]
    elif old and old.action == "created":
        found[new.path] = new._replace(action="created")
    elif old and old.action == "deleted" and new.action == "created":
        found[new.path] = new._replace(action="modified")
    else:
        found[new.path] = new


# When one is due


def last_stamp(one: Glance) -> float | None:
    """The time from which changes count: that of the last delta, else of the beginning."""
    return instant(one.updated) or one.born


def suggestion(one: Glance, changed: Sequence[Artifact]) -> Finding | None:
    """Advice to add a delta when much changed since the last one; for `doctor` and the hooks."""
    if one.format != "md" or one.status == ARCHIVED or len(changed) < MANY:
        return None
    since = (one.updated or one.created)[:10] or "it began"
    text = f"{len(changed)} files changed since {since}, but no delta records it"
    fix = f"leftoff delta {name_of(one)} --what TEXT"
    return Finding("delta-due", "advice", one.path, text, fix)
