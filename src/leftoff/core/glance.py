"""The glance of a checkpoint: all that lists, ranks and verdicts ask of it, in plain values."""

from __future__ import annotations

from leftoff.core.evidence import gather
from leftoff.core.model import Checkpoint, open_actions, open_blockers
from leftoff.core.paths import path_in
from leftoff.core.rank import names_gate
from leftoff.core.sizes import utf16
from leftoff.core.stream import Glance
from leftoff.core.when import instant
from leftoff.core.work_references import done_in, is_version, tokens
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")

CHECKED_FILES = 50
"""Of each document; how many more it names is kept, and said."""

# Keys of private state that keep what is over: seed A's own convention.
_LANDED_KEYS = {"merged", "shipped", "completed", "done"}


def glance(c: Checkpoint, path: str, format_name: str, size: int = 0) -> Glance:
    """The glance of a checkpoint whose file has `size` bytes."""
    rows = [(row.get("status"), f"{row.id} {row.text}") for row in c.progress]
    actions = open_actions(c)
    files = files_of(c)
    return Glance(
        path=path,
        format=format_name,
        id=c.id or path.rpartition("/")[2].split(".")[0],
        name=c.name,
        project=c.project,
        status=c.status,
        word=c.word,
        phase=c.phase,
        stage=c.stage,
        created=c.created,
        updated=c.updated,
        born=instant(c.created),
        touched=instant(c.updated or c.created),
        summary=c.summary,
        actions=tuple(item.text for item in actions),
        checks=_unless_empty(tuple(item.get("done_when") for item in actions)),
        tokens=_unless_empty(tuple(tokens(item.text) for item in actions)),
        landed=_landed(c),
        blockers=tuple(
            (item.id, item.text, item.get("needs"), item.get("proposed_resolution"))
            for item in open_blockers(c)
        ),
        done=sum(status == "complete" for status, _ in rows),
        total=len(rows),
        at_gate=names_gate(
            c.phase, c.stage, *(row for status, row in rows if status == "in_progress")
        ),
        refs=tuple((item.id, item.get("role")) for item in c.refs if item.get("provider")),
        spent=_amount(c, "total_usd"),
        budget=_amount(c, "budget_usd"),
        parent=c.parent,
        branch=c.branch,
        commit=_sha(c.commit),
        tests=c.tests,
        project_dir=c.project_dir,
        files=files[:CHECKED_FILES],
        more_files=max(0, len(files) - CHECKED_FILES),
        finished=tuple(
            (item.key, item.text, command, tuple(known) if known else ())
            for item, command, known in gather(c)
        ),
        conflicts=len(c.conflicts),
        bytes=size,
        summary_chars=utf16(c.summary),
        decision_count=len(c.decisions),
    )


def _unless_empty(values: tuple[T, ...]) -> tuple[T, ...]:
    return values if any(values) else ()


def files_of(c: Checkpoint) -> tuple[str, ...]:
    """Every file of the project that it names and does not call deleted."""
    named = [item.text for item in c.artifacts if item.get("status") not in {"deleted", "removed"}]
    named += [item.text for item in c.refs if item.get("type") == "file"]
    return tuple(dict.fromkeys(path for path in map(path_in, named) if path))


def _landed(c: Checkpoint) -> tuple[str, ...]:
    rows = [f"{row.id} {row.text}" for row in c.progress if row.get("status") == "complete"]
    over = [value for key, value in c.private.items() if _LANDED_KEYS & set(_words(key))]
    found = (*map(done_in, rows), *(tokens(str(value)) for value in over))
    every = (token for some in found for token in some)
    return tuple(dict.fromkeys(token for token in every if not is_version(token)))


def _sha(text: str) -> str:
    """The commit that a text such as `a1b2c3d Fix the login` begins with."""
    word = text.lstrip("` ").partition(" ")[0].strip("`:,()").lower()
    return word if 7 <= len(word) <= 64 and not word.strip("0123456789abcdef") else ""


def _words(key: str) -> list[str]:
    """Whole words: what `closed_unmerged_prs` lists did not land."""
    return "".join(ch if ch.isalpha() else " " for ch in key.lower()).split()


def _amount(c: Checkpoint, name: str) -> float:
    value = c.cost.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    try:
        return float(value)
    except OverflowError:  # a number of four hundred digits is no amount
        return 0.0
