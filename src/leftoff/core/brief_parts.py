"""What a brief may say of a checkpoint below its head, in its order: a part for each field.

Everything here was made harmless; how much of it is shown is up to `core.brief`.
"""

from __future__ import annotations

from itertools import accumulate

from leftoff.core.brief_gist import AGAINST, answering, pieces
from leftoff.core.brief_words import MARK, asked_apart, in_status, together, unbold
from leftoff.core.claims import CONTRADICTED, UNKNOWN
from leftoff.core.fence import harmless, one_line
from leftoff.core.ids import is_name
from leftoff.core.model import (
    COMMITTED,
    DRAFT,
    NEEDS_DECISION,
    RULES,
    URGENT,
    open_actions,
    open_blockers,
)
from leftoff.core.paths import path_in
from leftoff.core.texts import cut, first_sentence
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from leftoff.core.claims import Verdict
    from leftoff.core.model import Checkpoint, Item
    from leftoff.core.stream import Glance
    from leftoff.core.texts import Say

SAID = "Said by the user, in their words"
"""What the rules are called where they are what somebody said while asking."""
LABELS = {
    "conflicts": "Conflicting values, to be chosen from (leftoff validate)",
    "next_actions": "Other actions",
    "summary": "Where it stands",
    "problem": "Problem",
    "intent": "What the user wants",
    "decisions": "Decisions (locked in: do not ask again)",
    "blockers": "Blockers",
    "questions": "Open questions",
    "rules": "Rules of the user",
    "completion": "How it ended",
    "artifacts": "Files",
    "progress": "Plan",
    "deltas": "Changes",
    "branch": "Branch",
    "commit": "Commit",
    "tests": "Tests",
    "context": "Technical context",
    "refs": "References",
    "history": "Done before",
}
"""The fields below the head, in their order, and what the brief calls them."""
FEW = {LABELS["decisions"]: "Decisions", SAID: "Said by the user"}
"""What drafts of them are called where room is short: those are not locked in, either."""

VERDICTS = "verdicts"
"""What the parts are called that no field is behind."""
NAMED = 160
"""Characters by which work that is over is known again."""
COMMIT = 12
"""Digits by which git knows a commit again."""


class Source(Record):
    """What a brief is made of: a checkpoint, and what the world says to it."""

    checkpoint: Checkpoint
    glance: Glance
    verdicts: Sequence[Verdict] = ()
    author: str = ""
    """who last committed it, where that was somebody else"""
    degraded: str = ""
    """why not everything was checked"""
    native: str = ""
    """how to go on in the last session itself, where its client still has it"""
    drafted: str = ""
    """the session that all drafts are from, where they do not name it themselves"""
    unstated: bool = False
    """whether all of it is drafted"""


class Part(Record):
    """One field as it may be shown: the lines of a text, or a list of items."""

    field: str
    keep: str
    label: str
    entries: tuple[str, ...]
    is_list: bool = True
    newest_last: bool = False
    counts: tuple[int, ...] = ()
    """how many things each entry tells, where that is not one"""
    bare: tuple[tuple[str, int], ...] = ()
    """the same in fewer words, for where not all of it fits"""
    others: int = 0
    """how many things are in none of the entries"""
    shortened: bool = False
    over: bool = False
    """what a session has done, by its draft: it must be known, too, so that nobody does it again"""
    few: str = ""
    """its label in fewer words, for where not all of it fits"""
    apart: tuple[str, ...] = ()
    """a text as the items that it is made of, for the same"""
    pieces: tuple[tuple[str, ...], ...] = ()
    """each entry of a list in smaller ones, for the same"""
    begins: frozenset[int] = frozenset()
    """where entries are such pieces, the places of those that do not go on with the one before"""

    def telling(self, told: Iterable[tuple[str, int]]) -> Part:
        """With these entries, and how many things each of them tells."""
        pairs = tuple(told)
        counts = tuple(count for _, count in pairs)
        return self._replace(entries=tuple(text for text, _ in pairs), counts=counts)

    def by_name(self) -> Part:
        """With mere names of files, where it has some; what is none is only counted."""
        names = self.telling(self.bare)
        others = self.number(0, len(self.entries)) - names.number(0, len(names.entries))
        less = names.entries != self.entries
        return names._replace(shortened=less, others=others) if self.bare else self

    def in_few_words(self, *, unmarked: bool = False) -> Part:
        """As it is told where not all of it fits; `unmarked` where its origin is told of all."""
        label = self.few or self.label
        part = self.by_name()._replace(label=label.removesuffix(MARK) if unmarked else label)
        if self.over:
            part = part._replace(entries=tuple(e.removeprefix(COMMITTED) for e in part.entries))
        if self.pieces:
            lengths = accumulate(map(len, self.pieces), initial=0)
            said = tuple(answering(one) for some in self.pieces for one in some)
            return part._replace(entries=said, begins=frozenset(lengths))
        return part._replace(entries=self.apart, is_list=True) if self.apart else part

    def number(self, first: int, last: int) -> int:
        """How many things the entries of a slice tell."""
        return sum(self.counts[first:last]) if self.counts else len(self.entries[first:last])


def command(source: Source, verb: str, say: Say) -> str:
    """How to see everything; a name that a shell could misread is not put into a command."""
    name = source.glance.id
    if not is_name(name):
        return say("see leftoff list")
    # a save of this machine lies outside of the project, where only `resume` looks
    outside = verb == "show" and source.glance.path.startswith("/")
    return f"leftoff resume {name} --raw" if outside else f"leftoff {verb} {name}"


def parts(source: Source, say: Say) -> Iterator[Part]:
    """What stands in doubt and what waits for a person, then the fields in their order."""
    yield _verdicts(say("Contradicted"), _against(source.verdicts, say))
    yield _over(source, say("Already landed"))
    changed = (v.about for v in source.verdicts if _is_changed(v, source.glance))
    yield _verdicts(say("Modified since the last session: read again"), together(changed))
    waits = _texts("blockers", (b for b in open_blockers(source.checkpoint) if _waits(b)))
    yield Part("blockers", "must", say("Waiting for a person's decision"), waits)
    for field, label in LABELS.items():
        own = _is_said(field, getattr(source.checkpoint, field))
        called = SAID if own else label
        yield _field(field, say(called), say(FEW.get(called, called)), source)
    old = _texts("decisions", (item for item in source.checkpoint.decisions if _old(item)))
    yield Part("decisions", "may", say("Decisions that others replaced"), old, newest_last=True)
    _, skipped = relevant_files(source.checkpoint)
    files = tuple(dict.fromkeys(_texts("artifacts", skipped)))
    label = say("Files of other steps, and deleted ones")
    yield Part("artifacts", "may", label, files, newest_last=True)


def relevant_files(checkpoint: Checkpoint) -> tuple[list[Item], list[Item]]:
    """The files of the step at hand; and those in a folder of another step, or deleted."""
    others = {row.id for row in checkpoint.progress if row.id} - {checkpoint.stage}
    kept: list[Item] = []
    skipped: list[Item] = []
    for item in checkpoint.artifacts:
        gone = item.get("status") in {"deleted", "removed"}
        elsewhere = not others.isdisjoint(item.text.split("/")[:-1])
        (skipped if gone or elsewhere else kept).append(item)
    return kept, skipped


def first_action(source: Source) -> int:
    """The first open action whose work has not landed, P1 before others; else the first; else -1.

    A list in order of priority says so by its order; marks count where the two differ.
    """
    actions, gone = open_actions(source.checkpoint), _landed(source)
    left = [at for at in range(len(actions)) if at not in gone]
    urgent = (at for at in left if actions[at].get("priority") == URGENT)
    return next(urgent, next(iter(left), 0 if actions else -1))


def _verdicts(label: str, lines: Iterable[tuple[str, int]]) -> Part:
    return Part(VERDICTS, "must", label, ()).telling(lines)


def _against(verdicts: Sequence[Verdict], say: Say) -> Iterator[tuple[str, int]]:
    """What the world speaks against, but for what has landed; files of one reason together."""
    found: dict[tuple[str, str], list[str]] = {}
    for verdict in verdicts:
        if verdict.word == CONTRADICTED and verdict.kind != "action":
            found.setdefault((verdict.kind, verdict.reason), []).append(verdict.about)
    for (kind, reason), about in found.items():
        told = together(about) if kind == "file" else ((one_line(one), 1) for one in about)
        yield from (
            (f"{AGAINST} {say(kind)} {some}: {say(one_line(reason))}", count)
            for some, count in told
        )


def _over(source: Source, label: str) -> Part:
    """The open actions whose work has landed, each by its name."""
    over = sorted(_landed(source) - {first_action(source)})
    actions = open_actions(source.checkpoint)
    texts = [one_line(actions[at].text) for at in over]
    names = [cut(first_sentence(text), NAMED) for text in texts]
    lines = (f"{AGAINST} {at + 1}. {name}" for at, name in zip(over, names, strict=True))
    return Part("next_actions", "must", label, tuple(lines), shortened=names != texts)


def action_text(actions: Sequence[Item], at: int) -> str:
    """One of the open actions with its number."""
    return f"{at + 1}. {_entry('next_actions', actions[at])}"


def mark_of(source: Source, at: int, say: Say) -> str:
    """What stands behind an action whose work has landed."""
    return f" [{AGAINST} {say('already landed')}]" if at in _landed(source) else ""


def _landed(source: Source) -> set[int]:
    against = (one for one in source.verdicts if one.word == CONTRADICTED)
    return {int(one.where[len("next_actions[") : -1]) for one in against if one.kind == "action"}


def _is_against(source: Source, kind: str) -> bool:
    return any(one.kind == kind and one.word == CONTRADICTED for one in source.verdicts)


def gone_files(source: Source) -> set[str]:
    """Files that are named and not there."""
    against = (one for one in source.verdicts if one.word == CONTRADICTED)
    return {one.about for one in against if one.kind == "file"}


def _field(field: str, label: str, few: str, source: Source) -> Part:
    """The part of one field; it is empty where the field says nothing more than the head."""
    rule, value = RULES[field], getattr(source.checkpoint, field)
    if isinstance(value, str):
        lines = _lines(field, value, source)
        return _text(Part(field, rule.keep, label, lines, is_list=False), value)
    own = _is_said(field, value)
    newest_last = own or rule.save == "append"
    entries = _entries(field, source)
    drafted = all(entry.endswith(MARK) for entry in entries)
    if drafted:  # said of all of them at once
        mark = "" if own else MARK  # somebody's very words need no doubt
        label, few = (few if field == "decisions" else label) + mark, few + mark
        entries = tuple(entry.removesuffix(MARK) for entry in entries)
    part = Part(field, rule.keep, label, entries, newest_last=newest_last)
    part = part._replace(few=few, over=field == "history") if drafted else part
    if own:
        part = part._replace(pieces=tuple(tuple(pieces(entry)) for entry in entries))
    return _files(part) if field == "artifacts" and entries else part


def _text(part: Part, value: str) -> Part:
    """A drafted intent is made of two: what was asked last, and what first."""
    wishes = asked_apart(one_line(value)) if part.field == "intent" else ()
    return part._replace(apart=wishes, few=part.label + MARK) if wishes else part


def _is_said(field: str, value: Sequence[Item]) -> bool:
    """Whether these are the words of the user in a session, which nobody made rules of."""
    return field == "rules" and bool(value) and all(item.attrs.get(DRAFT) for item in value)


def _lines(field: str, value: str, source: Source) -> tuple[str, ...]:
    """The lines of a text, as far as the head does not say them."""
    lines = (" ".join(line.split()) for line in harmless(value).split("\n"))
    said = tuple(line for line in lines if line)
    if field == "commit" and len(value) > COMMIT and not value.strip("0123456789abcdef"):
        return (value[:COMMIT],)
    if field == "branch" and said and _is_against(source, "branch"):
        return (f"{said[0]} {AGAINST}", *said[1:])
    return in_status(value)[1] if field == "summary" else said


def _files(part: Part) -> Part:
    """Mere paths stand together, up to one that says more; in short all of them are mere paths."""
    found: list[tuple[str, int]] = []
    run: list[str] = []
    for entry in part.entries:
        if path_in(entry) == entry:
            run.append(entry)
        else:
            found += [*together(run), (entry, 1)]
            run = []
    found += together(run)
    names = together(path for path in map(path_in, part.entries) if path)
    return part.telling(found)._replace(bare=tuple(names))


def _entries(field: str, source: Source) -> tuple[str, ...]:
    """The items of a list that still count and that no other part shows."""
    c = source.checkpoint
    if field == "next_actions":
        told, actions = {first_action(source), *_landed(source)}, open_actions(c)
        return tuple(action_text(actions, at) for at in range(len(actions)) if at not in told)
    items: Sequence[Item] = getattr(c, field)
    if field == "decisions":
        items = [item for item in items if not _old(item)]
    elif field == "blockers":
        items = [item for item in open_blockers(c) if not _waits(item)]
    elif field == "artifacts":
        named = {*gone_files(source), *_in_draft(c.summary)}  # elsewhere
        items = [item for item in relevant_files(c)[0] if path_in(item.text) not in named]
    return _texts(field, items)


def _texts(field: str, items: Iterable[Item]) -> tuple[str, ...]:
    """Items in one line each, but for those of which nothing was left that one could see."""
    return tuple(text for text in (_entry(field, item) for item in items) if text)


def _in_draft(summary: str) -> list[str]:
    """The words of a drafted status, which names the files that were changed."""
    shown = in_status(summary)[0]
    return [word.rstrip(",;.") for word in shown.split()] if shown.endswith(MARK) else []


def _entry(field: str, item: Item) -> str:
    """An item in one line, with the attributes that the rules of its field name."""
    text = unbold(_folded(harmless(item.text)))
    name = one_line(item.id)
    shown = f"[{name}] {text}" if name and name not in text else text
    said = ((attr.replace("_", " "), one_line(item.get(attr))) for attr in RULES[field].attrs)
    more = "; ".join(f"{attr}: {value}" for attr, value in said if _says(attr, value))
    return (f"{shown} ({more})" if more else shown) + _drafted(item)


def _says(attr: str, value: str) -> bool:
    """Not where a column of times holds a "no" or a dash."""
    return bool(value) and (attr != "at" or any(char.isdigit() for char in value))


def _drafted(item: Item) -> str:
    """That nobody stated it, and from which session it was drafted where the item tells."""
    if not item.attrs.get(DRAFT):
        return ""
    by = one_line(item.get(DRAFT))
    return f" [{DRAFT}: {by}]" if "/" in by else f" [{DRAFT}]"


def _folded(text: str) -> str:
    """One line of many: headings lose their marks, the rule of a table goes."""
    if "\n" not in text.strip():
        return " ".join(text.split())
    lines = (line.strip() for line in text.split("\n"))
    bare = ((line, line.lstrip("#")) for line in lines if line.strip("|-: "))
    return " ".join(" ".join(r if r[:1] == " " else line for line, r in bare).split())


def _old(item: Item) -> bool:
    return bool(item.attrs.get("superseded"))


def _waits(item: Item) -> bool:
    return item.get("needs") == NEEDS_DECISION


def _is_changed(verdict: Verdict, stream: Glance) -> bool:
    return verdict.kind == "file" and verdict.word == UNKNOWN and verdict.about in stream.files
