"""validate: every rule of every format, for all documents at once; the gate for CI."""

from __future__ import annotations

import os

from leftoff.commands import Call
from leftoff.core import age_checks, sizes
from leftoff.core.blocks import Block, Line
from leftoff.core.cross_checks import across
from leftoff.core.find_stream import find
from leftoff.core.model import Finding
from leftoff.core.result import Result
from leftoff.core.stream import place_in
from leftoff.errors import NotFound
from leftoff.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from leftoff.commands import Say
    from leftoff.core.model import Json
    from leftoff.core.stream import Stream

SUMMARY = "Check documents against the rules of their formats (exit 1 on errors)."
EXAMPLES = (
    "leftoff validate",
    "leftoff validate --strict",
    "leftoff validate .checkpoints/oc-git-ops.checkpoint.json",
)
FINDINGS_IN_VIEW = True
MARKS = {"error": "✗", "warning": "⚠", "advice": "·", "info": "·"}

# What the rules that need more than one document, or the clock, read of each.
FIELDS = (
    *("format", "id", "status", "word", "created", "updated", "born", "touched", "broken"),
    *("bytes", "summary_chars", "decision_count", "parts", "findings"),
)


def arguments(parser: Any) -> None:
    """What to check, and how strictly."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files or names (default: all)")
    parser.add_argument("--strict", action="store_true", help="fail on warnings too")


def run(call: Call) -> Result:
    """Collect all findings of all documents; never stop at the first."""
    streams = _wanted(call)
    limits = call.settings.limits
    together = across(streams) if not call.args.paths else {}
    documents: list[Json] = []
    everything: list[Finding] = []
    for stream in streams:
        found = [*sizes.judged(stream, limits), *together.get(stream.glance.path, ())]
        if not stream.glance.broken:
            found += age_checks.findings(stream.glance, call.now, limits)
        documents.append(_document(stream, found))
        everything += [_at(stream, finding) for finding in found]
    counts = _counts(everything)
    failed = bool(call.args.strict) and bool(counts["warning"])
    data: dict[str, Json] = {
        "strict": bool(call.args.strict),
        "documents": documents,
        "counts": {**counts},
    }
    return Result(data, tuple(everything), failed=failed)


def view(data: dict[str, Any], say: Say) -> Iterator[Block]:
    """A mark and a path for each document, its findings below, the sum at the end."""
    if not data["documents"]:
        yield Line(say("No checkpoints here yet."))
        return
    for document in data["documents"]:
        yield Line(f"{'✓' if document['ok'] else '✗'} {document['path']}", _tone(document))
        for finding in document["findings"]:
            part = finding["where"] if finding["slug"] == "broken" else ""
            said = f"{part}: {finding['text']}" if part else finding["text"]
            line = f"    {MARKS[finding['level']]} {said}"
            yield Line(line + (f"  ({finding['fix']})" if finding["fix"] else ""), "plain")
    yield Line("")
    yield Line(_sum(data, say), "bad" if _bad(data) else "good")


def _wanted(call: Call) -> Sequence[Stream]:
    if not call.args.paths:
        return call.store.streams(FIELDS)
    return [_one(call, word) for word in call.args.paths]


def _one(call: Call, word: str) -> Stream:
    path = os.path.normpath(os.path.join(call.cwd, word))
    if os.path.isfile(path):
        return call.store.stream_at(path)
    if "/" in word and ".." not in word and not os.path.isabs(word):
        raise NotFound(f"there is no {word}", hint='run "leftoff list" to see all', where=word)
    return find(call.store.streams(), word)


def _document(stream: Stream, found: Sequence[Finding]) -> dict[str, Json]:
    return {
        "path": stream.glance.path,
        "format": stream.glance.format,
        "ok": not any(finding.level == "error" for finding in found),
        "findings": [finding._asdict() for finding in found],
    }


def _at(stream: Stream, finding: Finding) -> Finding:
    return finding._replace(where=place_in(stream, finding.where))


def _counts(found: Sequence[Finding]) -> dict[str, int]:
    return {level: sum(finding.level == level for finding in found) for level in MARKS}


def _bad(data: dict[str, Any]) -> bool:
    return bool(data["counts"]["error"] or (data["strict"] and data["counts"]["warning"]))


def _tone(document: dict[str, Any]) -> str:
    return "good" if document["ok"] else "bad"


def _sum(data: dict[str, Any], say: Say) -> str:
    total, counts = len(data["documents"]), data["counts"]
    warnings = say(" ({n} warning(s))", n=counts["warning"]) if counts["warning"] else ""
    bad = sum(not document["ok"] for document in data["documents"])
    if bad:
        return say(
            "{bad} of {total} document(s) failed{warnings}.",
            bad=bad,
            total=total,
            warnings=warnings,
        )
    if _bad(data):
        return say("{n} warning(s), and --strict fails on them.", n=counts["warning"])
    return say("{total} document(s) valid{warnings}.", total=total, warnings=warnings)
