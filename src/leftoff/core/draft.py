"""A checkpoint drafted from what was seen, where nobody wrote one. Pure.

It holds paths, never contents, and every line that nobody stated carries the mark `draft`.
"""

from __future__ import annotations

from leftoff.core.ids import slug
from leftoff.core.model import DRAFT, Checkpoint, Item, open_actions
from leftoff.core.paths import from_root, is_checkpoint_path
from leftoff.core.redact import redacted
from leftoff.core.stats import Stats
from leftoff.core.texts import short
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from leftoff.core.model import Json

MOST_FILES, MOST_TASKS, LONGEST = 40, 20, 300
PRECOMPACT = "checkpoint save (precompact)"
_MARK: dict[str, Json] = {DRAFT: True}


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


def task(seen: Seen, thread: Checkpoint | None) -> str:
    """What to call the work: by its thread, its branch, else as work of this project."""
    name = (thread.name or thread.id) if thread else ""
    return slug(name or seen.branch or seen.root.rpartition("/")[2])


def precompact(seen: Seen, thread: Checkpoint | None) -> Checkpoint:
    """What a session would need after its context is gone; in format C."""
    seen, known = redacted(seen), redacted(thread or Checkpoint(""))
    extra: dict[str, Json] = {
        "Session ID": seen.session,
        "Trigger": seen.trigger or "unknown",
        "Project": seen.root,
    }
    return Checkpoint(
        id=f"{seen.day}-{task(seen, thread)}-precompact",
        word=PRECOMPACT,
        name=task(seen, thread),
        stage=known.stage or known.phase,
        branch=seen.branch,
        intent=known.intent or _asked(seen.stats),
        artifacts=_files(seen),
        questions=known.questions,
        decisions=known.decisions,
        next_actions=(*open_actions(known), *_new(_tasks(seen.stats), open_actions(known))),
        history=_failures(seen.stats),
        extra=extra,
    )


def added(before: Checkpoint, seen: Seen, now: str) -> Checkpoint:
    """A thread's checkpoint with what was seen since: nothing stated is changed or taken away."""
    seen = redacted(seen)
    files, tasks = _files(seen), _tasks(seen.stats)
    return before._replace(
        updated=now,
        branch=seen.branch or before.branch,
        commit=seen.commit or before.commit,
        artifacts=(*before.artifacts, *_new(files, before.artifacts)),
        next_actions=(*before.next_actions, *_new(tasks, before.next_actions)),
    )


def to_keep(made: Checkpoint) -> list[tuple[str, list[str]]]:
    """What a summary must not lose, under its headings; those without entries are left out."""
    parts = (
        ("Decisions", [item.text for item in made.decisions]),
        ("Next steps", [item.text for item in open_actions(made)]),
        ("Open questions", [item.text for item in made.questions]),
        ("Files changed", [item.text for item in made.artifacts]),
    )
    return [(title, entries) for title, entries in parts if entries]


def _asked(stats: Stats) -> str:
    asked = stats.last_asked or stats.asked
    return f"{short(asked, LONGEST)} [{DRAFT}]" if asked else ""


def _files(seen: Seen) -> tuple[Item, ...]:
    """The files that are not committed, then the others that the session changed."""
    changed = from_root(seen.stats.files, seen.root)
    inside = (path for path in changed if not path.startswith("/"))
    paths = [path for path in dict.fromkeys([*seen.dirty, *inside]) if _is_work(path)]
    return tuple(_drafted(path) for path in paths[:MOST_FILES])


def _tasks(stats: Stats) -> tuple[Item, ...]:
    return tuple(_drafted(short(text, LONGEST)) for text in stats.open_tasks[:MOST_TASKS])


def _failures(stats: Stats) -> tuple[Item, ...]:
    return tuple(_drafted(short(f"failed: {one.text}", LONGEST)) for one in stats.failures)


def _drafted(text: str) -> Item:
    return Item(text, attrs=_MARK)


def _new(found: Iterable[Item], before: Sequence[Item]) -> list[Item]:
    known = {item.key for item in before}
    return [item for item in found if item.key not in known]


def _is_work(path: str) -> bool:
    """Whether a path is one line and no checkpoint: those tell of the work, and are none."""
    return path.isprintable() and not is_checkpoint_path(path)
