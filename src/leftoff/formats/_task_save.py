"""The text of a task save (format C): made from its sources, laid on what stands there already.

A section that nobody touched since the last save becomes what the sources say now, word for word.
Where somebody did, the rules of the model decide item by item, and nothing that he added is lost.
"""

from __future__ import annotations

from leftoff.core.compose import applied
from leftoff.core.merge import THEIRS, Loser, merge
from leftoff.core.model import Checkpoint, open_actions
from leftoff.core.paths import stem_of
from leftoff.core.task_save import (
    NOT_FOUND,
    VOLUNTARY,
    Sources,
    intended,
    session_named,
    stated,
)
from leftoff.errors import FormatError
from leftoff.formats import task as lens
from leftoff.formats._markdown import editable, parse, passage_of, render, set_passage
from leftoff.formats._md_outline import chosen, find, insert_part
from leftoff.formats._md_text import write_text
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from leftoff.formats._markdown import Document, Section

_BLOCKS = {
    "questions": "Open questions",
    "decisions": "Decisions made",
    "unfinished": "Unfinished work",
}
"""Of the sources: the section that each block stands in, there and here."""
_FIELDS = {"unfinished": "next_actions"}
_FILES = "In-flight artifacts"
_COST = "cost"
_SCALARS = ("word", "stage", "name", "branch", "intent")


class Written(Record):
    """A save's text; that of its sources alone, for the next one; what gave way, for the log."""

    text: str
    fresh: str
    losers: tuple[Loser, ...] = ()


def sources(text: str, path: str, branch: str) -> Sources:
    """What the notes of a session say; where they cannot be read, their name still does."""
    found = Sources(lens.task_of(path), branch=branch)
    try:
        said = {one.title.casefold(): passage_of(parse(text), one) for one in _level_two(text)}
        c = lens.read(text, path)
    except FormatError as error:
        return found._replace(trouble=error.message if text.strip() else "")
    cost = said.get(_COST, "")
    blocks: dict[str, Any] = {
        name: _said(said[title.casefold()])
        for name, title in _BLOCKS.items()
        if title.casefold() in said
    }
    stage = stated(cost, "Phase") or c.stage
    return found._replace(
        stage=stage, session=session_named(stated(cost, "Session UUID")), **blocks
    )


def written(made: Sources, old: str, base: str, path: str, given: Mapping[str, Any]) -> Written:
    """The save. `base` is what the sources alone said at the last one, "" where nobody knows."""
    fresh = _fresh(made, path)
    if not old.strip("\ufeff \t\r\n"):
        text = lens.write(applied(lens.read(fresh, path), given), fresh, path)
        return Written(_with_files(text, made), fresh)
    for name, title in _BLOCKS.items():
        block = getattr(made, name)
        if base and block is not None and _FIELDS.get(name, name) not in given:
            old = _followed(old, base, title, block)
    before, theirs = _before(base, old, path), lens.read(old, path)
    ours = applied(_said_by(made, lens.read(fresh, path), before), given)
    ours, theirs, lost = _one_intent(before, ours, theirs, given)
    merged = merge(before, ours, theirs)
    text = _with_files(lens.write(merged.checkpoint, old, path), made)
    return Written(text, fresh, (*merged.losers, *lost))


def _fresh(made: Sources, path: str) -> str:
    """A new save that says what the sources say, in the sections of the seed."""
    c = Checkpoint(
        stem_of(path),
        word=VOLUNTARY,
        name=made.task,
        stage=made.stage,
        branch=made.branch,
    )
    text = lens.write(c, "", path)
    for name, title in _BLOCKS.items():
        if block := getattr(made, name):
            text = _with_passage(text, title, block)
    c = lens.read(text, path)
    c = c._replace(intent=intended(open_actions(c), made.unfinished or ""))
    return _with_files(lens.write(c, text, path), made)


def _said_by(made: Sources, fresh: Checkpoint, before: Checkpoint) -> Checkpoint:
    """The sources' side of a merge: what they say nothing of, they did not change."""
    unsaid: Any = {
        _FIELDS.get(name, name): getattr(before, _FIELDS.get(name, name))
        for name in _BLOCKS
        if getattr(made, name) is None
    }
    for field in ("stage", "branch", "intent"):
        if not getattr(fresh, field):
            unsaid[field] = getattr(before, field)
    return fresh._replace(**unsaid)


def _before(base: str, old: str, path: str) -> Checkpoint:
    """What both sides come from; unknown, it holds no list: then both keep all of theirs."""
    if base:
        return lens.read(base, path)
    there = lens.read(old, path)
    said: Any = {field: getattr(there, field) for field in _SCALARS}
    return Checkpoint(there.id, updated=there.updated, **said)


def _one_intent(
    before: Checkpoint, ours: Checkpoint, theirs: Checkpoint, given: Mapping[str, Any]
) -> tuple[Checkpoint, Checkpoint, tuple[Loser, ...]]:
    """The user's own words of now go before those that stand there, and those before a guess."""
    if "intent" not in given:
        stands = theirs.intent and theirs.intent != before.intent
        return (ours._replace(intent=before.intent) if stands else ours), theirs, ()
    gone = theirs.intent not in {"", before.intent, ours.intent}
    lost = (Loser("intent", theirs.intent, THEIRS),) if gone else ()
    return ours, theirs._replace(intent=before.intent), lost


def _followed(text: str, base: str, title: str, block: str) -> str:
    """The text with a new block where the old one is as the last save left it."""
    return _with_passage(text, title, block) if _at(text, title) == _at(base, title) else text


def _with_files(text: str, made: Sources) -> str:
    """The text with the five lines of files in flight; others that stand there follow them."""
    lines = [f"- {label}: {path or NOT_FOUND}" for label, path in made.files]
    labels = tuple(f"{label}:" for label, _ in made.files)
    there = _said(_at(text, _FILES) or "").split("\n")
    others = [one for one in there if not one.lstrip("-*+ \t").startswith(labels)]
    return _with_passage(text, _FILES, "\n".join((*lines, *others)).strip("\n"))


def _with_passage(text: str, title: str, block: str) -> str:
    """The text with other words in a section; a section that says nothing says that."""
    if _at(text, title) == (block or "(none)"):
        return text
    doc, section = _section(editable(parse(text)), title)
    return render(set_passage(doc, section, write_text(block or "(none)", section.level)))


def _section(doc: Document, title: str) -> tuple[Document, Section]:
    ours = find(lens.SPEC, doc).parts.get(title)
    if ours:
        return doc, chosen(doc, ours)
    part = next(part for part in lens.SPEC.parts if part.name == title)
    return insert_part(doc, lens.SPEC, part)


def _at(text: str, title: str) -> str | None:
    """The words of a section; None where there is none."""
    doc = parse(text)
    ours = find(lens.SPEC, doc).parts.get(title)
    return passage_of(doc, chosen(doc, ours)) if ours else None


def _level_two(text: str) -> list[Section]:
    """The sections of a text; of two with one title the first counts, as everywhere."""
    return [one for one in reversed(parse(text).sections) if one.level == 2]


def _said(block: str) -> str:
    return "" if block.casefold() in lens.NOTHING else block
