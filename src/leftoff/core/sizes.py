"""How large a document may grow before somebody should know: the size rules of all formats.

A format checks by the defaults, since what it finds is cached and knows no settings. Where the
settings have other limits, `judged` puts their verdict in its place, from what the glance knows.
"""

from __future__ import annotations

from leftoff.core.model import LEVELS, Finding
from leftoff.core.paths import is_session_note
from leftoff.core.thresholds import DEFAULTS
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from leftoff.core.model import Checkpoint
    from leftoff.core.stream import Glance, Stream

_SIZES = tuple(key for key in DEFAULTS if key.startswith("size."))
_SLUGS = frozenset({"large-file", "long-summary", "many-decisions", "too-long"})


def judged(stream: Stream, limits: Mapping[str, float]) -> Sequence[Finding]:
    """What the formats found in a stream, its sizes measured by these limits; the worst first."""
    if stream.glance.broken or are_usual(limits):
        return stream.findings
    others = [finding for finding in stream.findings if finding.slug not in _SLUGS]
    found = [*others, *findings(stream.glance, limits)]
    return sorted(found, key=lambda finding: LEVELS.index(finding.level))


def are_usual(limits: Mapping[str, float]) -> bool:
    """Whether no size was set: what the formats found then stands."""
    return limits is DEFAULTS or all(limits[key] == DEFAULTS[key] for key in _SIZES)


def findings(one: Glance, limits: Mapping[str, float]) -> Iterator[Finding]:
    """What is too large in a stream."""
    if one.format == "skill":
        yield from skill_file(one.bytes, one.summary_chars, limits)
        yield from decisions(one.decision_count, limits)
    elif one.format == "task" and not is_session_note(one.path):
        yield from task_file(one.path, one.bytes, limits)


def skill_file(size: int, summary: int, limits: Mapping[str, float]) -> Iterator[Finding]:
    """Bytes of a skill's checkpoint, and the length of its summary (see `utf16`)."""
    largest, longest = int(limits["size.skill_file"]), int(limits["size.summary"])
    if size > largest:
        tenths = (size * 10 + 512) // 1024  # half a tenth rounds up, as in the first validator
        most = f"{largest} bytes" if largest % 1024 else f"{largest // 1024}KB"
        text = (
            f"checkpoint is {tenths // 10}.{tenths % 10}KB (> {most})"
            " — rotate old skill_state telemetry into .checkpoints/history/"
        )
        yield Finding("large-file", "warning", "", text, "leftoff prune NAME")
    if summary > longest:
        text = (
            f"progress_summary is {summary} chars (> {longest})"
            " — keep it scannable; push detail into progress_table"
        )
        yield Finding("long-summary", "warning", "progress_summary", text)


def decisions(count: int, limits: Mapping[str, float]) -> Iterator[Finding]:
    """Decisions that a skill's checkpoint carries along."""
    most = int(limits["size.decisions"])
    if count > most:
        text = f"{count} key decisions (> {most}): `leftoff prune` folds the older ones"
        yield Finding("many-decisions", "advice", "context_primer.key_decisions", text)


def task_file(path: str, size: int, limits: Mapping[str, float]) -> Iterator[Finding]:
    """Bytes of a task save: in a large one, contents may have slipped in where paths belong."""
    most = int(limits["size.task_file"])
    if size > most:
        text = f"{path} has {size} bytes, more than {most}: it should hold paths, not contents"
        yield Finding("too-long", "warning", "", text)


def saved(c: Checkpoint, size: int, limits: Mapping[str, float]) -> Iterator[Finding]:
    """Advice after a save into a document that has no rules of its own for this."""
    longest, most = int(limits["size.summary"]), int(limits["size.decisions"])
    largest = int(limits["size.skill_file"])
    if len(c.summary) > longest:
        text = (
            f"the summary has {len(c.summary)} characters, more than {longest}: keep it scannable"
        )
        yield Finding("long-summary", "advice", "", text)
    if len(c.decisions) > most:
        text = (
            f"{len(c.decisions)} decisions, more than {most}: `leftoff prune` folds the older ones"
        )
        yield Finding("many-decisions", "advice", "", text)
    if size > largest:
        text = f"the file has {size} bytes, more than {largest}: it should hold paths, not contents"
        yield Finding("large-file", "advice", "", text)


def utf16(text: str) -> int:
    """How long JavaScript, in which the first validator is written, says a text is."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
