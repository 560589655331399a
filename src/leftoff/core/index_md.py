"""INDEX.md of Markdown checkpoints: a view generated whole from the documents, never by hand."""

from __future__ import annotations

from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from leftoff.core.model import Checkpoint

TITLES = {"active": "Active Checkpoints", "archive": "Archived Checkpoints"}
EMPTY = {"active": "*No active checkpoints.*", "archive": "*No archived checkpoints.*"}


def index(folder: str, checkpoints: Sequence[tuple[str, Checkpoint]]) -> str:
    """The index of `active` or `archive`: (file stem, checkpoint) pairs, newest first."""
    ordered = sorted(checkpoints, key=lambda pair: pair[0])
    ordered.sort(key=lambda pair: _date(pair[1]), reverse=True)
    head = [f"# {TITLES[folder]}", "", "| Checkpoint | Description | Last Updated |"]
    head += ["|------------|-------------|--------------|"]
    rows = [f"| {stem} | {_cell(_about(c))} | {_date(c)} |" for stem, c in ordered]
    sections = [_section(stem, c) for stem, c in ordered]
    body = "\n".join([*head, *rows]) + "\n"
    return body + ("".join(sections) if sections else f"\n{EMPTY[folder]}\n")


def is_index(text: str) -> bool:
    """Whether a text is such a view, so that it may be made anew."""
    return any(f"# {title}" in text for title in TITLES.values())


def _section(stem: str, c: Checkpoint) -> str:
    facts = (("Problem", c.problem), ("Scope", c.intent), ("Status", c.summary or c.completion))
    lines = "\n".join(f"\n**{name}**: {_first(text) or '(not said)'}" for name, text in facts)
    return f"\n---\n\n## {stem}\n{lines}\n"


def _about(c: Checkpoint) -> str:
    return _first(c.stage) or _first(c.problem) or c.id


def _date(c: Checkpoint) -> str:
    return (c.updated or c.created)[:10]


def _first(text: str) -> str:
    """The first line that says something, without list marks."""
    lines = (line.lstrip().lstrip("-*").strip() for line in text.splitlines())
    return next((line for line in lines if line), "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
