"""What was learned: how a Markdown checkpoint ends, and the blocks of LEARNINGS.md. Pure texts.

LEARNINGS.md only ever grows: a block for each archived checkpoint is appended, and nothing that
stands there, by whoever's hand, is changed or hidden.
"""

from __future__ import annotations

import re

from leftoff.core.texts import flat
from leftoff.core.when import instant
from leftoff.record import TYPE_CHECKING, Record

if TYPE_CHECKING:
    from collections.abc import Sequence

TITLE = "# Learnings\n"
NOTHING = {"", "-", "none", "none noted", "n/a", "na", "nothing", "nothing noted", "nil"}
_FIELD = re.compile(r"\s*(?:[-*+]\s+)?\*\*([^*:]+)(?::\s*\*\*|\*\*\s*:)\s*(.*)")
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])(?:\s+|$)(.*)")
_HEAD = re.compile(r"##\s+(\S+)\s+[—\u2013-]+\s+(.+)")


class Learned(Record):
    """A block of LEARNINGS.md. Without date and id it is somebody's own: `lines` are all of it."""

    date: str
    id: str
    lines: tuple[str, ...]


# The Completion section


def field(completion: str, name: str) -> str:
    """The text of a `**Name**:` field, with the lines that follow it; empty when absent."""
    lines = completion.split("\n")
    start, end = _span(lines, name)
    if start == end:
        return ""
    found = _FIELD.match(lines[start])
    first = found[2] if found else ""
    return "\n".join([first, *lines[start + 1 : end]]).strip()


def completed(old: str, outcome: str, learned: Sequence[str], now: str) -> str:
    """A completion that says the outcome, the date and what was learned, on top of `old`."""
    new = old
    for name, text in (("Status", "Archived"), ("Outcome", outcome), ("Date", now)):
        if text and (not field(new, name) or (name == "Outcome" and field(new, name) != text)):
            new = _with_field(new, name, [text])
    known = learnings(old)
    fresh = [text for text in map(_unmarked, learned) if text and text not in known]
    if fresh:
        bullets = [f"  - {text}" for text in (*known, *fresh)]
        new = _with_field(new, "Learnings", ["", *bullets])
    return new


def _unmarked(text: str) -> str:
    """A learning as one gives it, without the mark of a list before it."""
    bare = text.strip()
    return flat(bare[2:] if bare[:2] in {"- ", "* ", "+ "} else bare)


def learnings(completion: str) -> list[str]:
    """What the Learnings field says: its own line and every bullet; "none noted" says nothing."""
    first, *rest = field(completion, "Learnings").split("\n")
    found = _BULLET.match(first)
    said = [found[1] if found else first]
    for line in rest:
        found = _BULLET.match(line)
        if found:
            said.append(found[1])
        elif line.strip():
            said[-1] = f"{said[-1]} {line.strip()}".strip()
    return [text for text in map(flat, said) if text.casefold().rstrip(".!") not in NOTHING]


def _span(lines: Sequence[str], name: str) -> tuple[int, int]:
    """The lines of a field: from its own to the next field; the same number twice when absent."""
    start = -1
    for number, line in enumerate(lines):
        found = _FIELD.match(line)
        if found and start >= 0 and not _is_deeper(line, lines[start]):
            return start, number
        if found and start < 0 and found[1].strip().casefold() == name.casefold():
            start = number
    return (start, len(lines)) if start >= 0 else (0, 0)


def _is_deeper(line: str, above: str) -> bool:
    """Whether a line is indented below another: a learning may begin in bold."""
    return _indent(line) > _indent(above)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _with_field(text: str, name: str, said: Sequence[str]) -> str:
    first, *more = said
    new = [f"- **{name}**: {first}".rstrip(), *more]
    lines = text.split("\n") if text else []
    start, end = _span(lines, name)
    if start == end:
        return "\n".join([*lines, *new])
    return "\n".join([*lines[:start], *new, *lines[end:]])


# LEARNINGS.md


def appended(text: str, date: str, name: str, said: Sequence[str]) -> str:
    """LEARNINGS.md with a block for a checkpoint; the same text when it says all of it already."""
    known = {line for block in blocks(text) if block.id == name for line in block.lines}
    fresh = [f"- {one}" for one in said if f"- {one}" not in known]
    if not fresh:
        return text
    eol = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text or text.endswith("\n") else eol
    block = f"\n## {date} — {name}\n" + "".join(f"{line}\n" for line in fresh)
    return (text or TITLE) + gap + block.replace("\n", eol)


def blocks(text: str) -> list[Learned]:
    """Everything that LEARNINGS.md says, in its order."""
    found: list[tuple[Learned, list[str]]] = []
    for line in text.removeprefix("\ufeff").splitlines():
        if line.startswith("## ") or not found:
            found.append((_opened(line), []))
        else:
            found[-1][1].append(line.rstrip())
    whole = [block._replace(lines=_trimmed((*block.lines, *more))) for block, more in found]
    return [block for block in whole if block.id or block.lines]


def newest_first(found: Sequence[Learned]) -> list[Learned]:
    """By date; a block without one stays beside the one that it stands below."""
    dated, last = [], 0.0
    for block in found:
        when = instant(block.date)
        last = last if when is None else when
        dated.append((last, block))
    dated.reverse()
    dated.sort(key=lambda pair: pair[0], reverse=True)
    return [block for _, block in dated]


def _opened(line: str) -> Learned:
    line = line.rstrip()
    head = _HEAD.match(line)
    if head and instant(head[1]) is not None:
        return Learned(head[1], head[2], ())
    return Learned("", "", () if line.strip() == TITLE.strip() else (line,))


def _trimmed(lines: Sequence[str]) -> tuple[str, ...]:
    said = [number for number, line in enumerate(lines) if line.strip()]
    return tuple(lines[said[0] : said[-1] + 1]) if said else ()
