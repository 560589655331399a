"""A checkpoint drafted from what was seen, where nobody wrote one. Pure.

It holds paths, never contents, and whatever nobody stated says that it was drafted, and from which
session: items by their mark `draft`, texts by `[draft: agent/id]` at their end.
"""

from __future__ import annotations

from leftoff.core.answers import BELOW, without
from leftoff.core.asked import SHORT, is_overtaken, said, settled, telling, wish
from leftoff.core.digest import PROMPT, Digest
from leftoff.core.ids import slug, start_of
from leftoff.core.model import (
    AREA,
    COMMITTED,
    DRAFT,
    FAILED_COMMAND,
    UNCOMMITTED,
    Checkpoint,
    Item,
    open_actions,
)
from leftoff.core.paths import from_root, is_checkpoint_path
from leftoff.core.redact import redacted
from leftoff.core.stats import Stats
from leftoff.core.texts import short
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence
    from typing import Any

    from leftoff.core.model import Json

MOST_FILES, MOST_TASKS, LONGEST, NAME = 40, 20, 300, 60
PRECOMPACT = "checkpoint save (precompact)"
RECOVERED = "checkpoint save (recovered)"
_TEXTS = ("intent", "summary", "tests")
_LISTS = ("decisions", "artifacts", "next_actions", "blockers", "questions", "rules")
FAILED = FAILED_COMMAND
_FINISHED = "finished"
"""Under what `drafted` tells `laid_over` which items are open no more; nothing keeps it."""


class Seen(Record):
    """What the world says of a session at one moment."""

    session: str
    root: str
    day: str
    """as 2026-01-31"""
    trigger: str = ""
    branch: str = ""
    commit: str = ""
    dirty: tuple[str, ...] = ()
    stats: Stats = Stats()
    agent: str = ""
    digest: Digest = Digest()
    since: float = 0.0
    """what came before this time was saved, and is not told again; its to-dos still stand"""
    unread: str = ""
    """why its transcript was not read to its end, if it was not"""
    began_with: str = ""
    """what was asked first in the work that it went on with"""

    @property
    def mark(self) -> str:
        """By what a draft names this session."""
        return mark(self.agent, self.session)


def mark(agent: str, session: str) -> str:
    """How a draft names its session."""
    return f"{agent}/{start_of(session)}" if agent else start_of(session)


def task(seen: Seen, thread: Checkpoint | None) -> str:
    """What to call the work: by its thread, its branch, else as work of this project."""
    name = (thread.name or thread.id) if thread else ""
    return slug(name or seen.branch or seen.root.rpartition("/")[2])


def has_work(seen: Seen) -> bool:
    """Whether the session leaves something that somebody should know of."""
    found, stats = seen.digest, seen.stats
    if seen.since:
        return bool(found.files or found.failures)
    return bool(found.files or found.failures or stats.files or stats.failures or stats.open_tasks)


def drafted(seen: Seen) -> Checkpoint:
    """What was seen, as a checkpoint without an id: for `laid_over`."""
    seen = redacted(seen)
    by = seen.mark
    return Checkpoint(
        "",
        name=short(next(iter(telling(seen)), ""), NAME),
        branch=seen.branch,
        commit=seen.commit,
        intent=_text(wish(seen), by),
        summary=_text(_summary(seen), by),
        tests=_text(_tests(seen.digest), by),
        decisions=_items(settled(seen), by),
        artifacts=_files(seen),
        next_actions=_items(steps(seen)[:MOST_TASKS], by),
        blockers=_items([f"{FAILED}{one}" for one in _failures(seen)], by),
        questions=_items(_questions(seen), by),
        private={DRAFT: by, _FINISHED: [*_finished(seen)]},
    )


def steps(seen: Seen) -> Sequence[str]:
    """What is open by the to-do list; else by the answers, without what that list says is done."""
    done = {Item(one).key for one in seen.stats.done_tasks}
    return seen.stats.open_tasks or [
        *filter(None, (_open(one, done) for one in seen.digest.points))
    ]


def _open(step: str, done: Container[str]) -> str:
    return without(step, done, lambda one: Item(one).key)


def _questions(seen: Seen) -> Iterator[str]:
    """Those of the agent; before all what the rest of the session was, where nobody can tell."""
    if seen.unread:
        yield f"What came later? Only the beginning of the session could be read: {seen.unread}"
    yield from seen.digest.questions


def _finished(seen: Seen) -> Iterator[str]:
    """What is open no more, whoever said so in a draft: to-dos that are done, repaired commands."""
    for one in (*seen.stats.done_tasks, *seen.digest.done):
        yield Item(short(one.partition(BELOW)[0], LONGEST)).key
    for ran in seen.digest.commands:
        if ran.ok:
            yield Item(f"{FAILED}{ran.text}").key


def in_full(seen: Seen, *, has_intent: bool = True) -> Checkpoint:
    """The same with what the person said, in their own words: for whoever asks for all there is.

    Not every word that decides something looks so; whoever goes on is to see for themselves. Where
    a format has no place for the intent, that is among these words.
    """
    seen = redacted(seen)
    intent = _text(wish(seen, SHORT), seen.mark)
    made = drafted(seen)
    decisions = tuple(one for one in made.decisions if not is_overtaken(one.text, seen))
    rules = _items(said(seen, has_intent=has_intent), seen.mark, PROMPT)
    return made._replace(intent=intent, decisions=decisions, rules=rules)


def laid_over(before: Checkpoint, made: Checkpoint) -> Checkpoint:
    """A checkpoint with what `drafted` made on top; what was stated is neither changed nor lost.

    A drafted text fills a blank or takes the place of an earlier draft. Of the drafted items, those
    of the same session give way to what is true now; those of others stay until they are done.
    """
    by, finished = made.private.get(DRAFT), made.private.get(_FINISHED)
    gone = {*map(str, finished)} if isinstance(finished, list) else set()
    changes: dict[str, Any] = {
        field: _items_over(getattr(before, field), getattr(made, field), by, gone)
        for field in _LISTS
    }
    for field in _TEXTS:
        old, new = getattr(before, field), getattr(made, field)
        changes[field] = new if new and (not old.strip() or is_draft(old)) else old
    for field in ("branch", "commit"):
        changes[field] = getattr(made, field) or getattr(before, field)
    return before._replace(**changes)


def _items_over(
    before: Sequence[Item], made: Sequence[Item], by: object, gone: set[str]
) -> tuple[Item, ...]:
    new = {item.key: item for item in made}
    kept = []
    for item in before:
        said = item.attrs.get(DRAFT)
        now = new.pop(item.key, None)
        if not said:
            kept.append(item)
        elif said == by:
            kept += [_told_again(item, now)] if now else []
        elif now or item.attrs.get("done") or (item.key not in gone and _open(item.text, gone)):
            kept.append(item)
    return (*kept, *new.values())


def _told_again(item: Item, now: Item) -> Item:
    """The same draft again: what others added to it stays, what it says is what is true now."""
    more = {key: value for key, value in item.attrs.items() if key not in {AREA, DRAFT}}
    return item._replace(attrs={**more, **now.attrs})


def is_draft(text: str) -> bool:
    """Whether a text says that it was drafted."""
    start = text.rstrip().rfind(f"[{DRAFT}")
    return start >= 0 and text.rstrip().endswith("]") and "]" not in text[start:].rstrip()[:-1]


def as_task(made: Checkpoint, seen: Seen, word: str) -> Checkpoint:
    """A draft in format C, which has one list for what is unfinished, and no summary."""
    seen = redacted(seen)
    extra: dict[str, Json] = {"Session ID": seen.session}
    told = {"Trigger": seen.trigger, "Project": seen.root, "What was done": made.summary}
    told |= {"Tests": made.tests, "Last commit": seen.commit}
    extra |= {name: said for name, said in told.items() if said}
    kind = word.rpartition("(")[2].rstrip(")")
    bare = tuple(_without_area(item) for item in made.artifacts)
    return in_one_list(made)._replace(
        id=f"{seen.day}-{made.name}-{kind}",
        word=word,
        artifacts=bare,
        history=history(seen),
        extra=extra,
        private={},
    )


def in_one_list(made: Checkpoint, others: Iterable[str] = ("blockers",)) -> Checkpoint:
    """For a format without a place for what stands in the way, or is asked: that is unfinished."""
    steps = open_actions(made)
    for field in others:
        steps = (*steps, *_new(getattr(made, field), steps))
    moved: dict[str, Any] = dict.fromkeys(others, ())
    return made._replace(next_actions=steps, **moved)


def history(seen: Seen) -> tuple[Item, ...]:
    """What nobody has to do again, the last of it."""
    return _items([*_over_with(redacted(seen))][-MOST_TASKS:], seen.mark)


def _over_with(seen: Seen) -> Iterator[str]:
    """To-dos and listed points that are done, and what was committed."""
    yield from dict.fromkeys((*seen.digest.done, *seen.stats.done_tasks))
    yield from (f"{COMMITTED}{one}" for one in seen.digest.commits if one)


def _without_area(item: Item) -> Item:
    """Only format E has a place for what git says of a file."""
    attrs = {key: value for key, value in item.attrs.items() if key != AREA}
    return item._replace(attrs=attrs)


def precompact(seen: Seen, thread: Checkpoint | None) -> Checkpoint:
    """What a session would need after its context is gone; in format C."""
    return _saved(seen._replace(trigger=seen.trigger or "unknown"), thread, PRECOMPACT)


def recovered(seen: Seen, thread: Checkpoint | None) -> Checkpoint:
    """What the next session needs of one that died or ended, and that nobody saved; in format C."""
    return _saved(seen, thread, RECOVERED)


def _saved(seen: Seen, thread: Checkpoint | None, word: str) -> Checkpoint:
    """What its thread states that must not be lost, and what was seen on top."""
    known, seen = redacted(thread or Checkpoint("")), redacted(seen)
    stage = known.stage or known.phase
    stated = Checkpoint(
        "",
        name=task(seen, thread),
        stage=_text(seen.digest.reported, seen.mark) if is_draft(stage) or not stage else stage,
        intent=known.intent,
        decisions=known.decisions,
        questions=known.questions,
        rules=known.rules,
        next_actions=open_actions(known),
    )
    return as_task(laid_over(stated, in_full(seen)), seen, word)


def to_keep(made: Checkpoint) -> list[tuple[str, list[str]]]:
    """What a summary must not lose, under its headings; those without entries are left out."""
    parts = (
        ("Decisions", [item.text for item in made.decisions]),
        ("Next steps", [item.text for item in open_actions(made)]),
        ("Open questions", [item.text for item in made.questions]),
        ("Files changed", [item.text for item in made.artifacts]),
    )
    return [(title, entries) for title, entries in parts if entries]


def _summary(seen: Seen) -> str:
    """What was done, a sentence for each kind."""
    return " ".join(f"{said[0].upper()}{said[1:]}." for said in _done(seen))


def _done(seen: Seen) -> Iterator[str]:
    found, stats = seen.digest, seen.stats
    files = [item.text for item in _changed(seen)]
    if files:
        yield _counted("changed", len(files), "file", files)
    if found.ran or stats.commands:
        failed = len(_failures(seen))
        more = f", {failed} failed and not repaired" if failed else ""
        yield _counted("ran", found.ran or stats.commands, "command") + more
    commits = len(found.commits) or stats.commits
    if commits:
        yield _counted("made", commits, "commit", [*filter(None, found.commits)][-5:])
    if stats.done_tasks:
        yield _counted("completed", stats.done, "to-do", stats.done_tasks[-5:])


def _counted(did: str, count: int, what: str, named: Sequence[str] = ()) -> str:
    names = ", ".join(short(name, 80) for name in named[:8])
    said = f"{did} {count} {what}{'' if count == 1 else 's'}"
    return f"{said}: {names}" + (", …" if len(named) > 8 else "") if names else said


def _tests(found: Digest) -> str:
    if not found.tests:
        return ""
    word = {True: "passed", False: "failed", None: "did not finish"}[found.tests.ok]
    return f"{word}: {found.tests.text}"


def _failures(seen: Seen) -> list[str]:
    """By the turns, which tell commands from other calls; else as they were counted."""
    if seen.digest.ran or seen.digest.prompts:
        return [*seen.digest.failures]
    return [short(one.text, LONGEST) for one in seen.stats.failures]


def _changed(seen: Seen) -> list[Item]:
    """The files of the project that the session changed, its subagents' among them."""
    paths = from_root((*seen.digest.files, *seen.stats.files), seen.root)
    return [Item(path) for path in paths if not path.startswith("/") and _is_work(path)]


def _files(seen: Seen) -> tuple[Item, ...]:
    """The files that are not committed, then the others that the session changed."""
    dirty = {path: None for path in seen.dirty if _is_work(path)}
    others = [item.text for item in _changed(seen) if item.text not in dirty]
    marks: dict[str, Json] = {DRAFT: seen.mark}
    found = [Item(path, attrs={**marks, AREA: UNCOMMITTED}) for path in dirty]
    found += [Item(path, attrs=marks) for path in others]
    return tuple(found[:MOST_FILES])


def _items(texts: Iterable[str], by: str, most: int = LONGEST) -> tuple[Item, ...]:
    """Each text once, as a drafted item."""
    each = {Item(text).key: text for text in (short(text, most) for text in texts)}
    return tuple(Item(text, attrs={DRAFT: by}) for text in each.values())


def _text(said: str, by: str) -> str:
    return f"{said} [{DRAFT}: {by}]" if said else ""


def _new(found: Iterable[Item], before: Sequence[Item]) -> list[Item]:
    known = {item.key for item in before}
    return [item for item in found if item.key not in known]


def _is_work(path: str) -> bool:
    """Whether a path is one line and no checkpoint: those tell of the work, and are none."""
    return path.isprintable() and not is_checkpoint_path(path)
